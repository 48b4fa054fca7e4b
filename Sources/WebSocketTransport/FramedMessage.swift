import Synchronization

/// Messages framed once, headers included (server frames are not masked, so all receivers get the
/// same bytes), and shared by reference by every connection that they are sent to. RFC 6455,
/// section 5.2.
public final class FramedMessage: Sendable {
    let bytes: [UInt8]
    /// Whether a connection that lags drops the message.
    let isDroppable: Bool

    private static let dropped = Atomic<Int>(0)
    /// The number of droppable messages that connections have dropped.
    public static var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Counts a message that a connection has dropped.
    static func noteDrop() { dropped.add(1, ordering: .relaxed) }

    private static let live = Atomic<Int>(0)
    /// Bytes of all framed messages that wait to leave, each counted once, however many connections
    /// it waits for.
    public static var liveByteCount: Int { live.load(ordering: .relaxed) }

    /// Frames a whole message.
    public init(_ kind: MessageKind, _ payload: [UInt8]) {
        isDroppable = false
        bytes = Self.frame(kind, [payload])
        Self.live.add(bytes.count, ordering: .relaxed)
    }

    /// Frames several whole messages into one buffer, which leaves in one write.
    ///
    /// - Parameter isDroppable: Whether a connection with much to send already drops them.
    public init(_ kind: MessageKind, payloads: [[UInt8]], isDroppable: Bool = false) {
        self.isDroppable = isDroppable
        bytes = Self.frame(kind, payloads)
        Self.live.add(bytes.count, ordering: .relaxed)
    }

    /// Frames a close. RFC 6455, section 5.5.1.
    ///
    /// - Parameter reason: As many whole characters of it as fit into 123 bytes are sent.
    init(closing code: UInt16, _ reason: String) {
        isDroppable = false
        var text: [UInt8] = []
        for character in reason {
            guard text.count + character.utf8.count <= 123 else { break }
            text += character.utf8
        }
        bytes = [0x88, UInt8(2 + text.count), UInt8(code >> 8), UInt8(code & 0xFF)] + text
        Self.live.add(bytes.count, ordering: .relaxed)
    }

    /// Joins framed messages.
    init(joining messages: ArraySlice<FramedMessage>) {
        isDroppable = false
        var bytes: [UInt8] = []
        bytes.reserveCapacity(messages.reduce(0) { $0 + $1.byteCount })
        for message in messages { bytes += message.bytes }
        self.bytes = bytes
        Self.live.add(bytes.count, ordering: .relaxed)
    }

    deinit { Self.live.subtract(bytes.count, ordering: .relaxed) }

    private static func frame(_ kind: MessageKind, _ payloads: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payloads.reduce(0) { $0 + $1.count + 10 })
        for payload in payloads {
            bytes.append(kind == .text ? 0x81 : 0x82)
            switch payload.count {
            case ..<126: bytes.append(UInt8(payload.count))
            case ..<65_536:
                bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
            default:
                bytes.append(127)
                for shift in stride(from: 56, through: 0, by: -8) {
                    bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
                }
            }
            bytes += payload
        }
        return bytes
    }

    /// The bytes on the wire, headers included.
    public var byteCount: Int { bytes.count }
}

/// The messages of one wake-up, joined once for all connections that are to get the same ones in
/// the same order.
struct JoinedMessages {
    private var parts: ArraySlice<FramedMessage> = []
    private var joined: FramedMessage?

    /// One message with all the bytes of several.
    mutating func join(_ messages: ArraySlice<FramedMessage>) -> FramedMessage {
        if messages.count == 1, let only = messages.first { return only }
        if let joined, parts.count == messages.count, zip(parts, messages).allSatisfy({ $0 === $1 })
        {
            return joined
        }
        let result = FramedMessage(joining: messages)
        parts = messages
        joined = result
        return result
    }
}
