/// Some of a rectangle's corners. Apple, `UIRectCorner`.
public struct CornerMask: OptionSet, Hashable, Sendable {
    /// One bit for each corner, as UIKit numbers them.
    public let rawValue: UInt8

    /// Makes a mask from its bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The top left corner.
    @inlinable public static var topLeft: CornerMask { CornerMask(rawValue: 1) }
    /// The top right corner.
    @inlinable public static var topRight: CornerMask { CornerMask(rawValue: 2) }
    /// The bottom left corner.
    @inlinable public static var bottomLeft: CornerMask { CornerMask(rawValue: 4) }
    /// The bottom right corner.
    @inlinable public static var bottomRight: CornerMask { CornerMask(rawValue: 8) }
    /// All four.
    @inlinable public static var all: CornerMask { CornerMask(rawValue: 15) }

    /// Every corner with its name in documents, in the order of the bits.
    public static let named: [(name: String, corner: CornerMask)] = [
        ("topLeft", .topLeft), ("topRight", .topRight), ("bottomLeft", .bottomLeft),
        ("bottomRight", .bottomRight),
    ]

    /// The names of the corners that are set, in the order of the bits.
    public var names: [String] { Self.named.filter { contains($0.corner) }.map { $0.name } }
}
