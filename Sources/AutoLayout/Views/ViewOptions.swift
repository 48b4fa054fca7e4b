/// A pair of priorities, one for each axis.
public struct PriorityByAxis: Equatable, Sendable {
    /// Along x.
    public var horizontal: LayoutPriority
    /// Along y.
    public var vertical: LayoutPriority

    /// Makes a pair.
    public init(_ horizontal: LayoutPriority, _ vertical: LayoutPriority) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

/// What happens to ready content when the bounds change. Apple, `UIView.ContentMode`.
public enum ContentMode: String, Sendable, CaseIterable {
    /// Stretched to the new bounds.
    case scaleToFill
    /// Scaled, keeping its proportions, to lie within.
    case scaleAspectFit
    /// Scaled, keeping its proportions, to cover.
    case scaleAspectFill
    /// Drawn anew.
    case redraw
    /// Kept in size, in the middle.
    case center
    /// Kept in size, at the middle of the top edge.
    case top
    /// Kept in size, at the middle of the bottom edge.
    case bottom
    /// Kept in size, at the middle of the left edge.
    case left
    /// Kept in size, at the middle of the right edge.
    case right
    /// Kept in size, in the corner.
    case topLeft
    /// Kept in size, in the corner.
    case topRight
    /// Kept in size, in the corner.
    case bottomLeft
    /// Kept in size, in the corner.
    case bottomRight
}

/// Which margins and sizes give when the superview's size changes. Apple, `UIView.AutoresizingMask`.
public struct AutoresizingMask: OptionSet, Sendable {
    /// One bit for each flexible part.
    public let rawValue: Int

    /// Makes a mask from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The distance from the superview's left edge gives.
    public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
    /// The width gives.
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    /// The distance from the superview's right edge gives.
    public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
    /// The distance from the superview's top edge gives.
    public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
    /// The height gives.
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    /// The distance from the superview's bottom edge gives.
    public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
}
