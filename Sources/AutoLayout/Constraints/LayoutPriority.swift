import Cassowary

/// How much a constraint matters, from 1 to 1000; 1000 is required.
///
/// Priorities are lexicographic: no number of constraints of a lower priority outweighs one of a higher.
/// The named values are UIKit's (`UILayoutPriority`).
public struct LayoutPriority: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral
{
    /// The number, within 1...1000.
    public let rawValue: Double

    /// The constraint must hold; a conflict among required constraints is an error.
    public static let required = LayoutPriority(1000)
    /// 750, the default compression resistance.
    public static let defaultHigh = LayoutPriority(750)
    /// 250, the default content hugging.
    public static let defaultLow = LayoutPriority(250)
    /// 50, used when a view is asked for the size that fits it best.
    public static let fittingSizeLevel = LayoutPriority(50)

    /// Makes a priority; numbers outside 1...1000 are moved to the nearer end.
    public init(_ value: Double) {
        rawValue = value.isNaN ? 1000 : min(max(value, 1), 1000)
    }

    /// A priority written as a number.
    public init(floatLiteral value: Double) { self.init(value) }
    /// A priority written as a number.
    public init(integerLiteral value: Int) { self.init(Double(value)) }

    /// The lower gives way first.
    public static func < (lhs: LayoutPriority, rhs: LayoutPriority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    /// The solver's level for this priority.
    var strength: Strength { rawValue >= 1000 ? .required : Strength(rawValue) }
}
