/// A moment of one process's monotonic clock. Moments of two processes cannot be compared, and none
/// travels.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since a zero that only this process knows.
    public var nanoseconds: UInt64

    /// Wraps a reading of the clock.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Orders moments of the same clock.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time since an earlier moment; none where the clock has gone back, which a broken one
    /// does.
    public func elapsed(since earlier: MonotonicInstant) -> Duration {
        guard nanoseconds > earlier.nanoseconds else { return .zero }
        return .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
    }

    /// The moment a span later; the last moment of all where the sum does not fit.
    public func advanced(by span: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = span.components
        guard seconds >= 0, attoseconds >= 0 else { return self }
        let (whole, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (span, overflowsToo) = whole.addingReportingOverflow(
            UInt64(attoseconds) / 1_000_000_000)
        let (sum, overflowsAtLast) = nanoseconds.addingReportingOverflow(span)
        guard !overflows, !overflowsToo, !overflowsAtLast else { return .init(nanoseconds: .max) }
        return .init(nanoseconds: sum)
    }
}
