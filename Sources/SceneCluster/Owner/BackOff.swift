/// Pauses that double up to a maximum.
struct BackOff: Sendable {
    private var pause = OwnerLimits.backOffFirst
    private let maximum: Duration

    init(maximum: Duration) { self.maximum = maximum }

    /// The next pause.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, maximum) }
        return pause
    }

    mutating func reset() { pause = OwnerLimits.backOffFirst }
}
