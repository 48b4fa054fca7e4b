/// How long the passes took, in nanoseconds of the clock that was given.
public struct PassDurations: Sendable, Equatable {
    /// The update-constraints passes, conditions of sets included.
    public var updateConstraints: UInt64 = 0
    /// The solver, and the marks that follow from what it found.
    public var solve: UInt64 = 0
    /// The layout passes.
    public var layout: UInt64 = 0
    /// The display pass.
    public var display: UInt64 = 0

    /// Makes durations of nothing.
    public init() {}
}

extension Window {
    /// A clock in nanoseconds by which passes are measured; none by default, which costs nothing.
    public var passClock: (() -> UInt64)? {
        get { engine?.cycle.clock }
        set { engine?.cycle.clock = newValue }
    }

    /// How long the passes took since the last call. What a call inside a pass brings about, such
    /// as a `layoutIfNeeded` in `layoutSubviews`, counts as that pass.
    public func takePassDurations() -> PassDurations {
        defer { engine?.cycle.durations = PassDurations() }
        return engine?.cycle.durations ?? PassDurations()
    }
}
