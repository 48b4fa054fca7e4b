import Annotations
import JSON
import SceneDocument
import SceneModel
import SceneWire

/// Versions that are brought back. Each replaces the scene, so it is journalled as a snapshot and
/// is the only decision of its tick; its sender can return to the scene of before.
extension SceneSession {
    /// Whether a request replaces the scene.
    func replacesScene(_ entry: Inbox.Entry) -> Bool {
        switch entry.request {
        case .ops, .merge: entry.request.replacesScene
        case .history(let direction, _):
            if case .live(let timeline) = scene, let member = roster[entry.member] {
                timeline.ledger.keptScene(direction, author: member.admission.session) != nil
            } else {
                false
            }
        }
    }

    /// Brings the scene of a version back.
    func decideRestoration(
        _ ops: JSONValue, _ decision: inout Decision, _ turn: inout Turn
    ) {
        guard let timeline = wake(), let values = ops.array else { return }
        do throws(Refusal) {
            let op = try AnnotationOp.parse(values[0], at: 0)
            try checkRole(of: decision.member, for: op)
            guard case .restoreVersion(let name) = op else { return }
            guard let version = timeline.annotations.version(name) else {
                throw Annotations.unknownVersion(name)
            }
            replaceScene(with: version.scene, thenAdd: .undo, &decision, &turn)
        } catch {
            decision.outcome = .refused(error)
        }
    }

    /// Returns to the scene before a step that replaced it, unless others have changed anything
    /// since: that would be lost.
    func decide(
        _ direction: UndoLedger.Direction, to kept: PackedDocument, _ decision: inout Decision,
        _ turn: inout Turn
    ) {
        guard let timeline = wake() else { return }
        let author = decision.member.admission.session
        guard timeline.ledger.hasOnlyAuthor(author) else {
            timeline.ledger.drop(direction, author: author)
            decision.outcome = .refused(
                Refusal(
                    code: .conflict,
                    message: "others have changed the scene since the version came back"))
            decision.batches.append(.drop(direction, author: author))
            return
        }
        replaceScene(
            with: kept, thenAdd: direction == .undo ? .redo : .undo, &decision, &turn)
    }

    /// - Parameter direction: The direction of the step that returns to the present scene.
    private func replaceScene(
        with kept: PackedDocument, thenAdd direction: UndoLedger.Direction,
        _ decision: inout Decision, _ turn: inout Turn
    ) {
        guard let timeline = wake() else { return }
        let price =
            Self.packingPrice(of: timeline.model)
            + Self.unpackingPriceOfByte * UInt64(kept.textByteCount)
        guard
            turn.pay(
                price, within: work.budget.message, of: work.slice, for: "reading the scene",
                &decision)
        else { return }
        let present = PackedDocument(timeline.model.document())
        do throws(DocumentError) {
            decide(try kept.document(), &decision, &turn)
        } catch {
            decision.outcome = .refused(Refusal(error, opIndex: 0))
        }
        guard decision.isScene else { return }
        timeline.annotations.bringBaseBack(with: kept, from: present)
        timeline.ledger.record(
            present, direction, author: decision.member.admission.session)
    }

    /// Units of work to read a byte of a document's text: about a value in twelve bytes.
    private static let unpackingPriceOfByte: UInt64 = 20
}
