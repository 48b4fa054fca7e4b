/// A node's request to the engine that replicates its records. An owner emits requests and receives
/// the replies, so it runs against NATS and against a simulated engine alike.
public enum EngineRequest: Equatable, Sendable {
    /// Which replica answers a question.
    public enum Source: Hashable, Sendable {
        /// The stream's leader. It stops while the stream has none, and an old leader that has been
        /// replaced may answer for a while.
        case leader
        /// Any replica, which may lag behind; answers while the stream has no leader.
        case anyReplica
    }

    /// Keeps bytes as the last message of a subject, provided that the subject's last message has a
    /// sequence number.
    ///
    /// `expectedLast` is 0 where the subject must have no message. Answered with `kept`,
    /// `superseded`, `busy`, `unknown` or `failed`.
    case publish(subject: String, bytes: [UInt8], expectedLast: UInt64)
    /// Reads up to `maximum` messages of a subject, in order, the first with a sequence number of
    /// at least `sequence`.
    ///
    /// Answered with `messages`, `unknown` or `failed`.
    case read(subject: String, from: UInt64, maximum: Int, source: Source)
    /// Removes the messages of a subject whose sequence numbers are below one; a subject that ends
    /// in `.>` stands for all that begin alike.
    ///
    /// Answered with `purged`, `unknown` or `failed`. It may be asked again at any time, and never
    /// has to be.
    case purge(subject: String, below: UInt64)
    /// Reads the last message of a subject. Answered with `messages` (one, or none), `unknown` or
    /// `failed`.
    case last(subject: String, source: Source)
    /// Sends an empty message to find out whether a subject has subscribers. Answered with
    /// `unheard` if it has none (NATS: status 503, no responders). Subscribers do not answer, so
    /// the reply is `unknown` after the time-out otherwise, or `failed`.
    case probe(subject: String)
}

/// A message that the engine keeps.
public struct EngineMessage: Equatable, Sendable {
    /// Its subject.
    public var subject: String
    /// Its sequence number in the stream, from 1.
    public var sequence: UInt64
    /// Its bytes.
    public var bytes: [UInt8]

    /// Makes a message.
    public init(subject: String, sequence: UInt64, bytes: [UInt8]) {
        self.subject = subject
        self.sequence = sequence
        self.bytes = bytes
    }
}

/// The outcome of a request.
public enum EngineReply: Equatable, Sendable {
    /// The message is kept under the sequence number, so the engine says.
    case kept(sequence: UInt64)
    /// The subject's last message is another one (NATS: error 10071). Nothing was kept by this
    /// request, but an earlier one with the same bytes may have been.
    case superseded
    /// Another conditional publish to the subject is on its way (NATS: error 10164). It says
    /// nothing about who owns it.
    case busy
    /// Messages in the order of the stream. `isEnd` tells that the replica had no more at the time.
    case messages([EngineMessage], isEnd: Bool)
    /// The messages are removed, so the engine says.
    case purged
    /// The subject has no subscribers, as far as the engine's servers know.
    case unheard
    /// No answer came: a time-out or a lost connection. A publish may have been kept or not, and
    /// may yet be.
    case unknown(String)
    /// The engine refused for another reason, given as text; nothing was kept.
    case failed(String)
}
