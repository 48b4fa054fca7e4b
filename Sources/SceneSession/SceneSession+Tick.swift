import SceneModel
import SceneProtocol

extension SceneSession {
    /// The update cycle: ops in order of arrival, the passes, one diff encoded once for all that are in step.
    func runTick(_ number: UInt64) {
        guard number > tick, needsTick else {
            tick = max(tick, number)
            return
        }
        catchUp(to: number)
        tick = number
        let work = inbox
        inbox.removeAll(keepingCapacity: true)
        for (member, ops) in work { apply(ops, from: member) }
        timeline.runCycle()
        if journal.batchesSinceSnapshot >= Self.batchesPerSnapshot, model.isSettled, !isReadOnly {
            appendSnapshot(author: "", clientSequence: 0)
        }
        broadcastChanges()
        broadcastHash()
        send(presences.takeMessages(tick: tick, tickRate: tickRate), to: order)
        if journal.isSettled { durableTick = tick }
    }

    /// Runs the cycles of ticks that came too late for their time, without telling anybody, as a replay would: what
    /// is animated moves by ticks, however long they took.
    private func catchUp(to number: UInt64) {
        while tick + 1 < number, model.hasPendingWork {
            tick += 1
            timeline.runCycle()
        }
    }

    private func broadcastChanges() {
        let changes = model.takeChanges()
        guard !changes.isEmpty else { return }
        hashIsDue = true
        if changes.isComplete {
            broadcastEverything()
            return
        }
        var messages: [ServerMessage] = []
        if !changes.tree.isEmpty {
            var tree = Tree()
            tree.tick = tick
            tree.changes = changes.tree
            messages.append(.tree(tree))
        }
        if !changes.contents.isEmpty || !changes.invalidations.isEmpty {
            var content = Content()
            content.tick = tick
            content.changes = changes.contents
            content.invalidations = changes.invalidations
            messages.append(.content(content))
        }
        var frame = Frame()
        frame.tick = tick
        frame.baseTick = baseline.tick
        frame.durableTick = durableTick
        frame.body = encoder.encode(changes.frames)
        messages.append(.frame(frame))
        do {
            for message in messages { _ = try baseline.apply(message) }
        } catch {
            // Members would fail on the same message, so all start from the scene as it is.
            broadcastEverything()
            return
        }
        send(messages, to: inStep())
        expectAcknowledgement()
    }

    /// A snapshot for everybody, after which all are in step.
    func broadcastEverything() {
        startFromScratch()
        for id in order {
            members[id]?.isInStep = true
            members[id]?.unacknowledged.removeAll()
        }
        sendState(to: order)
    }

    private func inStep() -> [MemberID] {
        order.filter { members[$0]?.isInStep == true }
    }

    /// Notes that a frame is on its way; those that owe too many get no more until they have caught up.
    private func expectAcknowledgement() {
        for id in order {
            guard members[id]?.isInStep == true else { continue }
            members[id]?.unacknowledged.append(tick)
            if members[id]?.unacknowledged.count ?? 0 > Self.unacknowledgedMaximum {
                members[id]?.isInStep = false
            }
        }
    }

    /// About once a second after a change, what members can check themselves against.
    private func broadcastHash() {
        guard hashIsDue, tick % UInt64(max(tickRate, 1)) == 0 else { return }
        hashIsDue = false
        var hash = StateHash()
        hash.tick = baseline.tick
        hash.hash = baseline.stateHash
        send([.hash(hash)], to: inStep())
    }

    // MARK: Ops

    private func apply(_ message: Ops, from id: MemberID) {
        guard let member = members[id] else { return }
        let author = member.admission.session
        let history = clients[author] ?? ClientHistory()
        if message.clientSequence <= history.lastSequence, message.clientSequence > 0 {
            repeatResult(message.clientSequence, history, to: id)
            return
        }
        guard member.admission.role != .viewer else {
            refuse(message, from: id, Refusal(code: .forbidden, message: "viewers change nothing"))
            return
        }
        guard !isReadOnly else {
            refuse(
                message, from: id,
                Refusal(code: .storeFailed, message: "read-only: the journal cannot be written"))
            return
        }
        let parsed: [Result<Op, DocumentError>]
        do {
            parsed = try Op.parseEach(message.ops)
        } catch {
            refuse(message, from: id, Refusal(error, opIndex: 0))
            return
        }
        if case .success(.setScene(let document))? = parsed.first, parsed.count == 1 {
            replaceScene(document, message, from: id, author: author)
            return
        }
        decide(parsed, message, from: id, author: author)
    }

    /// Applies what can be applied, journals it, and keeps the result until it is durable.
    private func decide(
        _ parsed: [Result<Op, DocumentError>], _ message: Ops, from id: MemberID, author: String
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
        if let refusal = message.isAtomic ? refusals.first ?? excess(ops) : excess(ops) {
            refuse(message, from: id, refusal)
            return
        }
        let outcome = timeline.apply(ops, author: author, atomic: message.isAtomic)
        for refusal in outcome.refusals {
            var placed = refusal
            placed.opIndex = places[refusal.opIndex]
            refusals.append(placed)
        }
        refusals.sort { $0.opIndex < $1.opIndex }
        let refused = Set(outcome.refusals.map(\.opIndex))
        let accepted = ops.indices.filter { !refused.contains($0) }.map { ops[$0] }
        if message.isAtomic || parsed.count == 1, let refusal = refusals.first {
            refuse(message, from: id, refusal)
        } else {
            var commit = Commit()
            commit.frames = outcome.laidOut
            commit.removedConstraints = outcome.removedConstraints
            commit.refusals = refusals
            if !accepted.isEmpty {
                appendBatch(
                    accepted, author: author, clientSequence: message.clientSequence,
                    atomic: message.isAtomic)
            }
            finish(message, from: id, .committed(commit))
        }
        // A failed batch put the scene back to a rebuilt state; a replay has to do the same.
        if model.wasRebuilt { appendSnapshot(author: "", clientSequence: 0) }
    }

    private func replaceScene(
        _ document: SceneDocument, _ message: Ops, from id: MemberID, author: String
    ) {
        if let refusal = excess(document) {
            refuse(message, from: id, refusal)
            return
        }
        do {
            try model.replaceScene(document)
        } catch {
            refuse(message, from: id, error)
            return
        }
        appendSnapshot(author: author, clientSequence: message.clientSequence)
        finish(message, from: id, .committed(Commit()))
    }

    private func repeatResult(_ sequence: UInt64, _ history: ClientHistory, to id: MemberID) {
        if let result = history.results.last(where: { $0.clientSequence == sequence }) {
            // One that still waits for the journal is sent when it is durable.
            send([.result(result)], to: [id])
            return
        }
        guard !journal.isWaiting(for: sequence, of: history.resumeToken) else { return }
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        send([.result(result)], to: [id])
    }

    func refuse(_ message: Ops, from id: MemberID, _ refusal: Refusal) {
        var result = OpsResult()
        result.clientSequence = message.clientSequence
        result.tick = tick
        result.outcome = .refused(refusal)
        if let author = members[id]?.admission.session {
            note(result, author: author)
        }
        send([.result(result)], to: [id])
    }

    /// A result that may leave once everything journalled so far is on disk.
    private func finish(_ message: Ops, from id: MemberID, _ outcome: OpsResult.Outcome) {
        var result = OpsResult()
        result.clientSequence = message.clientSequence
        result.tick = tick
        result.outcome = outcome
        guard let member = members[id] else { return }
        clients[member.admission.session]?.lastSequence = message.clientSequence
        if journal.isSettled {
            note(result, author: member.admission.session)
            send([.result(result)], to: [id])
            return
        }
        journal.wait(
            .init(
                member: id, author: member.admission.session,
                token: member.admission.resumeToken, result: result))
    }

    func note(_ result: OpsResult, author: String) {
        guard var history = clients[author] else { return }
        history.lastSequence = max(history.lastSequence, result.clientSequence)
        history.remember(result)
        clients[author] = history
    }
}
