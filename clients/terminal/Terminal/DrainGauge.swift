/// Measures how much of its input a terminal has certainly processed.
///
/// Pipes, sockets and multiplexers buffer far more than a screen, so that a descriptor accepts
/// bytes says little: output in such a queue is shown seconds late. So the terminal is asked for
/// its status (DSR) at intervals, and while too many bytes are unconfirmed nothing more is drawn. A
/// terminal that does not answer is not asked again.
struct DrainGauge: Hashable, Sendable {
    /// Bytes between two questions.
    static let probeBytes = 4096
    /// Unconfirmed bytes beyond which nothing is drawn.
    static let inFlightMaximum = 32_768
    /// The timeout of an answer in seconds.
    static let patience = 2.0
    /// Bytes a second of a slow connection, which pictures may take long to cross.
    static let slowRate = 65_536.0
    /// The question.
    static let probe: StaticString = "\u{1B}[5n"

    /// Whether the terminal answers questions.
    private(set) var isEnabled = false
    /// Bytes written since the last question.
    private var unasked = 0
    /// The bytes before each open question, oldest first, and its time.
    private var asked: [Asked] = []

    private struct Asked: Hashable {
        var bytes: Int
        var time: Double

        /// The time until which an answer is waited for.
        var deadline: Double {
            let excess = max(0, bytes - inFlightMaximum)
            return time + patience + Double(excess) / slowRate
        }
    }

    /// Registers that the terminal answered another question, so it will answer this one too.
    mutating func enable() { isEnabled = true }

    /// Registers written bytes.
    ///
    /// - Returns: Whether to send a question after them.
    mutating func wrote(_ bytes: Int, now: Double) -> Bool {
        guard isEnabled else { return false }
        unasked += bytes
        guard unasked >= Self.probeBytes else { return false }
        asked.append(Asked(bytes: unasked, time: now))
        unasked = 0
        return true
    }

    /// Registers an answer.
    mutating func answered() {
        if !asked.isEmpty { asked.removeFirst() }
    }

    /// Whether answers are pending.
    var isWaiting: Bool { !asked.isEmpty }

    /// Whether drawing is allowed.
    mutating func isOpen(now: Double) -> Bool {
        if let oldest = asked.first, now >= oldest.deadline {
            // It forgot how to answer, or a multiplexer in between was exchanged.
            self = DrainGauge()
        }
        return asked.reduce(unasked) { $0 + $1.bytes } < Self.inFlightMaximum
    }

    /// The time of the next check if no answer comes.
    var deadline: Double? { asked.first?.deadline }
}
