/// What changing a room may cost.
///
/// The units are the same on every machine, and for the same ops on the same scene: about one for
/// each cell of the solver's tableau touched, and as many for a view visited, a character measured
/// or a record looked at as take about the same time.
public struct WorkBudget: Sendable, Equatable {
    /// Units of one op; those of an animation count as one op.
    public var op: UInt64
    /// Units of one message, its part in the tick's layout included. What needs more is refused
    /// with `too-expensive`.
    public var message: UInt64
    /// Units that all members' messages of one tick take together, after which the others wait for
    /// the next.
    public var tick: UInt64
    /// Units that a room takes in a second on average; a room that has taken more takes no messages
    /// in until it has paid.
    public var second: UInt64

    /// Makes a budget.
    public init(op: UInt64, message: UInt64, tick: UInt64, second: UInt64) {
        self.op = op
        self.message = message
        self.tick = tick
        self.second = second
    }
}

extension WorkBudget: WireValue {
    init() { self.init(op: 0, message: 0, tick: 0, second: 0) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("op", &op)
        try coder.u64("message", &message)
        try coder.u64("tick", &tick)
        try coder.u64("second", &second)
    }
}
