/// What a view is.
public enum ViewKind: String, CaseIterable, Sendable {
    /// A plain view.
    case view
    /// Text.
    case label
    /// Lays its arranged subviews out in a line.
    case stack
    /// Shows a part of its content.
    case scroll
    /// Lays its subviews out in rows that wrap.
    case flow
    /// A picture.
    case image
}

/// The line around a view.
public enum BorderStyle: String, CaseIterable, Sendable {
    /// No line.
    case none
    /// A thin line.
    case single
    /// A thin line with round corners.
    case rounded
    /// Two thin lines.
    case double
    /// A thick line.
    case heavy
}

/// Where lines of text stand in their label, by UIKit's names.
public enum TextAlignment: String, CaseIterable, Sendable {
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
    /// Where text begins.
    case natural
    /// At both edges.
    case justified
}

/// How a view's drawing follows its size, by UIKit's names.
public enum ContentMode: String, CaseIterable, Sendable {
    /// Stretched to the size.
    case scaleToFill
    /// As large as fits, in proportion.
    case scaleAspectFit
    /// As small as fills, in proportion.
    case scaleAspectFill
    /// Drawn anew at each change of size.
    case redraw
    /// Kept in the middle.
    case center
    /// Kept at the top edge.
    case top
    /// Kept at the bottom edge.
    case bottom
    /// Kept at the left edge.
    case left
    /// Kept at the right edge.
    case right
    /// Kept in the top left corner.
    case topLeft
    /// Kept in the top right corner.
    case topRight
    /// Kept in the bottom left corner.
    case bottomLeft
    /// Kept in the bottom right corner.
    case bottomRight
}

/// The direction of a stack.
public enum Axis: String, CaseIterable, Sendable {
    /// Along x.
    case horizontal
    /// Along y.
    case vertical
}

/// How a stack shares its length, by UIKit's names.
public enum Distribution: String, CaseIterable, Sendable {
    /// One view takes what is left.
    case fill
    /// All views are as long.
    case fillEqually
    /// By the intrinsic lengths.
    case fillProportionally
    /// The gaps are equal.
    case equalSpacing
    /// The distances of the centres are equal.
    case equalCentering
}

/// How a stack places its views across its axis, by UIKit's names.
public enum StackAlignment: String, CaseIterable, Sendable {
    /// As wide as the stack.
    case fill
    /// At the edge where text begins.
    case leading
    /// In the middle.
    case center
    /// At the edge where text ends.
    case trailing
    /// At the top edge.
    case top
    /// At the bottom edge.
    case bottom
    /// First baselines are the same.
    case firstBaseline
    /// Last baselines are the same.
    case lastBaseline
}

/// Which way text runs in a scene.
public enum TextDirection: String, CaseIterable, Sendable {
    /// From the left.
    case ltr
    /// From the right.
    case rtl
}

/// What is done to solved frames before they are shown.
public enum Rounding: String, CaseIterable, Sendable {
    /// Edges go to whole pixels.
    case pixel
    /// Frames are shown as solved.
    case none
}

/// What happens to a document whose required constraints conflict.
public enum UnsatisfiablePolicy: String, CaseIterable, Sendable {
    /// It is not taken.
    case refuse
    /// Constraints give way until it can be.
    case `break`
}

/// Which edges and extents follow the superview's size, by UIKit's names.
public struct AutoresizingMask: OptionSet, Hashable, Sendable {
    /// The bits, as UIKit has them.
    public let rawValue: UInt8

    /// Makes a mask from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The left margin changes.
    public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
    /// The width changes.
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    /// The right margin changes.
    public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
    /// The top margin changes.
    public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
    /// The height changes.
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    /// The bottom margin changes.
    public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)

    /// Every flag with its name, in the order of the bits.
    public static let all: [(name: String, flag: AutoresizingMask)] = [
        ("flexibleLeftMargin", .flexibleLeftMargin), ("flexibleWidth", .flexibleWidth),
        ("flexibleRightMargin", .flexibleRightMargin), ("flexibleTopMargin", .flexibleTopMargin),
        ("flexibleHeight", .flexibleHeight), ("flexibleBottomMargin", .flexibleBottomMargin),
    ]

    /// The names of the flags that are set, in the order of the bits.
    public var names: [String] { Self.all.filter { contains($0.flag) }.map(\.name) }
}
