import Foundation
import SceneProtocol

extension SceneThread {
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
