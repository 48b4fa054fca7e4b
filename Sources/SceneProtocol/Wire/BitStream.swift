// Rows are written as bits: a varint of eight bits wastes half of them on the small numbers that rows mostly hold.
//
// Bits fill each byte from the lowest on. A number v with the parameter k is `v >> k` ones, a zero, and the low k
// bits of v; from 16 ones on it is 16 ones and 32 bits of v instead (Rice coding with an escape).

/// Numbers of few bits, written into memory that is there already.
struct BitWriter {
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0
    /// Where the next whole bytes go.
    private(set) var offset = 0

    /// The most ones before a number is written whole.
    static let onesMaximum: UInt32 = 16

    /// - Parameter count: At most 56; the bits of `value` above are 0.
    @inline(__always)
    mutating func put(_ value: UInt64, count: Int, to bytes: inout MutableRawSpan) {
        // Below 8 bits are pending, so all fit. They are written at each time, whole bytes or not: a branch that nobody
        // can foresee costs more.
        pending |= value &<< pendingCount
        pendingCount &+= UInt64(truncatingIfNeeded: count)
        bytes.storeBytes(of: pending.littleEndian, toByteOffset: offset, as: UInt64.self)
        offset &+= Int(truncatingIfNeeded: pendingCount &>> 3)
        pending &>>= pendingCount & ~7
        pendingCount &= 7
    }

    @inline(__always)
    mutating func rice(_ value: UInt32, _ parameter: Int, to bytes: inout MutableRawSpan) {
        if let code = Self.riceCode(value, parameter) {
            put(code.bits, count: code.count, to: &bytes)
        } else {
            escape(value, to: &bytes)
        }
    }

    /// Writes a number whole.
    mutating func escape(_ value: UInt32, to bytes: inout MutableRawSpan) {
        put(1 << UInt64(Self.onesMaximum) - 1, count: Int(Self.onesMaximum), to: &bytes)
        put(UInt64(value), count: 32, to: &bytes)
    }

    /// The bits of a number, at most 31; nil if it is to be written whole.
    @inline(__always)
    static func riceCode(_ value: UInt32, _ parameter: Int) -> (bits: UInt64, count: Int)? {
        let shift = UInt64(truncatingIfNeeded: parameter)
        let ones = UInt64(value) &>> shift
        guard ones < UInt64(onesMaximum) else { return nil }
        let low = UInt64(value) & (1 &<< shift &- 1)
        return (
            low &<< (ones &+ 1) | (1 &<< ones &- 1),
            Int(truncatingIfNeeded: ones) &+ 1 &+ parameter
        )
    }

    /// Writes a number, and one of at most three: so many ones, and a zero unless they are three.
    @inline(__always)
    mutating func rice(
        _ value: UInt32, _ parameter: Int, short: UInt32, to bytes: inout MutableRawSpan
    ) {
        let tail: UInt64 = 1 &<< UInt64(short) &- 1
        let tailCount = Int(min(short &+ 1, 3))
        if let code = Self.riceCode(value, parameter) {
            put(
                code.bits | tail &<< UInt64(truncatingIfNeeded: code.count),
                count: code.count &+ tailCount, to: &bytes)
        } else {
            escape(value, to: &bytes)
            put(tail, count: tailCount, to: &bytes)
        }
    }

    /// Fills the last byte with zeros.
    mutating func finish(to bytes: inout MutableRawSpan) {
        guard pendingCount > 0 else { return }
        bytes.storeBytes(
            of: UInt8(truncatingIfNeeded: pending), toByteOffset: offset, as: UInt8.self)
        offset &+= 1
        pendingCount = 0
    }

    /// The most bytes that numbers take with a parameter, words that are written ahead included.
    ///
    /// Without the escape they take `sum >> parameter` ones at most, and a zero and the low bits each. The escape's 48 bits
    /// stand for 17 at least.
    ///
    /// - Parameter union: All numbers, bit by bit: where it takes no escape, none of them does.
    static func bytesMaximum(
        sum: UInt64, union: UInt32, count: Int, _ parameter: Int
    ) -> Int {
        let bits = Int(truncatingIfNeeded: sum >> UInt64(parameter)) + count * (1 + parameter)
        let hasEscape = union >> UInt32(parameter) >= onesMaximum
        return (hasEscape ? 3 * bits : bits) / 8 + 8
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
