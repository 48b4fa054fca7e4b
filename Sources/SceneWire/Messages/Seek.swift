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

extension Seek: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("live", &isLive)
        try coder.u64("tick", &tick)
        try coder.f64("speed", &speed)
    }
}
