public import SceneDocument

/// The authors of changes since the last cycle.
///
/// The live session, the replay of its journal and a client's replica apply batches by it, so that
/// all are equal to the bit.
public struct PendingAuthors: Sendable {
    private var names: [String] = []

    /// Makes an empty list.
    public init() {}

    /// Forgets all: a cycle has run, or another scene took the place of the one they changed.
    public mutating func removeAll() { names.removeAll() }

    /// Applies one batch.
    ///
    /// Pending changes of others are laid out before an author's animation block, so that a block
    /// never animates another author's edits.
    public mutating func perform(
        _ ops: [Op], author: String, atomic: Bool, on model: SceneModel
    ) -> BatchOutcome {
        let animates = ops.contains { if case .animate = $0 { true } else { false } }
        let hasLaidOutOthers = animates && names.contains { $0 != author }
        if hasLaidOutOthers { layOut(model) }
        model.looksUpNames = !hasLaidOutOthers
        defer { model.looksUpNames = true }
        var outcome = model.apply(ops, atomic: atomic)
        // An author whose ops were all refused has no pending change.
        let isChange = outcome.refusals.isEmpty || !atomic && outcome.refusals.count < ops.count
        if isChange, !names.contains(author) { names.append(author) }
        outcome.hasLaidOutOthers = hasLaidOutOthers
        return outcome
    }

    /// Lays out the pending changes, as before another author's animation block.
    public mutating func layOut(_ model: SceneModel) {
        model.layOutPending()
        names.removeAll()
    }
}
