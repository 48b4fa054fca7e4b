/// What a room's memory came to when it was last counted, and what was accepted since.
struct MemoryAccount {
    let budget: MemoryBudget
    /// Whether the process has no memory for more.
    var isShort = false
    /// As it was last counted.
    private(set) var use = MemoryUse()
    /// About how many bytes were accepted since.
    private(set) var grown = 0
    /// Whether something was added or removed since.
    private var hasChangedSize = false
    private var countedTick: UInt64?

    init(_ budget: MemoryBudget) { self.budget = budget }

    /// About how many bytes the room takes.
    var total: Int { use.total + grown }

    /// The bytes that the room may grow by; negative where it has too many.
    var left: Int { isShort ? 0 : budget.room - total }

    /// Whether something has to go.
    var isOverdrawn: Bool { isShort || total > budget.room }

    /// Notes what was accepted.
    mutating func grow(by growth: MemoryGrowth) {
        grown += growth.bytes
        if growth.changesSize { hasChangedSize = true }
    }

    /// Notes that something large was made, so that it is counted in the next tick that does anything.
    mutating func expectMore() { countedTick = nil }

    /// Whether it is time to count anew, which takes time for each view: when the room has grown by an eighth, a second after
    /// its size changed, and every ten seconds, since what is remembered grows by any change.
    func isCountDue(at tick: UInt64, tickRate: Int) -> Bool {
        guard let countedTick else { return true }
        let seconds: UInt64 = hasChangedSize ? 1 : 10
        return tick >= countedTick + seconds * UInt64(max(tickRate, 1))
            || grown > max(1 << 20, use.total / 8)
    }

    /// Takes a new count.
    mutating func note(_ use: MemoryUse, at tick: UInt64) {
        self.use = use
        grown = 0
        hasChangedSize = false
        countedTick = tick
    }
}
