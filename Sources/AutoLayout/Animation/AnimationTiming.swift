/// How an animation's progress follows its time: a named curve, any cubic Bézier, or a spring.
public enum AnimationTiming: Hashable, Sendable {
    /// One of UIKit's four curves.
    case curve(AnimationCurve)
    /// A cubic Bézier from (0, 0) to (1, 1); its x coordinates lie within 0...1. Apple, `UICubicTimingParameters`.
    case cubic(CubicTiming)
    /// A damped spring, which may go beyond its end and come back.
    case spring(SpringTiming)

    /// The progress at a fraction of the duration: 0 at 0 and exactly 1 at 1, whatever lies between.
    public func progress(at fraction: Double) -> Double {
        switch self {
        case .curve(let curve): curve.progress(at: fraction)
        case .cubic(let cubic): cubic.progress(at: fraction)
        case .spring(let spring): spring.progress(at: fraction)
        }
    }
}

/// A cubic Bézier from (0, 0) to (1, 1) by its two control points.
public struct CubicTiming: Hashable, Sendable {
    private let x1: Double
    private let y1: Double
    private let x2: Double
    private let y2: Double

    /// Makes a curve; x coordinates beyond 0...1, where a time would have several places, count as the nearer end.
    public init(_ first: Point, _ second: Point) {
        x1 = min(max(first.x, 0), 1)
        y1 = first.y
        x2 = min(max(second.x, 0), 1)
        y2 = second.y
    }

    /// The progress at a time within 0...1.
    ///
    /// Uses only + − × ÷, whose results are the same on every machine, so that a replay is exact to the bit.
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

/// How a block treats what is going on already, and blocks inside blocks. Apple, `UIView.AnimationOptions`.
public struct AnimationOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A view that is on its way starts from where it is shown, and its earlier animations end unfinished; without
    /// it animations add up.
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1)
    /// A block inside another keeps its own duration instead of taking the outer one's.
    public static let overrideInheritedDuration = AnimationOptions(rawValue: 2)
    /// A block inside another keeps its own curve instead of taking the outer one's.
    public static let overrideInheritedCurve = AnimationOptions(rawValue: 4)
    /// The window is laid out at the end of the block, inside it. Apple, `layoutSubviews`.
    public static let layoutSubviews = AnimationOptions(rawValue: 8)
}
