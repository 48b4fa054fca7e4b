/// How an animation's progress follows its time. UIKit's four, as cubic Béziers from (0,0) to (1,1).
public enum AnimationCurve: String, Sendable, CaseIterable {
    /// Progress equals time.
    case linear
    /// Slow start: control points (0.42, 0) and (1, 1).
    case easeIn
    /// Slow end: control points (0, 0) and (0.58, 1).
    case easeOut
    /// Slow at both ends: control points (0.42, 0) and (0.58, 1).
    case easeInOut

    /// The progress at a time, both within 0...1.
    ///
    /// Uses only + − × ÷, whose results are the same on every machine, so that a replay is exact to the bit.
    public func progress(at time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        switch self {
        case .linear: return time
        case .easeIn: return Self.bezier(x1: 0.42, y1: 0, x2: 1, y2: 1, time)
        case .easeOut: return Self.bezier(x1: 0, y1: 0, x2: 0.58, y2: 1, time)
        case .easeInOut: return Self.bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1, time)
        }
    }

    /// y of the Bézier at a given x; x is monotonic in the parameter, so bisection finds it to the last bit.
    private static func bezier(
        x1: Double, y1: Double, x2: Double, y2: Double, _ x: Double
    ) -> Double {
        func value(_ p1: Double, _ p2: Double, _ t: Double) -> Double {
            let s = 1 - t
            return 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t
        }
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if value(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return value(y1, y2, (low + high) / 2)
    }
}
