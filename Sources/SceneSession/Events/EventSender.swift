import SceneDocument
import SceneWire

/// A client that sends events, across its connections: the numbers of events without a result, and
/// the latest results for a client that missed them.
struct EventSender {
    /// The connection; `nil` while the client is disconnected.
    var member: MemberID?

    /// The highest number used.
    private var last: UInt64 = 0
    private var waiting: Set<UInt64> = []
    private var results: [Remembered] = []
    private var events: Allowance
    private var copiedBytes: Allowance

    init(_ limits: EventLimits, tick: UInt64) {
        events = Allowance(limits.perSecond, tick: tick)
        copiedBytes = Allowance(limits.copiedBytesPerSecond, tick: tick)
    }

    /// A token bucket that is filled in a second, and the tick at which its tokens were counted.
    private struct Allowance {
        private var level: Double
        private var tick: UInt64

        init(_ perSecond: Int, tick: UInt64) {
            level = Double(perSecond)
            self.tick = tick
        }

        /// Takes tokens; an amount above the brim passes when the bucket is full.
        ///
        /// - Returns: False if there are too few; then none are taken.
        mutating func take(_ amount: Int, at now: UInt64, perSecond: Int, tickRate: Int) -> Bool {
            let passed = Double(now &- tick) / Double(max(tickRate, 1))
            level = min(Double(perSecond), level + passed * Double(perSecond))
            tick = now
            let needed = min(Double(amount), Double(perSecond))
            guard level >= needed else { return false }
            level -= needed
            return true
        }
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
        // The result is not stored any more: the client has received it, or it numbers its events
        // out of order.
        return .answered(.of(sequence, .unknown))
    }

    /// Takes one event of the rate limit.
    ///
    /// - Returns: False if there is none.
    mutating func spend(at tick: UInt64, _ limits: EventLimits, tickRate: Int) -> Bool {
        events.take(1, at: tick, perSecond: limits.perSecond, tickRate: tickRate)
    }

    /// Takes the bytes of a message's copies.
    ///
    /// - Returns: False if they exceed the limit.
    mutating func spend(
        copiedBytes bytes: Int, at tick: UInt64, _ limits: EventLimits, tickRate: Int
    ) -> Bool {
        copiedBytes.take(
            bytes, at: tick, perSecond: limits.copiedBytesPerSecond, tickRate: tickRate)
    }

    mutating func wait(for sequence: UInt64) { waiting.insert(sequence) }

    /// Stores a result. The number of stored results covers those that a closing connection can
    /// lose.
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
