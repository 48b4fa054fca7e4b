import Dispatch

/// A clock that only goes forward.
enum MonotonicClock {
    /// Nanoseconds since the machine started.
    static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Whole seconds since the machine started, of which differences count: the number wraps after
    /// 136 years.
    static var seconds: UInt32 { UInt32(truncatingIfNeeded: nanoseconds / 1_000_000_000) }
}
