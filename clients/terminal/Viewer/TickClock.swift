/// The tick to show now: the server's ticks, estimated between its messages so that animations
/// continue.
struct TickClock: Hashable {
    /// The delay of messages in seconds before the clock is corrected backwards.
    private static let patience = 0.25

    private var tick = 0.0
    private var time = 0.0
    private(set) var rate = 60.0
    private var isSet = false

    /// Registers a state that arrived now.
    mutating func note(tick newTick: UInt64, rate newRate: UInt32, now: Double) {
        let value = Double(newTick)
        let expected = position(now)
        rate = Double(max(1, newRate))
        // A small delay comes from the network; the picture must not step back for it.
        guard !isSet || value >= expected || expected - value > rate * Self.patience else { return }
        isSet = true
        tick = value
        time = now
    }

    /// Restarts after a jump in time.
    mutating func reset() { isSet = false }

    private func position(_ now: Double) -> Double { tick + max(0, now - time) * rate }

    /// The present tick.
    func tick(_ now: Double) -> UInt64 { UInt64(max(0, min(position(now), 9e15))) }
}
