/// A message as it comes from the server, copied out of the library's memory.
struct NATSMessage: Equatable, Sendable {
    /// The subject that it was sent to.
    var subject: String
    /// The headers that this module reads; those of messages outside the inbox are left out.
    var headers = Headers()
    var bytes: [UInt8]

    /// The headers of answers.
    struct Headers: Equatable, Sendable {
        /// The status of an answer that is no message: 204, 404, 408, 503.
        var status: Int?
        /// The server's text for the status.
        var description: String?
        /// The subject of a message that a stream keeps.
        var storedSubject: String?
        /// Its sequence number.
        var sequence: UInt64?
        /// How many messages of the question follow this one.
        var pending: UInt64?
        /// The sequence number of the message of the batch before this one; 0 for the first.
        var lastSequence: UInt64?
    }
}

/// A message to be sent.
struct NATSOutgoing: Equatable, Sendable {
    var subject: String
    /// The number under which the answer comes back; none where none is expected.
    var token: UInt64?
    /// The condition of a publish.
    var expectedLast: UInt64?
    var bytes: [UInt8]
}
