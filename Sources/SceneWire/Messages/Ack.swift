/// What a client has applied.
public struct Ack: Sendable, Equatable {
    /// The last tick.
    public var tick: UInt64 = 0
    /// From arrival to application.
    public var lagMilliseconds: UInt32 = 0

    /// Makes an acknowledgement of tick 0.
    public init() {}
}

extension Ack: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.u32("lagMilliseconds", &lagMilliseconds)
    }
}
