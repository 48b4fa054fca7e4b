import Threads

/// The mail of a scene thread; the thread takes all of it at once, in order.
///
/// Acknowledgements arrive in bursts after each tick, and their effect can wait. They do not wake a
/// thread that will check its mail within two ticks: waking it for each one would cost more than
/// handling them all.
final class SceneMailbox: Sendable {
    private struct State {
        var mail: [SceneMail] = []
        /// Whether some of the mail cannot wait.
        var isUrgent = false
        /// Whether the thread will check its mail soon without being woken.
        var looksSoon = false

        mutating func takeAll() -> [SceneMail] {
            isUrgent = false
            defer { mail = [] }
            return mail
        }
    }

    /// The thread's clock.
    let clock: TickClock
    private let state = Monitor(State())

    /// Makes an empty mailbox for a thread that runs by a clock.
    init(_ clock: TickClock) { self.clock = clock }

    /// Posts mail. From any thread.
    func post(_ item: SceneMail) {
        let wakes = state.withLock { state in
            state.mail.append(item)
            if !item.isAcknowledgement { state.isUrgent = true }
            return state.isUrgent || !state.looksSoon
        }
        if wakes { state.wake() }
    }

    /// Waits for mail that cannot wait, until a tick, or until just before a tick if
    /// acknowledgements wait; returns all mail. On the thread that owns the mailbox.
    func take(until tick: ClockTick?) -> [SceneMail] {
        let end = tick.map(clock.time)
        return state.wait { state, hasTimedOut in
            guard !state.isUrgent, !hasTimedOut else {
                state.looksSoon = false
                return .finish(state.takeAll())
            }
            let now = clock.elapsed
            let look = nextLook(after: now)
            state.looksSoon = !state.mail.isEmpty || (end ?? .max) <= look + clock.period
            let deadline = state.looksSoon ? min(look, end ?? look) : end
            guard let deadline else { return .wait }
            return .waitAtMost(nanoseconds: deadline > now ? deadline - now : 0)
        }
    }

    /// Returns all mail without waiting. On the thread that owns the mailbox.
    func takeNow() -> [SceneMail] { state.withLock { $0.takeAll() } }

    /// The next time that is an eighth of a tick before a tick: early enough that the work at that
    /// time does not delay the tick.
    private func nextLook(after now: UInt64) -> UInt64 {
        let margin = clock.period / 8
        let tick = clock.tick(at: now)
        let look = clock.time(of: tick + 1) - margin
        return look > now ? look : clock.time(of: tick + 2) - margin
    }
}
