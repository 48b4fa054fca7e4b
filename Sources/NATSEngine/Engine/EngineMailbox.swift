import SceneCluster
import Threads

/// A task of the engine's thread.
enum EngineMail: Sendable {
    case perform(RequestID, EngineRequest)
    case publish(subject: String, bytes: [UInt8])
    case subscribe(subject: String)
    case answer(NATSMessage)
    case heard(NATSMessage)
    /// Changes of a connection, by its number.
    case disconnected(connection: Int, reason: String)
    case reconnected(connection: Int, address: String)
    case closed(connection: Int, reason: String)
    /// The result of a search: whether the preferred server answers, and a connection to it, with
    /// its number.
    case searched(answers: Bool, PreferredServerSearch.Found?, number: Int)
    case stop
}

/// The way to the engine's thread, for callers and for the library's threads. Bounded: what comes
/// from the network is dropped when the thread lags, and what callers ask for is refused.
final class EngineMailbox: Sendable {
    /// The waiting mail of one kind.
    private struct Load {
        var count = 0
        var bytes = 0

        /// Takes one more in, unless that would be too much.
        mutating func add(_ bytes: Int, within limit: Load) -> Bool {
            guard count < limit.count, self.bytes + bytes <= limit.bytes else { return false }
            count += 1
            self.bytes += bytes
            return true
        }
    }

    private struct State {
        var mail: [EngineMail] = []
        var answers = Load()
        var heard = Load()
        var requests = Load()
        var dropped = 0
    }

    // The limits of mail while the thread lags.
    private static let answersMaximum = Load(count: 1 << 18, bytes: 256 << 20)
    private static let heardMaximum = Load(count: 1 << 13, bytes: 64 << 20)
    private static let requestsMaximum = Load(count: 1 << 16, bytes: 256 << 20)

    private let state = Monitor(State())

    /// Puts mail in.
    ///
    /// - Returns: False for mail that was refused.
    @discardableResult
    func put(_ mail: EngineMail) -> Bool {
        let isTaken = state.withLock { state in
            let isTaken: Bool
            switch mail {
            case .answer(let message):
                isTaken = state.answers.add(message.bytes.count, within: Self.answersMaximum)
                state.dropped += isTaken ? 0 : 1
            case .heard(let message):
                isTaken = state.heard.add(message.bytes.count, within: Self.heardMaximum)
                state.dropped += isTaken ? 0 : 1
            case .perform(_, .publish(_, let bytes, _)), .publish(_, let bytes):
                isTaken = state.requests.add(bytes.count, within: Self.requestsMaximum)
            case .perform(_, .read), .perform(_, .last), .perform(_, .purge),
                .perform(_, .probe):
                isTaken = state.requests.add(0, within: Self.requestsMaximum)
            case .subscribe, .disconnected, .reconnected, .closed, .searched, .stop: isTaken = true
            }
            if isTaken { state.mail.append(mail) }
            return isTaken
        }
        state.wake()
        return isTaken
    }

    /// The library has dropped messages of its own.
    func overrun() {
        state.withLock { $0.dropped += 1 }
        state.wake()
    }

    /// Takes all mail, and the number of messages that were dropped since the last call; waits for
    /// some.
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
