/// Why bytes or JSON are not a message. Offsets count bytes from the beginning of the message.
public enum DecodeError: Error, Equatable, Sendable {
    /// A message of no bytes.
    case empty
    /// A field needs more bytes than are left.
    case truncated(offset: Int, neededBytes: Int)
    /// A variable-length integer that is too long, too large, or not in its shortest form.
    case malformedVarint(offset: Int)
    /// A message type that this end does not take.
    case unknownType(UInt8)
    /// A field holds a value that means nothing.
    case invalidValue(offset: Int)
    /// A text that is not UTF-8.
    case invalidUTF8(offset: Int)
    /// A count or a length above its limit.
    case tooMany(offset: Int, count: Int, maximum: Int)
    /// An extension that must be understood (its id is odd) and is not.
    case unknownExtension(id: UInt32)
    /// A set of view numbers that is empty, unordered or inconsistent with its group.
    case malformedSelection(offset: Int)
    /// A deflated block that does not inflate to what it says.
    case malformedDeflate(offset: Int)
    /// A message longer than the limit.
    case messageTooLong(bytes: Int, maximum: Int)
    /// The text is not JSON.
    case json(JSONError)
    /// A field of a JSON message is missing, unknown or wrong.
    case field(name: String, line: Int, column: Int, expected: String)

    /// Whether the message is of a later version and may be passed over: its type is 0x80 or more, or its name
    /// begins with `x-`.
    public var isIgnorable: Bool {
        if case .unknownType(let type) = self { type >= 0x80 } else { false }
    }
}

/// The codes that a WebSocket connection is closed with (4000–4999 are for private use), and that `error` carries.
public enum CloseCode: UInt16, CaseIterable, Sendable {
    /// Bytes that are no message.
    case badFrame = 4000
    /// The token is missing or wrong.
    case unauthenticated = 4001
    /// The role does not allow it.
    case forbidden = 4003
    /// There is no such session.
    case noSuchSession = 4004
    /// A message that needs a capability which `welcome` did not grant. Said in `error`; closes nothing.
    case unsupported = 4005
    /// A tick of the past that is not in the journal any more. Said in `error`; closes nothing.
    case noSuchTick = 4006
    /// The client reads too slowly.
    case tooSlow = 4008
    /// More than the limits allow.
    case limit = 4009
    /// The client's version is too old.
    case clientTooOld = 4010
    /// The server's version is too old.
    case serverTooOld = 4011
    /// The states differ again and again.
    case hashMismatch = 4012
    /// Too many messages.
    case rateLimited = 4029
    /// The server is going away.
    case draining = 4030
}
