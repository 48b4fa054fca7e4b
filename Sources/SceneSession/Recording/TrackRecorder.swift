import SceneDocument
import SceneModel
import SceneWire

/// Records the scene on one device: the messages that lead from tick to tick.
struct TrackRecorder {
    private(set) var track: SceneRecording.Track
    private var stream: BroadcastStream
    /// The scene that the messages have led to.
    private var recorded: SceneModel?
    private var metrics: SceneRecording.Metrics?
    private var hashTick: UInt64 = 0

    init(device: String, animatesLocally: Bool) {
        track = SceneRecording.Track(device: device, moments: [])
        stream = BroadcastStream(
            StreamKey(animatesLocally: animatesLocally), historyCostMaximum: 0)
    }

    /// Records a tick, if anything has changed since the one before.
    ///
    /// - Parameters:
    ///   - isNew: Whether the scene is another one, under the same numbers or not.
    ///   - hashTicks: Ticks between two state hashes.
    /// - Throws: `SceneRecording.Failure.diverged`.
    mutating func note(
        _ model: SceneModel, epoch: UInt64, tick: UInt64, isNew: Bool, hashTicks: UInt64
    ) throws(SceneRecording.Failure) {
        let marks = model.takeMarks()
        let shown = SceneRecording.Metrics(
            unitsPerPoint: model.unitsPerPoint, cell: model.shownViewport.cell,
            scale: model.shownViewport.scale)
        var messages: [[UInt8]]?
        if shown == metrics, !isNew {
            if recorded === model, !marks.isComplete {
                let changes = stream.changes(marks, in: model, sharing: nil)
                guard !changes.isEmpty else { return }
                let told = try? stream.advance(changes, tick: tick, durableTick: tick)
                guard told?.isEmpty != true else { return }
                messages = told?.map { $0.encoded(as: .binary) }
            } else if model.isIdle, stream.mirror.records == model.records() {
                // A snapshot repeats the scene.
                stream.remember(model)
                recorded = model
                return
            }
        }
        let isWhole = messages == nil
        if isWhole { stream.start(epoch: epoch, tick: tick, model: model) }
        recorded = model
        var moment = SceneRecording.Moment(
            tick: tick, isWhole: isWhole, metrics: shown == metrics ? nil : shown,
            messages: messages ?? stream.statePayloads(.binary))
        metrics = shown
        if isWhole || tick >= hashTick + hashTicks {
            guard !model.isIdle || stream.stateHash == model.stateHash else {
                throw .diverged(tick: tick)
            }
            moment.stateHash = stream.stateHash
            hashTick = tick
        }
        track.moments.append(moment)
    }

    /// Adds a hash to the last moment.
    mutating func end() {
        guard !track.moments.isEmpty else { return }
        track.moments[track.moments.count - 1].stateHash = stream.stateHash
    }
}
