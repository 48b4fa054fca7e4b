private import Glibc
import SceneCluster

/// The system's monotonic clock.
struct MonotonicClock {
    private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

    /// The moment of the call.
    var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: UInt64(time.tv_sec) * Self.nanosecondsPerSecond + UInt64(time.tv_nsec))
    }
}
