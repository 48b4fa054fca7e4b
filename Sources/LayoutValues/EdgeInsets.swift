/// Distances inwards from the edges of a rectangle, in points. JSON: `[top, leading, bottom,
/// trailing]`. Apple, `NSDirectionalEdgeInsets`.
public struct EdgeInsets: Hashable, Sendable {
    /// Distance from the top edge, in points.
    public var top: Double
    /// Distance from the leading edge, in points.
    public var leading: Double
    /// Distance from the bottom edge, in points.
    public var bottom: Double
    /// Distance from the trailing edge, in points.
    public var trailing: Double

    /// No inset at any edge.
    @inlinable public static var zero: EdgeInsets {
        EdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 0)
    }

    /// Makes insets from the four distances in points.
    @inlinable public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}
