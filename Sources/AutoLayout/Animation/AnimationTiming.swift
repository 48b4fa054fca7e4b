/// How an animation's progress follows its time: a named curve, any cubic Bézier, or a spring.
public enum AnimationTiming: Hashable, Sendable {
    /// One of UIKit's four curves.
    case curve(AnimationCurve)
    /// A cubic Bézier from (0, 0) to (1, 1); its x coordinates lie within 0...1. Apple,
    /// `UICubicTimingParameters`.
    case cubic(CubicTiming)
    /// A damped spring, which may go beyond its end and come back.
    case spring(SpringTiming)

    /// The progress at a fraction of the duration: 0 at 0 and exactly 1 at 1, whatever lies
    /// between.
    public func progress(at fraction: Double) -> Double {
        switch self {
        case .curve(let curve): curve.progress(at: fraction)
        case .cubic(let cubic): cubic.progress(at: fraction)
        case .spring(let spring): spring.progress(at: fraction)
        }
    }
}

/// How a block treats what is going on already, and blocks inside blocks. Apple,
/// `UIView.AnimationOptions`.
public struct AnimationOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A view that is on its way starts from where it is shown, and its earlier animations end
    /// unfinished; without it animations add up.
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1)
    /// A block inside another keeps its own duration instead of taking the outer one's.
    public static let overrideInheritedDuration = AnimationOptions(rawValue: 2)
    /// A block inside another keeps its own curve instead of taking the outer one's.
    public static let overrideInheritedCurve = AnimationOptions(rawValue: 4)
    /// The window is laid out at the end of the block, inside it. Apple, `layoutSubviews`.
    public static let layoutSubviews = AnimationOptions(rawValue: 8)
    /// Traits, properties and layout are brought up to date at each edge of the block, so that no
    /// `layoutIfNeeded` is needed in it: what was pending before appears as it would have, and what
    /// the block invalidates is animated. Blocks inside it have the option too. Apple,
    /// `UIView.AnimationOptions.flushUpdates`, iOS 26.
    public static let flushUpdates = AnimationOptions(rawValue: 16)
}
