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

    /// How many numbers change.
    public var count: Int { rawValue.nonzeroBitCount }
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
