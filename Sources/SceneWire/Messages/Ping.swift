/// Asks for the time.
public struct Ping: Sendable, Equatable {
    /// The client's clock in microseconds.
    public var t0: UInt64 = 0

    /// Makes a ping.
    public init() {}
}

extension Ping: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("t0", &t0)
    }
}

/// Tells the time.
public struct Pong: Sendable, Equatable {
    /// As in the ping.
    public var t0: UInt64 = 0
    /// The server's clock when the ping came, in microseconds.
    public var t1: UInt64 = 0
    /// The server's clock when the pong left, in microseconds.
    public var t2: UInt64 = 0

    /// Makes a pong.
    public init() {}
}

extension Pong: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("t0", &t0)
        try coder.u64("t1", &t1)
        try coder.u64("t2", &t2)
    }
}
