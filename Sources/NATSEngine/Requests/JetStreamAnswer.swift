import FoundationEssentials
import JSON
import SceneCluster

/// Reads the answers of JetStream's interface. They come from outside: each is either understood or
/// told as it is.
enum JetStreamAnswer {
    /// JetStream's numbers of errors, from the server's `errors.json`.
    private enum ErrorCode {
        static let noMessageFound: UInt64 = 10037
        static let wrongLastSequence: UInt64 = 10071
        static let wrongLastSequenceConstant: UInt64 = 10164
        static let streamNotFound: UInt64 = 10059
    }
    /// The class of errors of servers that cannot answer at the time, as in HTTP.
    private static let unavailable: UInt64 = 503

    /// The outcome of a conditional publish.
    ///
    /// - Parameter stream: The stream that is meant to keep the message.
    static func publish(_ message: NATSMessage, stream: String) -> EngineReply {
        if let status = message.headers.status {
            return .unknown(
                "no server takes messages for the stream \(stream) (\(words(status, message)))")
        }
        let value: JSONValue
        do { value = try JSONReader.read(message.bytes) } catch {
            return .unknown("the acknowledgement cannot be read: \(error)")
        }
        if let error = value["error"] {
            return reply(to: error, stream: stream) {
                "the stream \(stream) refuses the message: \($0)"
            }
        }
        guard let sequence = value["seq"]?.count, sequence > 0 else {
            return .unknown("the acknowledgement has no sequence number")
        }
        guard let keeper = value["stream"]?.string, keeper == stream else {
            return .failed(
                "the stream \(value["stream"]?.string ?? "?") has taken the message, expected \(stream); see scenesync cluster status"
            )
        }
        // Only a message with an id can be one, and this module sends none.
        guard value["duplicate"]?.bool != true else {
            return .failed("the stream \(stream) took the message for a duplicate and dropped it")
        }
        return .kept(sequence: sequence)
    }

    /// The outcome of a removal.
    static func purge(_ message: NATSMessage, stream: String) -> EngineReply {
        if let status = message.headers.status {
            return .unknown("no leader of the stream \(stream) answers (\(words(status, message)))")
        }
        let value: JSONValue
        do { value = try JSONReader.read(message.bytes) } catch {
            return .unknown("the answer to a purge cannot be read: \(error)")
        }
        if let error = value["error"] {
            return reply(to: error, stream: stream) { "the stream \(stream) is not purged: \($0)" }
        }
        return .purged
    }

    /// The result of a probe. Servers answer only where a subject has no subscribers.
    static func probe(_ message: NATSMessage) -> EngineReply {
        message.headers.status == Int(unavailable)
            ? .unheard
            : .unknown(
                "a subscriber answered a probe, which none should; see what else subscribes to the cluster's subjects"
            )
    }

    /// One step of reading from the leader.
    enum Step: Equatable {
        case message(EngineMessage)
        case end
        case answer(EngineReply)
    }

    /// A message, its absence, or an error, by the stream's leader.
    static func get(_ message: NATSMessage, subject: String, stream: String) -> Step {
        if let status = message.headers.status {
            return .answer(
                .unknown("no leader of the stream \(stream) answers (\(words(status, message)))"))
        }
        let value: JSONValue
        do { value = try JSONReader.read(message.bytes) } catch {
            return .answer(.unknown("the leader's answer cannot be read: \(error)"))
        }
        if let error = value["error"] {
            if error["err_code"]?.count == ErrorCode.noMessageFound { return .end }
            return .answer(
                reply(to: error, stream: stream) { "the stream \(stream) cannot be read: \($0)" })
        }
        guard let stored = value["message"], let sequence = stored["seq"]?.count, sequence > 0,
            let found = stored["subject"]?.string
        else { return .answer(.unknown("the leader's answer has no message")) }
        guard found == subject else {
            return .answer(
                .unknown("the leader answers with a message of \(found), not of \(subject)"))
        }
        let text = stored["data"]?.string ?? ""
        guard let data = Data(base64Encoded: text) else {
            return .answer(.unknown("the leader's answer has data that is not base 64"))
        }
        return .message(EngineMessage(subject: found, sequence: sequence, bytes: [UInt8](data)))
    }

    private static func reply(
        to error: JSONValue, stream: String, _ sentence: (String) -> String
    ) -> EngineReply {
        let code = error["err_code"]?.count ?? 0
        let text = error["description"]?.string ?? "error \(code)"
        if code == ErrorCode.wrongLastSequence { return .superseded }
        if code == ErrorCode.wrongLastSequenceConstant { return .busy }
        if error["code"]?.count == unavailable { return .unknown(sentence(text)) }
        let advice = code == ErrorCode.streamNotFound ? "; create it: scenesync cluster init" : ""
        return .failed(sentence("\(text) (error \(code))") + advice)
    }

    /// A status in the server's words.
    static func words(_ status: Int, _ message: NATSMessage) -> String {
        message.headers.description.map { "\(status) \($0)" } ?? "\(status)"
    }
}
