/// The state hash at a tick.
public struct StateHash: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// See `ViewHash`.
    public var hash: UInt64 = 0

    /// Makes a hash of nothing.
    public init() {}
}

extension StateHash: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.fixed64("hash", &hash)
    }
}
