public import SceneModel
public import SceneProtocol

/// A scene and the rules by which batches and ticks act on it; shared by the live session and by a replay of its
/// journal, so that both are the same to the bit.
public final class SceneTimeline {
    /// The scene.
    public let model: SceneModel
    /// Who changed the scene since the last cycle.
    private var pendingAuthors: [String] = []

    /// Starts from a scene.
    public init(_ model: SceneModel) {
        self.model = model
    }

    /// Applies one batch.
    ///
    /// Others' pending changes are laid out before an author's animation block, so that one person's block never
    /// animates another's edits.
    public func apply(_ ops: [Op], author: String, atomic: Bool) -> BatchOutcome {
        let animates = ops.contains { if case .animate = $0 { true } else { false } }
        if animates, pendingAuthors.contains(where: { $0 != author }) {
            _ = model.apply([.layoutIfNeeded(id: "root")])
            pendingAuthors.removeAll()
        }
        if !pendingAuthors.contains(author) { pendingAuthors.append(author) }
        return model.apply(ops, atomic: atomic)
    }

    /// Runs one update cycle, if anything is pending.
    public func runCycle() {
        guard model.hasPendingWork else { return }
        model.runCycle()
        pendingAuthors.removeAll()
    }
}
