public import JSON

/// Changes that a client asks for.
///
/// The ops travel as JSON text in the binary format too: they are rare against frames, and so every
/// client writes them alike.
public struct Ops: Sendable, Equatable {
    /// Counts a client's messages; the same number twice is the same message.
    public var clientSequence: UInt64 = 0
    /// The tick that the member saw.
    public var baseTick: UInt64 = 0
    /// Messages that are undone together; 0 for none.
    public var undoGroup: UInt32 = 0
    /// Whether one refused op refuses all.
    public var isAtomic = false
    /// A list of ops, for `Op.parseEach`.
    public var ops = JSONValue.array([])

    /// Makes a message without ops.
    public init() {}
}

extension Ops: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("clientSequence", &clientSequence)
        try coder.u64("baseTick", &baseTick)
        try coder.u32("undoGroup", &undoGroup)
        try coder.bool("atomic", &isAtomic)
        try coder.json("ops", &ops)
    }
}
