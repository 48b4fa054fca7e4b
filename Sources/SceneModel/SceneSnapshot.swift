import AutoLayout
public import SceneProtocol

/// The complete state of a scene, from which it is rebuilt bit for bit: its document and the state that a document does
/// not have.
///
/// Animations are not included: a scene rebuilt during one shows its end.
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

    /// A set that was switched explicitly.
    public struct SetOverride: Sendable, Equatable {
        /// The set.
        public var id: String
        /// Its state.
        public var isActive: Bool
    }
}

extension SceneModel {
    /// The scene as a document; loading it makes an equal scene.
    ///
    /// - Complexity: O(views + constraints).
    public func document() -> SceneDocument {
        var document = SceneDocument(viewport: viewport)
        document.devices = devices
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
        for entry in sets {
            document.sets.append(
                ConstraintSetSpec(
                    id: entry.id, when: entry.set.condition,
                    constraints: constraints.entries.filter { $0.set == entry.id }.map(\.spec)))
        }
        return document
    }

    /// The complete state of the scene.
    public func snapshot() -> SceneSnapshot {
        var overrides: [SceneSnapshot.SetOverride] = []
        for entry in sets {
            if let isActive = entry.set.override {
                overrides.append(.init(id: entry.id, isActive: isActive))
            }
        }
        return SceneSnapshot(
            document: document(), tick: window.tick, overrides: overrides,
            numbers: nodeIDs, nextNumber: nextNumber)
    }

    /// Rebuilds a scene from a snapshot; two scenes made from one snapshot are identical to the bit.
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
    }

    /// The present state, for `restore`.
    func backup() -> Backup {
        Backup(snapshot: snapshot(), removed: pending.removed)
    }

    /// Restores the scene. Every view is marked, with its former number; baselines decide which of them differ.
    func restore(_ backup: Backup) {
        do {
            try rebuild(backup.snapshot)
        } catch {
            // A scene's own export is always accepted; otherwise the export is at fault.
            assertionFailure("a snapshot of the scene was refused: \(error)")
            restoringFault = error
        }
        pending.removed = backup.removed
        // Animated views are shown at the end of their animations.
        pending.animations.removeAll()
        pending.endsAnimations = true
    }

    private func rebuild(_ snapshot: SceneSnapshot) throws(Refusal) {
        pending.dropViews()
        nextNumber = snapshot.nextNumber
        try build(
            snapshot.document, numbers: snapshot.numbers, tick: max(0, snapshot.tick - 1),
            breaks: true)
        for override in snapshot.overrides {
            guard let set = sets.first(where: { $0.id == override.id })?.set else { continue }
            if override.isActive { set.activateBreaking() } else { set.deactivate() }
        }
        strictDevices = StrictDevices()
        runCycle()
        diagnostics.removeAll()
        window.trimMemory()
        try makeStrictDevices()
    }

    /// Rebuilds the live scene from its own snapshot, as required when one is journalled: a simplex solution can depend
    /// on earlier pivots, and from here on live scene and replay have the same ones.
    ///
    /// - Returns: The snapshot to journal.
    public func rebuildCanonically() -> SceneSnapshot {
        let snapshot = snapshot()
        rebuildCanonically(from: snapshot)
        return snapshot
    }

    /// The same from the snapshot as it was written and parsed again, so that the journal contains only readable
    /// snapshots. If it is refused, `restoringFault` is set.
    public func rebuildCanonically(from snapshot: SceneSnapshot) {
        restore(Backup(snapshot: snapshot, removed: pending.removed))
    }
}

extension ConstraintEntry {
    var spec: ConstraintSpec {
        ConstraintSpec(id: id, body: body, active: isEnabled, identifier: identifier)
    }
}
