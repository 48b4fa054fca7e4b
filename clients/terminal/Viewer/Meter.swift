/// The growth rate of a total, over the last seconds.
struct RateMeter: Hashable {
    private static let window = 2.0

    private var samples: [Sample] = []

    private struct Sample: Hashable {
        var time: Double
        var total: UInt64
    }

    /// Registers a total that never decreases.
    mutating func note(total: UInt64, now: Double) {
        samples.append(Sample(time: now, total: total))
        // The last one before the window is its beginning.
        while samples.count > 2, samples[1].time <= now - Self.window { samples.removeFirst() }
        if samples.count > 256 { samples.removeSubrange(1..<samples.count - 128) }
    }

    /// The growth per second; 0 without growth.
    func rate(_ now: Double) -> Double {
        guard let last = samples.last else { return 0 }
        let start = samples.last { $0.time <= now - Self.window } ?? samples[0]
        let seconds = max(now - start.time, 0.5)
        guard last.time > now - Self.window, last.total > start.total else { return 0 }
        return Double(last.total - start.total) / seconds
    }

    /// Formats a number of bytes per second.
    static func text(bytes: Double) -> String {
        switch bytes {
        case ..<1000: return "\(Int(bytes.rounded())) B/s"
        case ..<1_000_000: return "\(tenths(bytes / 1000)) kB/s"
        default: return "\(tenths(bytes / 1_000_000)) MB/s"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return value < 99.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    }
}

/// The round-trip time, measured with pings.
struct LatencyMeter: Hashable {
    /// Seconds between pings.
    static let interval = 1.0
    /// Seconds after which an answer is overdue.
    static let patience = 2.5

    private var nextPing = 0.0
    private var pending: [UInt64] = []
    private var lastAnswer: Double?
    /// The round-trip time in seconds; nil before the first answer.
    private(set) var seconds: Double?

    /// Restarts for another connection.
    mutating func reset(now: Double) {
        self = LatencyMeter()
        lastAnswer = now
        nextPing = now
    }

    /// The stamp of a ping to send now, if one is due.
    mutating func takePing(now: Double) -> UInt64? {
        guard now >= nextPing else { return nil }
        nextPing = now + Self.interval
        let stamp = UInt64(max(0, now * 1e6))
        pending.append(stamp)
        if pending.count > 32 { pending.removeFirst() }
        return stamp
    }

    mutating func answered(_ stamp: UInt64, now: Double) {
        guard let index = pending.firstIndex(of: stamp) else { return }
        pending.removeSubrange(...index)
        seconds = max(0, now - Double(stamp) / 1e6)
        lastAnswer = now
    }

    /// Seconds since the server was last heard, if that is too long.
    func silence(_ now: Double) -> Double? {
        guard let lastAnswer, !pending.isEmpty, now - lastAnswer >= Self.patience else {
            return nil
        }
        return now - lastAnswer
    }

    /// Whether no answer has come since the last ping but one.
    func isSilent(_ now: Double) -> Bool {
        guard let lastAnswer, !pending.isEmpty else { return false }
        return now - lastAnswer >= 1.5 * Self.interval
    }

    /// The time of the next ping.
    var deadline: Double { nextPing }

    /// The latency for people.
    var text: String? {
        seconds.map { $0 < 0.0005 ? "<1 ms" : "\(Int(($0 * 1000).rounded())) ms" }
    }
}
