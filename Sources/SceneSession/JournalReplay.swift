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
    let clients: ClientRegistry
    /// What those who watched have, and what they may have missed.
    let lanes: [Lane]

    /// Replays records, oldest first; what comes before the last snapshot is only checked to be whole.
    ///
    /// - Parameter through: The last tick to replay; `nil` means all.
    /// - Throws: `Failure`.
    public init(_ records: [JournalRecord], through: UInt64? = nil) throws(Failure) {
        try self.init(records, through: through, options: SessionOptions(), recalls: 0)
    }

    /// Replays for a session that goes on from here.
    ///
    /// - Parameter recalls: The last ticks of which is remembered what they changed, for those who come back.
    public init(
        _ records: [JournalRecord], options: SessionOptions, recalls: UInt64 = 600
    ) throws(Failure) {
        try self.init(records, through: nil, options: options, recalls: recalls)
    }

    private init(
        _ records: [JournalRecord], through: UInt64?, options: SessionOptions, recalls: UInt64
    ) throws(Failure) {
        let wanted = records.filter { $0.tick <= through ?? .max }
        guard let start = wanted.lastIndex(where: { $0.kind == .snapshot }) else {
            throw .noSnapshot
        }
        for index in wanted.indices.dropFirst() {
            guard wanted[index].sequence == wanted[index - 1].sequence + 1,
                wanted[index].previous == wanted[index - 1].checksum
            else { throw .brokenChain(sequence: wanted[index].sequence) }
        }
        let player = try JournalPlayer(
            Array(wanted[start...]), tracksUndo: true, undoMaximum: options.undoMaximum)
        let last = wanted[wanted.count - 1]
        let target = through ?? last.tick
        var recorder = LaneRecorder(
            epoch: last.epoch + 1,
            from: recalls == 0 ? .max : (target > recalls ? target - recalls : 0), options)
        var budget = Int.max
        try player.advance(to: target, budget: &budget) { tick, model in
            recorder.note(model, tick)
        }
        timeline = player.timeline
        epoch = last.epoch
        tick = max(player.tick, last.tick)
        tickRate = player.tickRate
        self.last = (last.sequence, last.checksum)
        self.records = Array(wanted[start...])
        clients = player.clients
        lanes = recorder.lanes
    }
}

/// Keeps up what members of the two whole lanes would have, while a journal is replayed.
///
/// It begins after a cycle, not with the snapshot: what members have at a tick is what that tick's cycle left, and ops
/// of the snapshot's own tick may follow it.
private struct LaneRecorder {
    private(set) var lanes: [Lane] = []
    private let epoch: UInt64
    private let options: SessionOptions
    private let start: UInt64
    private var isRecording = false

    init(epoch: UInt64, from start: UInt64, _ options: SessionOptions) {
        self.epoch = epoch
        self.options = options
        self.start = start
    }

    private mutating func begin(_ model: SceneModel, _ tick: UInt64) {
        isRecording = true
        model.tellsSettledFrames = true
        model.discardChanges()
        model.rememberAllAsSent()
        for isSettled in [false, true] {
            var lane = Lane(
                key: LaneKey(isSettled: isSettled),
                historyCostMaximum: options.historyCostMaximum)
            lane.start(epoch: epoch, tick: tick, model: model)
            lanes.append(lane)
        }
    }

    mutating func note(_ model: SceneModel, _ tick: UInt64) {
        guard isRecording else {
            model.discardChanges()
            if start != .max, tick >= start { begin(model, tick) }
            return
        }
        let changes = model.takeChanges()
        for index in lanes.indices {
            guard !changes.isComplete else {
                lanes[index].start(epoch: epoch, tick: tick, model: model)
                continue
            }
            do {
                _ = try lanes[index].advance(
                    Lane.Changes(changes, isSettled: lanes[index].key.isSettled, model),
                    tick: tick, durableTick: tick)
            } catch {
                lanes[index].start(epoch: epoch, tick: tick, model: model)
            }
        }
    }
}
