import SceneModel

/// A room's memory as of the last count, and the growth accepted since.
struct MemoryAccount {
    let budget: MemoryBudget
    /// Whether the process is short of memory.
    var isShort = false
    /// The last count.
    private(set) var use = MemoryUse()
    /// Approximate bytes accepted since.
    private(set) var grown = 0
    /// Whether something was added or removed since.
    private var hasChangedSize = false
    private var countedTick: UInt64?

    init(_ budget: MemoryBudget) { self.budget = budget }

    /// The approximate memory of the room in bytes.
    var total: Int { use.total + grown }

    /// The bytes by which the room may grow; negative if it exceeds its budget.
    var left: Int { isShort ? 0 : budget.room - total }

    /// Whether memory must be released.
    var isOverdrawn: Bool { isShort || total > budget.room }

    /// Registers accepted growth.
    mutating func grow(by ops: OpFootprint) {
        grown += ops.growth
        if ops.changesSize { hasChangedSize = true }
    }

    /// Registers that something large was created, so that the next tick with work counts again.
    mutating func expectMore() { countedTick = nil }

    /// Whether a count is due, which takes time for each view: when the room has grown by an
    /// eighth, a second after its size changed, and every ten seconds, since any change adds to the
    /// history.
    func isCountDue(at tick: UInt64, tickRate: Int) -> Bool {
        guard let countedTick else { return true }
        let seconds: UInt64 = hasChangedSize ? 1 : 10
        return tick >= countedTick + seconds * UInt64(max(tickRate, 1))
            || grown > max(1 << 20, use.total / 8)
    }

    /// Stores a new count.
    mutating func note(_ use: MemoryUse, at tick: UInt64) {
        self.use = use
        grown = 0
        hasChangedSize = false
        countedTick = tick
    }
}
