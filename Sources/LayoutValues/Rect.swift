/// A rectangle in points, in the coordinate space of its owner; a view's frame is in its
/// superview's. JSON: `[x, y, width, height]`.
public struct Rect: Hashable, Sendable {
    /// The top left corner.
    public var origin: Point
    /// The extent.
    public var size: Size

    /// The empty rectangle at the origin.
    @inlinable public static var zero: Rect { Rect(origin: .zero, size: .zero) }

    /// Makes a rectangle from its corner and its extent.
    @inlinable public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Makes a rectangle from its four numbers, in points.
    @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The left edge, in points.
    @inlinable public var minX: Double { origin.x }
    /// The top edge, in points.
    @inlinable public var minY: Double { origin.y }
    /// The right edge, in points.
    @inlinable public var maxX: Double { origin.x + size.width }
    /// The bottom edge, in points.
    @inlinable public var maxY: Double { origin.y + size.height }
    /// The horizontal extent, in points.
    @inlinable public var width: Double { size.width }
    /// The vertical extent, in points.
    @inlinable public var height: Double { size.height }

    /// Whether the rectangle covers no area; such a view is never drawn.
    @inlinable public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    /// The smallest rectangle that holds both.
    @inlinable
    public func union(_ other: Rect) -> Rect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(minX, other.minX)
        let top = min(minY, other.minY)
        return Rect(
            x: left, y: top, width: max(maxX, other.maxX) - left,
            height: max(maxY, other.maxY) - top)
    }

    /// The part that lies in both, or `zero` when they do not meet.
    @inlinable
    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard right > left, bottom > top else { return .zero }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
