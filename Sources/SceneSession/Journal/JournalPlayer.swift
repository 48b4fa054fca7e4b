public import SceneModel
public import SceneProtocol

/// Goes through a room's journal, record by record and tick by tick, as the live session did.
public final class JournalPlayer {
    /// Why a journal cannot be replayed.
    public enum Failure: Error, Equatable, Sendable {
        /// There is no record, or the first is no snapshot.
        case noSnapshot
        /// A record does not follow the one before it.
        case brokenChain(sequence: UInt64)
        /// A record's payload cannot be read.
        case badPayload(sequence: UInt64, reason: String)
        /// A recorded scene or op was refused, so this is not the engine that wrote it.
        case refused(sequence: UInt64, reason: String)
    }

    /// The scene as it is at `tick`.
    public let timeline: SceneTimeline
    /// The last tick whose cycle has run.
    public private(set) var tick: UInt64
    /// The tick rate that the room last had.
    public private(set) var tickRate: Int
    /// Grows each time the scene was put back to a snapshot of the journal.
    public private(set) var generation = 0
    /// How many records were taken in.
    public private(set) var position = 0
    /// Every client that the records taken in speak of, in the order in which they came up.
    private(set) var clients = ClientRegistry()
    /// The records, the first of them a snapshot.
    public private(set) var records: [JournalRecord]

    private let tracksUndo: Bool
    private let undoMaximum: Int
    /// The tick whose cycle runs next.
    private var clock: UInt64

    /// Begins at the first record, whose cycle has not run.
    ///
    /// - Parameters:
    ///   - records: Oldest first, beginning with a snapshot.
    ///   - tracksUndo: Whether what people can take back is worked out too, as a session needs it.
    /// - Throws: `Failure`.
    public convenience init(_ records: [JournalRecord], tracksUndo: Bool) throws(Failure) {
        try self.init(records, tracksUndo: tracksUndo, undoMaximum: SessionOptions().undoMaximum)
    }

    init(
        _ records: [JournalRecord], tracksUndo: Bool, undoMaximum: Int
    ) throws(Failure) {
        guard let first = records.first, first.kind == .snapshot else { throw .noSnapshot }
        self.records = records
        self.tracksUndo = tracksUndo
        self.undoMaximum = undoMaximum
        let payload = try Self.payload(of: first)
        guard case .snapshot(let snapshot) = payload else { throw .noSnapshot }
        clock = first.tick
        tick = first.tick
        tickRate = snapshot.tickRate
        let (model, ledger) = try Self.scene(
            of: snapshot, first, undoMaximum: tracksUndo ? undoMaximum : nil)
        timeline = SceneTimeline(model, ledger: ledger)
        position = 1
        note(snapshot)
    }

    /// Whether all records were taken in.
    public var isAtEnd: Bool { position == records.count }

    /// Takes in records that were written since.
    public func append(_ more: [JournalRecord]) { records += more }

    /// Goes on until the cycle of a tick has run, or the budget is used up.
    ///
    /// - Parameters:
    ///   - budget: Records and cycles that may be done; what is left afterwards.
    ///   - observe: Called after each cycle that ran.
    /// - Returns: Whether the tick was reached.
    /// - Throws: `Failure`.
    @discardableResult
    public func advance(
        to target: UInt64, budget: inout Int, observe: (UInt64, SceneModel) -> Void = { _, _ in }
    ) throws(Failure) -> Bool {
        while clock <= target {
            while position < records.count, records[position].tick <= clock {
                guard budget > 0 else { return false }
                budget -= 1
                try take(records[position])
                position += 1
            }
            guard budget > 0 else { return false }
            budget -= 1
            timeline.runCycle()
            observe(clock, timeline.model)
            tick = clock
            clock += 1
            // Nothing happens in the ticks until the next record; they are passed over.
            if timeline.model.isIdle {
                let next = position < records.count ? records[position].tick : target + 1
                clock = max(clock, min(next, target + 1))
            }
        }
        tick = max(tick, clock - 1)
        return true
    }

    // MARK: One record

    private func take(_ record: JournalRecord) throws(Failure) {
        let previous = records[position - 1]
        guard record.sequence == previous.sequence + 1, record.previous == previous.checksum else {
            throw .brokenChain(sequence: record.sequence)
        }
        switch try Self.payload(of: record) {
        case .snapshot(let snapshot):
            let (model, ledger) = try Self.scene(
                of: snapshot, record, undoMaximum: tracksUndo ? undoMaximum : nil)
            timeline.replaceModel(model)
            if let ledger { timeline.ledger = ledger }
            tickRate = snapshot.tickRate
            generation += 1
            note(snapshot)
        case .batch(let batch):
            note(batch)
            try apply(batch, record)
        }
    }

    private func apply(_ batch: BatchPayload, _ record: JournalRecord) throws(Failure) {
        let ops: [Op]
        do { ops = try Op.parseArray(batch.ops, path: "ops", maximum: .max) } catch {
            throw .badPayload(sequence: record.sequence, reason: error.description)
        }
        let model = timeline.model
        model.isReplaying = true
        defer { model.isReplaying = false }
        let outcome: BatchOutcome
        switch batch.purpose {
        case .ops:
            outcome = timeline.apply(
                ops, author: batch.author, atomic: batch.isAtomic, undoGroup: batch.undoGroup)
        case .undo, .redo:
            outcome = try step(batch.purpose == .undo ? .undo : .redo, ops, batch, record)
        case .layOut:
            timeline.layOutOthers()
            return
        case .dropUndo, .dropRedo:
            timeline.ledger.drop(
                batch.purpose == .dropUndo ? .undo : .redo, author: batch.author)
            return
        }
        if let refusal = outcome.refusals.first {
            throw .refused(sequence: record.sequence, reason: refusal.message)
        }
    }

    private func step(
        _ direction: UndoLedger.Direction, _ ops: [Op], _ batch: BatchPayload,
        _ record: JournalRecord
    ) throws(Failure) -> BatchOutcome {
        guard tracksUndo else { return timeline.applyStep(ops, author: batch.author) }
        do {
            let done = try timeline.step(direction, author: batch.author)
            guard done.ops == ops else {
                throw Failure.refused(
                    sequence: record.sequence, reason: "the step taken back is another one")
            }
            return done.outcome
        } catch let error as UndoRefusal {
            throw .refused(sequence: record.sequence, reason: error.refusal.message)
        } catch let error as Failure {
            throw error
        } catch {
            throw .refused(sequence: record.sequence, reason: "\(error)")
        }
    }

    private static func payload(of record: JournalRecord) throws(Failure) -> JournalPayload {
        do { return try JournalPayload(record) } catch {
            throw .badPayload(sequence: record.sequence, reason: error.description)
        }
    }

    private static func scene(
        of snapshot: SnapshotPayload, _ record: JournalRecord, undoMaximum: Int?
    ) throws(Failure) -> (SceneModel, UndoLedger?) {
        let model: SceneModel
        do {
            model = try SceneModel(snapshot.scene, tickRate: snapshot.tickRate)
        } catch {
            throw .refused(sequence: record.sequence, reason: error.message)
        }
        guard let undoMaximum else { return (model, nil) }
        guard let ledger = snapshot.ledger else {
            return (model, UndoLedger(stepMaximum: undoMaximum))
        }
        do {
            return (model, try UndoLedger(ledger, stepMaximum: undoMaximum))
        } catch {
            throw .badPayload(sequence: record.sequence, reason: error.description)
        }
    }

    // MARK: Clients

    private func note(_ snapshot: SnapshotPayload) {
        clients = ClientRegistry()
        for client in snapshot.clients {
            clients.know(client.name, tick: tick)
            clients[client.name]?.lastSequence = client.lastSequence
            clients[client.name]?.tokenDigest = client.tokenDigest
            clients[client.name]?.digestIsJournalled = true
            clients[client.name]?.committed = client.committed
        }
        note(snapshot.author, snapshot.clientSequence, nil)
    }

    private func note(_ batch: BatchPayload) {
        note(batch.author, batch.clientSequence, batch.tokenDigest)
    }

    private func note(_ author: String, _ sequence: UInt64, _ digest: String?) {
        guard !author.isEmpty else { return }
        clients.know(author, tick: tick)
        clients[author]?.note(committed: sequence, digest)
    }
}
