import SceneModel
import SceneProtocol

extension SceneSession {
    // MARK: The inbox

    func enqueue(_ request: Inbox.Request, from member: Member) {
        guard inbox.accept(request, from: member.id) else {
            refuse(
                request.clientSequence, from: member,
                Refusal(code: .limit, message: "the room's inbox is full"), isFinal: false)
            return
        }
    }

    /// Decides one request of the inbox.
    func decide(_ request: Inbox.Request, from member: Member, _ timeline: SceneTimeline) {
        guard admits(request.clientSequence, from: member) else { return }
        switch request {
        case .ops(let ops): decide(ops, from: member, timeline)
        case .step(let direction, let sequence):
            decide(direction, sequence, from: member, timeline)
        }
    }

    /// Whether a message may be decided: it is no repetition, and its sender may change the room.
    private func admits(_ sequence: UInt64, from member: Member) -> Bool {
        let history = clients[member.admission.session] ?? ClientHistory()
        if sequence <= history.lastSequence, sequence > 0 {
            repeatResult(sequence, history, to: member)
            return false
        }
        guard member.admission.role != .viewer else {
            refuse(
                sequence, from: member,
                Refusal(code: .forbidden, message: "viewers change nothing"))
            return false
        }
        guard !isReadOnly else {
            refuse(
                sequence, from: member,
                Refusal(
                    code: .storeFailed,
                    message: "read-only: store failed; nothing can be changed until it is back"))
            return false
        }
        return true
    }

    // MARK: Ops

    private func decide(_ message: Ops, from member: Member, _ timeline: SceneTimeline) {
        let parsed: [Result<Op, DocumentError>]
        do {
            parsed = try Op.parseEach(message.ops)
        } catch {
            refuse(message.clientSequence, from: member, Refusal(error, opIndex: 0))
            return
        }
        if case .success(.setScene(let document))? = parsed.first, parsed.count == 1 {
            replaceScene(document, message.clientSequence, from: member, timeline)
            return
        }
        decide(parsed, message, from: member, timeline)
    }

    /// Applies what can be applied, journals it, and keeps the result until it is durable.
    private func decide(
        _ parsed: [Result<Op, DocumentError>], _ message: Ops, from member: Member,
        _ timeline: SceneTimeline
    ) {
        var ops: [Op] = []
        var places: [Int] = []
        var refusals: [Refusal] = []
        for (index, result) in parsed.enumerated() {
            switch result {
            case .success(let op):
                ops.append(op)
                places.append(index)
            case .failure(let error): refusals.append(Refusal(error, opIndex: index))
            }
        }
        let excess = options.sceneLimits.excess(ops, in: timeline.model)
        if let refusal = message.isAtomic ? refusals.first ?? excess : excess {
            refuse(message.clientSequence, from: member, refusal)
            return
        }
        let author = member.admission.session
        let outcome = timeline.apply(
            ops, author: author, atomic: message.isAtomic, undoGroup: message.undoGroup)
        if outcome.hasLaidOutOthers {
            append(
                BatchPayload(
                    author: "", clientSequence: 0, isAtomic: false, purpose: .layOut,
                    ops: .array([])))
        }
        for refusal in outcome.refusals {
            var placed = refusal
            placed.opIndex = places[refusal.opIndex]
            refusals.append(placed)
        }
        refusals.sort { $0.opIndex < $1.opIndex }
        if message.isAtomic || parsed.count == 1, let refusal = refusals.first {
            refuse(message.clientSequence, from: member, refusal)
        } else {
            var commit = Commit()
            commit.frames = outcome.laidOut
            commit.removedConstraints = outcome.removedConstraints
            commit.refusals = refusals
            let refused = Set(outcome.refusals.map(\.opIndex))
            let accepted = ops.indices.filter { !refused.contains($0) }
            if !accepted.isEmpty {
                append(
                    BatchPayload(
                        author: author, clientSequence: message.clientSequence,
                        isAtomic: message.isAtomic, undoGroup: message.undoGroup,
                        // What was taken whole is kept as it came.
                        ops: refusals.isEmpty
                            ? message.ops : .array(accepted.map { ops[$0].json })))
            }
            finish(
                message.clientSequence, from: member, commit, isJournalled: !accepted.isEmpty)
        }
        // A failed batch put the scene back to a rebuilt state; a replay has to do the same.
        if outcome.wasRebuilt { appendSnapshot(author: "", clientSequence: 0) }
    }

    private func replaceScene(
        _ document: SceneDocument, _ sequence: UInt64, from member: Member,
        _ timeline: SceneTimeline
    ) {
        if let refusal = options.sceneLimits.excess(document) {
            refuse(sequence, from: member, refusal)
            return
        }
        do {
            try timeline.replaceScene(document)
        } catch {
            refuse(sequence, from: member, error)
            return
        }
        appendSnapshot(author: member.admission.session, clientSequence: sequence)
        finish(sequence, from: member, Commit())
    }

    /// Puts a document in the place of the scene, for an administrator.
    ///
    /// - Returns: Why the old scene stands, if it does.
    func replaceScene(_ document: SceneDocument) -> Refusal? {
        guard !isReadOnly else {
            return Refusal(
                code: .storeFailed, message: "read-only: the journal cannot be written")
        }
        if let refusal = options.sceneLimits.excess(document) { return refusal }
        guard let timeline = wake() else {
            return Refusal(code: .storeFailed, message: "the room has to be read again")
        }
        do { try timeline.replaceScene(document) } catch { return error }
        appendSnapshot(author: "", clientSequence: 0)
        return nil
    }

    // MARK: Undo

    private func decide(
        _ direction: UndoLedger.Direction, _ sequence: UInt64, from member: Member,
        _ timeline: SceneTimeline
    ) {
        let author = member.admission.session
        do {
            let (ops, outcome) = try timeline.step(direction, author: author)
            var commit = Commit()
            commit.frames = outcome.laidOut
            commit.removedConstraints = outcome.removedConstraints
            append(
                BatchPayload(
                    author: author, clientSequence: sequence, isAtomic: true,
                    purpose: direction == .undo ? .undo : .redo, ops: .array(ops.map(\.json))))
            finish(sequence, from: member, commit)
        } catch {
            if error.dropsStep {
                append(
                    BatchPayload(
                        author: author, clientSequence: 0, isAtomic: false,
                        purpose: direction == .undo ? .dropUndo : .dropRedo, ops: .array([])))
            }
            refuse(sequence, from: member, error.refusal)
            if error.wasRebuilt { appendSnapshot(author: "", clientSequence: 0) }
        }
    }

    // MARK: Results

    private func repeatResult(_ sequence: UInt64, _ history: ClientHistory, to member: Member) {
        if let result = history.results.last(where: { $0.clientSequence == sequence }) {
            send([.result(result)], to: [member])
            return
        }
        // One that still waits for the journal is sent when it is durable.
        guard !journal.isWaiting(for: sequence, of: member.admission.session) else { return }
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        if !history.committed.contains(sequence) {
            // What was refused leaves no trace in the journal.
            result.outcome = .refused(
                Refusal(
                    code: .conflict,
                    message: "decided before; it is not among the latest that were committed"))
        }
        send([.result(result)], to: [member])
    }

    /// - Parameter isFinal: Whether the message is decided; otherwise the client may send it again.
    func refuse(
        _ sequence: UInt64, from member: Member, _ refusal: Refusal, isFinal: Bool = true
    ) {
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        result.outcome = .refused(refusal)
        if isFinal { note(result, author: member.admission.session) }
        send([.result(result)], to: [member])
    }

    /// A result that may leave once everything journalled so far is on disk.
    private func finish(
        _ sequence: UInt64, from member: Member, _ commit: Commit, isJournalled: Bool = true
    ) {
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        result.outcome = .committed(commit)
        let author = member.admission.session
        if let last = clients[author]?.lastSequence {
            clients[author]?.lastSequence = max(last, sequence)
        }
        if journal.isDurable {
            note(result, author: author)
            send([.result(result)], to: [member])
            return
        }
        journal.wait(
            .init(
                member: member.id, author: author, result: result, isJournalled: isJournalled))
    }

    func note(_ result: OpsResult, author: String, isJournalled: Bool = false) {
        clients[author]?.remember(result, isJournalled: isJournalled)
    }
}
