/// How much a constraint matters against the others.
///
/// Strengths are lexicographic levels, as in the constraint hierarchies of section 2.1 of the
/// paper: no amount of violation at a weaker level outweighs any at a stronger one. Up to 524,000
/// distinct values may be in use.
public struct Strength: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The strength of constraints that are never violated; its value is 1000.
    public static let required = Strength(1000)

    /// The level, greater than 0 and at most 1000.
    public let value: Double

    /// Makes a strength from `value`, clamped to the range above 0 up to 1000; not-a-number is the
    /// weakest.
    public init(_ value: Double) {
        let weakest = Double.leastNormalMagnitude
        self.value = value > weakest ? min(value, 1000) : weakest
    }

    /// A strength below every other, for questions that must not disturb the answer.
    init(weakest: Void) { value = 0 }

    /// Whether constraints of this strength must hold.
    public var isRequired: Bool { value >= 1000 }

    /// Orders strengths from weak to strong.
    public static func < (left: Strength, right: Strength) -> Bool { left.value < right.value }
}

/// How much each side of a constraint matters; the same on both but for one that was given two
/// strengths.
struct Strengths: Equatable, BitwiseCopyable {
    /// What it costs that the expression is below zero.
    var below: Strength
    /// What it costs that the expression is above zero.
    var above: Strength

    init(below: Strength, above: Strength) {
        self.below = below
        self.above = above
    }

    init(_ strength: Strength) { self.init(below: strength, above: strength) }
}
