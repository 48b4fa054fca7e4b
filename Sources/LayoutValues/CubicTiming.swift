/// A cubic Bézier from (0, 0) to (1, 1) by its two control points.
public struct CubicTiming: Hashable, Sendable {
    private let x1: Double
    private let y1: Double
    private let x2: Double
    private let y2: Double

    /// Makes a curve; x coordinates beyond 0...1, where a time would have several places, count as
    /// the nearer end.
    public init(_ first: Point, _ second: Point) {
        x1 = min(max(first.x, 0), 1)
        y1 = first.y
        x2 = min(max(second.x, 0), 1)
        y2 = second.y
    }

    /// The progress at a time within 0...1.
    ///
    /// Uses only + − × ÷, whose results are the same on every machine, so that a replay is exact to
    /// the bit.
    public func progress(at time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        // x is monotonic in the parameter, so bisection finds it to the last bit.
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if Self.value(x1, x2, middle) < time { low = middle } else { high = middle }
        }
        return Self.value(y1, y2, (low + high) / 2)
    }

    private static func value(_ p1: Double, _ p2: Double, _ t: Double) -> Double {
        let s = 1 - t
        return 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t
    }
}
