import ConstraintLanguage
public import JSON
import SceneDocument

/// Turns the telling of the scene's records on or off for a member, which runs the server's engine
/// on them.
public struct FollowRequest: Sendable, Equatable {
    /// On or off. On while it is on already begins anew.
    public var isEnabled = false

    /// Asks for silence.
    public init() {}
}

extension FollowRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("enabled", &isEnabled)
    }
}

/// The state hash that a replica has after the records of a message.
public struct ReplicaHash: Sendable, Equatable {
    /// See `ViewHash`.
    public var hash: UInt64 = 0

    /// Makes a hash of nothing.
    public init() {}
}

extension ReplicaHash: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.fixed64("hash", &hash)
    }
}

/// A part of what a replica of the server's scene repeats; the texts of all parts, in order, are
/// one JSON array of records.
public struct Records: Sendable, Equatable {
    /// The tick whose state the replica has once it has repeated the records.
    public var tick: UInt64 = 0
    /// Whether the replica begins anew: the first record is a snapshot.
    public var isStart = false
    /// What records name the receiver by, as the author of ops; empty where it is told already.
    public var author = ""
    /// Which part, from 0.
    public var chunkIndex: UInt32 = 0
    /// How many parts there are.
    public var chunkCount: UInt32 = 1
    /// The part.
    public var text = ""
    /// The state hash at the tick, where it is told.
    public var state: ReplicaHash?

    /// The longest name of an author in bytes.
    public static let authorByteMaximum = 64

    /// Makes a part without text.
    public init() {}

    /// The messages that carry records.
    ///
    /// - Parameter head: The fields that all parts have in common.
    public static func messages(_ head: Records, _ records: [JSONValue]) -> [ServerMessage] {
        TextParts.of(JSONValue.array(records).text()).map { part in
            var message = head
            message.chunkIndex = part.index
            message.chunkCount = part.count
            message.text = part.text
            return .records(message)
        }
    }
}

extension Records: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.bool("start", &isStart)
        try coder.text("author", &author, maximum: Self.authorByteMaximum)
        try coder.u32("chunkIndex", &chunkIndex)
        try coder.u32("chunkCount", &chunkCount)
        try coder.text("text", &text, maximum: TextParts.byteMaximum)
        try coder.optional("state", &state)
        if chunkCount > UInt32(Limits.chunkMaximum) {
            try coder.invalid("chunkCount", "at most \(Limits.chunkMaximum)")
        }
        if chunkIndex >= chunkCount { try coder.invalid("chunkIndex", "less than chunkCount") }
    }
}

/// A long text in parts that messages can carry.
enum TextParts {
    /// Bytes of a part.
    static let byteMaximum = 1 << 19

    /// One part and its place among all.
    struct Part {
        var index: UInt32
        var count: UInt32
        var text: String
    }

    /// The parts of a text; one for an empty text.
    ///
    /// - Complexity: O(bytes).
    static func of(_ text: String) -> [Part] {
        let text = text.utf8
        var parts: [String] = []
        var start = text.startIndex
        while start < text.endIndex || parts.isEmpty {
            var end =
                text.index(start, offsetBy: byteMaximum, limitedBy: text.endIndex)
                ?? text.endIndex
            // Not inside a character.
            while end < text.endIndex, text[end] & 0xC0 == 0x80 { text.formIndex(before: &end) }
            parts.append(String(decoding: text[start..<end], as: UTF8.self))
            start = end
        }
        return parts.enumerated().map { index, part in
            Part(
                index: UInt32(truncatingIfNeeded: index),
                count: UInt32(truncatingIfNeeded: parts.count), text: part)
        }
    }
}
