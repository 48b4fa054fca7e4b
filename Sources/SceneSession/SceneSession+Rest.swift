import Annotations
public import SceneDocument
import SceneModel
import SceneWire

/// Rest: an idle room keeps the bytes from which its scene can be rebuilt instead of the scene,
/// whose engine takes about thirty times as much memory.
///
/// The bytes are the records of the journal from the last snapshot on, so thawing is a replay,
/// which equals the live scene to the bit; nothing is written and no member receives anything.
/// Members that join, acknowledge, resume at the present tick or show a cursor are served without
/// the scene; an op, an inspection, or any other use of the scene thaws it.
extension SceneSession {
    /// The maximum bytes of batches since the last snapshot for a scene to freeze as soon as it
    /// rests. With more, a snapshot is written first, after ten times as long a rest.
    private static let replayBytesMaximum = 32 << 10
    /// The same limit in units of work for the replay.
    private static let replayWorkMaximum: UInt64 = 1_000_000
    private static let longRest: UInt64 = 10

    /// Whether the room keeps its scene as bytes.
    public var isFrozen: Bool {
        if case .frozen = scene { streams.areFrozen } else { false }
    }

    /// The tick at which the room should be frozen with `.freeze` if nothing happens before; `nil`
    /// while work is pending, if it is frozen already, and if freezing is disabled.
    public var freezeTick: UInt64? {
        guard options.freezeSeconds > 0, !isFrozen, isAtRest else { return nil }
        let patience = UInt64(options.freezeSeconds * max(tickRate, 1))
        return activeTick + (isFarFromSnapshot ? patience * Self.longRest : patience)
    }

    private var isFarFromSnapshot: Bool {
        journal.bytesSinceSnapshot > Self.replayBytesMaximum
            || work.journalWork > Self.replayWorkMaximum
    }

    /// Whether nothing but cursors changes and all records are on disk.
    private var isAtRest: Bool {
        workTick == nil && !isReadOnly && journal.isDurable && journal.keepsScene
            && !isTraced
    }

    /// Registers the use of something that a frozen room does not keep.
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
            annotationState.resting = timeline.annotations
            annotationState.whole = [:]
            scene = .frozen(FrozenScene(timeline.model, diagnostics))
        }
        streams.freeze()
        freezeDevices()
        journal.pack()
        restoringSnapshot = nil
        inbox.release()
        traces.release()
        _ = countMemory()
    }

    // MARK: Thawing

    /// The scene in memory; a frozen scene is rebuilt first.
    ///
    /// - Returns: `nil` once the scene is lost, after which nothing may be done with it.
    /// - Complexity: O(1); for a frozen scene, the cost of loading its document and replaying the
    ///   records since the snapshot.
    public func wake() -> SceneTimeline? {
        switch scene {
        case .live(let timeline): return timeline
        case .lost: return nil
        case .frozen: return thaw()
        case .spoiled: return restore(before: tick + 1)
        }
    }

    /// Rebuilds the scene if it is frozen.
    ///
    /// - Returns: Messages for members: the scene of a device may be laid out differently.
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
            // This process replayed or wrote these records. The session cannot continue with
            // another scene.
            lose("the frozen scene cannot be rebuilt from its journal: \(error)")
            return nil
        }
        let model = timeline.model
        model.tickRate = tickRate
        _ = model.takeMarks()
        streams.remember(model)
        guard SceneMirror.stateHash(of: model.records()) == streams.stateHash else {
            lose("the rebuilt scene differs from the frozen one")
            return nil
        }
        scene = .live(timeline)
        frozenInteractions = []
        annotationState.resting = Annotations()
        // These are the members' baseline.
        _ = model.takeInteractionChanges()
        _ = timeline.annotations.takeChanges()
        memory.expectMore()
        thawDevices(model)
        followTraces()
        return timeline
    }

    /// Ends a session whose scene is lost; the journal still has it.
    func lose(_ reason: String) {
        scene = .lost
        gate.close()
        for member in roster.inOrder {
            effects.append(
                .close(
                    member.id, .draining,
                    "the room must be reopened from its journal; connect again"))
        }
        effects.append(.abandon(reason))
    }
}

/// Properties of the scene that a frozen room keeps.
extension SceneSession {
    /// The viewport, and the number of wire units in a point.
    var shownViewport: (viewport: Viewport, unitsPerPoint: Double) {
        switch scene {
        case .live(let timeline): (timeline.model.viewport, timeline.model.unitsPerPoint)
        case .frozen(let rest), .spoiled(let rest): (rest.viewport, rest.unitsPerPoint)
        case .lost: (Viewport(width: 0, height: 0), 1)
        }
    }

    /// The number of views in the scene, including `root`; 0 once it is lost.
    public var viewCount: Int {
        switch scene {
        case .live(let timeline): timeline.model.viewCount
        case .frozen(let rest), .spoiled(let rest): rest.viewCount
        case .lost: 0
        }
    }

    /// How often the solver of the scene in memory rebuilt its tableau; 0 while the room is frozen.
    public var solverRebuildCount: Int {
        if case .live(let timeline) = scene { timeline.model.solverRebuildCount } else { 0 }
    }

    /// The scene as a document; `nil` once it is lost. Thaws it.
    public func document() -> SceneDocument? { wake()?.model.document() }
}
