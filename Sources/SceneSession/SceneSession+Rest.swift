import SceneModel
public import SceneProtocol

/// Rest: a room in which nothing happens keeps the bytes from which its scene is rebuilt, and not the scene, whose
/// engine takes some thirty times as much memory.
///
/// The bytes are the records of the journal from the last snapshot on, so a scene that is thawed is a replay, which is
/// the live scene to the bit; nothing is written and no member is told. Members that join, acknowledge, resume at the present
/// tick or show a cursor are served from what the room has; an op, an inspection, or anything else that needs the scene
/// thaws it.
extension SceneSession {
    /// Bytes of batches that a scene may be behind its snapshot for it to be frozen as soon as it rests; where there are
    /// more, it is written anew first, once it has rested for ten times as long.
    private static let replayBytesMaximum = 32 << 10
    /// Units of work that a replay may take for the same.
    private static let replayWorkMaximum: UInt64 = 1_000_000
    private static let longRest: UInt64 = 10

    /// Whether the room holds its scene as bytes.
    public var isFrozen: Bool {
        if case .frozen = scene { streams.areFrozen } else { false }
    }

    /// The tick from which on the room should be frozen, by `.freeze`, if nothing happens before; `nil` while something
    /// is under way, where it is frozen, and where that is not wanted.
    public var freezeTick: UInt64? {
        guard options.freezeSeconds > 0, !isFrozen, isAtRest else { return nil }
        let patience = UInt64(options.freezeSeconds * max(tickRate, 1))
        return activeTick + (isFarFromSnapshot ? patience * Self.longRest : patience)
    }

    private var isFarFromSnapshot: Bool {
        journal.bytesSinceSnapshot > Self.replayBytesMaximum
            || work.journalWork > Self.replayWorkMaximum
    }

    /// Whether nothing is under way but cursors, and all of it is on disk.
    private var isAtRest: Bool {
        workTick == nil && !isReadOnly && journal.isDurable && journal.keepsScene
            && !isTraced
    }

    /// Notes that more is needed than what a room at rest keeps.
    func noteActivity() { activeTick = tick }

    // MARK: Freezing

    func freeze() {
        guard isAtRest else { return }
        if isFarFromSnapshot {
            noteActivity()
            rewriteScene()
            return
        }
        if case .live(let timeline) = scene {
            guard let diagnostics = diagnostics(timeline.model) else { return noteActivity() }
            frozenInteractions = timeline.model.interactions
            scene = .frozen(FrozenScene(timeline.model, diagnostics))
        }
        streams.freeze()
        freezeDevices()
        journal.pack()
        inbox.release()
        traces.release()
        _ = countMemory()
    }

    // MARK: Thawing

    /// The scene at hand; where it is frozen, it is brought back as it was.
    ///
    /// - Returns: `nil` once the scene is lost, when nothing may be done any more.
    /// - Complexity: O(1); where it is frozen, as loading the scene's document, and what it is behind its snapshot.
    public func wake() -> SceneTimeline? {
        switch scene {
        case .live(let timeline): return timeline
        case .lost: return nil
        case .frozen: return thaw()
        case .spoiled: return restore(before: tick + 1)
        }
    }

    /// Brings the scene back, if it is at rest.
    ///
    /// - Returns: What members are to be told of that: a device's scene that was laid out anew may stand otherwise.
    public func wakeAndTell() -> [SessionEffect] {
        _ = wake()
        return takeEffects()
    }

    private func thaw() -> SceneTimeline? {
        noteActivity()
        let timeline: SceneTimeline
        do {
            let player = try JournalPlayer(
                journal.kept, tracksUndo: true, undoMaximum: options.undoMaximum)
            var budget = Int.max
            try player.advance(to: tick, budget: &budget) { _, model in _ = model.takeMarks() }
            timeline = player.timeline
        } catch {
            // The records were replayed or written by this very process. Nothing may be built on what is not the scene.
            lose("the frozen scene cannot be replayed: \(error)")
            return nil
        }
        let model = timeline.model
        model.tickRate = tickRate
        _ = model.takeMarks()
        streams.remember(model)
        guard SceneMirror.stateHash(of: model.records()) == streams.stateHash else {
            lose("the frozen scene came back as another one")
            return nil
        }
        scene = .live(timeline)
        frozenInteractions = []
        // It is what members were told.
        _ = model.takeInteractionChanges()
        memory.expectMore()
        thawDevices(model)
        followTraces()
        return timeline
    }

    /// Ends a session whose scene is gone; the journal has it still.
    func lose(_ reason: String) {
        scene = .lost
        isReadOnly = true
        for member in roster.inOrder {
            effects.append(.close(member.id, .draining, "the room has to be read again"))
        }
        effects.append(.abandon(reason))
    }
}

/// What a room tells of its scene without thawing it.
extension SceneSession {
    /// The viewport, and how many units of the wire a point has.
    var shownViewport: (viewport: Viewport, unitsPerPoint: Double) {
        switch scene {
        case .live(let timeline): (timeline.model.viewport, timeline.model.unitsPerPoint)
        case .frozen(let rest), .spoiled(let rest): (rest.viewport, rest.unitsPerPoint)
        case .lost: (Viewport(width: 0, height: 0), 1)
        }
    }

    /// How many views the scene has, `root` included; 0 once it is lost.
    public var viewCount: Int {
        switch scene {
        case .live(let timeline): timeline.model.viewCount
        case .frozen(let rest), .spoiled(let rest): rest.viewCount
        case .lost: 0
        }
    }

    /// How often the solver of the scene at hand made its tableau anew; none while the room is frozen.
    public var solverRebuildCount: Int {
        if case .live(let timeline) = scene { timeline.model.solverRebuildCount } else { 0 }
    }

    /// The scene as a document; `nil` once it is lost. Thaws it.
    public func document() -> SceneDocument? { wake()?.model.document() }
}
