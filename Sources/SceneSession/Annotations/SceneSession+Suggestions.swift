public import Annotations
import JSON
import RoomNames
import SceneComparison
public import SceneDocument
import SceneModel
import SceneWire

/// Suggestions: a room's acceptances, and a branch's updates. Both replace the scene with what it
/// and another room's scene come to together, so each is the only decision of its tick, is
/// journalled as a snapshot with the annotations, and is taken back by one undo.
///
/// The room keeps a suggestion with the scene of the tick at which it was opened. The branch is
/// made of that, and from then on has its own suggestion, whose base moves on with each update in
/// the record that has the merged scene.
extension SceneSession {
    /// The suggestion of which this room is the branch; `nil` for another room, and while there is
    /// no scene.
    public var ownSuggestion: Suggestion? { annotations?.ownSuggestion }

    /// A suggestion of this room; `nil` for an unknown one.
    ///
    /// - Throws: The reason why nothing can be said now.
    public func suggestion(_ id: String) throws(Refusal) -> Suggestion? {
        guard let annotations = wake()?.annotations else {
            throw Refusal(
                code: .storeFailed,
                message: "room \(room) must be reopened from its journal; try again")
        }
        return annotations.suggestions[id].flatMap { $0.isOwn ? nil : $0 }
    }

    /// The names of this room's suggestions, in order.
    public var suggestionNames: [String] {
        wake()?.annotations.suggestions.values.filter { !$0.isOwn }.map(\.id).sorted() ?? []
    }

    /// The scene for a merge in another room.
    ///
    /// - Complexity: O(views + constraints).
    public func sceneForOthers() -> OtherScene {
        guard let timeline = wake() else {
            return .failed("room \(room) must be reopened from its journal; try again")
        }
        return .scene(timeline.model.document(), tick: tick, timeline.annotations.ownSuggestion)
    }

    // MARK: Reading the other room

    /// The room whose scene a request of a member is merged with; `nil` for a request that is
    /// decided, or refused, without it.
    private func otherRoom(for request: Inbox.Request, from member: Member) -> String? {
        guard case .ops(let message) = request, member.admission.role.edits,
            let op = AnnotationOp.merge(message.ops)
        else { return nil }
        let isBranch = RoomName.suggestion(of: room) != nil
        switch op {
        case .acceptSuggestion(let id, _):
            return isBranch ? nil : RoomName.branch(of: room, suggestion: id)
        case .updateSuggestion: return isBranch ? RoomName.main(of: room) : nil
        case .lock, .unlock, .addComment, .replyComment, .editComment, .removeComment,
            .resolveComment, .reopenComment, .reactComment, .addVersion, .removeVersion,
            .restoreVersion, .suggest, .refuseSuggestion, .reopenSuggestion, .removeSuggestion:
            return nil
        }
    }

    /// Holds a request that needs another room's scene, or comes behind one that does.
    ///
    /// - Returns: Whether it is held.
    func holdsForReading(_ request: Inbox.Request, from member: Member) -> Bool {
        if reads.isHolding(member.id) {
            reads.hold(request, from: member.id)
            return true
        }
        guard let other = otherRoom(for: request, from: member) else { return false }
        reads.hold(request, from: member.id)
        effects.append(.readScene(member.id, room: other))
        return true
    }

    /// Goes on with a member's requests, of which the first waited for a scene.
    func sceneWasRead(_ id: MemberID, _ scene: OtherScene) {
        var requests = reads.take(id)[...]
        guard let member = roster[id] else { return }
        if case .ops(let message)? = requests.popFirst() {
            putIntoInbox(.merge(message, scene), from: member)
        }
        for request in requests { enqueue(request, from: member) }
    }

    // MARK: Merging

    /// Units of work to merge scenes, for each view and constraint of the three.
    private static let mergePrice: UInt64 = 1_000

    /// Decides an acceptance or an update.
    func decideMerge(
        _ message: Ops, _ other: OtherScene, _ decision: inout Decision, _ turn: inout Turn
    ) {
        guard let timeline = wake(), let values = message.ops.array else { return }
        do throws(Refusal) {
            let op = try AnnotationOp.parse(values[0], at: 0)
            try checkRole(of: decision.member, for: op)
            try timeline.annotations.check(
                op, by: person(of: decision.member), isAdministrator: false,
                Annotations.Subject(hasView: { _ in false }, hasConstraint: { _ in false }))
            guard case .scene(let scene, let otherTick, let theirs) = other else {
                throw Self.refusal(of: other)
            }
            let count =
                scene.views.count + scene.constraints.count + timeline.model.viewCount
                + timeline.model.constraintCount
            guard
                turn.pay(
                    Self.mergePrice * UInt64(count), within: work.budget.message,
                    of: work.slice, for: "merging the scenes", &decision)
            else { return }
            switch op {
            case .acceptSuggestion(let id, let only):
                let known = try timeline.annotations.suggestion(id)
                guard let theirs, theirs.isSame(as: known) else {
                    throw Self.refusal(of: .none)
                }
                try accept(scene, theirs, only, message.ops, &decision, &turn)
            case .updateSuggestion: try update(with: scene, otherTick, &decision, &turn)
            case .lock, .unlock, .addComment, .replyComment, .editComment, .removeComment,
                .resolveComment, .reopenComment, .reactComment, .addVersion, .removeVersion,
                .restoreVersion, .suggest, .refuseSuggestion, .reopenSuggestion,
                .removeSuggestion:
                throw Refusal(code: .badOp, message: "it merges nothing")
            }
        } catch {
            decision.outcome = .refused(error)
        }
    }

    private static func refusal(of other: OtherScene) -> Refusal {
        switch other {
        case .failed(let reason): Refusal(code: .storeFailed, message: reason)
        case .none, .scene:
            Refusal(
                code: .conflict,
                message: "nobody has changed anything in the suggestion's branch yet")
        }
    }

    /// Takes a branch's changes in, or some of them.
    private func accept(
        _ branch: SceneDocument, _ suggestion: Suggestion, _ only: [String]?, _ ops: JSONValue,
        _ decision: inout Decision, _ turn: inout Turn
    ) throws(Refusal) {
        guard let timeline = wake() else { return }
        let present = timeline.model.document()
        let merge: DocumentMerge
        do throws(DocumentError) {
            let base = try suggestion.base.scene.document()
            var theirs = branch
            if let only {
                let part = try DocumentPart(of: branch, since: base, only: Set(only))
                guard part.unknown.isEmpty else {
                    let names = part.unknown.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
                    throw DocumentError(
                        code: .conflict, message: "the suggestion changes nothing of \(names)")
                }
                theirs = part.document
            }
            merge = try DocumentMerge(base: base, ours: present, theirs: theirs)
        } catch {
            throw Refusal(error, opIndex: 0)
        }
        guard merge.conflicts.isEmpty else { throw Self.refusal(of: merge.conflicts) }
        let stamp = Annotations.Stamp(
            person: person(of: decision.member), time: wallClock(), tick: tick)
        let op = AnnotationOp.acceptSuggestion(id: suggestion.id, only: only)
        guard merge.document != present else {
            guard only == nil else {
                throw Refusal(code: .conflict, message: "the scene has all of that already")
            }
            // Everything was taken before, part by part.
            timeline.annotations.apply(op, stamp) { present }
            var batch = BatchPayload(
                author: decision.member.admission.session,
                clientSequence: decision.sequence, isAtomic: true, purpose: .annotate,
                ops: ops)
            batch.stamp = stamp
            decision.batches.append(batch)
            return
        }
        try checkAccess(of: decision.member, changing: present, into: merge.document)
        replaceScene(with: merge.document, of: present, &decision, &turn)
        guard decision.isScene, only == nil, let timeline = wake() else { return }
        timeline.annotations.apply(op, stamp) { present }
    }

    /// Takes into a branch what has changed in its room. What the branch has changed as well stays
    /// as the branch has it, and is named.
    private func update(
        with main: SceneDocument, _ mainTick: UInt64, _ decision: inout Decision,
        _ turn: inout Turn
    ) throws(Refusal) {
        guard let timeline = wake(), let own = timeline.annotations.ownSuggestion else { return }
        let present = timeline.model.document()
        let merge: DocumentMerge
        let base: SceneDocument
        do throws(DocumentError) {
            base = try own.base.scene.document()
            merge = try DocumentMerge(base: base, ours: present, theirs: main)
        } catch {
            throw Refusal(error, opIndex: 0)
        }
        guard base != main else {
            throw Refusal(
                code: .conflict,
                message: "nothing has changed in room \(RoomName.main(of: room)) since")
        }
        try checkAccess(of: decision.member, changing: present, into: merge.document)
        let packed = PackedDocument(present)
        replaceScene(with: merge.document, of: present, &decision, &turn)
        guard decision.isScene, let timeline = wake() else { return }
        timeline.annotations.updateOwnSuggestion(
            to: Suggestion.Base(scene: PackedDocument(main), tick: mainTick), from: packed,
            conflicts: merge.conflicts.map(\.text))
    }

    private func replaceScene(
        with document: SceneDocument, of present: SceneDocument, _ decision: inout Decision,
        _ turn: inout Turn
    ) {
        let packed = PackedDocument(present)
        decide(document, checksAccess: false, &decision, &turn)
        guard decision.isScene, let timeline = wake() else { return }
        timeline.ledger.record(packed, .undo, author: decision.member.admission.session)
    }

    /// The refusal that names conflicts, at most so many that a person reads them.
    private static func refusal(of conflicts: [DocumentMerge.Conflict]) -> Refusal {
        let told = conflicts.prefix(5).map { String($0.text.prefix(300)) }
        let rest = conflicts.count - told.count
        return Refusal(
            code: .conflict,
            message: told.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
                + "; update the suggestion and settle it there, or take other parts",
            conflicting: conflicts.prefix(20).filter { $0.subject == "constraint" }.map(\.id))
    }

    /// Refuses what changes a view that the member may not change.
    private func checkAccess(
        of member: Member, changing present: SceneDocument, into document: SceneDocument
    ) throws(Refusal) {
        guard let timeline = wake(), let rules = accessRules(of: member) else {
            throw Refusal(code: .storeFailed, message: "the scene is not in memory")
        }
        if let refusal = options.policy?.refusal(.setScene(document), RoomName.main(of: room)) {
            throw refusal
        }
        guard !rules.isEmpty else { return }
        let model = timeline.model
        for change in DocumentMerge.changedViews(from: present, to: document) {
            // A new view changes the one that it is put into.
            let path =
                model.path(from: change.id)
                ?? [change.id] + (model.path(from: change.parent) ?? ["root"])
            if let refusal = rules.refusal(ofChanging: path, andBelow: false, model) {
                throw refusal
            }
        }
    }

    // MARK: Rooms and branches

    /// Throws for an op about suggestions in a branch: a branch has none of its own.
    func checkPlace(of op: AnnotationOp) throws(Refusal) {
        guard RoomName.suggestion(of: room) != nil else { return }
        let main = RoomName.main(of: room)
        switch op {
        case .suggest:
            throw Refusal(
                code: .badOp,
                message: "a branch has no branches: open the suggestion in room \(main)")
        case .acceptSuggestion, .refuseSuggestion, .reopenSuggestion, .removeSuggestion:
            throw Refusal(
                code: .badOp, message: "suggestions are decided in their room, \(main)")
        case .lock, .unlock, .addComment, .replyComment, .editComment, .removeComment,
            .resolveComment, .reopenComment, .reactComment, .addVersion, .removeVersion,
            .restoreVersion, .updateSuggestion:
            break
        }
    }

    /// Has the branches of changed suggestions learn of it.
    func tellBranches(_ keys: [AnnotationKey], _ annotations: Annotations) {
        guard RoomName.suggestion(of: room) == nil else { return }
        for case .suggestion(let id) in keys {
            effects.append(.suggestionChanged(id, annotations.suggestions[id]))
        }
    }

    /// Takes over what became of the suggestion of which this room is the branch, once a tick runs.
    func suggestionChanged(_ suggestion: Suggestion) {
        // A scene that is being rebuilt has none yet; the tick finds out.
        if let own = ownSuggestion, own.state == suggestion.state {
            annotationState.news = nil
        } else {
            annotationState.news = suggestion
        }
    }

    /// Journals and tells what became of the branch's suggestion.
    func takeNews(_ timeline: SceneTimeline) {
        guard let news = annotationState.news, gate.writes else { return }
        annotationState.news = nil
        guard let own = timeline.annotations.ownSuggestion, own.isSame(as: news),
            own.state != news.state
        else { return }
        var stamp = Annotations.Stamp(person: news.author, time: wallClock(), tick: tick)
        switch news.state {
        case .open: break
        case .accepted(let decision), .refused(let decision, _):
            stamp = Annotations.Stamp(
                person: decision.person, time: decision.time, tick: decision.tick)
        }
        let value = AnnotationOp.json(of: news)
        guard let op = try? AnnotationOp.parse(value, at: 0) else { return }
        timeline.annotations.apply(op, stamp) { timeline.model.document() }
        var batch = BatchPayload(
            author: "", clientSequence: 0, isAtomic: false, purpose: .annotate,
            ops: .array([value]))
        batch.stamp = stamp
        append(batch)
    }

    /// The refusal of a change of a branch whose suggestion is decided.
    func refusalOfDecidedBranch(_ request: Inbox.Request) -> Refusal? {
        guard RoomName.suggestion(of: room) != nil,
            !request.isAboutAnnotations || request.replacesScene, let own = ownSuggestion
        else { return nil }
        return annotationState.news?.refusalOfChange ?? own.refusalOfChange
    }
}
