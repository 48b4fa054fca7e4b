import Threads

/// Keeps the share of slow lanes (`OwnedThread.keepShare`): at short intervals while one of them is
/// in a step, and not at all while all rest, so that a server at rest costs nothing.
final class LaneShares: Sendable {
    private struct State {
        /// How many lanes are in a step.
        var busyCount = 0
        /// Whether the lanes were looked at since the last of them began to rest.
        var hasSettled = true
        /// Whether the thread sleeps until a lane begins a step.
        var isAsleep = false
        var isStopping = false
    }

    /// Short enough for nobody to wait for a lane that stands still, and long enough for one to
    /// have had its turn where the processors are not busy all the time: with 50 ms it was
    /// scheduled like others now and then beside busy rooms, of which 99 of 100 edits then took a
    /// quarter longer.
    private static let intervalNanoseconds: UInt64 = 200_000_000

    private let thread = OwnedThread(name: "lane shares")
    private let state = Monitor(State())

    /// Registers that a lane begins a step after a rest, or rests.
    func note(isBusy: Bool) {
        let mustWake = state.withLock { state in
            state.busyCount += isBusy ? 1 : -1
            state.hasSettled = false
            return state.isAsleep
        }
        if mustWake { state.wake() }
    }

    /// Starts the thread. Must be called once.
    ///
    /// - Parameter keepShares: Looks at every lane.
    func start(_ keepShares: @escaping @Sendable () -> Void) {
        thread.start { [state] in
            while Self.waits(state) { keepShares() }
        }
    }

    /// Waits until the lanes are to be looked at; returns false if the thread must end.
    private static func waits(_ state: Monitor<State>) -> Bool {
        state.wait { state, hasTimedOut in
            state.isAsleep = false
            if state.isStopping { return .finish(false) }
            if hasTimedOut { return .finish(true) }
            if state.busyCount > 0 { return .waitAtMost(nanoseconds: intervalNanoseconds) }
            // One that was scheduled like others steps back again.
            if !state.hasSettled {
                state.hasSettled = true
                return .finish(true)
            }
            state.isAsleep = true
            return .wait
        }
    }

    /// Ends the thread, if it was started.
    func stop() {
        guard thread.hasStarted else { return }
        state.withLock { $0.isStopping = true }
        state.wake()
        thread.join()
    }
}
