import JSON

/// The questions of JetStream's interface that read messages.
enum JetStreamQuery {
    /// The first message of a subject from a sequence number on, by the stream's leader.
    static func next(
        from sequence: UInt64, subject: String, stream: String
    ) -> (subject: String, bytes: [UInt8]) {
        (
            "$JS.API.STREAM.MSG.GET.\(stream)",
            bytes([
                JSONMember("seq", .number(Double(max(1, sequence)))),
                JSONMember("next_by_subj", .string(subject)),
            ])
        )
    }

    /// The last message of a subject, by the stream's leader.
    static func last(subject: String, stream: String) -> (subject: String, bytes: [UInt8]) {
        (
            "$JS.API.STREAM.MSG.GET.\(stream)",
            bytes([JSONMember("last_by_subj", .string(subject))])
        )
    }

    /// Messages of a subject from a sequence number on, by any replica.
    ///
    /// - Parameter bytesMaximum: What all of them may have; the first comes in any case.
    static func batch(
        from sequence: UInt64, maximum: Int, bytesMaximum: Int, subject: String, stream: String
    ) -> (subject: String, bytes: [UInt8]) {
        (
            "$JS.API.DIRECT.GET.\(stream)",
            bytes([
                JSONMember("seq", .number(Double(max(1, sequence)))),
                JSONMember("next_by_subj", .string(subject)),
                JSONMember("batch", .number(Double(maximum))),
                JSONMember("max_bytes", .number(Double(bytesMaximum))),
            ])
        )
    }

    /// The last message of a subject, by any replica.
    static func directLast(subject: String, stream: String) -> (subject: String, bytes: [UInt8]) {
        (
            "$JS.API.DIRECT.GET.\(stream)",
            bytes([JSONMember("last_by_subj", .string(subject))])
        )
    }

    /// Up to here numbers of JSON are exact; no stream has as many messages.
    private static let numberMaximum: UInt64 = 1 << 53

    /// The removal of messages of a subject below a sequence number, by the stream's leader.
    static func purge(
        below sequence: UInt64, subject: String, stream: String
    ) -> (subject: String, bytes: [UInt8]) {
        (
            "$JS.API.STREAM.PURGE.\(stream)",
            bytes(
                [JSONMember("filter", .string(subject))]
                    + (sequence < numberMaximum
                        ? [JSONMember("seq", .number(Double(max(1, sequence))))] : []))
        )
    }

    private static func bytes(_ members: [JSONMember]) -> [UInt8] {
        var output: [UInt8] = []
        JSONValue.object(members).append(to: &output)
        return output
    }
}
