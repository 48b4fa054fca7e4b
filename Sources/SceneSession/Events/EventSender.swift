import SceneProtocol

/// A client that sends events, across its connections: the numbers of events without a result, and the latest results for a
/// client that missed them.
struct EventSender {
    /// The connection; `nil` while the client is disconnected.
    var member: MemberID?

    /// The highest number used.
    private var last: UInt64 = 0
    private var waiting: Set<UInt64> = []
    private var results: [Remembered] = []
    /// The tokens of the rate limit, and the tick at which they were counted.
    private var allowance: Double
    private var allowanceTick: UInt64

    init(allowance: Int, tick: UInt64) {
        self.allowance = Double(allowance)
        allowanceTick = tick
    }

    /// A result in few bytes, without its message for people.
    private struct Remembered {
        var sequence: UInt64
        var outcome: EventOutcome
        var code: RefusalCode?
    }

    /// The treatment of an event.
    enum Admission {
        /// The number is new.
        case new
        /// A duplicate of an event without a result.
        case waits
        /// A duplicate of an event that has ended.
        case answered(EventResults.Result)
    }

    /// The number of events without a result.
    var waitingCount: Int { waiting.count }
    /// The approximate memory in bytes.
    var byteEstimate: Int { 300 + 40 * waiting.count + 24 * results.count }

    /// Registers the number of an event.
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
        // The result is not stored any more: the client has received it, or it numbers its events out of order.
        return .answered(.of(sequence, .unknown))
    }

    /// Takes a token of the rate limit.
    ///
    /// - Returns: False if there is none.
    mutating func spend(at tick: UInt64, perSecond: Int, tickRate: Int) -> Bool {
        let passed = Double(tick &- allowanceTick) / Double(max(tickRate, 1))
        allowance = min(Double(perSecond), allowance + passed * Double(perSecond))
        allowanceTick = tick
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }

    mutating func wait(for sequence: UInt64) { waiting.insert(sequence) }

    /// Stores a result. The number of stored results covers those that a closing connection can lose.
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
