import JSON
import SceneDocument
import SceneModel
import SceneWire

/// Takes members' changes back, and makes them again.
extension SceneSession {
    func decide(
        _ direction: UndoLedger.Direction, _ decision: inout Decision, _ turn: inout Turn
    ) {
        guard let timeline = wake() else { return }
        let author = decision.member.admission.session
        if let kept = timeline.ledger.keptScene(direction, author: author) {
            return decide(direction, to: kept, &decision, &turn)
        }
        let model = timeline.model
        let before = model.work
        let limit = limitWork(of: model, spent: 0, turn)
        model.refusalOfAccess = access(of: decision.member)
        do throws(UndoRefusal) {
            defer {
                liftLimits(of: model)
                turn.charge(model.work &- before, to: &decision)
            }
            let (ops, outcome) = try timeline.perform(direction, author: author)
            var commit = Commit()
            commit.frames = outcome.laidOut
            commit.removedConstraints = outcome.removedConstraints
            decision.outcome = .committed(commit)
            if outcome.hasLaidOutOthers { decision.batches.append(.layOut) }
            decision.ops = ops
            memory.grow(by: OpFootprint(of: ops))
            decision.batches.append(
                BatchPayload(
                    author: author, clientSequence: decision.sequence, isAtomic: true,
                    purpose: direction == .undo ? .undo : .redo, ops: .array(ops.map(\.json))))
        } catch {
            decision.outcome = .refused(error.refusal)
            if error.dropsStep { decision.batches.append(.drop(direction, author: author)) }
            guard model.isSpoiled else { return }
            if model.isExhausted, limit.isSlice {
                turn.hasOverrun = true
            } else {
                _ = bringBack(&decision, &turn)
            }
        }
    }
}
