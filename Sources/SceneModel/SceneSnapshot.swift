public import AutoLayout
public import SceneDocument
public import SceneWire

/// The complete state of a scene, from which it is rebuilt bit for bit: its document and the state
/// that a document does not have.
public struct SceneSnapshot: Sendable, Equatable {
    /// The scene as a document; every constraint has its id.
    public var document: SceneDocument
    /// The number of the last cycle.
    public var tick: Int
    /// The sets that were switched explicitly, with their states.
    public var overrides: [SetOverride]
    /// The view numbers.
    public var numbers: [String: ViewNumber]
    /// The lowest number that was not used.
    public var nextNumber: UInt32
    /// What moves, by view in the order in which the views began to move; empty where it is more
    /// than `animationMaximum`, so that a scene that is rebuilt shows where they end.
    public var animations: [MovingView] = []
    /// How long the words of its text are.
    public var measuredText = MeasuredText()

    /// The largest number of animations.
    public static let animationMaximum = 20_000

    /// A set that was switched explicitly.
    public struct SetOverride: Sendable, Equatable {
        /// The set.
        public var id: String
        /// Its state.
        public var isActive: Bool
    }

    /// One animation of a view.
    public struct MovingView: Sendable, Equatable {
        /// The view.
        public var id: String
        /// What is left of the animation.
        public var animation: RunningAnimation
    }
}

extension SceneModel {
    /// The scene as a document; loading it makes an equal scene.
    ///
    /// - Complexity: O(views + constraints).
    public func document() -> SceneDocument {
        var document = SceneDocument(viewport: viewport)
        document.devices = devices
        document.faces = faces
        for view in window.preorder {
            guard let node = node(of: view) else { continue }
            if view !== window {
                document.views.append(
                    ViewSpec(
                        id: node.id, parent: view.superview?.identifier ?? "root",
                        sharedProperties: node.properties.frame == nil
                            ? node.sharedProperties : Shared(presentProperties(of: node))))
            }
            for guide in view.layoutGuides where guides[guide.identifier] === guide {
                document.guides.append(GuideSpec(id: guide.identifier, parent: node.id))
            }
        }
        for entry in constraints.entries where entry.set == nil {
            document.constraints.append(entry.spec)
        }
        for entry in sets.entries {
            document.sets.append(
                ConstraintSetSpec(
                    id: entry.id, when: entry.set.condition,
                    constraints: constraints.entries.filter { $0.set == entry.id }.map { $0.spec }))
        }
        return document
    }

    /// The complete state of the scene.
    public func snapshot() -> SceneSnapshot {
        var overrides: [SceneSnapshot.SetOverride] = []
        for entry in sets.entries {
            if let isActive = entry.set.override {
                overrides.append(.init(id: entry.id, isActive: isActive))
            }
        }
        return SceneSnapshot(
            document: document(), tick: window.tick, overrides: overrides,
            numbers: nodeIDs, nextNumber: nextNumber, animations: movingViews,
            measuredText: measuredText)
    }

    private var movingViews: [SceneSnapshot.MovingView] {
        guard window.isAnimating else { return [] }
        let running = window.runningAnimations
        guard running.count <= SceneSnapshot.animationMaximum else { return [] }
        return running.map { .init(id: $0.view.identifier, animation: $0.animation) }
    }

    /// Rebuilds a scene from a snapshot; two scenes made from one snapshot are identical to the
    /// bit.
    ///
    /// - Parameters:
    ///   - screen: The device of the layout; the main one by default.
    ///   - tickRate: Cycles in a second.
    ///   - workLimit: The `work` at which loading, and all later work, stops.
    /// - Throws: `Refusal`, with `tooExpensive` beyond the limit.
    public convenience init(
        _ snapshot: SceneSnapshot, on screen: ViewportPatch? = nil, tickRate: Int = 60,
        workLimit: UInt64 = .max
    ) throws(Refusal) {
        try self.init(
            SceneDocument(viewport: snapshot.document.viewport), on: screen, settles: false)
        // They are the main device's.
        var snapshot = snapshot
        if screen != nil { snapshot.animations = [] }
        self.tickRate = tickRate
        pending = SceneMarks()
        nextNumber = 0
        self.workLimit = workLimit
        try rebuild(snapshot)
        try requireAffordable()
    }

    /// A state that the scene can be restored to.
    struct Backup {
        var snapshot: SceneSnapshot
        var removed: [ViewNumber]
        /// The animations that members have not been told of.
        var untold: [(number: ViewNumber, animation: FrameAnimation)]
    }

    /// The present state, for `restore`.
    func backup() -> Backup {
        backup(of: snapshot())
    }

    private func backup(of snapshot: SceneSnapshot) -> Backup {
        Backup(
            snapshot: snapshot, removed: pending.removed,
            untold: pending.animations.filter { nodes[$0.node.number] === $0.node }
                .map { ($0.node.number, $0.animation) })
    }

    /// Restores the scene. Every view is marked, with its former number; baselines decide which of
    /// them differ.
    func restore(_ backup: Backup) {
        do {
            try rebuild(backup.snapshot)
        } catch {
            // A scene's own export is always accepted; otherwise the export is at fault.
            assertionFailure("a snapshot of the scene was refused: \(error)")
            restoringFault = error
        }
        pending.removed = backup.removed
        pending.animations = backup.untold.compactMap { number, animation in
            nodes[number].map { ($0, animation) }
        }
        if backup.snapshot.animations.isEmpty {
            // Animated views are shown at the end of their animations.
            pending.animations.removeAll()
            pending.endsAnimations = true
        }
    }

    private func rebuild(_ snapshot: SceneSnapshot) throws(Refusal) {
        pending.dropViews()
        nextNumber = snapshot.nextNumber
        measuredText = snapshot.measuredText
        measuredText.beginScene()
        try build(
            snapshot.document, numbers: snapshot.numbers, tick: max(0, snapshot.tick - 1),
            breaks: true, lacksFaces: true)
        for override in snapshot.overrides {
            guard let set = sets[override.id] else { continue }
            if override.isActive { set.activateBreaking() } else { set.deactivate() }
        }
        strictDevices = StrictDevices()
        runCycle()
        window.resumeAnimations(
            snapshot.animations.compactMap { moving in
                nodeIDs[moving.id].flatMap { nodes[$0] }.map { ($0.view, moving.animation) }
            })
        diagnostics.removeAll()
        window.trimMemory()
        try makeStrictDevices()
    }

    /// Rebuilds the live scene from its own snapshot, as required when one is journalled: a simplex
    /// solution can depend on earlier pivots, and from here on live scene and replay have the same
    /// ones.
    ///
    /// - Returns: The snapshot to journal.
    public func rebuildCanonically() -> SceneSnapshot {
        let snapshot = snapshot()
        rebuildCanonically(from: snapshot)
        return snapshot
    }

    /// The same from the snapshot as it was written and parsed again, so that the journal contains
    /// only readable snapshots. If it is refused, `restoringFault` is set.
    public func rebuildCanonically(from snapshot: SceneSnapshot) {
        var snapshot = snapshot
        // What moves on another device moves by other distances.
        if screen != nil { snapshot.animations = movingViews }
        restore(backup(of: snapshot))
    }
}

extension ConstraintEntry {
    var spec: ConstraintSpec {
        var spec = ConstraintSpec(id: id, body: body, active: isEnabled, identifier: identifier)
        spec.variations = variations
        spec.placeholder = isPlaceholder
        return spec
    }
}
