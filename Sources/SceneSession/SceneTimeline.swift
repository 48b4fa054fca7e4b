public import Annotations
public import SceneDocument
public import SceneModel

/// A scene and the rules by which batches, undo steps and ticks change it. The live session and the
/// replay of its journal share it, so that both are equal to the bit.
public final class SceneTimeline {
    /// The scene; replaced when a snapshot is loaded.
    public private(set) var model: SceneModel
    /// The steps that people can undo.
    var ledger: UndoLedger
    /// What people said about the scene.
    public internal(set) var annotations = Annotations()
    /// Whether the ledger is kept; a replay that only shows the scene does not need it.
    let tracksUndo: Bool
    /// The authors of changes since the last cycle.
    private var pendingAuthors = PendingAuthors()

    /// The approximate memory of the undo steps in bytes.
    var undoByteCount: Int { ledger.byteCount }

    /// Starts from a scene.
    init(_ model: SceneModel, ledger: UndoLedger?) {
        self.model = model
        self.ledger = ledger ?? UndoLedger(stepMaximum: 0)
        tracksUndo = ledger != nil
        prepare()
    }

    private func prepare() {
        model.recordsEdits = tracksUndo
        // A batch that is refused half-way is undone by a replay, not by a copy made before each
        // batch.
        model.restoresRefused = false
    }

    /// Continues with another scene.
    func replaceModel(_ model: SceneModel) {
        self.model = model
        prepare()
        pendingAuthors.removeAll()
    }

    /// Replaces the scene with a document; earlier steps cannot be undone any more.
    ///
    /// - Throws: `Refusal`; then the old scene is kept.
    func replaceScene(_ document: SceneDocument) throws(Refusal) {
        try model.replaceScene(document)
        ledger.reset()
    }

    /// Registers that the scene was replaced or rebuilt from a snapshot, so no change is pending.
    func didRebuild() { pendingAuthors.removeAll() }

    /// Applies one batch as `PendingAuthors.perform` does.
    public func apply(
        _ ops: [Op], author: String, atomic: Bool, undoGroup: UInt32 = 0
    ) -> BatchOutcome {
        let outcome = perform(ops, author: author, atomic: atomic)
        if tracksUndo { ledger.record(outcome.edits, author: author, group: undoGroup) }
        return outcome
    }

    private func perform(_ ops: [Op], author: String, atomic: Bool) -> BatchOutcome {
        pendingAuthors.perform(ops, author: author, atomic: atomic, on: model)
    }

    /// Lays out the pending changes, as before another author's animation block.
    func layOutOthers() { pendingAuthors.layOut(model) }

    /// Undoes or redoes a person's last step, entirely or not at all.
    ///
    /// - Returns: The applied ops and their outcome.
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

    /// Undoes or redoes a step with the ops of the journal.
    ///
    /// The journalled ops were applied, so they decide. The ledger may have another step or none if
    /// an earlier version wrote the journal.
    ///
    /// - Returns: The outcome, and whether the ledger planned the same ops.
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

    /// Applies the journalled ops of a step when no ledger is kept.
    func applyStep(_ ops: [Op], author: String) -> BatchOutcome {
        perform(ops, author: author, atomic: true)
    }

    /// Runs one update cycle if any change is pending.
    public func runCycle() {
        guard model.hasPendingWork else { return }
        model.runCycle()
        pendingAuthors.removeAll()
    }

    /// Does what a number of cycles would that only move animations on.
    func skipCycles(_ count: Int) {
        guard count > 0 else { return }
        model.skipCycles(count)
        pendingAuthors.removeAll()
    }
}

/// The reason why a step was not undone or redone.
struct UndoRefusal: Error {
    var refusal: Refusal
    /// Whether the step was dropped, which must be journalled.
    var dropsStep: Bool

    init(_ refusal: Refusal, dropsStep: Bool) {
        self.refusal = refusal
        self.dropsStep = dropsStep
    }
}
