import ConstraintLanguage
import SceneDocument

/// Turns the trace of the update cycle on or off for a member.
public struct TraceRequest: Sendable, Equatable {
    /// On or off.
    public var isEnabled = false
    /// The views to tell of; none for all.
    public var watch: [String] = []

    /// Asks for silence.
    public init() {}
}

extension TraceRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("enabled", &isEnabled)
        try coder.texts(
            "watch", &watch, maximum: 1024, textMaximum: Identifier.byteMaximum)
    }
}

/// What the update cycle called and marked in a tick, for members that asked for it.
public struct Trace: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// How long the parts of the cycle took; `nil` if the server does not report it.
    public var durations: CycleDurations?
    /// In order, in the words of scenarios: `layoutSubviews sidebar`.
    public var events: [String] = []

    /// Says that nothing happened.
    public init() {}
}

extension Trace: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.optional("durations", &durations)
        try coder.texts(
            "events", &events, maximum: coder.limits.messageBytesMaximum, textMaximum: 256)
    }
}

/// How long the parts of an update cycle took, in nanoseconds; at most 4.29 seconds each.
public struct CycleDurations: Sendable, Equatable {
    /// Applying ops.
    public var ops: UInt32 = 0
    /// The update-constraints passes.
    public var updateConstraints: UInt32 = 0
    /// The solver.
    public var solve: UInt32 = 0
    /// The layout passes.
    public var layout: UInt32 = 0
    /// The display pass.
    public var display: UInt32 = 0

    /// Makes durations of nothing.
    public init() {}
}

extension CycleDurations: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("ops", &ops)
        try coder.u32("updateConstraints", &updateConstraints)
        try coder.u32("solve", &solve)
        try coder.u32("layout", &layout)
        try coder.u32("display", &display)
    }
}
