import SceneModel
import SceneWire

/// The streams of one scene: first the whole scene with presentation frames, then the others in
/// use.
struct StreamSet {
    private var streams: [BroadcastStream] = []
    /// The members of each stream that receive every tick; `nil` after a member joined, left or
    /// lagged.
    private var recipients: [Recipients]?
    private let historyCostMaximum: Int
    private let partMaximum: Int
    private let device: UInt32

    /// Different sets of views that the members of a scene see, at most.
    private static let sightMaximum = 256

    /// What a tick came to.
    struct Advance {
        /// The messages for each stream, in the order of the streams.
        var deliveries: [Delivery] = []
        /// The number of views whose presentation frames changed.
        var movedViewCount = 0
        /// Whether views were added, removed or moved to other superviews.
        var changesTree = false
        /// Streams that began again, whose members are to have the whole state.
        var restarted: [StreamKey] = []
    }

    /// The members of a stream that receive every tick.
    struct Recipients {
        var members: [Member] = []
        var byFormat: [Subprotocol: [MemberID]] = [:]
    }

    /// The messages for the members of one stream.
    struct Delivery {
        var messages: [ServerMessage]
        var recipients: Recipients
    }

    /// - Parameters:
    ///   - streams: Streams that a replay restored; empty to start from the scene.
    ///   - options: The limits of the history for lagging members, and of sets of watched subtrees.
    ///   - device: The device of the scene.
    init(_ streams: [BroadcastStream], _ options: SessionOptions, device: UInt32 = 0) {
        self.streams = streams
        self.device = device
        historyCostMaximum = options.historyCostMaximum
        partMaximum = options.subtreeMaximum
    }

    // MARK: Looking things up

    /// Whether there is no stream yet.
    var isEmpty: Bool { streams.isEmpty }
    /// The keys of all streams.
    var keys: [StreamKey] { streams.map(\.key) }
    /// The tick of the baselines.
    var tick: UInt64 { streams[0].tick }
    /// The state hash of members in step that do not animate locally.
    var stateHash: UInt64 { streams[0].stateHash }
    /// Whether the baseline of the whole scene with presentation frames equals these records.
    mutating func isSame(as records: [ViewRecord]) -> Bool {
        streams.isEmpty ? false : streams[0].mirror.records == records
    }

    /// Whether all streams keep their baselines as bytes.
    var areFrozen: Bool { streams.allSatisfy(\.isFrozen) }

    /// The approximate memory of the streams in bytes.
    var byteEstimate: Int { streams.reduce(0) { $0 + $1.byteEstimate } }

    /// Discards the history; members that lag receive the whole state.
    mutating func forgetHistory() {
        for index in streams.indices { streams[index].forgetHistory() }
    }

    private func index(_ key: StreamKey) -> Int? { streams.firstIndex { $0.key == key } }

    /// The stream with that key.
    subscript(key: StreamKey) -> BroadcastStream? { index(key).map { streams[$0] } }

    // MARK: Opening and closing

    /// Starts all streams from the present scene.
    mutating func start(epoch: UInt64, tick: UInt64, model: SceneModel) {
        if streams.isEmpty {
            streams = [
                BroadcastStream(
                    StreamKey(device: device), historyCostMaximum: historyCostMaximum)
            ]
        }
        for index in streams.indices where streams[index].key.isWhole {
            streams[index].start(epoch: epoch, tick: tick, model: model)
        }
        for index in streams.indices where !streams[index].key.isWhole {
            startPart(index, epoch: epoch)
        }
    }

    private mutating func startPart(_ index: Int, epoch: UInt64) {
        let key = streams[index].key
        guard let whole = self.index(key.whole) else { return }
        let scene = streams[whole].mirror
        streams[index].start(
            epoch: epoch, tick: scene.tick, records: Subtrees.records(of: scene, key))
    }

    /// Opens a stream.
    ///
    /// - Parameter model: The scene; `nil` while it is frozen, when no view is animated.
    /// - Returns: False if there are too many streams.
    mutating func open(_ key: StreamKey, epoch: UInt64, model: SceneModel?) -> Bool {
        if let index = index(key) {
            streams[index].emptySince = nil
            return true
        }
        if !key.isWhole {
            // What members see is the operator's choice; which subtrees they watch, their own.
            let count = streams.count { $0.key.roots.isEmpty == key.roots.isEmpty }
            let maximum = key.roots.isEmpty ? Self.sightMaximum : partMaximum
            guard count < maximum, open(key.whole, epoch: epoch, model: model) else {
                return false
            }
        }
        var stream = BroadcastStream(key, historyCostMaximum: historyCostMaximum)
        if key.isWhole {
            // It starts at the others' baseline; pending changes come with the next tick.
            var scene = streams[0].mirror.records
            if let model {
                stream.remember(model)
                if key.animatesLocally {
                    for index in scene.indices {
                        scene[index].frame =
                            model.quantisedFrame(of: scene[index].number, .model)
                            ?? scene[index].frame
                    }
                }
            }
            stream.start(epoch: epoch, tick: streams[0].tick, records: scene)
        }
        streams.append(stream)
        recipients = nil
        if !key.isWhole { startPart(streams.count - 1, epoch: epoch) }
        return true
    }

    /// Closes streams that have had no member for `patience` ticks.
    mutating func closeUnused(by members: [Member], tick: UInt64, patience: UInt64) {
        guard streams.count > 1 else { return }
        let used = Set(members.map(\.stream)).union(
            streams.filter { !$0.key.isWhole }.map(\.key.whole))
        for index in streams.indices.dropFirst() {
            streams[index].emptySince =
                used.contains(streams[index].key) ? nil : streams[index].emptySince ?? tick
        }
        let count = streams.count
        streams.removeAll { $0.emptySince.map { tick - $0 >= patience } ?? false }
        if streams.count < count { recipients = nil }
    }

    // MARK: Rest

    /// Keeps the baselines as bytes.
    mutating func freeze() {
        for index in streams.indices { streams[index].freeze() }
        recipients = nil
    }

    /// Uses a rebuilt scene, equal to the former one, as the baseline.
    mutating func remember(_ model: SceneModel) {
        for index in streams.indices { streams[index].remember(model) }
    }

    // MARK: Each tick

    /// Advances every stream by a tick's marks.
    ///
    /// - Throws: `MirrorError` if members could not apply the messages; then all must receive the
    ///   whole state.
    mutating func advance(
        _ marks: SceneMarks, in model: SceneModel, tick: UInt64, durableTick: UInt64,
        members: [Member]
    ) throws(MirrorError) -> Advance {
        var result = Advance()
        var whole: [StreamKey: SceneChanges] = [:]
        var first: SceneChanges?
        for index in streams.indices where streams[index].key.isWhole {
            let changes = streams[index].changes(marks, in: model, sharing: first)
            first = first ?? changes
            whole[streams[index].key] = changes
            try advance(index, changes, tick, durableTick, members, &result.deliveries)
        }
        for index in streams.indices where !streams[index].key.isWhole {
            let key = streams[index].key
            guard let place = self.index(key.whole), let changes = whole[key.whole] else {
                continue
            }
            let scene = streams[place].mirror
            guard let part = streams[index].part(of: changes, whole: scene) else {
                startPart(index, epoch: scene.epoch)
                result.restarted.append(key)
                continue
            }
            try advance(index, part, tick, durableTick, members, &result.deliveries)
        }
        result.movedViewCount = first?.frames.count ?? 0
        result.changesTree = first?.tree.isEmpty == false
        return result
    }

    /// Brings a stream to a tick with a frame without changes.
    mutating func advance(
        _ key: StreamKey, to tick: UInt64, durableTick: UInt64, members: [Member]
    ) throws(MirrorError) -> Delivery? {
        guard let index = index(key) else { return nil }
        var deliveries: [Delivery] = []
        try advance(
            index, SceneChanges(), tick, durableTick, members, &deliveries, tellsNothing: true)
        return deliveries.first
    }

    private mutating func advance(
        _ index: Int, _ changes: SceneChanges, _ tick: UInt64, _ durableTick: UInt64,
        _ members: [Member], _ deliveries: inout [Delivery], tellsNothing: Bool = false
    ) throws(MirrorError) {
        let messages = try streams[index].advance(
            changes, tick: tick, durableTick: durableTick, tellsNothing: tellsNothing)
        guard !messages.isEmpty else { return }
        let lists = recipients ?? makeRecipients(members)
        recipients = lists
        deliveries.append(Delivery(messages: messages, recipients: lists[index]))
    }

    /// Registers that a member joined, left, lagged or caught up.
    mutating func membersDidChange() { recipients = nil }

    /// Editors come first, since their users wait for one another's changes; of a thousand members,
    /// the last receives a frame milliseconds after the first.
    private func makeRecipients(_ order: [Member]) -> [Recipients] {
        var lists = streams.map { _ in Recipients() }
        for isViewer in [false, true] {
            for member in order where (member.admission.role == .viewer) == isViewer {
                guard member.getsEveryTick, let index = index(member.stream) else { continue }
                lists[index].members.append(member)
                lists[index].byFormat[member.admission.format, default: []].append(member.id)
            }
        }
        return lists
    }

    // MARK: Members that lag

    /// See `BroadcastStream.merged`.
    mutating func merged(
        _ key: StreamKey, since base: UInt64, durableTick: UInt64
    ) -> [ServerMessage]? {
        guard let index = index(key) else { return nil }
        return streams[index].merged(since: base, durableTick: durableTick)
    }

    /// The whole state for a new member of a stream.
    mutating func statePayloads(_ key: StreamKey, _ format: Subprotocol) -> [[UInt8]] {
        guard let index = index(key) else { return [] }
        return streams[index].statePayloads(format)
    }

    // MARK: Once a second

    /// Returns the streams whose present hash was not sent yet, and marks it as sent.
    mutating func takeUntoldHashes() -> [(key: StreamKey, tick: UInt64, message: ServerMessage)] {
        var told: [(key: StreamKey, tick: UInt64, message: ServerMessage)] = []
        for index in streams.indices where streams[index].hashTick != streams[index].tick {
            streams[index].hashTick = streams[index].tick
            told.append(
                (streams[index].key, streams[index].tick, streams[index].baseline.hashMessage))
        }
        return told
    }

    // MARK: Renumbering

    /// Renumbers the views in one stream of the whole scene.
    mutating func renumber(
        _ key: StreamKey, _ numbers: [UInt32]
    ) throws(MirrorError) -> Keyframe? {
        guard let index = index(key) else { return nil }
        return try streams[index].renumber(numbers)
    }

    /// Restarts a stream of subtrees from the whole stream that it is a part of.
    mutating func restartPart(_ key: StreamKey, epoch: UInt64) {
        if let index = index(key) { startPart(index, epoch: epoch) }
    }
}
