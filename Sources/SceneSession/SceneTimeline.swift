public import SceneModel
public import SceneProtocol

/// A scene and the rules by which batches, steps taken back, and ticks act on it; shared by the live session and by a
/// replay of its journal, so that both are the same to the bit.
public final class SceneTimeline {
    /// The scene; another one after a snapshot was put in its place.
    public private(set) var model: SceneModel
    /// What people can take back.
    var ledger: UndoLedger
    /// Whether the ledger is kept; a replay that only shows the scene needs none.
    let tracksUndo: Bool
    /// The authors of changes since the last cycle.
    private var pendingAuthors: [String] = []
    /// Starts from a scene.
    /// About how many bytes the steps take that people can take back.
    var undoByteCount: Int { ledger.byteCount }

    init(_ model: SceneModel, ledger: UndoLedger?) {
        self.model = model
        self.ledger = ledger ?? UndoLedger(stepMaximum: 0)
        tracksUndo = ledger != nil
        prepare()
    }

    private func prepare() {
        model.recordsEdits = tracksUndo
        // A batch that is refused half-way is undone by a replay, not by a copy made before each.
        model.restoresRefused = false
    }

    /// Goes on with another scene.
    func replaceModel(_ model: SceneModel) {
        self.model = model
        prepare()
        pendingAuthors.removeAll()
    }

    /// Puts a document in the place of the scene; no step that was taken before can be taken back.
    ///
    /// - Throws: `Refusal`; the old scene stands then.
    func replaceScene(_ document: SceneDocument) throws(Refusal) {
        try model.replaceScene(document)
        ledger.reset()
    }

    /// Notes that the scene was replaced or rebuilt from a snapshot, so that nothing of it is pending.
    func didRebuild() { pendingAuthors.removeAll() }

    /// Applies one batch.
    ///
    /// Others' pending changes are laid out before an author's animation block, so that one person's block never
    /// animates another's edits.
    public func apply(
        _ ops: [Op], author: String, atomic: Bool, undoGroup: UInt32 = 0
    ) -> BatchOutcome {
        let outcome = perform(ops, author: author, atomic: atomic)
        if tracksUndo { ledger.record(outcome.edits, author: author, group: undoGroup) }
        return outcome
    }

    private func perform(_ ops: [Op], author: String, atomic: Bool) -> BatchOutcome {
        let animates = ops.contains { if case .animate = $0 { true } else { false } }
        let hasLaidOutOthers = animates && pendingAuthors.contains { $0 != author }
        if hasLaidOutOthers { layOutOthers() }
        var outcome = model.apply(ops, atomic: atomic)
        // Who was refused everything has nothing pending.
        let isChange = outcome.refusals.isEmpty || !atomic && outcome.refusals.count < ops.count
        if isChange, !pendingAuthors.contains(author) { pendingAuthors.append(author) }
        outcome.hasLaidOutOthers = hasLaidOutOthers
        return outcome
    }

    /// Lays out what has been changed so far, as before another author's animation block.
    func layOutOthers() {
        _ = model.apply([.layoutIfNeeded(id: "root")])
        pendingAuthors.removeAll()
    }

    /// Takes a person's last step back, or does it again: all or nothing.
    ///
    /// - Returns: The ops that were applied, and what they came to.
    /// - Throws: The refusal; `conflict` also drops the step.
    func perform(
        _ direction: UndoLedger.Direction, author: String
    ) throws(UndoRefusal) -> (ops: [Op], outcome: BatchOutcome) {
        let plan: UndoLedger.Plan
        do {
            plan = try ledger.plan(direction, author: author, model: model)
        } catch {
            switch error {
            case .nothing:
                throw UndoRefusal(
                    Refusal(
                        code: .conflict, message: "there is nothing to \(direction.rawValue)"),
                    dropsStep: false)
            case .conflict(let reason):
                ledger.drop(direction, author: author)
                throw UndoRefusal(Refusal(code: .conflict, message: reason), dropsStep: true)
            }
        }
        let outcome = perform(plan.ops, author: author, atomic: true)
        if let refusal = outcome.refusals.first {
            throw UndoRefusal(refusal, dropsStep: false)
        }
        ledger.finish(direction, plan, edits: outcome.edits, author: author)
        return (plan.ops, outcome)
    }

    /// Takes a step back, or does it again, with the ops that the journal holds.
    ///
    /// These count, for they were applied. The ledger can know another step, or none, where a version before this one
    /// wrote it.
    ///
    /// - Returns: What it came to, and whether the ledger would have it so.
    func repeatStep(
        _ direction: UndoLedger.Direction, _ ops: [Op], author: String
    ) -> (outcome: BatchOutcome, isAsPlanned: Bool) {
        let plan = try? ledger.plan(direction, author: author, model: model)
        let outcome = perform(ops, author: author, atomic: true)
        guard outcome.refusals.isEmpty else { return (outcome, plan?.ops == ops) }
        if let plan {
            ledger.finish(direction, plan, edits: outcome.edits, author: author)
        }
        return (outcome, plan?.ops == ops)
    }

    /// Applies the ops of a step that the journal holds, when no ledger is kept.
    func applyStep(_ ops: [Op], author: String) -> BatchOutcome {
        perform(ops, author: author, atomic: true)
    }

    /// Runs one update cycle, if anything is pending.
    public func runCycle() {
        guard model.hasPendingWork else { return }
        model.runCycle()
        pendingAuthors.removeAll()
    }
}

/// Why a step was not taken back.
struct UndoRefusal: Error {
    var refusal: Refusal
    /// Whether the step is gone, which the journal has to note.
    var dropsStep: Bool

    init(_ refusal: Refusal, dropsStep: Bool) {
        self.refusal = refusal
        self.dropsStep = dropsStep
    }
}
