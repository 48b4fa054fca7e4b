import SceneDocument
import SceneModel
import SceneWire

/// The tick: ops in order of arrival, the passes, one diff encoded once for all members in step.
///
/// The results of ops are held until their tick is laid out. If an op, a message or the layout of a
/// tick exceeds its budget, the scene returns to its earlier state by a replay of the journal, and
/// the request has no effect.
extension SceneSession {
    /// Runs the update cycle of a tick.
    func runTick(_ number: UInt64) {
        guard number > tick else { return }
        guard isPaused || nextTick ?? .max <= number else {
            tick = number
            return
        }
        work.refill(to: number)
        defer { progress?.end() }
        var opNanoseconds: UInt64?
        if case .frozen = scene, inbox.isEmpty, !inspections.isAnswerable, !awaitsDevices,
            waitingEvents.isEmpty, events.nextTick ?? .max > number,
            lockTick ?? .max > number, annotationState.news == nil
        {
            // The tick does not concern the scene.
            tick = number
            serveSlowMembers()
        } else {
            if case .frozen = scene, work.replayWork > work.slice {
                effects.append(.overran)
                return
            }
            if devices.areSuspended {
                guard work.slice == .max else {
                    effects.append(.overran)
                    return
                }
                resumeDevices()
            }
            guard let timeline = wake() else { return }
            skip(to: number, timeline)
            // The cycles of earlier ticks have run, even if this one is abandoned.
            let before = tick
            tick = number
            guard takeTurn(&opNanoseconds) else {
                tick = before
                effects.append(.overran)
                return
            }
        }
        passWaitingEvents()
        events.expire(at: tick, path: pathOfLiveView)
        sendEvents()
        serveDeviceRequests()
        broadcastHash()
        // Members that lag receive these after catching up.
        send(
            presences.takeMessages(tick: tick), to: roster.inOrder.filter { $0.phase != .behind })
        sendTraces(opNanoseconds)
        answerInspections()
        advanceSeekers()
        tellNewReaders()
        tellNewDeviceReaders()
        keepMemoryWithinBudget()
        if journal.isDurable { durableTick = tick }
    }

    /// Runs the cycles of ticks that were missed, without sending frames, as a replay would:
    /// animations advance by ticks, not by time. Cycles that only animate are done at once, however
    /// many.
    private func skip(to number: UInt64, _ timeline: SceneTimeline) {
        let before = timeline.model.work
        while tick + 1 < number, timeline.model.hasPendingWork {
            if timeline.model.onlyAnimates, devices.scenes.allSatisfy(\.canSkipCycles) {
                let count = Int(clamping: number - 1 - tick)
                let devicesBefore = devices.work
                timeline.skipCycles(count)
                for scene in devices.scenes { scene.skipCycles(count) }
                work.spend(devices.work &- devicesBefore)
                tick = number - 1
                break
            }
            tick += 1
            timeline.runCycle()
            runDeviceCycles()
        }
        work.spend(timeline.model.work &- before)
    }

    /// Whether nobody watches and nothing but animations is under way. Then no tick is due before
    /// they end: what they show when a member joins or an op comes is computed then.
    var isPaused: Bool {
        guard roster.count == 0, inbox.isEmpty, case .live(let timeline) = scene else {
            return false
        }
        return timeline.model.onlyAnimates
    }

    /// The tick by which a paused room's animations have ended.
    var pauseEndTick: UInt64? {
        guard isPaused, case .live(let timeline) = scene else { return nil }
        return tick &+ UInt64(clamping: timeline.model.cyclesUntilShownAsLaidOut)
    }

    /// Decides the waiting requests, lays the scene out, then journals and sends the results.
    ///
    /// - Parameter nanoseconds: The duration of the ops, if a member traces.
    /// - Returns: False if the tick needs more than the slice of the present thread; then nothing
    ///   has happened.
    private func takeTurn(_ nanoseconds: inout UInt64?) -> Bool {
        guard let timeline = wake() else { return true }
        let model = timeline.model
        if !inbox.isEmpty || inspections.isAnswerable || model.hasPendingWork { noteActivity() }
        let rest = FrozenScene(model, diagnosticsBoard.present)
        writeSnapshotIfDue(model)
        var turn = Turn()
        nanoseconds = traces.measure { serveInbox(&turn) }
        if turn.hasOverrun, turn.taken.isEmpty { return false }
        if !turn.hasOverrun { layOut(&turn) }
        if turn.hasOverrun {
            inbox.putBack(turn.taken)
            scene = .spoiled(rest)
            return false
        }
        inbox.endTurn()
        guard let timeline = wake() else { return true }
        diagnosticsBoard.note(timeline.model)
        broadcastChanges(timeline.model)
        tellInteractions(timeline.model)
        expireLocks(timeline)
        takeNews(timeline)
        tellAnnotations(timeline)
        broadcastDevices()
        return true
    }

    // MARK: The inbox's turn

    /// Decides requests until none waits or the tick's share is spent.
    private func serveInbox(_ turn: inout Turn) {
        guard work.changes.isSolvent, gate.decides else { return }
        inbox.beginTurn()
        while turn.spent < work.budget.tick, turn.decisions.count < work.requestMaximum,
            let entry = inbox.takeNext()
        {
            guard let member = roster[entry.member] else { continue }
            // The snapshot of the scene in the journal includes the earlier decisions of the tick.
            if !turn.decisions.isEmpty, replacesScene(entry) {
                inbox.putBack([entry])
                return
            }
            if work.slice < .max, entry.isLong(within: work.slice) {
                inbox.putBack([entry])
                turn.hasOverrun = turn.taken.isEmpty
                return
            }
            turn.take(entry)
            progress?.begin(
                message: entry.request.clientSequence, of: entry.member.rawValue)
            guard let decision = decide(entry, from: member, in: &turn) else { continue }
            if turn.hasOverrun { return }
            inbox.note(decision.work, of: entry.member)
            turn.hold(decision)
            if decision.isScene { return }
        }
    }

    // MARK: Limits

    /// Limits the scene's work to the rest of a message's budget, and to the rest of the tick's
    /// slice.
    ///
    /// - Returns: Whether the slice is the smaller of the two.
    func limitWork(
        of model: SceneModel, spent: UInt64, _ turn: Turn
    ) -> (units: UInt64, isSlice: Bool) {
        model.progress = progress
        let own = work.budget.message - min(spent, work.budget.message)
        let slice = work.slice - min(turn.spent, work.slice)
        let units = min(own, slice)
        let (limit, isTooMuch) = model.work.addingReportingOverflow(units)
        model.workLimit = isTooMuch ? .max : limit
        model.opWorkLimit = work.budget.op
        return (units, slice < own)
    }

    /// Removes the limits on the scene's work.
    func liftLimits(of model: SceneModel) {
        model.workLimit = .max
        model.opWorkLimit = .max
        model.refusalOfAccess = nil
    }

    // MARK: Laying out

    /// Runs the cycle, then journals and sends the decisions.
    private func layOut(_ turn: inout Turn) {
        guard let timeline = wake() else { return }
        // The decisions are in the scene already, and its snapshot must be made from it.
        if let decision = turn.decisions.first, decision.isScene { return commit(&turn) }
        let model = timeline.model
        let changes = turn.decisions.filter(\.isChange)
        let before = model.work
        // A cycle without ops has no request to refuse, but it may run on another thread, where the
        // scene can be rebuilt.
        let spent = changes.count == 1 ? changes[0].work : changes.isEmpty ? 0 : nil
        let limit = limitWork(of: model, spent: spent ?? 0, turn)
        if changes.isEmpty, !limit.isSlice || !journal.keepsScene { model.workLimit = .max }
        progress?.beginLayout()
        timeline.runCycle()
        liftLimits(of: model)
        turn.share(model.work &- before)
        guard model.isExhausted else {
            work.tryMore()
            return commit(&turn)
        }
        guard !limit.isSlice else { return turn.hasOverrun = true }
        tryAgain(&turn, changes)
    }

    /// Continues after the layout of a tick's changes exceeded its budget. A single request is
    /// refused; of several, all wait for the next ticks, which try fewer at once.
    private func tryAgain(_ turn: inout Turn, _ changes: [Decision]) {
        if changes.count == 1 {
            turn.refuseChange(
                Refusal(
                    code: .tooExpensive,
                    message:
                        "its layout takes more work than is allowed; it was ended after \(turn.spent) units"
                ))
        } else {
            inbox.putBack(turn.taken)
            work.tryFewer(than: changes.count)
            work.spend(turn.spent)
            turn = Turn()
        }
        var spent: UInt64 = 0
        guard bringBack(turn.decisions, &spent), let timeline = wake() else { return }
        let before = timeline.model.work
        timeline.runCycle()
        turn.share(spent &+ timeline.model.work &- before)
        commit(&turn)
    }

    // MARK: Writing and telling

    /// Journals the decisions and sends their results.
    private func commit(_ turn: inout Turn) {
        work.spend(turn.spent)
        if turn.decisions.contains(where: \.isChange) { expectDiagnostics() }
        defer { runDeviceCycles() }
        for decision in turn.decisions {
            let failing = followOnDevices(decision)
            for batch in decision.batches { append(batch) }
            if decision.isChange { work.journalled(decision.work) }
            switch decision.outcome {
            case .refused(let refusal):
                refuse(
                    decision.sequence, from: decision.member, refusal, work: decision.toldWork)
            case .committed(let commit):
                if decision.isScene {
                    appendSnapshot(
                        author: decision.member.admission.session,
                        clientSequence: decision.sequence)
                    if case .lost = scene { return }
                }
                finish(
                    decision.sequence, from: decision.member, commit, work: decision.toldWork,
                    isJournalled: decision.isJournalled, failingOn: failing)
            }
        }
    }
}
