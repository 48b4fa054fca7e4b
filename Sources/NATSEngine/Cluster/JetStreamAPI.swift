import JSON

private import Glibc

/// JetStream's interface for streams, asked one question after another. It belongs to the thread of
/// its connection.
struct JetStreamAPI {
    let connection: NATSConnection

    /// How long an election takes at most, with some room.
    static let electionPatience = Duration.seconds(15)
    static let betweenTriesMicroseconds: UInt32 = 50_000
    /// How long a leader takes to answer.
    static let leaderTimeout = Duration.seconds(2)
    /// How long anything takes; creating a replicated stream is the longest.
    static let timeout = Duration.seconds(10)

    /// JetStream's error codes that are distinguished here.
    enum ErrorCode {
        /// Too few servers can take a stream; one that the leader has not heard of lately cannot.
        static let noSuitablePeers = 10005
        static let streamNotFound = 10059
        static let wrongLastSequence = 10071
        /// Another publish with a condition is on its way; it says nothing about what is kept.
        static let wrongLastSequenceConstant = 10164
    }

    /// Asks a question.
    ///
    /// - Parameter subject: What comes after `$JS.API.`.
    /// - Throws: `NATSError`; `refused` with JetStream's number where it answers with an error.
    func ask(
        _ subject: String, _ question: JSONValue? = nil, timeout: Duration = timeout
    ) throws(NATSError) -> JSONValue {
        var bytes: [UInt8] = []
        question?.append(to: &bytes)
        return try ask(
            NATSOutgoing(subject: "$JS.API.\(subject)", bytes: bytes), timeout: timeout)
    }

    /// Publishes a message provided that the subject's last one has a sequence number.
    ///
    /// - Returns: The sequence number.
    func publish(_ bytes: [UInt8], to subject: String, expectedLast: UInt64) throws(NATSError)
        -> UInt64
    {
        let answer = try ask(
            NATSOutgoing(subject: subject, expectedLast: expectedLast, bytes: bytes),
            timeout: Self.timeout)
        guard let sequence = answer["seq"]?.count, sequence > 0 else {
            throw .malformedAnswer(subject: subject, reason: "it has no sequence number")
        }
        return sequence
    }

    /// Publishes the first message of a subject. Tries again while the stream has no leader or
    /// another publish is on its way.
    ///
    /// - Returns: False where the subject has a message already.
    func publishFirst(_ bytes: [UInt8], to subject: String) throws(NATSError) -> Bool {
        let begun = ContinuousClock.now
        while true {
            do throws(NATSError) {
                _ = try publish(bytes, to: subject, expectedLast: 0)
                return true
            } catch {
                switch error {
                case .refused(_, ErrorCode.wrongLastSequence, _): return false
                case .refused(_, NATSConnection.noResponders, _),
                    .refused(_, ErrorCode.wrongLastSequenceConstant, _):
                    guard ContinuousClock.now - begun < Self.electionPatience else { throw error }
                    usleep(Self.betweenTriesMicroseconds)
                default: throw error
                }
            }
        }
    }

    private func ask(
        _ message: NATSOutgoing, timeout: Duration
    ) throws(NATSError) -> JSONValue {
        let answer = try connection.request(message, timeout: timeout)
        let value: JSONValue
        do { value = try JSONReader.read(answer.bytes) } catch {
            throw .malformedAnswer(subject: message.subject, reason: error.description)
        }
        guard let error = value["error"] else { return value }
        throw .refused(
            subject: message.subject,
            code: Int(clamping: error["err_code"]?.count ?? error["code"]?.count ?? 0),
            description: error["description"]?.string ?? "no description")
    }

    /// A stream, or nil where there is none of the name.
    ///
    /// - Parameter patience: How long it is asked for again. Its leader answers, so that a question
    ///   to a stream without one gets no answer, also when one is elected afterwards.
    /// - Throws: `NATSError`; `timedOut` where the stream has no leader for so long.
    func stream(
        _ name: String, patience: Duration = electionPatience
    ) throws(NATSError) -> JSONValue? {
        let begun = ContinuousClock.now
        while true {
            do throws(NATSError) {
                return try ask("STREAM.INFO.\(name)", timeout: Self.leaderTimeout)
            } catch {
                switch error {
                case .refused(_, ErrorCode.streamNotFound, _): return nil
                case .timedOut where ContinuousClock.now - begun < patience: break
                default: throw error
                }
            }
        }
    }
}
