/// A room that is nothing but the ops that it was given: enough to tell a lost op, a doubled one
/// and another order.
struct SimulatedRoom: Equatable {
    /// How many ops it has.
    private(set) var count = 0
    /// A hash of them all in order (FNV-1a, 64 bits).
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var kept: [UInt16: Set<UInt32>] = [:]
    private var last: [UInt16: UInt32] = [:]

    /// What an owner does with an op that comes.
    enum Decision {
        /// It is new, and is to be kept.
        case keep
        /// It is in the room.
        case known
        /// It is not in the room, and never will be.
        case refuse
    }

    /// What becomes of an op: each one counts once, and none that comes after a later one of its
    /// session.
    func decide(_ op: SimulatedOp) -> Decision {
        if op.number <= last[op.session] ?? 0 {
            return kept[op.session]?.contains(op.number) == true ? .known : .refuse
        }
        return accepts(op) ? .keep : .refuse
    }

    /// Whether the room's state allows an op; some it does not.
    func accepts(_ op: SimulatedOp) -> Bool { !(op.value % 8 == 0 && count % 2 == 0) }

    mutating func apply(_ op: SimulatedOp) {
        count += 1
        for byte in op.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        kept[op.session, default: []].insert(op.number)
        last[op.session] = max(last[op.session] ?? 0, op.number)
    }
}
