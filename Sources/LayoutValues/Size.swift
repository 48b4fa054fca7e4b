/// A width and a height in points. JSON: `[width, height]`.
public struct Size: Hashable, Sendable {
    /// Horizontal extent in points.
    public var width: Double
    /// Vertical extent in points.
    public var height: Double

    /// No extent in either direction.
    @inlinable public static var zero: Size { Size(width: 0, height: 0) }

    /// Makes a size from its extents in points.
    @inlinable public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
