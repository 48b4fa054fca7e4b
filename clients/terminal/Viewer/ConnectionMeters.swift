import SceneProtocol

/// What is measured of the connection: bytes and frames a second, and the time to the server and back.
struct ConnectionMeters {
    private var traffic = RateMeter()
    private var frames = RateMeter()
    private var frameCount: UInt64 = 0
    private var latency = LatencyMeter()

    /// Begins anew with another connection.
    mutating func connected(now: Double) { latency.reset(now: now) }

    /// Notes all bytes that were received so far.
    mutating func received(totalBytes: UInt64, now: Double) {
        traffic.note(total: totalBytes, now: now)
    }

    /// Notes a frame.
    mutating func receivedFrame(now: Double) {
        frameCount += 1
        frames.note(total: frameCount, now: now)
    }

    /// Notes the answer to a ping.
    mutating func answered(_ stamp: UInt64, now: Double) { latency.answered(stamp, now: now) }

    /// The stamp of a ping that is due; nil when none is.
    mutating func takePing(now: Double) -> UInt64? { latency.takePing(now: now) }

    /// When the next ping is due.
    var deadline: Double { latency.deadline }

    /// Seconds since an answer was due; nil while the server answers in time.
    func silence(_ now: Double) -> Double? { latency.silence(now) }

    /// The figures of the status line.
    func figures(tick: UInt64, now: Double) -> Figures {
        Figures(
            tick: tick, frameRate: Int(frames.rate(now).rounded()), latency: latency.text,
            traffic: RateMeter.text(bytes: traffic.rate(now)))
    }
}
