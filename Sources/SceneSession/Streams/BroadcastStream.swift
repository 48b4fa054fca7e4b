import SceneModel
import SceneWire

/// One stream of state: the baseline of its members, and the messages that bring it up to date,
/// encoded once for all of them.
///
/// A stream of the whole scene has a differ, which compares the scene with the stream's baseline; a
/// stream of subtrees receives the part of that stream's changes that concerns it.
struct BroadcastStream {
    let key: StreamKey
    /// The tick of the last hash that was sent.
    var hashTick: UInt64 = .max
    /// The tick at which its last member left; it is closed some time later.
    var emptySince: UInt64?

    /// The state of the members that are in step.
    private(set) var baseline: StreamBaseline
    private var differ: SceneDiffer
    private var encoder = FrameEncoder()
    /// The last frame; its memory is reused for the next one.
    private var body = FrameBody()
    private var nextAnimation: UInt32 = 1

    init(_ key: StreamKey, historyCostMaximum: Int) {
        self.key = key
        differ = SceneDiffer(key.animatesLocally ? .model : .presented)
        baseline = StreamBaseline(historyCostMaximum: historyCostMaximum)
    }

    /// The tick of the baseline.
    var tick: UInt64 { baseline.tick }
    /// The state hash of the baseline.
    var stateHash: UInt64 { baseline.stateHash }
    /// The baseline as a mirror; thaws it.
    var mirror: SceneMirror { mutating get { baseline.mirror } }

    /// The views of the baseline, their lines of text, and the bytes of these.
    ///
    /// - Complexity: O(views).
    var extent: (views: Int, lines: Int, textBytes: Int) {
        mutating get {
            mirror.records.reduce((0, 0, 0)) { sum, record in
                let lines = record.content.lines
                let bytes = lines.reduce(0) { $0 + $1.text.utf8.count }
                return (sum.0 + 1, sum.1 + lines.count, sum.2 + bytes)
            }
        }
    }

    // MARK: Memory

    /// The approximate memory of the baseline, its history and encoded messages, in bytes.
    var byteEstimate: Int { baseline.byteEstimate }

    /// Releases the history and the messages that can be encoded again.
    mutating func forgetHistory() { baseline.forgetHistory() }

    // MARK: Rest

    var isFrozen: Bool { baseline.isFrozen }

    /// Keeps the baseline as bytes.
    mutating func freeze() {
        assert(
            isFrozen || baseline.ring == encoder.ring, "members and the encoder remember the same")
        guard baseline.freeze() else { return }
        differ.forget()
        body = FrameBody()
        encoder.releaseTables()
    }

    /// Uses a rebuilt scene, equal to the former one, as the baseline.
    mutating func remember(_ model: SceneModel) {
        if key.isWhole { differ.remember(model) }
    }

    /// Sets the epoch of the baseline. Only before the baseline is sent to any member.
    mutating func enter(epoch: UInt64) {
        try? baseline.change { (mirror, _) throws(MirrorError) in mirror.enter(epoch: epoch) }
    }

    // MARK: Starting

    /// Restarts from a scene; the former baseline is discarded.
    mutating func start(epoch: UInt64, tick: UInt64, model: SceneModel) {
        start(epoch: epoch, tick: tick, records: differ.start(from: model))
    }

    /// Restarts from records of views.
    mutating func start(epoch: UInt64, tick: UInt64, records: [ViewRecord]) {
        var snapshot = Snapshot()
        snapshot.epoch = epoch
        snapshot.tick = tick
        snapshot.views = records
        snapshot.stateHash = SceneMirror.stateHash(of: records)
        encoder.reset()
        var mirror = SceneMirror()
        do {
            try mirror.apply(snapshot)
        } catch {
            // A scene's own records always make a mirror; otherwise the export is at fault.
            assertionFailure("a scene's records were refused: \(error)")
        }
        baseline.start(mirror)
    }

    // MARK: The present

    /// The changes of a whole scene's marks against the baseline.
    ///
    /// - Parameter other: The changes of the same marks for another stream; see
    ///   `SceneDiffer.changes`.
    mutating func changes(
        _ marks: SceneMarks, in model: SceneModel, sharing other: SceneChanges?
    ) -> SceneChanges {
        let baseline = mirror
        return differ.changes(marks, in: model, since: baseline, sharing: other)
    }

    /// Applies the changes of a tick to the baseline and returns the messages for them; none if
    /// nothing changed.
    ///
    /// - Parameter tellsNothing: Whether a tick without changes has a frame, too.
    /// - Throws: `MirrorError` if members could not apply the messages; then all must receive the
    ///   whole state.
    mutating func advance(
        _ changes: SceneChanges, tick: UInt64, durableTick: UInt64, tellsNothing: Bool = false
    ) throws(MirrorError) -> [ServerMessage] {
        // Taken from a copy that ends here, so that applying copies nothing.
        let (base, running) = { ($0.tick, $0.animations) }(mirror)
        var messages: [ServerMessage] = []
        if !changes.tree.isEmpty {
            var tree = Tree()
            tree.tick = tick
            tree.changes = changes.tree
            messages.append(.tree(tree))
        }
        if !changes.contents.isEmpty || !changes.invalidations.isEmpty {
            var content = Content()
            content.tick = tick
            content.changes = changes.contents
            content.invalidations = changes.invalidations
            messages.append(.content(content))
        }
        var frames = changes.frames
        if let anim = anim(changes, tick, running, &frames) {
            messages.append(.anim(anim))
        }
        guard tellsNothing || !messages.isEmpty || !frames.isEmpty else { return [] }
        encoder.encode(frames, into: &body)
        messages.append(
            .frame(
                FrameDiff(
                    tick: tick, baseTick: base, durableTick: min(durableTick, tick),
                    body: body)))
        try baseline.change { (mirror, history) throws(MirrorError) in
            history.append(ChangeHistory.Entry(before: changes, in: mirror))
            for message in messages { _ = try mirror.apply(message) }
        }
        return messages
    }

    /// Returns the animations that begin and end; removes the frames that they move from `frames`.
    private mutating func anim(
        _ changes: SceneChanges, _ tick: UInt64, _ running: RunningAnimations,
        _ frames: inout [FrameChange]
    ) -> Anim? {
        var anim = Anim()
        anim.tick = tick
        if changes.endsAnimations {
            anim.changes = running.ids.map { .cancel(id: $0) }
        }
        let count = changes.endsAnimations ? 0 : running.ids.count
        let groups = AnimationGroups(changes.animations, frames)
        if count + groups.starts.count <= Anim.countMaximum {
            for group in groups.starts {
                var start = AnimationStart()
                start.id = nextAnimation
                nextAnimation &+= 1
                start.delayTicks = group.delayTicks
                start.durationTicks = group.durationTicks
                start.curve = group.curve
                start.body = encoder.encodeAnimation(group.changes)
                anim.changes.append(.start(start))
            }
            frames = groups.frames
        }
        return anim.changes.isEmpty ? nil : anim
    }

    // MARK: Members that are not in step

    /// See `StreamBaseline.merged`.
    mutating func merged(since base: UInt64, durableTick: UInt64) -> [ServerMessage]? {
        baseline.merged(since: base, durableTick: durableTick)
    }

    /// The whole state for a new member, encoded once for all requests before it changes.
    mutating func statePayloads(_ format: Subprotocol) -> [[UInt8]] {
        baseline.statePayloads(format)
    }

    // MARK: Renumbering

    /// Renumbers the views; no frame leads from the old numbers to the new ones.
    ///
    /// - Parameter numbers: The old number of each view, by its new one.
    mutating func renumber(_ numbers: [UInt32]) throws(MirrorError) -> Keyframe {
        var keyframe = Keyframe()
        keyframe.tick = tick
        keyframe.numbers = numbers
        try baseline.change { (mirror, history) throws(MirrorError) in
            try mirror.apply(keyframe)
            history.clear()
        }
        differ.renumber(numbers)
        encoder.reset()
        return keyframe
    }
}
