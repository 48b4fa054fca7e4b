public import JSON

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

    /// Whether the message is of a later version and may be passed over: its type is 0x80 or more,
    /// or its name begins with `x-`.
    public var isIgnorable: Bool {
        if case .unknownType(let type) = self { type >= 0x80 } else { false }
    }
}

extension DecodeError {
    /// The error's name, which the test vectors use; see SPEC.md, section 11.1.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .truncated: "truncated"
        case .malformedVarint: "malformed-varint"
        case .unknownType: "unknown-type"
        case .invalidValue: "invalid-value"
        case .invalidUTF8: "invalid-utf8"
        case .tooMany: "too-many"
        case .unknownExtension: "unknown-extension"
        case .malformedSelection: "malformed-selection"
        case .malformedDeflate: "malformed-deflate"
        case .messageTooLong: "too-long"
        case .json: "json"
        case .field: "field"
        }
    }
}
