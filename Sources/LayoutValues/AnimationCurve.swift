/// How an animation's progress follows its time. UIKit's four, as cubic Béziers from (0,0) to
/// (1,1).
public enum AnimationCurve: String, CaseIterable, Sendable {
    /// Progress equals time.
    case linear
    /// Slow start: control points (0.42, 0) and (1, 1).
    case easeIn
    /// Slow end: control points (0, 0) and (0.58, 1).
    case easeOut
    /// Slow at both ends: control points (0.42, 0) and (0.58, 1).
    case easeInOut

    /// The progress at a time, both within 0...1.
    public func progress(at time: Double) -> Double {
        switch self {
        case .linear: return min(max(time, 0), 1)
        case .easeIn: return Self.easeInCubic.progress(at: time)
        case .easeOut: return Self.easeOutCubic.progress(at: time)
        case .easeInOut: return Self.easeInOutCubic.progress(at: time)
        }
    }

    private static let easeInCubic = CubicTiming(Point(x: 0.42, y: 0), Point(x: 1, y: 1))
    private static let easeOutCubic = CubicTiming(Point(x: 0, y: 0), Point(x: 0.58, y: 1))
    private static let easeInOutCubic = CubicTiming(Point(x: 0.42, y: 0), Point(x: 0.58, y: 1))
}
