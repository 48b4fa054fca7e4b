import SceneModel

/// Maintains the two streams of the whole scene during a replay, as their members would have
/// received them.
///
/// It starts after a cycle, not at the snapshot: the baseline of a tick is the result of that
/// tick's cycle, and ops of the snapshot's own tick may follow the snapshot.
struct StreamRecorder {
    private(set) var streams: [BroadcastStream] = []
    private var epoch: UInt64
    private let options: SessionOptions
    /// The first tick to be recorded.
    let start: UInt64
    /// The scene that the streams show; a snapshot among the records replaces it.
    private var recorded: SceneModel?

    init(epoch: UInt64, from start: UInt64, _ options: SessionOptions) {
        self.epoch = epoch
        self.options = options
        self.start = start
    }

    /// Goes on in a later epoch.
    mutating func enter(epoch: UInt64) {
        guard epoch != self.epoch else { return }
        self.epoch = epoch
        for index in streams.indices { streams[index].enter(epoch: epoch) }
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
