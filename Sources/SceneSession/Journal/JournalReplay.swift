import SceneModel
public import SceneProtocol

/// Opens a room from its journal.
public struct JournalReplay {
    /// The reason why a journal cannot be replayed.
    public typealias Failure = JournalPlayer.Failure

    /// The scene after the last record.
    public let timeline: SceneTimeline
    /// The last epoch.
    public let epoch: UInt64
    /// The tick of the last record, whose cycle has run.
    public let tick: UInt64
    /// The room's tick rate.
    public let tickRate: Int
    /// The last record's sequence and checksum, which the next record continues.
    public let last: (sequence: UInt64, checksum: UInt64)
    /// The records from the last snapshot on, from which the scene was rebuilt.
    let records: [JournalRecord]
    /// A sentence for each part that could not be read or replayed as recorded, and how the replay continued; usually
    /// none.
    public let notes: [String]
    let clients: ClientRegistry
    /// Units of work to build the scene of the last snapshot, and to replay the rest.
    let (snapshotWork, workSinceSnapshot): (UInt64, UInt64)
    /// The members' baselines, and the history for members that resume.
    let streams: [BroadcastStream]

    /// Replays records, oldest first; records before the last snapshot are only checked for integrity. If that snapshot
    /// is unreadable, the replay starts at the one before it, if the records include it.
    ///
    /// - Parameter through: The last tick to replay; `nil` means all.
    /// - Throws: `Failure`.
    public init(_ records: [JournalRecord], through: UInt64? = nil) throws(Failure) {
        try self.init(records, through: through, options: SessionOptions(), recalls: 0)
    }

    /// Replays for a session that continues from here.
    ///
    /// - Parameters:
    ///   - recalls: The number of last ticks whose changes are kept, for members that resume.
    ///   - workLimit: Units of work for the replay; beyond them it fails with `tooExpensive`.
    /// - Throws: `Failure` for records that do not follow one another or cannot be read, and for a replay that is too dear.
    public init(
        _ records: [JournalRecord], options: SessionOptions, recalls: UInt64 = 600,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        try self.init(
            records, through: nil, options: options, recalls: recalls, workLimit: workLimit)
    }

    /// The same with all options.
    init(
        _ records: [JournalRecord], through: UInt64?, options: SessionOptions, recalls: UInt64,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        let wanted = records.filter { $0.tick <= through ?? .max }
        for index in wanted.indices.dropFirst() {
            guard wanted[index].sequence == wanted[index - 1].sequence + 1,
                wanted[index].previous == wanted[index - 1].checksum
            else { throw .brokenChain(sequence: wanted[index].sequence) }
        }
        let player = try Self.player(
            wanted, undoMaximum: options.undoMaximum, workLimit: workLimit)
        let last = wanted[wanted.count - 1]
        let target = through ?? last.tick
        var recorder = StreamRecorder(
            epoch: last.epoch + 1,
            from: recalls == 0 ? .max : (target > recalls ? target - recalls : 0), options)
        var budget = Int.max
        try player.advance(to: target, budget: &budget) { tick, model in
            recorder.note(model, tick)
        }
        timeline = player.timeline
        timeline.model.workLimit = .max
        epoch = last.epoch
        tick = max(player.tick, last.tick)
        tickRate = player.tickRate
        self.last = (last.sequence, last.checksum)
        self.records = player.records
        notes = player.notes
        clients = player.clients
        (snapshotWork, workSinceSnapshot) = (player.snapshotWork, player.workSinceSnapshot)
        streams = recorder.streams
    }

    /// Returns a player at the last readable snapshot.
    private static func player(
        _ records: [JournalRecord], undoMaximum: Int, workLimit: UInt64
    ) throws(Failure) -> JournalPlayer {
        var first = Failure.noSnapshot
        for start in records.indices.reversed() where records[start].kind == .snapshot {
            do throws(Failure) {
                return try JournalPlayer(
                    Array(records[start...]), tracksUndo: true, undoMaximum: undoMaximum,
                    workLimit: workLimit)
            } catch {
                guard error != .tooExpensive else { throw error }
                if first == .noSnapshot { first = error }
            }
        }
        throw first
    }
}

/// Maintains the two streams of the whole scene during a replay, as their members would have received them.
///
/// It starts after a cycle, not at the snapshot: the baseline of a tick is the result of that tick's cycle, and ops of
/// the snapshot's own tick may follow the snapshot.
private struct StreamRecorder {
    private(set) var streams: [BroadcastStream] = []
    private let epoch: UInt64
    private let options: SessionOptions
    private let start: UInt64
    /// The scene that the streams show; a snapshot among the records replaces it.
    private var recorded: SceneModel?

    init(epoch: UInt64, from start: UInt64, _ options: SessionOptions) {
        self.epoch = epoch
        self.options = options
        self.start = start
    }

    mutating func note(_ model: SceneModel, _ tick: UInt64) {
        let marks = model.takeMarks()
        guard let recorded else {
            if start != .max, tick >= start { begin(model, tick) }
            return
        }
        var first: SceneChanges?
        for index in streams.indices {
            // Marks refer to one model only.
            guard recorded === model, !marks.isComplete else {
                streams[index].start(epoch: epoch, tick: tick, model: model)
                continue
            }
            let changes = streams[index].changes(marks, in: model, sharing: first)
            first = first ?? changes
            do {
                _ = try streams[index].advance(changes, tick: tick, durableTick: tick)
            } catch {
                streams[index].start(epoch: epoch, tick: tick, model: model)
            }
        }
        self.recorded = model
    }

    private mutating func begin(_ model: SceneModel, _ tick: UInt64) {
        recorded = model
        for animatesLocally in [false, true] {
            var stream = BroadcastStream(
                StreamKey(animatesLocally: animatesLocally),
                historyCostMaximum: options.historyCostMaximum)
            stream.start(epoch: epoch, tick: tick, model: model)
            streams.append(stream)
        }
    }
}
