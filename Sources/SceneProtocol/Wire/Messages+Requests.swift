// What a client may ask for beyond version 1's core, if `welcome` granted the capability.

/// Asks to take back, or to do again, the sender's own last undo group. Answered by `result`.
public struct UndoRequest: Sendable, Equatable {
    /// Counts together with those of `ops`.
    public var clientSequence: UInt64 = 0

    /// Makes a request with the sequence 0.
    public init() {}
}

/// Changes what a member gets: as the fields of the same names in `hello`.
public struct Subscribe: Sendable, Equatable {
    /// The subtrees it wants; none for the whole scene.
    public var roots: [String] = []
    /// The most frames a second; 0 leaves it to the server.
    public var frameRateMaximum: UInt32 = 0

    /// Asks for everything.
    public init() {}
}

/// Shows a member the scene as it was, while the others stay in the present.
public struct Seek: Sendable, Equatable {
    /// Whether to go back to the present; the other fields are 0 then.
    public var isLive = true
    /// The tick to show.
    public var tick: UInt64 = 0
    /// Ticks shown a tick from there on; 0 stands still, negative goes back.
    public var speed = 0.0

    /// Asks for the present.
    public init() {}
}

/// Turns the trace of the update cycle on or off for a member.
public struct TraceRequest: Sendable, Equatable {
    /// On or off.
    public var isEnabled = false
    /// The views to tell of; none for all.
    public var watch: [String] = []

    /// Asks for silence.
    public init() {}
}

/// What the update cycle called and marked in a tick, for those who asked.
public struct Trace: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// How long the parts of the cycle took, where the server says so.
    public var durations: CycleDurations?
    /// In order, in the words of scenarios: `layoutSubviews sidebar`.
    public var events: [String] = []

    /// Says that nothing happened.
    public init() {}
}

extension UndoRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("clientSequence", &clientSequence)
    }
}

extension Subscribe: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts(
            "roots", &roots, maximum: 64, textMaximum: Hello.idBytesMaximum)
        try coder.u32("frameRateMaximum", &frameRateMaximum)
    }
}

extension Seek: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("live", &isLive)
        try coder.u64("tick", &tick)
        try coder.f64("speed", &speed)
    }
}

extension TraceRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("enabled", &isEnabled)
        try coder.texts(
            "watch", &watch, maximum: 1024, textMaximum: Hello.idBytesMaximum)
    }
}

extension Trace: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.optional("durations", &durations)
        try coder.texts(
            "events", &events, maximum: coder.limits.messageBytesMaximum, textMaximum: 256)
    }
}
