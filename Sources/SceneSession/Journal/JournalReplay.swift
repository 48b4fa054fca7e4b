import SceneModel
public import SceneProtocol

/// Brings a room back from its journal.
public struct JournalReplay {
    /// Why a journal cannot be replayed.
    public typealias Failure = JournalPlayer.Failure

    /// The scene as it was when the last record was taken in.
    public let timeline: SceneTimeline
    /// The epoch that was last in force.
    public let epoch: UInt64
    /// The tick of the last record, whose cycle has run.
    public let tick: UInt64
    /// The tick rate that the room had.
    public let tickRate: Int
    /// The last record's sequence and checksum, which the next one continues.
    public let last: (sequence: UInt64, checksum: UInt64)
    /// The records from the last snapshot on, from which the scene was rebuilt.
    let records: [JournalRecord]
    /// What could not be read or done as it was recorded, and how it went on, as sentences for people; none mostly.
    public let notes: [String]
    let clients: ClientRegistry
    /// Units of work that it took to make the scene of the last snapshot, and what followed.
    let (snapshotWork, workSinceSnapshot): (UInt64, UInt64)
    /// What members had, and what they may have missed.
    let streams: [BroadcastStream]

    /// Replays records, oldest first; what comes before the last snapshot is only checked to be whole. Where that snapshot
    /// cannot be read, the replay begins at the one before it, if that is among the records.
    ///
    /// - Parameter through: The last tick to replay; `nil` means all.
    /// - Throws: `Failure`.
    public init(_ records: [JournalRecord], through: UInt64? = nil) throws(Failure) {
        try self.init(records, through: through, options: SessionOptions(), recalls: 0)
    }

    /// Replays for a session that goes on from here.
    ///
    /// - Parameters:
    ///   - recalls: The last ticks whose changes are remembered, for members that come back.
    ///   - workLimit: Units of work that it may take; beyond it fails with `tooExpensive`.
    public init(
        _ records: [JournalRecord], options: SessionOptions, recalls: UInt64 = 600,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        try self.init(
            records, through: nil, options: options, recalls: recalls, workLimit: workLimit)
    }

    /// The same with all that can be chosen.
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

    /// A player at the last snapshot that can be read.
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

/// Keeps up what members of the two streams of the whole scene would have, while a journal is replayed.
///
/// It begins after a cycle, not with the snapshot: what members have at a tick is what that tick's cycle left, and ops
/// of the snapshot's own tick may follow it.
private struct StreamRecorder {
    private(set) var streams: [BroadcastStream] = []
    private let epoch: UInt64
    private let options: SessionOptions
    private let start: UInt64
    /// The scene that the streams have; a snapshot among the records puts another in its place.
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
            // Marks speak of one model alone.
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
