import SceneProtocol
import Threads

/// Keeps the mail of a scene thread, which takes everything at once, in order.
///
/// Acknowledgements come in crowds after each tick, and nothing waits for their effect. So they do not wake a thread
/// that is going to look within two ticks anyway: to be woken for each costs more than to handle them all.
final class SceneMailbox: Sendable {
    private struct State {
        var mail: [SceneMail] = []
        /// Whether some of the mail cannot wait.
        var isUrgent = false
        /// Whether the thread looks soon without being woken.
        var looksSoon = false

        mutating func takeAll() -> [SceneMail] {
            isUrgent = false
            defer { mail = [] }
            return mail
        }
    }

    /// The clock by which the thread runs.
    let clock: TickClock
    private let state = Monitor(State())

    /// Makes an empty mailbox for a thread that runs by a clock.
    init(_ clock: TickClock) { self.clock = clock }

    /// Adds mail. From any thread.
    func post(_ item: SceneMail) {
        let wakes = state.withLock { state in
            state.mail.append(item)
            if !item.isAcknowledgement { state.isUrgent = true }
            return state.isUrgent || !state.looksSoon
        }
        if wakes { state.wake() }
    }

    /// Waits for mail that cannot wait, until a tick, or for the moment before a tick at which acknowledgements are due;
    /// returns all mail. On the thread that owns the mailbox.
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

    /// All mail, without waiting. On the thread that owns the mailbox.
    func takeNow() -> [SceneMail] { state.withLock { $0.takeAll() } }

    /// The next moment that lies an eighth of a tick before a tick: early enough that the work of that moment does not
    /// delay the tick.
    private func nextLook(after now: UInt64) -> UInt64 {
        let margin = clock.period / 8
        let tick = clock.tick(at: now)
        let look = clock.time(of: tick + 1) - margin
        return look > now ? look : clock.time(of: tick + 2) - margin
    }
}
