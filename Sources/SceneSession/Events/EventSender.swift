import SceneProtocol

/// One client's events, over all its connections: which of them wait, and what became of the latest others, for a client
/// that did not hear it.
struct EventSender {
    /// Its connection; `nil` while it has none.
    var member: MemberID?

    /// The highest number that it used.
    private var last: UInt64 = 0
    private var waiting: Set<UInt64> = []
    private var results: [Remembered] = []
    /// Events that it may send at once, and the tick at which that was so.
    private var allowance: Double
    private var allowanceTick: UInt64

    init(allowance: Int, tick: UInt64) {
        self.allowance = Double(allowance)
        allowanceTick = tick
    }

    /// What became of an event, in few bytes: the words for people are said once.
    private struct Remembered {
        var sequence: UInt64
        var outcome: EventOutcome
        var code: RefusalCode?
    }

    /// What is to be done with an event that came.
    enum Admission {
        /// It is the first of that number.
        case new
        /// Its result will come.
        case waits
        /// Its result is known.
        case answered(EventResults.Result)
    }

    /// How many of its events wait for a result.
    var waitingCount: Int { waiting.count }
    /// About how many bytes it takes.
    var byteEstimate: Int { 300 + 40 * waiting.count + 24 * results.count }

    /// Takes an event's number in.
    mutating func admit(_ sequence: UInt64) -> Admission {
        if waiting.contains(sequence) { return .waits }
        guard sequence <= last else {
            last = sequence
            return .new
        }
        if let known = results.last(where: { $0.sequence == sequence }) {
            var result = EventResults.Result.of(sequence, known.outcome)
            result.code = known.code?.rawValue ?? ""
            return .answered(result)
        }
        // Its client had the result, or sent its events in another order.
        return .answered(.of(sequence, .unknown))
    }

    /// Takes one event off what the client may send in a second.
    ///
    /// - Returns: Whether there was one left.
    mutating func spend(at tick: UInt64, perSecond: Int, tickRate: Int) -> Bool {
        let passed = Double(tick &- allowanceTick) / Double(max(tickRate, 1))
        allowance = min(Double(perSecond), allowance + passed * Double(perSecond))
        allowanceTick = tick
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }

    mutating func wait(for sequence: UInt64) { waiting.insert(sequence) }

    /// Remembers a result, as many as may be on their way when a connection ends.
    mutating func finish(_ result: EventResults.Result, rememberingAtMost maximum: Int) {
        waiting.remove(result.eventSequence)
        results.append(
            Remembered(
                sequence: result.eventSequence, outcome: result.outcome,
                code: RefusalCode(rawValue: result.code)))
        // In blocks, so that a result costs O(1).
        if results.count >= 2 * maximum { results.removeFirst(results.count - maximum) }
    }
}

extension EventResults.Result {
    static func of(_ sequence: UInt64, _ outcome: EventOutcome) -> EventResults.Result {
        var result = EventResults.Result()
        result.eventSequence = sequence
        result.outcome = outcome
        return result
    }

    static func refused(
        _ sequence: UInt64, _ code: RefusalCode, _ message: String
    ) -> EventResults.Result {
        var result = of(sequence, .refused)
        result.code = code.rawValue
        result.message = message
        return result
    }
}
