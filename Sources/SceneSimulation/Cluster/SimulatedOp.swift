/// An op of a simulated client, as a room's journal keeps it: "OP", session (16 bits), number (32),
/// value (32), all little-endian.
struct SimulatedOp: Hashable, Sendable {
    var session: UInt16
    /// One more than the session's op before it, from 1.
    var number: UInt32
    var value: UInt32

    private static let byteCount = 12

    var bytes: [UInt8] {
        var bytes = Array("OP".utf8)
        for shift in stride(from: 0, to: 16, by: 8) { bytes.append(UInt8(session >> shift & 255)) }
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(number >> shift & 255)) }
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(value >> shift & 255)) }
        return bytes
    }

    init(session: UInt16, number: UInt32, value: UInt32) {
        self.session = session
        self.number = number
        self.value = value
    }

    /// Reads an op; nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == 0x4F, bytes[1] == 0x50 else { return nil }
        session = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        number = bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        value = bytes[8..<12].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
