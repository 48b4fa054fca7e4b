/// A position in points; the origin of a coordinate space is its top left corner. JSON: `[x, y]`.
public struct Point: Hashable, Sendable {
    /// Distance from the left edge, in points.
    public var x: Double
    /// Distance from the top edge, in points.
    public var y: Double

    /// The origin of a coordinate space.
    @inlinable public static var zero: Point { Point(x: 0, y: 0) }

    /// Makes a point from its coordinates in points.
    @inlinable public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
