import SceneModel
import SceneProtocol

/// The tick: ops in order of arrival, the passes, one diff encoded once for all that are in step.
///
/// What the ops come to is held until their tick is laid out. Whatever is too dear, an op, a message or the layout of
/// all of them, is as if it had never come: the scene goes back to what it was by a replay of the journal.
extension SceneSession {
    /// Runs the update cycle of a tick.
    func runTick(_ number: UInt64) {
        guard number > tick else { return }
        guard let next = nextTick, next <= number else {
            tick = number
            return
        }
        work.refill(to: number)
        defer { progress?.end() }
        var opNanoseconds: UInt64?
        if case .frozen = scene, inbox.isEmpty, !inspections.isAnswerable, !awaitsDevices,
            waitingEvents.isEmpty, events.nextTick ?? .max > number
        {
            // Nothing of it concerns the scene.
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
            // The cycles up to here have run, whatever becomes of this one.
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

    /// Runs the cycles of ticks that came too late for their time, without telling members, as a replay would: animations
    /// move by ticks, however long they took.
    private func skip(to number: UInt64, _ timeline: SceneTimeline) {
        while tick + 1 < number, timeline.model.hasPendingWork {
            tick += 1
            timeline.runCycle()
            runDeviceCycles()
        }
    }

    /// Decides what waits, lays it out, writes it and tells it.
    ///
    /// - Parameter nanoseconds: How long the ops took, if a member traces.
    /// - Returns: Whether the tick may take what it needs where the room is; otherwise nothing has happened.
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
        broadcastDevices()
        return true
    }

    // MARK: The inbox's turn

    /// Decides requests until nothing waits or the tick has had its share.
    private func serveInbox(_ turn: inout Turn) {
        guard work.changes.isSolvent else { return }
        inbox.beginTurn()
        while turn.spent < work.budget.tick, turn.decisions.count < work.requestMaximum,
            let entry = inbox.takeNext()
        {
            guard let member = roster[entry.member] else { continue }
            // The journal has a snapshot of it, which holds what came before as well.
            if entry.isWholeScene, !turn.decisions.isEmpty {
                inbox.putBack([entry])
                return
            }
            if entry.isLong, work.slice < .max {
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

    /// Holds the scene to what a message may take, of which some is spent, and to what is left of the tick's slice.
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

    /// Lets the scene go on without limits.
    func liftLimits(of model: SceneModel) {
        model.workLimit = .max
        model.opWorkLimit = .max
    }

    // MARK: Laying out

    /// Runs the cycle, and then writes and tells what was decided.
    private func layOut(_ turn: inout Turn) {
        guard let timeline = wake() else { return }
        // What it holds is there already, and its snapshot has to be made from it.
        if let decision = turn.decisions.first, decision.isScene { return commit(&turn) }
        let model = timeline.model
        let changes = turn.decisions.filter(\.isChange)
        let before = model.work
        // A cycle without ops has nobody to refuse, but it may be run elsewhere, where the scene can be made again.
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

    /// Goes on after the layout of a tick's changes was too dear: one alone is refused; of several, all wait for the next
    /// ticks, and fewer are tried at once.
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

    /// Writes what was decided, and tells who asked for it.
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
                refuse(decision.sequence, from: decision.member, refusal, work: decision.work)
            case .committed(let commit):
                if decision.isScene {
                    appendSnapshot(
                        author: decision.member.admission.session,
                        clientSequence: decision.sequence)
                    if case .lost = scene { return }
                }
                finish(
                    decision.sequence, from: decision.member, commit, work: decision.work,
                    isJournalled: decision.isJournalled, failingOn: failing)
            }
        }
    }

    // MARK: Going back

    /// Brings the scene back to what it was before a request that left it half changed; the request pays for it.
    ///
    /// - Returns: Whether the scene is at hand; otherwise it is lost, or the turn has overrun.
    func bringBack(_ decision: inout Decision, _ turn: inout Turn) -> Bool {
        guard work.replayWork <= work.slice - min(turn.spent, work.slice) else {
            turn.hasOverrun = true
            return false
        }
        var spent: UInt64 = 0
        defer { turn.charge(spent, to: &decision) }
        return bringBack(turn.decisions, &spent)
    }

    /// Brings the scene back to what it was when the tick began, with what was decided since.
    ///
    /// - Parameter spent: Afterwards the units of work that it took.
    /// - Returns: Whether it is there; otherwise it is lost.
    private func bringBack(_ decisions: [Decision], _ spent: inout UInt64) -> Bool {
        guard let timeline = restore(before: tick) else { return false }
        do throws(SceneTimeline.ReplayError) {
            for decision in decisions {
                for batch in decision.batches { try timeline.replay(batch) }
            }
        } catch {
            lose("what a tick had decided cannot be done again: \(error)")
            return false
        }
        spent = timeline.model.work
        return true
    }

    /// Makes the scene again from the journal, as it was before a tick whose cycle has not run.
    ///
    /// - Returns: `nil` where that is not possible; the scene is lost then.
    func restore(before next: UInt64) -> SceneTimeline? {
        traces.clear()
        let kept = journal.kept
        do throws(JournalPlayer.Failure) {
            guard let start = kept.lastIndex(where: { $0.kind == .snapshot }) else {
                throw .noSnapshot
            }
            let player = try JournalPlayer(
                Array(kept[start...]), tracksUndo: true, undoMaximum: options.undoMaximum)
            let model = player.timeline.model
            model.tickRate = tickRate
            var budget = Int.max
            if hasUntoldSnapshot {
                try player.takeRest()
                // Members know nothing of that scene yet.
                model.markEverything()
            } else {
                try player.advance(to: toldTick, budget: &budget) { _, model in
                    _ = model.takeMarks()
                }
                _ = model.takeMarks()
                guard SceneMirror.stateHash(of: model.records()) == streams.stateHash else {
                    lose("the scene came back as another one")
                    return nil
                }
                streams.remember(model)
                if next > 0 { try player.advance(to: next - 1, budget: &budget) }
            }
            _ = model.takeDiagnostics()
            scene = .live(player.timeline)
            followTraces()
            return player.timeline
        } catch {
            lose("the scene cannot be replayed: \(error)")
            return nil
        }
    }
}
