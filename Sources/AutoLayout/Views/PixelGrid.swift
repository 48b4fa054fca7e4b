/// Where edges are shown: on whole pixels, so that neighbours stay flush, or exactly as solved.
///
/// Each edge is rounded in the root's coordinates and the superview's rounded origin is taken off
/// again; two edges at one place are therefore shown at one place, whatever views they belong to.
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
        edge(position, halvesDown: false)
    }

    private func edge(_ position: Double, halvesDown: Bool) -> Double {
        guard rounds else { return position }
        let pixels = position * scale
        // Without the sum, what is rounded up to zero were zero below zero.
        return (halvesDown ? (pixels - 0.5).rounded(.up) + 0 : (pixels + 0.5).rounded(.down))
            / scale
    }

    /// How far a frame's corner is from whole pixels, in pixels, each from 0 up to 1.
    public func offset(of frame: Rect) -> Point {
        let (x, y) = (frame.minX * scale, frame.minY * scale)
        return Point(x: x - x.rounded(.down), y: y - y.rounded(.down))
    }

    /// A frame as it is shown.
    ///
    /// A frame that begins before its superview moves at halves away from the superview's origin,
    /// so towards the start of the axis, as frames do that Xcode stored (−15.25 at two pixels a
    /// point is shown at −15.5). It moves as a whole.
    ///
    /// - Parameters:
    ///   - frame: In the superview's coordinates, as solved.
    ///   - origin: The superview's top left corner in the root's coordinates, as solved.
    public func frame(_ frame: Rect, superviewOrigin origin: Point) -> Rect {
        guard rounds else { return frame }
        let (x, width) = extent(from: frame.minX, to: frame.maxX, in: origin.x)
        let (y, height) = extent(from: frame.minY, to: frame.maxY, in: origin.y)
        return Rect(x: x, y: y, width: width, height: height)
    }

    private func extent(
        from start: Double, to end: Double, in origin: Double
    ) -> (start: Double, length: Double) {
        let near = edge(origin + start, halvesDown: start < 0)
        let far = edge(origin + end, halvesDown: start < 0)
        return (near - edge(origin), far - near)
    }
}
