import SceneCluster
import Threads

/// What the engine's thread has to do.
enum EngineMail: Sendable {
    case perform(RequestID, EngineRequest)
    case publish(subject: String, bytes: [UInt8])
    case subscribe(subject: String)
    case answer(NATSMessage)
    case heard(NATSMessage)
    case disconnected(reason: String)
    case reconnected(address: String)
    case closed(reason: String)
    case stop
}

/// The way to the engine's thread, for callers and for the library's threads. Bounded: what comes from the network is dropped
/// when the thread lags, and what callers ask for is refused.
final class EngineMailbox: Sendable {
    private struct State {
        var mail: [EngineMail] = []
        var answerBytes = 0
        var heardCount = 0
        var performCount = 0
        var dropped = 0
    }

    /// What a thread that lags keeps at most.
    private static let answerBytesMaximum = 256 << 20
    private static let heardMaximum = 1 << 13
    private static let performMaximum = 1 << 16
    /// What each message takes beside its bytes, about.
    private static let messageBytes = 256

    private let state = Monitor(State())

    /// Puts mail in.
    ///
    /// - Returns: False for mail that was refused.
    @discardableResult
    func put(_ mail: EngineMail) -> Bool {
        let isTaken = state.withLock { state in
            switch mail {
            case .answer(let message):
                let bytes = message.bytes.count + Self.messageBytes
                guard state.answerBytes + bytes <= Self.answerBytesMaximum else {
                    state.dropped += 1
                    return false
                }
                state.answerBytes += bytes
            case .heard:
                guard state.heardCount < Self.heardMaximum else {
                    state.dropped += 1
                    return false
                }
                state.heardCount += 1
            case .perform, .publish:
                guard state.performCount < Self.performMaximum else { return false }
                state.performCount += 1
            case .subscribe, .disconnected, .reconnected, .closed, .stop: break
            }
            state.mail.append(mail)
            return true
        }
        if isTaken { state.wake() }
        return isTaken
    }

    /// The library has dropped messages of its own.
    func overrun() {
        state.withLock { $0.dropped += 1 }
        state.wake()
    }

    /// Takes all mail, and the number of messages that were dropped since the last call; waits for some.
    ///
    /// - Parameter nanoseconds: The longest wait; nil for any.
    func take(atMost nanoseconds: UInt64?) -> (mail: [EngineMail], dropped: Int) {
        state.wait { state, hasTimedOut in
            guard state.mail.isEmpty, state.dropped == 0, !hasTimedOut else {
                let taken = (state.mail, state.dropped)
                state = State()
                return .finish(taken)
            }
            return nanoseconds.map { .waitAtMost(nanoseconds: $0) } ?? .wait
        }
    }
}
