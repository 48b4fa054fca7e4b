import SceneModel
import SceneProtocol

/// What decides which messages a member gets.
struct LaneKey: Equatable {
    /// Whether it animates by itself, so that it is told where things end, and `anim`.
    var isSettled = false
    /// The subtrees that it watches, sorted; none for the whole scene.
    var roots: [String] = []
}

/// One stream of state: what its members have, and how they are told what changes. Encoded once for all of them.
struct Lane {
    let key: LaneKey
    /// What the members that are in step have; nothing while it is frozen.
    private var mirror = SceneMirror()
    private var frozen: FrozenMirror?
    private var encoder = FrameEncoder()
    /// The last frame; its memory serves the next one.
    private var body = FrameBody()
    private var history: ChangeHistory
    private var nextAnimation: UInt32 = 1
    /// The last hash that members were told.
    var hashTick: UInt64 = .max
    /// When its last member left, so that it can go.
    var emptySince: UInt64?
    private var mergedCache: [(base: UInt64, durable: UInt64, messages: [ServerMessage])] = []
    private var payloadCache: [Subprotocol: [[UInt8]]] = [:]

    init(key: LaneKey, historyCostMaximum: Int) {
        self.key = key
        history = ChangeHistory(costMaximum: historyCostMaximum)
    }

    var tick: UInt64 { frozen?.tick ?? mirror.tick }
    var stateHash: UInt64 { frozen?.stateHash ?? mirror.stateHash }

    /// What the members that are in step have.
    var baseline: SceneMirror {
        mutating get {
            thaw()
            return mirror
        }
    }

    // MARK: Rest

    var isFrozen: Bool { frozen != nil }

    /// Keeps what members have as the bytes in which they would be sent it, which is what most ask for.
    mutating func freeze() {
        guard frozen == nil, let bytes = FrozenMirror(mirror) else { return }
        assert(mirror.ring == encoder.ring, "members and the encoder remember the same")
        frozen = bytes
        mirror = SceneMirror()
        dropCaches()
        body = FrameBody()
        encoder.releaseTables()
    }

    private mutating func thaw() {
        guard let bytes = frozen else { return }
        frozen = nil
        guard let thawed = bytes.thawed() else {
            // Bytes of our own making; the empty mirror refuses the next tick's changes, and everybody begins anew.
            assertionFailure("a frozen mirror was refused")
            return
        }
        mirror = thawed
    }

    /// Begins anew from a scene; what members had is of no use any more.
    mutating func start(epoch: UInt64, tick: UInt64, records: [ViewRecord]) {
        var snapshot = Snapshot()
        snapshot.epoch = epoch
        snapshot.tick = tick
        snapshot.views = records
        snapshot.stateHash = SceneMirror.stateHash(of: records)
        encoder.reset()
        history.clear()
        dropCaches()
        frozen = nil
        do {
            try mirror.apply(snapshot)
        } catch {
            // The scene's own records always make a mirror; if not, the export is at fault.
            assertionFailure("a scene's records were refused: \(error)")
        }
    }

    private mutating func dropCaches() {
        mergedCache.removeAll()
        payloadCache.removeAll()
    }

    // MARK: The present

    /// Changes of one tick, as far as they concern this lane.
    struct Changes {
        var tree: [TreeChange] = []
        var contents: [ContentChange] = []
        var invalidations: [Invalidation] = []
        var frames: [FrameChange] = []
        var animations: [SceneAnimation] = []
        var endsAnimations = false
    }

    /// Takes the changes of a tick in and returns the messages that tell them; none if there is nothing to tell.
    ///
    /// - Throws: `MirrorError` when members could not apply what would be said; all have to begin anew then.
    mutating func advance(
        _ changes: Changes, tick: UInt64, durableTick: UInt64
    ) throws(MirrorError) -> [ServerMessage] {
        thaw()
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
        if let anim = anim(changes, tick, &frames) { messages.append(.anim(anim)) }
        guard !messages.isEmpty || !frames.isEmpty else { return [] }
        encoder.encode(frames, into: &body)
        messages.append(
            .frame(
                Frame(
                    tick: tick, baseTick: mirror.tick, durableTick: min(durableTick, tick),
                    body: body)))
        history.append(past(of: changes))
        dropCaches()
        for message in messages { _ = try mirror.apply(message) }
        return messages
    }

    /// Animations that begin and end; takes what they move out of `frames`.
    private mutating func anim(
        _ changes: Changes, _ tick: UInt64, _ frames: inout [FrameChange]
    ) -> Anim? {
        var anim = Anim()
        anim.tick = tick
        if changes.endsAnimations {
            anim.changes = mirror.animations.ids.map { .cancel(id: $0) }
        }
        let running = changes.endsAnimations ? 0 : mirror.animations.ids.count
        let groups = AnimationGroups(changes.animations, frames)
        if running + groups.starts.count <= RunningAnimations.countMaximum {
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

    /// How the mirror was before changes that are about to be applied to it.
    private func past(of changes: Changes) -> ChangeHistory.Entry {
        var entry = ChangeHistory.Entry(base: mirror.tick)
        entry.frames = changes.frames
        for change in changes.contents {
            if let view = mirror.view(change.number) {
                entry.contents.append((change.number.rawValue, view.content))
            }
        }
        var noted: Set<UInt32> = []
        func note(_ number: ViewNumber) {
            guard noted.insert(number.rawValue).inserted, mirror.contains(number) else { return }
            entry.lists.append(
                (number.rawValue, mirror.subviews(of: number).map(\.rawValue)))
        }
        /// Everything below goes too, unless it was moved out before.
        func noteRemoval(_ number: ViewNumber, _ moved: Set<UInt32>) {
            note(number)
            entry.removed.append(number.rawValue)
            for child in mirror.subviews(of: number) where !moved.contains(child.rawValue) {
                noteRemoval(child, moved)
            }
        }
        var moved: Set<UInt32> = []
        for change in changes.tree {
            switch change {
            case .add(let record, _):
                entry.added.append(record.number.rawValue)
                if let parent = record.parent { note(parent) }
            case .move(let number, let parent, _):
                moved.insert(number.rawValue)
                if let old = mirror.view(number)?.parent { note(old) }
                note(parent)
            case .remove(let number):
                if let parent = mirror.view(number)?.parent { note(parent) }
                noteRemoval(number, moved)
            }
        }
        return entry
    }

    // MARK: Those who were away

    /// The messages that bring somebody from the tick it has to the present; `nil` if that tick is too long ago.
    ///
    /// - Complexity: O(changes since then), once for all who were away since the same tick.
    mutating func merged(since base: UInt64, durableTick: UInt64) -> [ServerMessage]? {
        if let known = mergedCache.first(where: { $0.base == base && $0.durable == durableTick }) {
            return known.messages
        }
        guard let messages = makeMerged(base, durableTick) else { return nil }
        mergedCache.append((base, durableTick, messages))
        return messages
    }

    private mutating func makeMerged(_ base: UInt64, _ durableTick: UInt64) -> [ServerMessage]? {
        var messages: [ServerMessage] = []
        var frame = Frame(
            tick: tick, baseTick: base, durableTick: min(durableTick, tick))
        guard base != tick else {
            messages.append(.frame(frame))
            return messages
        }
        guard let past = history.past(since: base) else { return nil }
        thaw()
        let tree = treeChanges(past)
        if !tree.isEmpty {
            var message = Tree()
            message.tick = mirror.tick
            message.changes = tree
            messages.append(.tree(message))
        }
        let contents = contentChanges(past)
        if !contents.isEmpty {
            var message = Content()
            message.tick = mirror.tick
            message.changes = contents
            messages.append(.content(message))
        }
        frame.body = encoder.encodeMerged(frameChanges(past))
        messages.append(.frame(frame))
        return messages
    }

    private func treeChanges(_ past: ChangeHistory.Past) -> [TreeChange] {
        guard !past.lists.isEmpty || !past.added.isEmpty || !past.removed.isEmpty,
            let root = mirror.root?.rawValue
        else { return [] }
        var diff = TreeDiff(lists: past.lists, added: past.added, removed: past.removed)
        return diff.changes(
            root: root, order: mirror.preorder().map(\.rawValue),
            children: { mirror.subviews(of: ViewNumber($0)).map(\.rawValue) },
            record: { mirror.view(ViewNumber($0)) })
    }

    private func contentChanges(_ past: ChangeHistory.Past) -> [ContentChange] {
        past.contents.compactMap { number, content in
            guard !past.added.contains(number), let view = mirror.view(ViewNumber(number)),
                view.content != content
            else { return nil }
            var change = ContentChange()
            change.number = view.number
            change.content = view.content
            return change
        }
    }

    private func frameChanges(_ past: ChangeHistory.Past) -> [FrameChange] {
        past.frames.compactMap { number, frame in
            guard !past.added.contains(number), let view = mirror.view(ViewNumber(number)),
                view.frame != frame
            else { return nil }
            return FrameChange(number: view.number, old: frame, new: view.frame)
        }
    }

    /// All that a member needs who knows nothing, encoded once for all who ask before it changes.
    mutating func statePayloads(_ format: Subprotocol) -> [[UInt8]] {
        if let payloads = payloadCache[format] { return payloads }
        if format == .binary, let frozen { return frozen.payloads }
        thaw()
        let messages = mirror.snapshots().map { .snapshot($0) } + selects
        let payloads = messages.map { $0.encoded(as: format) }
        payloadCache[format] = payloads
        return payloads
    }

    /// What its members remember, for one that comes back to them.
    var selects: [ServerMessage] { Select.all(of: encoder.ring).map { .select($0) } }

    /// Gives the views new numbers; nobody can be told what was before.
    mutating func renumber(_ numbers: [UInt32]) throws(MirrorError) -> Keyframe {
        thaw()
        var keyframe = Keyframe()
        keyframe.tick = mirror.tick
        keyframe.numbers = numbers
        try mirror.apply(keyframe)
        encoder.reset()
        history.clear()
        dropCaches()
        return keyframe
    }
}

/// Animations that begin in one tick: those with equal timing together, and what is left of the frames.
struct AnimationGroups {
    struct Start {
        var delayTicks: UInt32
        var durationTicks: UInt32
        var curve: AnimationCurve
        var changes: [FrameChange]
    }

    private(set) var starts: [Start] = []
    private(set) var frames: [FrameChange]

    init(_ animations: [SceneAnimation], _ frames: [FrameChange]) {
        self.frames = frames
        guard !animations.isEmpty else { return }
        var places: [UInt32: Int] = [:]
        for (place, change) in frames.enumerated() { places[change.number.rawValue] = place }
        var counts: [UInt32: Int] = [:]
        for animation in animations { counts[animation.number.rawValue, default: 0] += 1 }
        for animation in animations {
            // A view that did not move in the end has no way to go.
            guard let place = places[animation.number.rawValue] else { continue }
            let change = self.frames[place]
            var end = change.old.moved(by: animation.delta)
            // Rounding to pixels may leave a unit over; with one animation that is its own.
            if counts[animation.number.rawValue] == 1, end.isNear(change.new) { end = change.new }
            add(animation, FrameChange(number: change.number, old: change.old, new: end))
            self.frames[place].old = end
        }
        for index in starts.indices { starts[index].changes.sort { $0.number < $1.number } }
        starts.removeAll { $0.changes.isEmpty }
        self.frames.removeAll { $0.old == $0.new }
    }

    private mutating func add(_ animation: SceneAnimation, _ change: FrameChange) {
        guard change.old != change.new else { return }
        let index =
            starts.firstIndex {
                $0.delayTicks == animation.delayTicks && $0.curve == animation.curve
                    && $0.durationTicks == animation.durationTicks
            } ?? starts.count
        if index == starts.count {
            starts.append(
                Start(
                    delayTicks: animation.delayTicks, durationTicks: animation.durationTicks,
                    curve: animation.curve, changes: []))
        }
        if let place = starts[index].changes.firstIndex(where: { $0.number == change.number }) {
            starts[index].changes[place].new = change.new
        } else {
            starts[index].changes.append(change)
        }
    }
}

extension QuantisedFrame {
    fileprivate func moved(by delta: QuantisedFrame) -> QuantisedFrame {
        QuantisedFrame(
            x: x &+ delta.x, y: y &+ delta.y, width: width &+ delta.width,
            height: height &+ delta.height)
    }

    fileprivate func isNear(_ other: QuantisedFrame) -> Bool {
        [(x, other.x), (y, other.y), (width, other.width), (height, other.height)].allSatisfy {
            ($0.0 &- $0.1).magnitude <= 1
        }
    }
}
