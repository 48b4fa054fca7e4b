/// An allowance of work that grows with every tick, up to one second's worth.
struct WorkPurse {
    /// Units in a second.
    private let second: Int64
    private let unitsPerTick: Int64
    /// Negative after a tick that cost more, until later ticks have paid for it.
    private var balance: Int64
    private var tick: UInt64

    init(second: UInt64, tickRate: Int, tick: UInt64) {
        self.second = Int64(clamping: second)
        self.tick = tick
        unitsPerTick = max(1, self.second / Int64(max(tickRate, 1)))
        balance = self.second
    }

    /// Adds the allowance of the ticks that have passed.
    mutating func refill(to now: UInt64) {
        let ticks = Int64(clamping: now - min(tick, now))
        tick = now
        let (pay, isTooMuch) = ticks.multipliedReportingOverflow(by: unitsPerTick)
        let (sum, isFull) = balance.addingReportingOverflow(pay)
        balance = isTooMuch || isFull ? second : min(second, sum)
    }

    /// Spends units.
    mutating func spend(_ units: UInt64) {
        let (rest, isTooMuch) = balance.subtractingReportingOverflow(Int64(clamping: units))
        balance = isTooMuch ? .min / 2 : rest
    }

    /// Whether the balance is positive.
    var isSolvent: Bool { balance > 0 }

    /// The tick at which the balance becomes positive if nothing is spent before.
    var solventTick: UInt64 {
        guard balance <= 0 else { return tick }
        return tick + UInt64(-balance / unitsPerTick) + 1
    }
}
