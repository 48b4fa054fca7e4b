/// One record on its way into the journal: always the same bytes, until the journal shows the
/// outcome.
struct RecordAppend: Sendable {
    /// The purpose of the record.
    enum Purpose: Equatable, Sendable {
        /// It makes the node the owner.
        case claim
        /// It holds the commits up to a number.
        case commits(through: UInt64)
        /// It gives the shard to another node.
        case handOver(to: NodeLife)
    }

    /// The step under way.
    enum Step: Equatable, Sendable {
        /// The engine's answer.
        case publishing(EngineTicket, since: MonotonicInstant)
        /// The record itself, which the engine said that it keeps.
        case readingBack(sequence: UInt64)
        /// A look at the journal, after an answer that does not tell.
        case looking
        /// A moment, before the same bytes are published again.
        case waiting(until: MonotonicInstant)
    }

    let purpose: Purpose
    let bytes: [UInt8]
    let checksum: RecordChecksum
    private(set) var step: Step
    /// How long an answer to the publish under way is awaited.
    private(set) var patience = OwnerLimits.publishTimeoutFirst
    private var backOff = BackOff(maximum: OwnerLimits.publishBackOffMaximum)
    /// Whether no answer to the last publish came in time.
    private var wasUnanswered = false
    /// Where the journal ended when the record was last published.
    private var expectedLast: UInt64 = 0

    /// Begins to publish a record.
    ///
    /// - Throws: `RecordError` for a record that no reader would take.
    init(
        _ record: ChainRecord, for purpose: Purpose, after reader: JournalReader,
        at now: MonotonicInstant, _ outbox: inout Outbox
    ) throws(RecordError) {
        self.purpose = purpose
        (bytes, checksum) = try record.sealed()
        step = .looking
        publish(after: reader, at: now, &outbox)
    }

    /// Publishes the bytes after what was read last.
    mutating func publish(
        after reader: JournalReader, at now: MonotonicInstant, _ outbox: inout Outbox
    ) {
        expectedLast = reader.chain.lastSequence
        let ticket = outbox.ask(
            .publish(
                subject: reader.chain.subject, bytes: bytes, expectedLast: expectedLast))
        step = .publishing(ticket, since: now)
        wasUnanswered = false
    }

    mutating func readBack(_ sequence: UInt64) { step = .readingBack(sequence: sequence) }

    mutating func look() { step = .looking }

    /// No answer came in time.
    mutating func giveUp() {
        patience = min(patience * 2, OwnerLimits.publishTimeoutMaximum)
        wasUnanswered = true
    }

    /// The look showed nothing of it: it is published again, at once where the journal had gone on,
    /// or where the time that an answer was awaited for has been pause enough.
    ///
    /// - Parameter hasLeader: Whether the stream's leader answered the look.
    mutating func retry(
        after reader: JournalReader, hasLeader: Bool, at now: MonotonicInstant
    ) {
        let isLost = wasUnanswered && !hasLeader
        if isLost { patience = OwnerLimits.publishTimeoutLeaderless }
        let pause =
            reader.chain.lastSequence == expectedLast && !isLost ? backOff.next() : .zero
        step = .waiting(until: now.advanced(by: pause))
    }
}
