import Dispatch

/// Ticks as the machine's uptime has them: tick 0 begins where the clock was made.
struct TickClock: Sendable {
    /// Ticks a second.
    let rate: Int
    private let start = DispatchTime.now().uptimeNanoseconds

    /// Makes a clock of so many ticks a second, one at least.
    init(rate: Int) { self.rate = max(rate, 1) }

    /// Nanoseconds of a tick.
    var period: UInt64 { 1_000_000_000 / UInt64(rate) }

    /// Nanoseconds since tick 0 began.
    var elapsed: UInt64 { DispatchTime.now().uptimeNanoseconds - start }

    /// The tick that has begun last.
    var tick: UInt64 { tick(at: elapsed) }

    /// The tick that had begun last so many nanoseconds after tick 0.
    func tick(at time: UInt64) -> UInt64 { UInt64(Double(time) * Double(rate) / 1e9) }

    /// Nanoseconds from tick 0 to the beginning of a tick.
    func time(of tick: UInt64) -> UInt64 { UInt64(Double(tick) / Double(rate) * 1e9) }
}
