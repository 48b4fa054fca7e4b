/// Where edges are shown: on whole pixels, so that neighbours stay flush, or exactly as solved.
///
/// Each edge is rounded in the root's coordinates and the superview's rounded origin is taken off again; two edges
/// at one place are therefore shown at one place, whatever views they belong to.
public struct PixelGrid: Equatable, Sendable {
    /// Pixels per point, positive.
    public var scale: Double
    /// Whether edges are moved to whole pixels at all.
    public var rounds: Bool

    /// Makes a grid.
    public init(scale: Double, rounds: Bool = true) {
        self.scale = scale
        self.rounds = rounds
    }

    /// The nearest edge on the grid, halves towards the end of the axis.
    public func edge(_ position: Double) -> Double {
        guard rounds else { return position }
        return (position * scale + 0.5).rounded(.down) / scale
    }

    /// How far a frame's corner is from whole pixels, in pixels, each from 0 up to 1.
    public func offset(of frame: Rect) -> Point {
        let (x, y) = (frame.minX * scale, frame.minY * scale)
        return Point(x: x - x.rounded(.down), y: y - y.rounded(.down))
    }

    /// A frame as it is shown.
    ///
    /// - Parameters:
    ///   - frame: In the superview's coordinates, as solved.
    ///   - origin: The superview's top left corner in the root's coordinates, as solved.
    public func frame(_ frame: Rect, superviewOrigin origin: Point) -> Rect {
        guard rounds else { return frame }
        let left = edge(origin.x + frame.minX)
        let top = edge(origin.y + frame.minY)
        return Rect(
            x: left - edge(origin.x), y: top - edge(origin.y),
            width: edge(origin.x + frame.maxX) - left, height: edge(origin.y + frame.maxY) - top)
    }
}
