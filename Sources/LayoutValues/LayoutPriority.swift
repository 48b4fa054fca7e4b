/// How much a constraint matters, from 1 to 1000; 1000 is required.
///
/// Priorities are lexicographic: no number of constraints of a lower priority outweighs one of a
/// higher. The named values are UIKit's (`UILayoutPriority`).
public struct LayoutPriority: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral
{
    /// The number, within 1...1000.
    public let rawValue: Double

    /// The constraint must hold; a conflict among required constraints is an error.
    @inlinable public static var required: LayoutPriority { LayoutPriority(1000) }
    /// 750, the default compression resistance.
    @inlinable public static var defaultHigh: LayoutPriority { LayoutPriority(750) }
    /// 250, the default content hugging.
    @inlinable public static var defaultLow: LayoutPriority { LayoutPriority(250) }
    /// 50, used when a view is asked for the size that fits it best.
    @inlinable public static var fittingSizeLevel: LayoutPriority { LayoutPriority(50) }

    /// Makes a priority; numbers outside 1...1000 are moved to the nearer end.
    @inlinable public init(_ value: Double) {
        rawValue = value.isNaN ? 1000 : min(max(value, 1), 1000)
    }

    /// A priority written as a number.
    @inlinable public init(floatLiteral value: Double) { self.init(value) }
    /// A priority written as a number.
    @inlinable public init(integerLiteral value: Int) { self.init(Double(value)) }

    /// The lower gives way first.
    @inlinable public static func < (lhs: LayoutPriority, rhs: LayoutPriority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// A priority for each axis. JSON: `[horizontal, vertical]`.
public struct PriorityByAxis: Hashable, Sendable {
    /// Along x.
    public var horizontal: LayoutPriority
    /// Along y.
    public var vertical: LayoutPriority

    /// Makes a pair.
    @inlinable public init(_ horizontal: LayoutPriority, _ vertical: LayoutPriority) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The priority along one axis.
    @inlinable public subscript(axis: Axis) -> LayoutPriority {
        get { axis == .horizontal ? horizontal : vertical }
        set { if axis == .horizontal { horizontal = newValue } else { vertical = newValue } }
    }
}
