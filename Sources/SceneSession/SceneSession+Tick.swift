import SceneModel
import SceneProtocol

/// One line of the trace of a tick.
struct TraceLine {
    var view: String
    var text: String
}

extension SceneSession {
    /// Lines of a trace in one tick; what is beyond is left out.
    private static let traceMaximum = 4096

    /// The update cycle: ops in order of arrival, the passes, one diff encoded once for all that are in step.
    func runTick(_ number: UInt64) {
        guard number > tick else { return }
        guard let next = nextTick, next <= number else {
            tick = number
            return
        }
        var applied: UInt64?
        if frozen != nil, inbox.isEmpty, !hasQuestions {
            // Nothing of it concerns the scene.
            tick = number
            serveSlowMembers()
        } else {
            catchUp(to: number)
            tick = number
            applied = runCycle()
        }
        broadcastHash()
        // Who is behind gets them when it has caught up.
        send(presences.takeMessages(tick: tick), to: order.filter { $0.phase != .behind })
        sendTrace(ops: applied)
        answerQuestions()
        advanceWatches()
        tellNewReaders()
        if journal.isSettled { durableTick = tick }
    }

    /// - Returns: How long the ops took, in nanoseconds, if anybody wants to know.
    private func runCycle() -> UInt64? {
        if !inbox.isEmpty || hasQuestions || model.hasPendingWork { noteActivity() }
        writeSnapshotIfDue()
        let work = inbox
        inbox.removeAll(keepingCapacity: true)
        inboxOps = 0
        let began = tracingClock?()
        for (id, request) in work {
            guard let member = members[id] else { continue }
            switch request {
            case .ops(let ops): decide(ops, from: member)
            case .step(let direction, let sequence): decide(direction, sequence, from: member)
            }
        }
        let applied = began.flatMap { began in tracingClock.map { $0() &- began } }
        timeline.runCycle()
        takeDiagnostics()
        broadcastChanges()
        return applied
    }

    /// Runs the cycles of ticks that came too late for their time, without telling anybody, as a replay would: what
    /// is animated moves by ticks, however long they took.
    private func catchUp(to number: UInt64) {
        while tick + 1 < number, model.hasPendingWork {
            tick += 1
            timeline.runCycle()
        }
    }

    /// Kept small whoever reads them: what the engine reports is known by the next diagnostics.
    private func takeDiagnostics() {
        feedbackLoop = model.takeFeedbackLoop()
    }

    // MARK: Traces

    /// Listens to the passes while anybody wants to know of them.
    func followTrace() {
        // Whoever wants a trace keeps the room from being frozen, and one that is has nothing to trace before it thaws.
        guard frozen == nil else { return }
        guard order.contains(where: { $0.traced != nil }) else {
            model.trace(nil)
            model.passClock = nil
            trace.removeAll()
            return
        }
        model.passClock = traceClock
        model.trace { [unowned self] view, text in
            guard trace.count < Self.traceMaximum else { return }
            trace.append(TraceLine(view: view, text: text))
        }
    }

    /// The clock, while somebody wants to know of durations.
    private var tracingClock: (() -> UInt64)? { model.passClock }

    /// - Parameter ops: How long the ops took, in nanoseconds.
    private func sendTrace(ops: UInt64?) {
        guard frozen == nil else { return }
        var durations = model.takePassDurations()
        durations?.ops = UInt32(clamping: ops ?? 0)
        guard !trace.isEmpty else { return }
        let lines = trace
        trace.removeAll(keepingCapacity: true)
        for member in order {
            guard let views = member.traced, member.phase == .inStep else { continue }
            var message = Trace()
            message.tick = tick
            message.durations = durations
            message.events = lines.filter { views.isEmpty || views.contains($0.view) }.map(\.text)
            if !message.events.isEmpty { send([.trace(message)], to: [member]) }
        }
    }
}
