import AutoLayout
public import SceneProtocol

/// All that a scene can be rebuilt from, bit for bit: its document and what stands besides it.
///
/// Animations are not part of it: a scene rebuilt while one ran shows its end.
public struct SceneSnapshot: Sendable, Equatable {
    /// The scene as a document; every constraint has its name.
    public var document: SceneDocument
    /// The number of the cycle that ran last.
    public var tick: Int
    /// Which sets were switched by hand, and to what.
    public var overrides: [SetOverride]
    /// The numbers that views go by on the wire, and the next one that is free.
    public var numbers: [String: ViewNumber]
    /// The lowest number that was never used.
    public var nextNumber: UInt32

    /// A set that was switched by hand.
    public struct SetOverride: Sendable, Equatable {
        /// The set.
        public var id: String
        /// What it was switched to.
        public var isActive: Bool
    }
}

extension SceneModel {
    /// The scene as a document that brings the same scene to life.
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

    /// All that the scene can be rebuilt from.
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

    /// Rebuilds a scene from a snapshot; two scenes made from one are identical to the bit.
    ///
    /// - Parameters:
    ///   - screen: The device to lay it out for; the main one by default.
    ///   - tickRate: Cycles in a second.
    ///   - workLimit: The `work` at which it, and all that follows, is cut short.
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

    /// What a scene can go back to.
    struct Backup {
        var snapshot: SceneSnapshot
        var removed: [ViewNumber]
    }

    /// The scene as it stands, to go back to.
    func backup() -> Backup {
        Backup(snapshot: snapshot(), removed: pending.removed)
    }

    /// Puts the scene back. Every view is marked, under the number that it had; what members have decides which of them
    /// differ.
    func restore(_ backup: Backup) {
        do {
            try rebuild(backup.snapshot)
        } catch {
            // A scene's own export is always accepted; if not, the export is at fault.
            assertionFailure("a snapshot of the scene was refused: \(error)")
            restoringFault = error
        }
        pending.removed = backup.removed
        // What was animated is shown where it ends.
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

    /// Rebuilds the live scene from its own snapshot, as writing one to the journal demands: a simplex answer can
    /// depend on the pivots before it, and from here on live scene and replay share them.
    ///
    /// - Returns: The snapshot to be written.
    public func rebuildCanonically() -> SceneSnapshot {
        let snapshot = snapshot()
        rebuildCanonically(from: snapshot)
        return snapshot
    }

    /// The same from the scene's snapshot as it was written and read back, so that a journal holds nothing that was not
    /// read. Where it is refused, there is a `restoringFault`.
    public func rebuildCanonically(from snapshot: SceneSnapshot) {
        restore(Backup(snapshot: snapshot, removed: pending.removed))
    }
}

extension ConstraintEntry {
    var spec: ConstraintSpec {
        ConstraintSpec(id: id, body: body, active: isEnabled, identifier: identifier)
    }
}
