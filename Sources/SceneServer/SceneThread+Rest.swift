import CMalloc
import Foundation
import SceneProtocol
import SceneSession

extension SceneThread {
    /// Seconds between two times that memory is given back to the system.
    private static let trimSeconds: UInt64 = 2

    /// Freezes a room that nothing has happened in for a while: one at a time, since a large one takes as long as a tick.
    func freezeOneRoom(_ now: UInt64) {
        for name in order {
            guard let room = rooms[name], let due = room.freezeTick, due <= now else { continue }
            carryOut(room.session.step(.freeze), room: name)
            hasFrozen = hasFrozen || room.session.isFrozen
            break
        }
        // What was freed lies between what is still used, and the allocator keeps it unless it is told not to.
        guard hasFrozen, now >= lastTrim + Self.trimSeconds * UInt64(tickRate) else { return }
        hasFrozen = false
        lastTrim = now
        giveFreeMemoryBack()
    }

    /// Waits a moment when there was nothing but acknowledgements: they come in crowds after each tick, nobody waits for
    /// what they bring about, and to be woken for each would cost more than all of them do.
    func restAfterAcknowledgements(_ mail: [Mail]) {
        guard !mail.isEmpty, mail.allSatisfy(\.isAcknowledgement) else { return }
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
        let period = 1_000_000_000 / UInt64(max(tickRate, 1))
        // Never into the next tick.
        if period - nanoseconds % period > 3_000_000 { usleep(1000) }
    }
}

extension SceneThread.Mail {
    /// Whether it says no more than that somebody has got something.
    var isAcknowledgement: Bool {
        guard case .message(_, _, let message) = self else { return false }
        return switch message {
        case .ack: true
        case .hello, .ops, .resync, .ping, .presence, .undo, .redo, .subscribe, .seek, .trace,
            .inspect:
            false
        }
    }
}
