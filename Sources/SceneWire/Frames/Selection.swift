import SceneDocument

/// Which of a frame's four numbers change.
public struct FieldMask: OptionSet, Hashable, Sendable {
    /// The bits; 1...15 on the wire.
    public let rawValue: UInt8

    /// Makes a mask from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The left edge.
    public static let x = FieldMask(rawValue: 1)
    /// The top edge.
    public static let y = FieldMask(rawValue: 2)
    /// The horizontal extent.
    public static let width = FieldMask(rawValue: 4)
    /// The vertical extent.
    public static let height = FieldMask(rawValue: 8)

    /// The numbers that are not 0.
    @inline(__always)
    init(ofNonzero delta: SIMD4<Int32>) {
        // Without branches, as what moves cannot be predicted, and two numbers at a time: added to
        // the bits below a sign, all ones carry into the sign where one of those bits is set.
        // Comparisons of four numbers the compiler takes apart.
        let words = SIMD4<UInt32>(truncatingIfNeeded: delta).words
        let belowSigns = SIMD2<UInt64>(repeating: 0x7FFF_FFFF_7FFF_FFFF)
        let signs = (words & belowSigns) &+ belowSigns | words
        // Each of the four signs into its place.
        let word = (signs[0] &>> 31 & 0x1_0000_0001) | (signs[1] &>> 29 & 0x4_0000_0004)
        self.init(rawValue: UInt8(truncatingIfNeeded: word | word &>> 31))
    }

    /// All ones in the place of each number that is not 0.
    @inline(__always)
    static func lanes(ofNonzero values: SIMD4<Int32>) -> SIMD4<Int32> {
        // The sign of a number or of its negative.
        (values | (0 &- values)) &>> 31
    }

    private static var bits: SIMD4<UInt32> {
        @inline(__always) get { SIMD4(1, 2, 4, 8) }
    }

    /// All ones in the place of each number that the mask names; 0 in place of the others.
    @inline(__always)
    var lanes: SIMD4<UInt32> {
        let all = SIMD4<UInt32>(repeating: .max)
        let named = SIMD4(repeating: UInt32(rawValue)) & Self.bits
        return SIMD4.zero.replacing(with: all, where: named .== Self.bits)
    }

    /// The numbers of a frame that the mask names; 0 in place of the others.
    @inline(__always)
    func chosen(_ values: SIMD4<Int32>) -> SIMD4<Int32> {
        values & SIMD4(truncatingIfNeeded: lanes)
    }

    /// Numbers one after the other, each put into its place of four.
    func places(_ deltas: FieldDeltas) -> SIMD4<Int32> {
        var values = SIMD4<Int32>.zero
        var index = 0
        for side in 0..<4 where rawValue & 1 << UInt8(side) != 0 {
            values[side] = deltas[index]
            index += 1
        }
        return values
    }

    /// How many numbers change.
    public var count: Int { rawValue.nonzeroBitCount }

    /// The same of four bits at most, without counting: processors that cannot count bits take long
    /// over it.
    @inline(__always)
    var countOfFour: UInt32 {
        let counts: UInt64 = 0x4332_3221_3221_2110
        return UInt32(truncatingIfNeeded: counts &>> UInt64(rawValue &<< 2)) & 7
    }
}

/// Views that change together, and which of their numbers do.
public struct Selection: Hashable, Sendable {
    /// What changes; never empty.
    public var mask: FieldMask
    /// The views' numbers, strictly ascending; never empty.
    public var numbers: [UInt32]

    /// Makes a selection.
    public init(mask: FieldMask, numbers: [UInt32]) {
        self.mask = mask
        self.numbers = numbers
    }

    /// Whether the mask and the numbers keep their rules.
    public var isWellFormed: Bool {
        guard (1...15).contains(mask.rawValue), let last = numbers.last,
            last < UInt32(Limits.viewNumberMaximum)
        else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}
