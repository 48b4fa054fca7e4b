/// What may still be spent, of what comes in with every tick: at most a second's worth.
struct WorkPurse {
    /// Units in a second.
    private let second: Int64
    private let unitsPerTick: Int64
    /// Less than none after a tick that cost more, until that is paid.
    private var balance: Int64
    private var tick: UInt64

    init(second: UInt64, tickRate: Int, tick: UInt64) {
        self.second = Int64(clamping: second)
        self.tick = tick
        unitsPerTick = max(1, self.second / Int64(max(tickRate, 1)))
        balance = self.second
    }

    /// Takes in what comes with the ticks that have passed.
    mutating func refill(to now: UInt64) {
        let ticks = Int64(clamping: now - min(tick, now))
        tick = now
        let (pay, isTooMuch) = ticks.multipliedReportingOverflow(by: unitsPerTick)
        let (sum, isFull) = balance.addingReportingOverflow(pay)
        balance = isTooMuch || isFull ? second : min(second, sum)
    }

    /// Notes what something has cost.
    mutating func spend(_ units: UInt64) {
        let (rest, isTooMuch) = balance.subtractingReportingOverflow(Int64(clamping: units))
        balance = isTooMuch ? .min / 2 : rest
    }

    /// Whether something is left.
    var isSolvent: Bool { balance > 0 }

    /// The tick at which something is left, if nothing is spent until then.
    var solventTick: UInt64 {
        guard balance <= 0 else { return tick }
        return tick + UInt64(-balance / unitsPerTick) + 1
    }
}
