/// Integers of a fixed width, the lowest byte first.
package enum LittleEndian {
    /// Appends an integer.
    @inlinable package static func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Number(truncatingIfNeeded: shift)))
        }
    }

    /// The integer of these bytes, of which there are as many as its width.
    @inlinable package static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: ArraySlice<UInt8>
    ) -> Number {
        bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
