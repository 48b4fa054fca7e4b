/// A client's state is not the server's.
public struct Resync: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// What the client has.
    public var hash: UInt64 = 0

    /// Makes a message about tick 0.
    public init() {}
}

extension Resync: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.fixed64("hash", &hash)
    }
}
