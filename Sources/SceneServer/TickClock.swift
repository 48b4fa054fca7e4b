import Dispatch

/// A tick of a thread's clock. Rooms count ticks of their own (`UInt64`, as the protocol does), which stand still while a
/// room has nothing to do; `LiveRoom` converts between the two.
struct ClockTick: Comparable, Sendable {
    var rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    static func < (left: ClockTick, right: ClockTick) -> Bool { left.rawValue < right.rawValue }

    /// So many ticks later.
    static func + (tick: ClockTick, count: UInt64) -> ClockTick {
        ClockTick(tick.rawValue + count)
    }

    /// The ticks from the second to the first, which must not be earlier.
    static func - (later: ClockTick, earlier: ClockTick) -> UInt64 {
        later.rawValue - earlier.rawValue
    }
}

/// Counts ticks by the machine's uptime: tick 0 begins when the clock is made.
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
    var tick: ClockTick { tick(at: elapsed) }

    /// The tick that had begun last so many nanoseconds after tick 0.
    func tick(at time: UInt64) -> ClockTick {
        ClockTick(UInt64(Double(time) * Double(rate) / 1e9))
    }

    /// Nanoseconds from tick 0 to the beginning of a tick.
    func time(of tick: ClockTick) -> UInt64 { UInt64(Double(tick.rawValue) / Double(rate) * 1e9) }
}
