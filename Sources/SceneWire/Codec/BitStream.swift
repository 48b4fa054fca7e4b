// Bits fill each byte from the lowest on. What numbers are as bits, `RiceCode` says.

/// Bits that are written at once, the first one lowest.
struct BitWord {
    /// The most that can be written at once.
    static let countMaximum: UInt64 = 56

    /// 0 from `count` on.
    var bits: UInt64 = 0
    var count: UInt64 = 0

    init(bits: UInt64 = 0, count: UInt64 = 0) {
        self.bits = bits
        self.count = count
    }

    @inline(__always)
    init(byte: UInt8) { self.init(bits: UInt64(byte), count: 8) }

    @inline(__always)
    init(varint value: UInt32) {
        self.init()
        var rest = value
        while rest >= 0x80 {
            append(BitWord(byte: UInt8(truncatingIfNeeded: rest) | 0x80))
            rest >>= 7
        }
        append(BitWord(byte: UInt8(truncatingIfNeeded: rest)))
    }

    /// A number of at most three: so many ones, and a zero unless they are three.
    @inline(__always)
    init(short value: UInt32) {
        self.init(bits: 1 &<< UInt64(value) &- 1, count: UInt64(min(value &+ 1, 3)))
    }

    /// Puts other bits behind. What is beyond 64 is lost.
    @inline(__always)
    mutating func append(_ other: BitWord) {
        bits |= other.bits &<< count
        count &+= other.count
    }
}

/// Writes bits into memory that is there already.
struct BitWriter {
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0
    /// Where the next whole bytes go.
    private(set) var offset = 0

    /// How many bytes beyond the last bit may be written to.
    static let bytesAhead = 8

    /// - Parameter word: At most `BitWord.countMaximum` bits.
    @inline(__always)
    mutating func put(_ word: BitWord, to bytes: inout MutableRawSpan) {
        // Below 8 bits are pending, so all fit. They are written at each time, whole bytes or not:
        // a mispredicted branch costs more.
        pending |= word.bits &<< pendingCount
        pendingCount &+= word.count
        bytes.storeBytes(of: pending.littleEndian, toByteOffset: offset, as: UInt64.self)
        offset &+= Int(truncatingIfNeeded: pendingCount &>> 3)
        pending &>>= pendingCount & ~7
        pendingCount &= 7
    }

    /// Writes a number, whole if need be.
    mutating func rice(_ value: UInt32, _ code: RiceCode, to bytes: inout MutableRawSpan) {
        if value &>> UInt32(truncatingIfNeeded: code.parameter) < RiceCode.onesMaximum {
            put(code.word(value), to: &bytes)
        } else {
            put(BitWord(bits: RiceCode.escapeBits, count: UInt64(RiceCode.onesMaximum)), to: &bytes)
            put(BitWord(bits: UInt64(value), count: UInt64(UInt32.bitWidth)), to: &bytes)
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
        while ones < RiceCode.onesMaximum, try bit(&decoder) == 1 { ones += 1 }
        if ones < RiceCode.onesMaximum {
            return ones << UInt32(truncatingIfNeeded: parameter)
                | (try bits(parameter, &decoder))
        }
        let value = try bits(32, &decoder)
        // A number that had fitted into fewer ones has one form only.
        guard value >> UInt32(truncatingIfNeeded: parameter) >= RiceCode.onesMaximum else {
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
