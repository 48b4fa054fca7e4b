/// The message that is coming in over a connection, fragment by fragment.
///
/// Length and text are checked piece by piece, so that an invalid message fails before it is
/// complete.
struct IncomingMessage {
    /// What a piece led to.
    enum Outcome {
        case incomplete
        case complete([UInt8])
        /// The connection has to fail with a close code and a reason.
        case invalid(code: UInt16, reason: String)
    }

    private var bytes: [UInt8] = []
    /// Seconds of the sweep at which the first piece came.
    private var since: UInt32 = 0
    private var text = UTF8Checker()

    /// Takes the next piece.
    ///
    /// - Parameters:
    ///   - kind: The message's kind, as its first fragment says.
    ///   - isLast: Whether the piece ends the message.
    ///   - maximum: The largest number of bytes of a message.
    ///   - now: Seconds of the last sweep.
    mutating func take(
        _ piece: UnsafeRawBufferPointer, _ kind: MessageKind, isLast: Bool, maximum: Int,
        now: UInt32
    ) -> Outcome {
        guard bytes.count + piece.count <= maximum else {
            return .invalid(
                code: StandardCloseCode.messageTooBig,
                reason: "the longest message is \(maximum) bytes")
        }
        if kind == .text {
            guard text.take(piece), !isLast || text.isComplete else {
                return .invalid(code: StandardCloseCode.invalidPayload, reason: "not UTF-8")
            }
        }
        if bytes.isEmpty {
            if isLast { return .complete(Array(piece)) }
            since = now
        }
        bytes.append(contentsOf: piece)
        guard isLast else { return .incomplete }
        defer { bytes = [] }
        return .complete(bytes)
    }

    /// Whether a message that has begun takes longer than it may, in seconds.
    func isLate(now: UInt32, maximum: UInt32) -> Bool {
        !bytes.isEmpty && now &- since > maximum
    }
}
