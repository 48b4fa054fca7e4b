// Rows and citations are written as bits: a varint of eight bits wastes half of them on the small
// numbers that they mostly hold.
//
// A number v with the parameter k is `v >> k` ones, a zero, and the low k bits of v; from 16 ones
// on it is 16 ones and 32 bits of v instead (Rice coding with an escape).

/// What the parameter of numbers is chosen by.
struct RiceSums {
    var sum: UInt64 = 0
    /// All numbers, bit by bit.
    var union: UInt32 = 0
    var count = 0
}

/// How numbers with one parameter are written.
struct RiceCode {
    /// The most ones before a number is written whole.
    static let onesMaximum: UInt32 = 16
    /// The ones that a number which is written whole begins with.
    static let escapeBits: UInt64 = 1 << UInt64(onesMaximum) - 1

    /// How many of a number's low bits are written as they are; at most 15.
    var parameter: Int { Int(shift) }
    /// Whether one of the numbers may be written whole.
    let hasEscape: Bool
    /// The most bytes that all the numbers take.
    let bytesMaximum: Int

    private let shift: UInt32
    private var lowBits: UInt32 {
        @inline(__always) get { 1 &<< shift &- 1 }
    }

    /// Makes the code of all the numbers that `sums` is of.
    @inline(__always)
    init(_ sums: RiceSums) {
        let parameter = Self.parameter(sum: sums.sum, count: sums.count)
        shift = UInt32(truncatingIfNeeded: parameter)
        hasEscape = sums.union &>> shift >= Self.onesMaximum
        // Without the escape numbers take `sum >> parameter` ones at most, and a zero and the low
        // bits each. The escape's 48 bits stand for 17 at least.
        let bits =
            Int(truncatingIfNeeded: sums.sum &>> UInt64(shift)) &+ sums.count &* (1 &+ parameter)
        bytesMaximum = (hasEscape ? 3 &* bits : bits) / 8 &+ 1
    }

    /// A parameter that is near the best for numbers of that sum. At most 15.
    @inline(__always)
    static func parameter(sum: UInt64, count: Int) -> Int {
        guard count > 0 else { return 0 }
        // The best is near log2 of 0.69 times the mean (Golomb 1966; Kiely 2004).
        let scaled = sum &* 11 / (UInt64(truncatingIfNeeded: count) &* 16)
        return min(15, scaled == 0 ? 0 : UInt64.bitWidth - 1 - scaled.leadingZeroBitCount)
    }

    /// The bits of a number that is not written whole, at most 31.
    ///
    /// So many ones, a zero, and the low bits: `(2 low + 1) 2^ones − 1` is that in one step.
    @inline(__always)
    func word(_ value: UInt32) -> BitWord {
        let ones = value &>> shift
        let odd = (value & lowBits) &<< 1 | 1
        return BitWord(
            bits: UInt64(odd &<< ones &- 1), count: UInt64(ones &+ shift &+ 1))
    }

    /// The bits of up to four numbers, none of which is written whole, one after the other. Without
    /// branches, as they cannot be predicted: which numbers there are, and how long each is,
    /// varies.
    ///
    /// - Parameters:
    ///   - lanes: All ones where there is a number; elsewhere 0, as is `values`.
    ///   - mayExceedTwo: Whether one of the last two lanes may be.
    /// - Returns: At most 124 bits, of which those beyond the first 64 are lost.
    @inline(__always)
    func word(
        _ values: SIMD4<UInt32>, in lanes: SIMD4<UInt32>, mayExceedTwo: Bool
    ) -> BitWord {
        let ones = (values &>> shift).words
        let odds = ((values & lowBits) &<< 1 | 1).words
        let counts = ((values &>> shift &+ (shift &+ 1)) & lanes).words
        var front = Self.word(odds[0], ones[0], counts[0])
        if mayExceedTwo { front.append(Self.word(odds[1], ones[1], counts[1])) }
        return front
    }

    /// The bits of two numbers, one in each half of the arguments. Where there is no number, there
    /// are no bits: (2 · 0 + 1) 2^0 − 1 is 0.
    @inline(__always)
    private static func word(_ odds: UInt64, _ ones: UInt64, _ counts: UInt64) -> BitWord {
        let first = UInt32(truncatingIfNeeded: odds) &<< UInt32(truncatingIfNeeded: ones) &- 1
        let second = (odds &>> 32) &<< (ones &>> 32) &- 1
        let firstCount = counts & 0xFFFF_FFFF
        return BitWord(
            bits: UInt64(first) | second &<< firstCount, count: firstCount &+ counts &>> 32)
    }
}

extension SIMD4<UInt32> {
    /// The first two numbers and the last two, each two as one.
    @inline(__always)
    var words: SIMD2<UInt64> { unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self) }

    /// Two numbers from each word.
    @inline(__always)
    init(words: SIMD2<UInt64>) { self = unsafe unsafeBitCast(words, to: Self.self) }

    /// The sums of the first two numbers and of the last two, without loss: cheaper than four wider
    /// numbers.
    @inline(__always)
    var pairSums: SIMD2<UInt64> {
        let words = words
        return words & SIMD2(repeating: UInt64(UInt32.max)) &+ words &>> 32
    }
}
