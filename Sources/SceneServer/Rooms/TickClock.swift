import Dispatch

/// A tick of a thread's clock. Rooms count their own ticks (`UInt64`, as in the protocol), which do
/// not advance while a room is idle; `LiveRoom` converts between the two.
struct ClockTick: Comparable, Sendable {
    var rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    static func < (left: ClockTick, right: ClockTick) -> Bool { left.rawValue < right.rawValue }

    /// The tick that many ticks later.
    static func + (tick: ClockTick, count: UInt64) -> ClockTick {
        ClockTick(tick.rawValue + count)
    }

    /// The ticks from `earlier` to `later`; `earlier` must not be the later one.
    static func - (later: ClockTick, earlier: ClockTick) -> UInt64 {
        later.rawValue - earlier.rawValue
    }
}

/// Counts ticks by the machine's uptime: tick 0 begins when the clock is made.
struct TickClock: Sendable {
    /// Ticks a second.
    let rate: Int
    private let start = DispatchTime.now().uptimeNanoseconds

    /// Makes a clock with at least one tick a second.
    init(rate: Int) { self.rate = max(rate, 1) }

    /// The duration of a tick in nanoseconds.
    var period: UInt64 { 1_000_000_000 / UInt64(rate) }

    /// Nanoseconds since tick 0 began.
    var elapsed: UInt64 { DispatchTime.now().uptimeNanoseconds - start }

    /// The present tick.
    var tick: ClockTick { tick(at: elapsed) }

    /// The tick at a time in nanoseconds since tick 0.
    func tick(at time: UInt64) -> ClockTick {
        ClockTick(UInt64(Double(time) * Double(rate) / 1e9))
    }

    /// Nanoseconds from tick 0 to the beginning of a tick.
    func time(of tick: ClockTick) -> UInt64 { UInt64(Double(tick.rawValue) / Double(rate) * 1e9) }
}
