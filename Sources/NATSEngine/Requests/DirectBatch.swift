import SceneCluster

/// The answer of one replica to a question: messages, then a status that ends them. Each message
/// names the one before it, so that a gap is seen.
struct DirectBatch: Equatable {
    private let subject: String
    /// Whether the question is for one message, which no status follows.
    private let isSingle: Bool
    /// The requested amount; an answer with more is refused.
    private let messagesMaximum: Int
    private let bytesMaximum: Int
    private var messages: [EngineMessage] = []
    private var byteCount = 0

    /// Statuses of replicas.
    private enum Status {
        static let endOfBatch = 204
        static let notFound = 404
        static let noResponders = 503
    }

    /// Begins the answer to a question for the last message.
    init(subject: String) {
        self.subject = subject
        isSingle = true
        messagesMaximum = 1
        bytesMaximum = .max
    }

    /// Begins the answer to a request for at most `messagesMaximum` messages and `bytesMaximum`
    /// bytes. The last message may exceed these bytes.
    init(subject: String, messagesMaximum: Int, bytesMaximum: Int) {
        self.subject = subject
        isSingle = false
        self.messagesMaximum = messagesMaximum
        self.bytesMaximum = bytesMaximum
    }

    /// Takes the next part of the answer in.
    ///
    /// - Returns: The reply once it is whole.
    mutating func take(_ message: NATSMessage) -> EngineReply? {
        if let status = message.headers.status { return end(status, message) }
        guard let sequence = message.headers.sequence, sequence > 0,
            let found = message.headers.storedSubject
        else { return .unknown("the replica's answer has no sequence number or no subject") }
        guard found == subject else {
            return .unknown("the replica answers with a message of \(found), not of \(subject)")
        }
        let last = messages.last?.sequence ?? 0
        guard sequence > last, isSingle || message.headers.lastSequence == last else {
            return .unknown(
                "a message before number \(sequence) is missing from the replica's answer")
        }
        guard messages.count < messagesMaximum, byteCount <= bytesMaximum else {
            return .unknown("the replica sends more than it was asked for")
        }
        byteCount += message.bytes.count
        messages.append(EngineMessage(subject: found, sequence: sequence, bytes: message.bytes))
        return isSingle ? .messages(messages, isEnd: true) : nil
    }

    private func end(_ status: Int, _ message: NATSMessage) -> EngineReply {
        switch status {
        case Status.endOfBatch:
            guard message.headers.lastSequence == messages.last?.sequence ?? 0,
                let pending = message.headers.pending
            else { return .unknown("the end of the replica's answer does not fit its messages") }
            return .messages(messages, isEnd: pending == 0)
        case Status.notFound where messages.isEmpty:
            return .messages([], isEnd: true)
        case Status.noResponders:
            return .unknown("no replica answers")
        default:
            return .failed(
                "the replica refuses the question: \(JetStreamAnswer.words(status, message))")
        }
    }
}
