import SceneCluster

extension EngineRequest {
    /// The subject that it is about.
    var subject: String {
        switch self {
        case .publish(let subject, _, _), .read(let subject, _, _, _), .last(let subject, _),
            .purge(let subject, _), .probe(let subject):
            subject
        }
    }
}

/// A request without an answer.
struct PendingRequest {
    /// The meaning of a message for the request.
    enum Progress {
        /// It was a part of the answer.
        case more
        /// The next question can be asked.
        case step
        /// The answer is whole.
        case reply(EngineReply)
        /// This attempt brings nothing; without another one, this is the answer.
        case fault(EngineReply)
    }

    private enum Work {
        case publish(bytes: [UInt8], expectedLast: UInt64)
        /// The leader answers one message at a time.
        case leaderRead(next: UInt64, maximum: Int)
        case leaderLast
        /// A replica answers with a batch.
        case replicaRead(from: UInt64, maximum: Int)
        case replicaLast
        case purge(below: UInt64)
        case probe
    }

    private let subject: String
    private let stream: String
    private let bytesMaximum: Int
    private var work: Work
    /// The messages that were sent and have no answer yet.
    private(set) var tokens: [UInt64] = []
    /// The leader's answer so far.
    private var found: [EngineMessage] = []
    private var foundBytes = 0
    /// The replicas' answers so far, by the token of the attempt.
    private var batches: [UInt64: DirectBatch] = [:]
    /// Deadlines in the queue that do not count, since the request has come a step further.
    var extendedTimeouts = 0
    /// Why the last attempt brought nothing.
    var fault: String?

    /// Describes a request; nil for a subject that no stream keeps, where the request is about a
    /// stream.
    init?(_ request: EngineRequest, layout: ClusterLayout, limits: RequestTable.Limits) {
        subject = request.subject
        bytesMaximum = limits.bytesMaximum
        if case .probe = request {
            stream = ""
            work = .probe
            return
        }
        guard let stream = layout.streamName(ofSubject: request.subject) else { return nil }
        self.stream = stream
        switch request {
        case .publish(_, let bytes, let expectedLast):
            work = .publish(bytes: bytes, expectedLast: expectedLast)
        case .read(_, let from, let maximum, .leader):
            work = .leaderRead(next: from, maximum: min(maximum, limits.messagesMaximum))
        case .read(_, let from, let maximum, .anyReplica):
            work = .replicaRead(from: from, maximum: min(maximum, limits.messagesMaximum))
        case .last(_, .leader): work = .leaderLast
        case .last(_, .anyReplica): work = .replicaLast
        case .purge(_, let below): work = .purge(below: below)
        case .probe: work = .probe
        }
    }

    /// Whether it must not be sent twice, since it changes the stream or is about the moment.
    var isSentOnce: Bool {
        switch work {
        case .publish, .probe: true
        case .leaderRead, .leaderLast, .replicaRead, .replicaLast, .purge: false
        }
    }

    /// Whether a second replica may be asked. The leader is one: what it does not answer, it would
    /// not answer twice.
    var mayBeAskedTwice: Bool {
        switch work {
        case .publish, .leaderRead, .leaderLast, .purge, .probe: false
        case .replicaRead, .replicaLast: true
        }
    }

    /// The message that asks for the next step.
    func outgoing(_ token: UInt64) -> NATSOutgoing {
        let query: (subject: String, bytes: [UInt8])
        switch work {
        case .publish(let bytes, let expectedLast):
            return NATSOutgoing(
                subject: subject, token: token, expectedLast: expectedLast, bytes: bytes)
        case .leaderRead(let next, _):
            query = JetStreamQuery.next(from: next, subject: subject, stream: stream)
        case .leaderLast:
            query = JetStreamQuery.last(subject: subject, stream: stream)
        case .replicaRead(let from, let maximum):
            query = JetStreamQuery.batch(
                from: from, maximum: maximum, bytesMaximum: bytesMaximum, subject: subject,
                stream: stream)
        case .replicaLast:
            query = JetStreamQuery.directLast(subject: subject, stream: stream)
        case .purge(let below):
            query = JetStreamQuery.purge(below: below, subject: subject, stream: stream)
        case .probe: query = (subject, [])
        }
        return NATSOutgoing(subject: query.subject, token: token, bytes: query.bytes)
    }

    /// An attempt was sent.
    mutating func began(_ token: UInt64) {
        tokens.append(token)
        switch work {
        case .publish, .leaderRead, .leaderLast, .purge, .probe: break
        case .replicaRead(_, let maximum):
            batches[token] = DirectBatch(
                subject: subject, messagesMaximum: maximum, bytesMaximum: bytesMaximum)
        case .replicaLast: batches[token] = DirectBatch(subject: subject)
        }
    }

    /// An attempt needs no more answers.
    mutating func ended(_ token: UInt64) {
        tokens.removeAll { $0 == token }
        batches[token] = nil
    }

    /// All attempts went with their connection.
    mutating func forgetAttempts() {
        tokens = []
        batches = [:]
    }

    /// Takes a part of the answer to an attempt in.
    mutating func take(_ message: NATSMessage, token: UInt64) -> Progress {
        switch work {
        case .publish: return .reply(JetStreamAnswer.publish(message, stream: stream))
        case .purge: return .reply(JetStreamAnswer.purge(message, stream: stream))
        case .probe: return .reply(JetStreamAnswer.probe(message))
        case .leaderLast:
            return switch JetStreamAnswer.get(message, subject: subject, stream: stream) {
            case .message(let found): .reply(.messages([found], isEnd: true))
            case .end: .reply(.messages([], isEnd: true))
            case .answer(let reply): .reply(reply)
            }
        case .leaderRead(let next, let maximum):
            return takeFromLeader(message, next: next, maximum: maximum)
        case .replicaRead, .replicaLast:
            guard let reply = batches[token]?.take(message) else { return .more }
            return switch reply {
            case .messages: .reply(reply)
            case .kept, .superseded, .busy, .purged, .unheard, .unknown, .failed:
                .fault(reply)
            }
        }
    }

    private mutating func takeFromLeader(
        _ message: NATSMessage, next: UInt64, maximum: Int
    ) -> Progress {
        switch JetStreamAnswer.get(message, subject: subject, stream: stream) {
        case .end: return .reply(.messages(found, isEnd: true))
        case .answer(let reply): return .reply(reply)
        case .message(let message):
            guard message.sequence >= max(1, next) else {
                return .reply(
                    .unknown(
                        "the leader answers with number \(message.sequence), expected \(next) or a later one"
                    ))
            }
            found.append(message)
            foundBytes += message.bytes.count
            guard found.count < maximum, foundBytes < bytesMaximum else {
                return .reply(.messages(found, isEnd: false))
            }
            work = .leaderRead(next: message.sequence + 1, maximum: maximum)
            return .step
        }
    }
}
