/// Measurements of the connection: bytes and frames a second, and the round-trip time.
struct ConnectionMeters {
    private var traffic = RateMeter()
    private var frames = RateMeter()
    private var frameCount: UInt64 = 0
    private var latency = LatencyMeter()

    /// Restarts for another connection.
    mutating func connected(now: Double) { latency.reset(now: now) }

    /// Registers the number of all bytes received so far.
    mutating func received(totalBytes: UInt64, now: Double) {
        traffic.note(total: totalBytes, now: now)
    }

    /// Registers a frame.
    mutating func receivedFrame(now: Double) {
        frameCount += 1
        frames.note(total: frameCount, now: now)
    }

    /// Registers the answer to a ping.
    mutating func answered(_ stamp: UInt64, now: Double) { latency.answered(stamp, now: now) }

    /// The stamp of a due ping; nil if none is due.
    mutating func takePing(now: Double) -> UInt64? { latency.takePing(now: now) }

    /// The time of the next ping.
    var deadline: Double { latency.deadline }

    /// Seconds since an overdue answer was due; nil while the server answers in time.
    func silence(_ now: Double) -> Double? { latency.silence(now) }

    /// Whether the server has answered no ping for longer than an answer takes.
    func isSilent(_ now: Double) -> Bool { latency.isSilent(now) }

    /// The figures of the status line.
    func figures(tick: UInt64, now: Double) -> Figures {
        Figures(
            tick: tick, frameRate: Int(frames.rate(now).rounded()), latency: latency.text,
            traffic: RateMeter.text(bytes: traffic.rate(now)))
    }
}
