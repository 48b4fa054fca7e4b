// Rows are written as bits: a varint of eight bits wastes half of them on the small numbers that rows mostly hold.
//
// Bits fill each byte from the lowest on. A number v with the parameter k is `v >> k` ones, a zero, and the low k
// bits of v; from 16 ones on it is 16 ones and 32 bits of v instead (Rice coding with an escape).

/// Numbers of few bits, appended to an encoder's bytes.
struct BitWriter {
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// The most ones before a number is written whole.
    static let onesMaximum: UInt32 = 16

    /// - Parameter count: At most 32; the bits of `value` above are 0.
    @inline(__always)
    mutating func put(_ value: UInt32, count: Int, to encoder: inout BinaryEncoder) {
        // Below 32 bits are pending, so all fit.
        pending |= UInt64(value) << pendingCount
        pendingCount &+= UInt64(truncatingIfNeeded: count)
        if pendingCount >= 32 {
            encoder.word(UInt32(truncatingIfNeeded: pending))
            pending >>= 32
            pendingCount &-= 32
        }
    }

    @inline(__always)
    mutating func rice(_ value: UInt32, _ parameter: Int, to encoder: inout BinaryEncoder) {
        let ones = value >> UInt32(truncatingIfNeeded: parameter)
        guard ones < Self.onesMaximum else {
            put(1 << Self.onesMaximum - 1, count: Int(Self.onesMaximum), to: &encoder)
            return put(value, count: 32, to: &encoder)
        }
        // At most 16 + 15 bits.
        let low = value & (1 << UInt32(truncatingIfNeeded: parameter) - 1)
        put(
            low << (ones + 1) | (1 << ones - 1), count: Int(ones) + 1 + parameter, to: &encoder)
    }

    /// A number of at most three: so many ones, and a zero unless they are three.
    mutating func short(_ value: UInt32, to encoder: inout BinaryEncoder) {
        put(1 << value - 1, count: Int(min(value + 1, 3)), to: &encoder)
    }

    /// Fills the last byte with zeros.
    mutating func finish(to encoder: inout BinaryEncoder) {
        while pendingCount > 0 {
            encoder.byte(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount = pendingCount > 8 ? pendingCount - 8 : 0
        }
    }

    /// The bits that a number takes.
    static func riceBits(_ value: UInt32, _ parameter: Int) -> Int {
        let ones = value >> UInt32(truncatingIfNeeded: parameter)
        return ones < onesMaximum ? Int(ones) + 1 + parameter : Int(onesMaximum) + 32
    }

    /// A parameter that is near the best for numbers of that sum. At most 15.
    static func parameter(sum: UInt64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        // The best is near log2 of 0.69 times the mean (Golomb 1966; Kiely 2004).
        let scaled = sum * 11 / (UInt64(count) * 16)
        return min(15, scaled == 0 ? 0 : UInt64.bitWidth - 1 - scaled.leadingZeroBitCount)
    }
}

/// Numbers of few bits, taken from a decoder's bytes.
struct BitReader {
    private var pending: UInt32 = 0
    private var pendingCount: UInt32 = 0

    mutating func bit(_ decoder: inout BinaryDecoder) throws(DecodeError) -> UInt32 {
        if pendingCount == 0 {
            pending = UInt32(try decoder.byte())
            pendingCount = 8
        }
        defer {
            pending >>= 1
            pendingCount -= 1
        }
        return pending & 1
    }

    mutating func bits(
        _ count: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> UInt32 {
        var value: UInt32 = 0
        for place in 0..<UInt32(truncatingIfNeeded: count) {
            value |= try bit(&decoder) << place
        }
        return value
    }

    mutating func rice(
        _ parameter: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> UInt32 {
        let start = decoder.offset
        var ones: UInt32 = 0
        while ones < BitWriter.onesMaximum, try bit(&decoder) == 1 { ones += 1 }
        if ones < BitWriter.onesMaximum {
            return ones << UInt32(truncatingIfNeeded: parameter)
                | (try bits(parameter, &decoder))
        }
        let value = try bits(32, &decoder)
        // A number that had fitted into fewer ones has one form only.
        guard value >> UInt32(truncatingIfNeeded: parameter) >= BitWriter.onesMaximum else {
            throw .malformedVarint(offset: start)
        }
        return value
    }

    mutating func short(_ decoder: inout BinaryDecoder) throws(DecodeError) -> UInt32 {
        var ones: UInt32 = 0
        while ones < 3, try bit(&decoder) == 1 { ones += 1 }
        return ones
    }

    /// What is left of the last byte must be zeros.
    func finish(_ decoder: BinaryDecoder) throws(DecodeError) {
        guard pending == 0 else { throw .invalidValue(offset: decoder.offset) }
    }
}
