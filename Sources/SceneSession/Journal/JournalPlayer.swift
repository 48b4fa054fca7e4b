import SceneDocument
public import SceneModel
public import SceneWire

/// Replays a room's journal, record by record and tick by tick, as the live session ran.
public final class JournalPlayer {
    /// The reason why a journal cannot be replayed.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// There are no records, or the first is not a snapshot.
        case noSnapshot
        /// A record does not follow the one before it.
        case brokenChain(sequence: UInt64)
        /// A record's payload cannot be read.
        case badPayload(sequence: UInt64, reason: String)
        /// A recorded scene or op was refused, so another version of the engine wrote it.
        case refused(sequence: UInt64, reason: String)
        /// The replay exceeded its limit of work.
        case tooExpensive

        /// The text for people.
        public var description: String {
            switch self {
            case .noSnapshot: "the journal has no snapshot to begin with"
            case .brokenChain(let sequence):
                "record \(sequence) does not follow the one before it"
            case .badPayload(let sequence, let reason):
                "record \(sequence) cannot be read: \(reason)"
            case .refused(let sequence, let reason):
                "record \(sequence) is refused: \(reason)"
            case .tooExpensive: "its replay takes more work than is allowed"
            }
        }
    }

    /// The scene at `tick`.
    public let timeline: SceneTimeline
    /// The last tick whose cycle has run.
    public private(set) var tick: UInt64
    /// The tick rate that the room last had.
    public private(set) var tickRate: Int
    /// Increases each time the scene is loaded from a snapshot of the journal.
    public private(set) var generation = 0
    /// The number of replayed records.
    public private(set) var position = 0
    /// A sentence for each part that could not be read or replayed as recorded, and how the replay
    /// continued. Earlier versions wrote scenes that cannot be read entirely.
    public private(set) var notes: [String] = []
    /// What may look different from how the journal's scene was last shown, since it was laid out
    /// by earlier rules; nil if nothing does.
    public private(set) var layoutNote: String?
    /// Every client in the replayed records, in order of first appearance.
    private(set) var clients = ClientRegistry()
    /// The records, the first of them a snapshot.
    public private(set) var records: [JournalRecord]

    private let tracksUndo: Bool
    private let undoMaximum: Int
    private let workLimit: UInt64
    /// The tick whose cycle runs next.
    private var clock: UInt64

    /// Starts at the first record, whose cycle has not run.
    ///
    /// - Parameters:
    ///   - records: Oldest first, starting with a snapshot.
    ///   - tracksUndo: Whether to keep the undo ledger, as a session needs it.
    /// - Throws: `Failure`.
    public convenience init(_ records: [JournalRecord], tracksUndo: Bool) throws(Failure) {
        try self.init(records, tracksUndo: tracksUndo, undoMaximum: SessionOptions().undoMaximum)
    }

    /// - Parameters:
    ///   - workLimit: Units of work for building the scene from a snapshot and replaying the rest.
    ///   - snapshot: The first record, where it is parsed already.
    init(
        _ records: [JournalRecord], tracksUndo: Bool, undoMaximum: Int,
        workLimit: UInt64 = .max, from snapshot: ParsedSnapshot? = nil
    ) throws(Failure) {
        guard let first = records.first, first.kind == .snapshot else { throw .noSnapshot }
        self.records = records
        self.tracksUndo = tracksUndo
        self.undoMaximum = undoMaximum
        self.workLimit = workLimit
        clock = first.tick
        tick = first.tick
        let start: ParsedSnapshot
        if let snapshot {
            start = snapshot
        } else {
            start = try ParsedSnapshot(first, undoMaximum: tracksUndo ? undoMaximum : nil)
        }
        let model = try Self.scene(of: start, workLimit: workLimit)
        tickRate = start.payload.tickRate
        timeline = SceneTimeline(model, ledger: start.ledger)
        timeline.annotations = start.payload.annotations
        notes = start.notes
        position = 1
        snapshotWork = model.work
        noteRules(of: start.payload)
        note(start.payload)
    }

    private func noteRules(of snapshot: SnapshotPayload) {
        timeline.model.repeatsEarlierRules = snapshot.layoutRules < LayoutRules.current
        let changes = LayoutRules.changes(
            since: snapshot.layoutRules, in: snapshot.scene.document)
        layoutNote =
            changes.isEmpty
            ? nil
            : "the scene was last laid out by the rules of an earlier release and may look different: "
                + changes.joined(separator: "; ")
    }

    /// Units of work to parse the last loaded snapshot and build its scene.
    private(set) var snapshotWork: UInt64 = 0
    /// Units of work of scenes that snapshots have replaced.
    private var retiredWork: UInt64 = 0
    /// Units of work since the player was made.
    var work: UInt64 { retiredWork &+ timeline.model.work }
    /// Units of work since that snapshot.
    var workSinceSnapshot: UInt64 { timeline.model.work &- snapshotWork }

    /// Whether all records were replayed.
    public var isAtEnd: Bool { position == records.count }

    /// Appends records that were written since.
    public func append(_ more: [JournalRecord]) { records += more }

    /// Replays until the cycle of a tick has run, or the budget is spent.
    ///
    /// - Parameters:
    ///   - budget: The number of records and cycles that may be replayed; reduced by those that
    ///     were.
    ///   - allowance: Units of work after which no further record or cycle is started.
    ///   - observed: The first tick whose cycle must be observed by itself. Before it, cycles that
    ///     only move animations on are done at once.
    ///   - observe: Called after each cycle.
    /// - Returns: Whether the tick was reached.
    /// - Throws: `Failure`.
    @discardableResult
    public func advance(
        to target: UInt64, budget: inout Int, allowance: UInt64 = .max,
        observing observed: UInt64 = .max,
        observe: (UInt64, SceneModel) -> Void = { _, _ in }
    ) throws(Failure) -> Bool {
        let before = work
        while clock <= target {
            while position < records.count, records[position].tick <= clock {
                guard budget > 0, work &- before < allowance else { return false }
                budget -= 1
                try take(records[position])
                position += 1
            }
            guard budget > 0, work &- before < allowance else { return false }
            budget -= 1
            timeline.runCycle()
            guard !timeline.model.isExhausted else { throw .tooExpensive }
            observe(clock, timeline.model)
            tick = clock
            clock += 1
            let next = min(position < records.count ? records[position].tick : .max, target + 1)
            if timeline.model.isIdle {
                // Nothing happens in the ticks before the next record.
                clock = max(clock, next)
            } else if timeline.model.onlyAnimates {
                // The cycle of the last one runs, so that it is observed.
                let last = min(next, observed)
                if last > clock + 1 {
                    timeline.skipCycles(Int(clamping: last - clock - 1))
                    clock = last - 1
                }
            }
        }
        tick = max(tick, clock - 1)
        return true
    }

    /// Replays the remaining records without running the cycles of their ticks.
    func takeRest() throws(Failure) {
        while position < records.count {
            try take(records[position])
            position += 1
        }
    }

    // MARK: One record

    private func take(_ record: JournalRecord) throws(Failure) {
        guard record.follows(records[position - 1]) else {
            throw .brokenChain(sequence: record.sequence)
        }
        guard record.kind == .batch else {
            try takeSnapshot(record)
            return
        }
        let batch: BatchPayload
        do throws(DocumentError) {
            let value = try JournalPayload.value(record.payload)
            timeline.model.countIn(JournalPayload.readingWork(of: value))
            batch = try BatchPayload(value)
        } catch {
            throw .badPayload(sequence: record.sequence, reason: error.description)
        }
        note(batch)
        try apply(batch, record)
    }

    private func takeSnapshot(_ record: JournalRecord) throws(Failure) {
        let start: ParsedSnapshot
        let model: SceneModel
        do throws(Failure) {
            start = try ParsedSnapshot(record, undoMaximum: tracksUndo ? undoMaximum : nil)
            model = try Self.scene(of: start, workLimit: workLimit)
        } catch {
            guard error != .tooExpensive else { throw error }
            // A snapshot repeats the live scene, unless it replaced the scene; then the following
            // ops would not fit the old one.
            notes.append("\(error.description); the replay continues with the scene before it")
            let before = timeline.model.work
            _ = timeline.model.rebuildCanonically()
            snapshotWork = before
            timeline.didRebuild()
            generation += 1
            return
        }
        notes += start.notes
        retiredWork &+= timeline.model.work
        timeline.replaceModel(model)
        snapshotWork = model.work
        if let ledger = start.ledger { timeline.ledger = ledger }
        timeline.annotations = start.payload.annotations
        tickRate = start.payload.tickRate
        generation += 1
        noteRules(of: start.payload)
        note(start.payload)
    }

    private func apply(_ batch: BatchPayload, _ record: JournalRecord) throws(Failure) {
        do throws(SceneTimeline.ReplayError) {
            guard try !timeline.replay(batch) else { return }
            notes.append(
                "record \(record.sequence): a step is undone as recorded, although the ledger has another"
            )
        } catch {
            guard !timeline.model.isExhausted else { throw .tooExpensive }
            switch error {
            case .badOps(let reason):
                throw .badPayload(sequence: record.sequence, reason: reason)
            case .refused(let reason):
                throw .refused(sequence: record.sequence, reason: reason)
            }
        }
    }

    /// Takes a record although records before it are missing, as far as it fits the scene.
    ///
    /// - Returns: The reason why all or part of it was left out; `nil` if nothing was.
    func takeOrphan(_ record: JournalRecord) -> String? {
        do throws(Failure) {
            guard record.kind == .batch else {
                try takeSnapshot(record)
                return nil
            }
            let batch: BatchPayload
            do throws(DocumentError) {
                batch = try BatchPayload(try JournalPayload.value(record.payload))
            } catch {
                throw .badPayload(sequence: record.sequence, reason: error.description)
            }
            note(batch)
            try apply(batch, record)
            return nil
        } catch {
            return error.description
        }
    }

    /// Rebuilds the scene as a snapshot did whose record is lost: it repeated the live scene.
    func repeatSnapshot() {
        _ = timeline.model.rebuildCanonically()
        timeline.didRebuild()
    }

    /// The scene of a snapshot. Parsing is counted in also where it was done before, so that the
    /// same records take the same work.
    private static func scene(
        of snapshot: ParsedSnapshot, workLimit: UInt64
    ) throws(Failure) -> SceneModel {
        let payload = snapshot.payload
        do {
            let model = try SceneModel(
                payload.scene, tickRate: payload.tickRate, workLimit: workLimit)
            model.countIn(snapshot.readingWork)
            return model
        } catch  where error.code == .tooExpensive {
            throw .tooExpensive
        } catch {
            throw .refused(sequence: snapshot.record.sequence, reason: error.message)
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
            clients[client.name]?.kept = client.kept
            for sequence in client.committed { clients[client.name]?.kept.insert(sequence) }
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
