import JSON
import RoomNames
import SceneDocument
import SceneModel
import SceneWire

extension SceneSession {
    // MARK: The inbox

    func enqueue(_ request: Inbox.Request, from member: Member) {
        if options.provesAnswers, settlesAtOnce(request, from: member) { return }
        if let refusal = memoryExcess(of: member, bytes: request.byteEstimate) {
            return refuse(request.clientSequence, from: member, refusal, isFinal: false)
        }
        if holdsForReading(request, from: member) { return }
        putIntoInbox(request, from: member)
    }

    func putIntoInbox(_ request: Inbox.Request, from member: Member) {
        for entry in inbox.accept(request, from: member.id) {
            guard let sender = roster[entry.member] else { continue }
            guard gate.stall == nil else {
                closeForWaiting(sender)
                continue
            }
            refuse(
                entry.request.clientSequence, from: sender,
                Refusal(code: .limit, message: "the room's inbox is full"), isFinal: false)
        }
    }

    /// Decides one request of the inbox: applies it to the scene; journals and sends nothing yet.
    ///
    /// - Returns: `nil` if the request has no result to send.
    func decide(_ entry: Inbox.Entry, from member: Member, in turn: inout Turn) -> Decision? {
        let sequence = entry.request.clientSequence
        // The result of the first copy is on its way.
        guard sequence == 0 || !turn.hasDecided(sequence, of: member.admission.session) else {
            return nil
        }
        let history = clients[member.admission.session] ?? ClientHistory()
        if sequence <= history.lastSequence, sequence > 0 {
            repeatResult(sequence, history, to: member)
            return nil
        }
        var decision = Decision(
            entry: entry, member: member, outcome: .committed(Commit()), work: 0)
        if let refusal = refusalOfChanges(by: member, entry.request) {
            decision.outcome = .refused(refusal)
        } else {
            turn.charge(entry.readingWork, to: &decision)
            switch entry.request {
            case .ops(let message): decide(message, &decision, &turn)
            case .history(let direction, _): decide(direction, &decision, &turn)
            case .merge(let message, let other): decideMerge(message, other, &decision, &turn)
            }
        }
        return decision
    }

    /// Returns a refusal if a member must not change the room.
    private func refusalOfChanges(
        by member: Member, _ request: Inbox.Request
    ) -> Refusal? {
        let role = member.admission.role
        guard role.edits || request.isAboutAnnotations && role.sendsEvents else {
            return Refusal(
                code: .forbidden, message: "\(member.admission.role.rawValue)s change nothing")
        }
        guard !isReadOnly else {
            return Refusal(
                code: .storeFailed,
                message: "read-only: store failed; nothing can be changed until it is back")
        }
        return refusalOfDecidedBranch(request)
    }

    // MARK: Ops

    /// Applies the ops of a message, except for those that are refused.
    private func decide(_ message: Ops, _ decision: inout Decision, _ turn: inout Turn) {
        guard !decision.entry.request.restoresVersion else {
            return decideRestoration(message.ops, &decision, &turn)
        }
        guard !decision.entry.request.isAboutAnnotations else {
            return decideAnnotations(message, &decision, &turn)
        }
        var ops = PlacedOps()
        var refusals: [Refusal] = []
        var images = options.images.map {
            ImageCompletion(library: $0, room: RoomName.main(of: room))
        }
        do {
            for (index, result) in try Op.parseEach(message.ops).enumerated() {
                switch result {
                case .success(.setScene(let document)) where decision.entry.request.isDocument:
                    return decide(document, &decision, &turn)
                case .success(var op):
                    do throws(Refusal) {
                        try images?.complete(&op)
                        ops.append(op, at: index)
                    } catch {
                        var refusal = error
                        refusal.opIndex = index
                        refusals.append(refusal)
                    }
                case .failure(let error): refusals.append(Refusal(error, opIndex: index))
                }
            }
        } catch {
            decision.outcome = .refused(Refusal(error, opIndex: 0))
            return
        }
        guard let timeline = wake() else { return }
        let count = ops.count + refusals.count
        let footprint = OpFootprint(of: ops.ops)
        let excess =
            options.sceneLimits.excess(footprint, in: timeline.model) ?? memoryExcess(footprint)
        if let refusal = message.isAtomic ? refusals.first ?? excess : excess {
            decision.outcome = .refused(refusal)
            return
        }
        guard let outcome = apply(&ops, message, &refusals, &decision, &turn) else { return }
        if outcome.hasLaidOutOthers { decision.batches.append(.layOut) }
        refusals.sort { $0.opIndex < $1.opIndex }
        if message.isAtomic || count == 1, let refusal = refusals.first {
            decision.outcome = .refused(refusal)
            return
        }
        var commit = Commit()
        commit.frames = outcome.laidOut
        commit.removedConstraints = outcome.removedConstraints
        commit.refusals = refusals
        decision.outcome = .committed(commit)
        guard !ops.isEmpty else { return }
        memory.grow(by: footprint)
        if !devices.scenes.isEmpty { decision.ops = ops.ops }
        decision.batches.append(
            BatchPayload(
                author: decision.member.admission.session,
                clientSequence: message.clientSequence, isAtomic: message.isAtomic,
                undoGroup: message.undoGroup,
                // A batch accepted whole is journalled as it was received, but for what the files
                // say of its images.
                ops: refusals.isEmpty && images?.hasAdded != true
                    ? message.ops : .array(ops.ops.map(\.json))))
    }

    /// Applies ops to the scene, within the budget of a message.
    ///
    /// After an op that is refused half-way the scene is restored. The message then starts again
    /// without that op, and is charged for both attempts.
    ///
    /// - Parameter ops: Set to the accepted ops.
    /// - Returns: `nil` if the scene contains nothing of the message, or if the turn is over.
    private func apply(
        _ ops: inout PlacedOps, _ message: Ops, _ refusals: inout [Refusal],
        _ decision: inout Decision, _ turn: inout Turn
    ) -> BatchOutcome? {
        while true {
            guard let timeline = wake() else { return nil }
            let model = timeline.model
            let limit = limitWork(of: model, spent: decision.work, turn)
            model.refusalOfAccess = access(of: decision.member)
            var outcome = timeline.apply(
                ops.ops, author: decision.member.admission.session,
                atomic: message.isAtomic, undoGroup: message.undoGroup)
            liftLimits(of: model)
            turn.charge(outcome.work, to: &decision)
            let refused = Set(outcome.refusals.map(\.opIndex))
            for index in outcome.refusals.indices {
                outcome.refusals[index].opIndex = ops.places[outcome.refusals[index].opIndex]
            }
            guard model.isSpoiled else {
                refusals += outcome.refusals
                ops.remove(refused)
                return outcome
            }
            if model.isExhausted, limit.isSlice {
                turn.hasOverrun = true
                return nil
            }
            guard bringBack(&decision, &turn) else { return nil }
            let isFinal =
                message.isAtomic || model.isExhausted || ops.count == 1 || refused.isEmpty
                || decision.work >= work.budget.message
            if isFinal {
                // Nothing of it is left, so it is not acknowledged, whatever half changed the
                // scene.
                decision.outcome = .refused(
                    outcome.refusals.last
                        ?? Refusal(
                            code: .conflict, message: "the scene cannot be laid out with it"))
                return nil
            }
            refusals += outcome.refusals
            ops.remove(refused)
        }
    }

    // MARK: Whole scenes

    /// Replaces the scene with a document. The journal receives a snapshot instead of the op, so it
    /// is the only decision of its tick.
    ///
    /// - Parameter checksAccess: Whether the member needs the rights to replace all of the scene.
    func decide(
        _ document: SceneDocument, checksAccess: Bool = true, _ decision: inout Decision,
        _ turn: inout Turn
    ) {
        var document = document
        do throws(Refusal) {
            try completeImages(of: &document)
        } catch {
            decision.outcome = .refused(error)
            return
        }
        if let refusal = options.sceneLimits.excess(document) ?? memoryExcess(document) {
            decision.outcome = .refused(refusal)
            return
        }
        guard let timeline = wake() else { return }
        let model = timeline.model
        if checksAccess,
            let refusal = access(of: decision.member)?(.setScene(document), model)
        {
            decision.outcome = .refused(refusal)
            return
        }
        let before = model.work
        let limit = limitWork(of: model, spent: 0, turn)
        do throws(Refusal) {
            try timeline.replaceScene(document)
            decision.isScene = true
            memory.expectMore()
        } catch {
            decision.outcome = .refused(error)
            turn.hasOverrun = error.code == .tooExpensive && limit.isSlice
        }
        liftLimits(of: model)
        turn.charge(model.work &- before, to: &decision)
    }

    /// Adds to a document what the files of its images say.
    private func completeImages(of document: inout SceneDocument) throws(Refusal) {
        guard let library = options.images else { return }
        var images = ImageCompletion(library: library, room: RoomName.main(of: room))
        try images.complete(&document)
    }

    /// Replaces the scene with a document, for an administrator.
    ///
    /// - Returns: The refusal if the old scene was kept.
    func replaceScene(_ document: SceneDocument) -> Refusal? {
        var document = document
        do throws(Refusal) { try completeImages(of: &document) } catch { return error }
        if let refusal = gate.refusal { return refusal }
        if let refusal = options.sceneLimits.excess(document) ?? memoryExcess(document) {
            return refusal
        }
        guard let timeline = wake() else {
            return Refusal(
                code: .storeFailed,
                message: "the room must be reopened from its journal; try again later")
        }
        _ = limitWork(of: timeline.model, spent: 0, Turn())
        defer { liftLimits(of: timeline.model) }
        do { try timeline.replaceScene(document) } catch { return error }
        memory.expectMore()
        appendSnapshot(author: "", clientSequence: 0)
        return nil
    }
}
