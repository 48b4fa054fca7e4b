/// Integers in groups of seven bits, the lowest group first.
public enum Varint {
    /// Appends an integer: 1 to 10 bytes.
    @inlinable @inline(__always) public static func append(_ value: UInt64, to bytes: inout [UInt8])
    {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The number of bytes of an integer.
    @inlinable @inline(__always) public static func byteCount(_ value: UInt64) -> Int {
        max(1, (70 - value.leadingZeroBitCount) / 7)
    }

    /// Decodes the integer at an offset, and advances the offset; `nil` if there is none.
    @inlinable @inline(__always) public static func take(
        _ bytes: ArraySlice<UInt8>, _ offset: inout Int
    ) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.endIndex, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
