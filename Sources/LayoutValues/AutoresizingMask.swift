/// Which margins and extents give when the superview's size changes. Apple,
/// `UIView.AutoresizingMask`.
public struct AutoresizingMask: OptionSet, Hashable, Sendable {
    /// One bit for each flexible part, as UIKit numbers them.
    public let rawValue: UInt8

    /// Makes a mask from its bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The distance from the superview's left edge gives.
    @inlinable public static var flexibleLeftMargin: AutoresizingMask {
        AutoresizingMask(rawValue: 1)
    }
    /// The width gives.
    @inlinable public static var flexibleWidth: AutoresizingMask { AutoresizingMask(rawValue: 2) }
    /// The distance from the superview's right edge gives.
    @inlinable public static var flexibleRightMargin: AutoresizingMask {
        AutoresizingMask(rawValue: 4)
    }
    /// The distance from the superview's top edge gives.
    @inlinable public static var flexibleTopMargin: AutoresizingMask {
        AutoresizingMask(rawValue: 8)
    }
    /// The height gives.
    @inlinable public static var flexibleHeight: AutoresizingMask { AutoresizingMask(rawValue: 16) }
    /// The distance from the superview's bottom edge gives.
    @inlinable public static var flexibleBottomMargin: AutoresizingMask {
        AutoresizingMask(rawValue: 32)
    }

    /// Every flag with its name in documents, in the order of the bits.
    public static let all: [(name: String, flag: AutoresizingMask)] = [
        ("flexibleLeftMargin", .flexibleLeftMargin), ("flexibleWidth", .flexibleWidth),
        ("flexibleRightMargin", .flexibleRightMargin), ("flexibleTopMargin", .flexibleTopMargin),
        ("flexibleHeight", .flexibleHeight), ("flexibleBottomMargin", .flexibleBottomMargin),
    ]

    /// The names of the flags that are set, in the order of the bits.
    public var names: [String] { Self.all.filter { contains($0.flag) }.map { $0.name } }
}
