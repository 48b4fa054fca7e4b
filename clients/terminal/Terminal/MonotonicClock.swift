import Glibc

/// The clock of the viewers' loops.
enum MonotonicClock {
    /// Seconds of a monotonic clock.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
