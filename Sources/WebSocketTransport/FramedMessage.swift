/// A message framed once, header included (server frames are not masked, so all receivers get the same bytes), and
/// shared by reference by every connection that it is sent to. RFC 6455, section 5.2.
public final class FramedMessage: Sendable {
    let bytes: [UInt8]

    /// Frames a whole message.
    public init(_ kind: MessageKind, _ payload: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 10)
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
        self.bytes = bytes + payload
    }

    /// The bytes on the wire, header included.
    public var byteCount: Int { bytes.count }
}
