import SceneModel
import SceneProtocol

/// What a room at rest keeps of its scene instead of the scene itself: what those who come are told.
struct FrozenScene {
    var unitsPerPoint: Double
    var viewport: Viewport
    var viewCount: Int
    var diagnostics: Diagnostics
}

/// Rest: a room in which nothing happens keeps the bytes from which its scene is rebuilt, and not the scene, whose
/// engine takes some thirty times as much memory.
///
/// The bytes are the records of the journal from the last snapshot on, so a scene that is thawed is a replay, which is
/// the live scene to the bit; nothing is written and nobody is told. Who joins, acknowledges, resumes at the present
/// tick or shows a cursor is served from what the room has; an op, an inspection, or whatever else needs the scene
/// thaws it.
extension SceneSession {
    /// Bytes of batches that a scene may be behind its snapshot for it to be frozen as soon as it rests; where there are
    /// more, it is written anew first, once it has rested for ten times as long.
    private static let replayBytesMaximum = 32 << 10
    private static let longRest: UInt64 = 10

    /// Whether the room holds its scene as bytes.
    public var isFrozen: Bool { frozen != nil && lanes.allSatisfy(\.isFrozen) }

    /// The tick from which on the room should be frozen, by `.freeze`, if nothing happens before; `nil` while something
    /// is under way, where it is frozen, and where that is not wanted.
    public var freezeTick: UInt64? {
        guard options.freezeSeconds > 0, !isFrozen, isAtRest else { return nil }
        let patience = UInt64(options.freezeSeconds * max(tickRate, 1))
        return activeTick + (isFarFromSnapshot ? patience * Self.longRest : patience)
    }

    private var isFarFromSnapshot: Bool { journal.bytesSinceSnapshot > Self.replayBytesMaximum }

    /// Whether nothing is under way but cursors, and all of it is on disk.
    private var isAtRest: Bool {
        workTick == nil && !isReadOnly && journal.isSettled && journal.keepsScene
            && !order.contains { $0.traced != nil }
    }

    /// Notes that somebody needs more than what a room at rest keeps.
    func noteActivity() { activeTick = tick }

    // MARK: Freezing

    func freeze() {
        guard isAtRest else { return }
        if isFarFromSnapshot {
            noteActivity()
            rewriteScene()
            return
        }
        if frozen == nil {
            let scene = model
            let rest = FrozenScene(
                unitsPerPoint: scene.unitsPerPoint, viewport: scene.viewport,
                viewCount: scene.viewCount, diagnostics: diagnostics())
            guard let nothing = Self.emptyTimeline() else { return }
            held = nothing
            frozen = rest
        }
        for index in lanes.indices { lanes[index].freeze() }
        journal.pack()
        inbox = []
        trace = []
        recipients = nil
    }

    /// What stands in the place of a scene that is frozen.
    private static func emptyTimeline() -> SceneTimeline? {
        let viewport = Viewport(width: 0, height: 0)
        return (try? SceneModel(SceneDocument(viewport: viewport), settles: false)).map {
            SceneTimeline($0, ledger: nil)
        }
    }

    // MARK: Thawing

    /// Brings the scene back as it was.
    ///
    /// - Complexity: as loading the scene's document, and what it is behind its snapshot.
    func thaw() {
        guard frozen != nil else { return }
        frozen = nil
        noteActivity()
        do {
            let player = try JournalPlayer(
                journal.kept, tracksUndo: true, undoMaximum: options.undoMaximum)
            var budget = Int.max
            try player.advance(to: tick, budget: &budget) { _, model in model.discardChanges() }
            held = player.timeline
        } catch {
            // The records were replayed or written by this very process. Nothing may be built on what is not the scene.
            lose("the frozen scene cannot be replayed: \(error)")
            return
        }
        let model = held.model
        model.tickRate = tickRate
        model.tellsSettledFrames = lanes.contains { $0.key.isSettled }
        model.discardChanges()
        model.rememberAllAsSent()
        guard SceneMirror.stateHash(of: model.records()) == lanes[0].stateHash else {
            lose("the frozen scene came back as another one")
            return
        }
        followTrace()
    }

    /// Ends a session whose scene is gone; the journal has it still.
    private func lose(_ reason: String) {
        isLost = true
        isReadOnly = true
        for member in order {
            effects.append(.close(member.id, .draining, "the room has to be read again"))
        }
        effects.append(.abandon(reason))
    }
}

extension SceneSession {
    /// What a room tells of its scene without thawing it.
    var shownViewport: (viewport: Viewport, unitsPerPoint: Double) {
        if let frozen {
            (frozen.viewport, frozen.unitsPerPoint)
        } else {
            (model.viewport, model.unitsPerPoint)
        }
    }

    /// How many views the scene has, `root` included.
    public var viewCount: Int { frozen?.viewCount ?? model.viewCount }

    /// How often the solver of the scene at hand made its tableau anew; none while the room is frozen.
    public var solverRebuildCount: Int { frozen == nil ? model.solverRebuildCount : 0 }
}
