/// Integers of a fixed width, the lowest byte first.
///
/// Public and always inlined, since a codec calls it for each number: the optimiser leaves calls of
/// `package` functions in another module as they are.
public enum LittleEndian {
    /// Appends an integer of 16 bits.
    @inlinable @inline(__always) public static func append(
        _ value: UInt16, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Appends an integer of 32 bits.
    @inlinable @inline(__always) public static func append(
        _ value: UInt32, to bytes: inout [UInt8]
    ) {
        var rest = value
        for _ in 0..<4 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends an integer of 64 bits.
    @inlinable @inline(__always) public static func append(
        _ value: UInt64, to bytes: inout [UInt8]
    ) {
        var rest = value
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends an integer of any width, for callers that do not know it.
    @inlinable public static func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Number(truncatingIfNeeded: shift)))
        }
    }

    /// The integer of these bytes, of which there are as many as its width.
    @inlinable @inline(__always)
    public static func number<
        Number: FixedWidthInteger & UnsignedInteger
    >(_ bytes: ArraySlice<UInt8>) -> Number {
        bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
