import Foundation
import SceneProtocol

/// What other threads tell a scene thread; it takes everything at once, in order.
///
/// Acknowledgements come in crowds after each tick, and nobody waits for what they bring about. So they do not
/// wake a thread that is going to look within two ticks anyway: to be woken for each costs more than all of them do.
final class SceneMailbox: @unchecked Sendable {
    private let clock: TickClock
    private let condition = NSCondition()
    // All below is behind the condition's lock.
    private var mail: [SceneThread.Mail] = []
    /// Whether there is something that cannot wait.
    private var isUrgent = false
    /// Whether the thread looks soon though nobody wakes it.
    private var looksSoon = false

    /// Makes an empty mailbox for a thread that goes by a clock.
    init(_ clock: TickClock) { self.clock = clock }

    /// From any thread.
    func post(_ item: SceneThread.Mail) {
        condition.lock()
        mail.append(item)
        if !item.isAcknowledgement { isUrgent = true }
        if isUrgent || !looksSoon { condition.signal() }
        condition.unlock()
    }

    /// Waits for mail that cannot wait, until a tick, or for the moment before one at which acknowledgements are due;
    /// returns what has come. For the thread alone.
    func take(until tick: UInt64?) -> [SceneThread.Mail] {
        condition.lock()
        defer { condition.unlock() }
        let end = tick.map(clock.time)
        while !isUrgent {
            let now = clock.elapsed
            let look = nextLook(after: now)
            looksSoon = !mail.isEmpty || (end ?? .max) <= look + clock.period
            let deadline = looksSoon ? min(look, end ?? look) : end
            guard let deadline else {
                condition.wait()
                continue
            }
            let seconds = deadline > now ? Double(deadline - now) / 1e9 : 0
            if !condition.wait(until: Date(timeIntervalSinceNow: seconds)) { break }
        }
        looksSoon = false
        return takeAll()
    }

    /// What has come, without waiting. For the thread alone.
    func takeNow() -> [SceneThread.Mail] {
        condition.lock()
        defer { condition.unlock() }
        return takeAll()
    }

    private func takeAll() -> [SceneThread.Mail] {
        isUrgent = false
        defer { mail = [] }
        return mail
    }

    /// The next moment that lies an eighth of a tick before a tick: early enough that what is done then does not hold the
    /// tick up.
    private func nextLook(after now: UInt64) -> UInt64 {
        let margin = clock.period / 8
        let tick = clock.tick(at: now)
        let look = clock.time(of: tick + 1) - margin
        return look > now ? look : clock.time(of: tick + 2) - margin
    }
}

extension SceneThread.Mail {
    /// Whether it says no more than that somebody has got something.
    fileprivate var isAcknowledgement: Bool {
        guard case .message(_, _, let message) = self else { return false }
        return switch message {
        case .ack: true
        case .hello, .ops, .resync, .ping, .presence, .undo, .redo, .subscribe, .seek, .trace,
            .inspect:
            false
        }
    }
}
