import SceneCluster

/// The monotonic clock of a simulated node: it runs up to five per cent too fast or too slow, and
/// jumps.
struct SimulatedClock {
    /// Nanoseconds of the clock for each microsecond of the world.
    private var rate: UInt64
    private var base: UInt64
    private var baseTime = 0

    /// Starts a clock. Rate and reading are drawn.
    init(_ random: inout some RandomNumberGenerator) {
        rate = UInt64.random(in: 950...1050, using: &random)
        base = UInt64.random(in: 1 << 40..<1 << 50, using: &random)
    }

    /// The reading at a time of the world in microseconds.
    func reading(at time: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: base + UInt64(time - baseTime) * rate)
    }

    /// Jumps by microseconds, forwards or, as a broken clock does, backwards.
    mutating func jump(by span: Int, at time: Int) {
        let present = reading(at: time).nanoseconds
        base = span < 0 ? present - UInt64(-span) * 1000 : present + UInt64(span) * 1000
        baseTime = time
    }
}
