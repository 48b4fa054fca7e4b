/// Measures how much of its input a terminal has certainly processed.
///
/// Pipes, sockets and multiplexers hold far more than a screen, so that a descriptor takes bytes says little: what is
/// drawn into such a queue is seen seconds late. So the terminal is asked for its status (DSR) now and then, and while
/// too much is without an answer nothing more is drawn. A terminal that does not answer is not asked again.
struct DrainGauge: Hashable, Sendable {
    /// Bytes after which the terminal is asked.
    static let probeBytes = 4096
    /// Bytes without an answer, beyond which nothing is drawn.
    static let inFlightMaximum = 32_768
    /// Seconds that an answer may take.
    static let patience = 2.0
    /// The question.
    static let probe: StaticString = "\u{1B}[5n"

    /// Whether the terminal answers questions at all.
    private(set) var isEnabled = false
    /// Bytes written since the last question.
    private var unasked = 0
    /// Bytes before each question without an answer, oldest first, and when it was asked.
    private var asked: [Asked] = []

    private struct Asked: Hashable {
        var bytes: Int
        var time: Double
    }

    /// The terminal has answered something, so it will answer this too.
    mutating func enable() { isEnabled = true }

    /// Notes written bytes.
    ///
    /// - Returns: Whether to ask after it.
    mutating func wrote(_ bytes: Int, now: Double) -> Bool {
        guard isEnabled else { return false }
        unasked += bytes
        guard unasked >= Self.probeBytes else { return false }
        asked.append(Asked(bytes: unasked, time: now))
        unasked = 0
        return true
    }

    /// Notes an answer.
    mutating func answered() {
        if !asked.isEmpty { asked.removeFirst() }
    }

    /// Whether answers are still to come.
    var isWaiting: Bool { !asked.isEmpty }

    /// Whether something may be drawn.
    mutating func isOpen(now: Double) -> Bool {
        if let oldest = asked.first, now - oldest.time >= Self.patience {
            // It forgot how to answer, or a multiplexer in between was exchanged.
            self = DrainGauge()
        }
        return asked.reduce(unasked) { $0 + $1.bytes } < Self.inFlightMaximum
    }

    /// When to look again although no answer came.
    var deadline: Double? { asked.first.map { $0.time + Self.patience } }
}
