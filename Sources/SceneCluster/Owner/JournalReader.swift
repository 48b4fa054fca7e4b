/// Reads a shard's journal onwards from where its chain ends, from any replica.
///
/// Each answer is a part of the journal from the place asked for on, though not always to its
/// present end: replicas lag, and a replaced leader keeps answering for a while. So only what an
/// answer contains counts; what it lacks is requested elsewhere until the goal is reached.
struct JournalReader: Sendable {
    /// The goal of a read.
    enum Goal: Equatable, Sendable {
        /// To come nearer to the end: a replica's own end is enough.
        case end
        /// To see what came after the record that was read last: an answer that lacks this record
        /// is stale.
        case known
        /// To see what the engine said that it keeps under a sequence number.
        case acknowledged(sequence: UInt64)
    }

    /// The result of an answer.
    struct Progress: Sendable {
        /// The chain's next records; those that are skipped are not among them.
        var records: [LoadedRecord] = []
        /// Whether the goal is reached, and the reader at rest.
        var isComplete = false
        /// Whether the stream's leader gave the answer.
        var isOfLeader = false
    }

    private struct Ask {
        var ticket: EngineTicket
        var source: EngineRequest.Source
        var askedAt: MonotonicInstant
    }

    /// How many answers are waited for at a time.
    private static let askMaximum = 2

    private(set) var chain: ShardChain
    private(set) var goal: Goal?
    /// Why the last answer brought nothing, in the engine's words.
    private(set) var lastTrouble: String?
    private var asks: [Ask] = []
    private var askAgainAt: MonotonicInstant?
    private var nextSource = EngineRequest.Source.leader
    private var backOff = BackOff(maximum: OwnerLimits.readBackOffMaximum)
    private var lackingAnswers = 0
    /// The last bytes of the message that was read last, which are a record's checksum; nil before
    /// the first.
    private var lastTrailer: [UInt8]?

    init(chain: ShardChain) {
        self.chain = chain
        lastTrailer = chain.head.map { Self.bytes(of: $0.checksum) }
    }

    var isReading: Bool { goal != nil }

    /// Begins to read towards a goal; an earlier one is given up.
    mutating func begin(
        _ goal: Goal, from source: EngineRequest.Source, at now: MonotonicInstant,
        _ outbox: inout Outbox
    ) {
        stop()
        self.goal = goal
        nextSource = source
        ask(at: now, &outbox)
    }

    /// Gives the goal up; answers to what was asked are ignored.
    mutating func stop() {
        goal = nil
        asks = []
        askAgainAt = nil
        backOff.reset()
        lackingAnswers = 0
    }

    /// Asks again what is due.
    mutating func advance(to now: MonotonicInstant, _ outbox: inout Outbox) {
        guard goal != nil else { return }
        if asks.contains(where: { now.elapsed(since: $0.askedAt) >= OwnerLimits.requestTimeout }) {
            asks.removeAll { now.elapsed(since: $0.askedAt) >= OwnerLimits.requestTimeout }
            lastTrouble = "a read was not answered in time"
        }
        if let askAgainAt {
            if now >= askAgainAt { ask(at: now, &outbox) }
        } else if asks.isEmpty
            || asks.count == 1 && now.elapsed(since: asks[0].askedAt) >= OwnerLimits.hedge
        {
            ask(at: now, &outbox)
        }
    }

    /// Takes a reply.
    ///
    /// - Returns: What it brought; nil for a reply to a request that is not, or no longer, the
    ///   reader's.
    /// - Throws: `ChainError` where the shard has to stop.
    mutating func take(
        _ reply: EngineReply, for ticket: EngineTicket, at now: MonotonicInstant,
        _ outbox: inout Outbox
    ) throws(ChainError) -> Progress? {
        guard let goal, let index = asks.firstIndex(where: { $0.ticket == ticket }) else {
            return nil
        }
        let source = asks.remove(at: index).source
        let messages: [EngineMessage]
        let isEnd: Bool
        switch reply {
        case .messages(let some, let end): (messages, isEnd) = (some, end)
        case .unknown(let reason), .failed(let reason):
            lastTrouble = reason
            askLater(at: now)
            return Progress()
        case .kept, .superseded, .busy, .purged, .unheard:
            lastTrouble = "the engine answered a read as if it were something else"
            askLater(at: now)
            return Progress()
        }
        let before = chain.lastSequence
        let records = try read(messages)
        let isCurrent = before == 0 || (messages.last?.sequence ?? 0) >= before
        let isComplete =
            switch goal {
            case .end: isEnd
            case .known: isEnd && isCurrent
            case .acknowledged(let sequence): chain.lastSequence >= sequence
            }
        if isComplete {
            stop()
        } else if chain.lastSequence > before {
            backOff.reset()
            lackingAnswers = 0
            askAgainAt = nil
            nextSource = isEnd ? other(than: source) : source
            ask(at: now, &outbox)
        } else {
            if source == .leader, isEnd || messages.isEmpty { try noteLack(goal) }
            askLater(at: now)
        }
        return Progress(
            records: records, isComplete: isComplete, isOfLeader: source == .leader)
    }

    /// Reads messages; those that were read before are passed over.
    private mutating func read(
        _ messages: [EngineMessage]
    ) throws(ChainError) -> [LoadedRecord] {
        var records: [LoadedRecord] = []
        for message in messages {
            if message.sequence == chain.lastSequence, let lastTrailer {
                guard Self.trailer(of: message.bytes) == lastTrailer else {
                    throw ChainError(
                        place: RecordPlace(subject: chain.subject, sequence: message.sequence),
                        reason: .rewritten)
                }
            }
            guard message.sequence > chain.lastSequence else { continue }
            let step = try chain.read(message.bytes, at: message.sequence)
            lastTrailer = Self.trailer(of: message.bytes)
            switch step {
            case .skipped: break
            case .next(let record):
                guard let anchor = chain.head else { break }
                records.append(LoadedRecord(record: record, anchor: anchor))
            }
        }
        return records
    }

    /// Counts an answer of the leader that lacks what it must have.
    private mutating func noteLack(_ goal: Goal) throws(ChainError) {
        lastTrouble = "the engine's answers lack what it gave or acknowledged before"
        lackingAnswers += 1
        guard lackingAnswers >= OwnerLimits.lackingAnswerMaximum else { return }
        let (sequence, reason): (UInt64, ChainError.Reason) =
            switch goal {
            case .acknowledged(let sequence): (sequence, .forgotten)
            case .known, .end: (chain.lastSequence, .rewound)
            }
        throw ChainError(
            place: RecordPlace(subject: chain.subject, sequence: sequence), reason: reason)
    }

    private mutating func askLater(at now: MonotonicInstant) {
        guard askAgainAt == nil else { return }
        askAgainAt = now.advanced(by: backOff.next())
    }

    private mutating func ask(at now: MonotonicInstant, _ outbox: inout Outbox) {
        askAgainAt = nil
        // A source that owes an answer may be gone, and must not hold up the other.
        if let waiting = asks.last { nextSource = other(than: waiting.source) }
        if asks.count >= Self.askMaximum { asks.removeFirst() }
        // The record that was read last is asked for again where its presence tells whether the
        // answer is stale.
        let from =
            goal == .known ? max(1, chain.lastSequence) : Self.after(chain.lastSequence)
        let ticket = outbox.ask(
            .read(
                subject: chain.subject, from: from, maximum: OwnerLimits.pageRecordMaximum,
                source: nextSource))
        asks.append(Ask(ticket: ticket, source: nextSource, askedAt: now))
        nextSource = other(than: nextSource)
    }

    private func other(than source: EngineRequest.Source) -> EngineRequest.Source {
        switch source {
        case .leader: .anyReplica
        case .anyReplica: .leader
        }
    }

    private static func after(_ sequence: UInt64) -> UInt64 {
        sequence == .max ? .max : sequence + 1
    }

    private static func trailer(of bytes: [UInt8]) -> [UInt8] {
        Array(bytes.suffix(RecordChecksum.byteCount))
    }

    private static func bytes(of checksum: RecordChecksum) -> [UInt8] {
        var writer = RecordWriter()
        writer.checksum(checksum)
        return writer.bytes
    }
}
