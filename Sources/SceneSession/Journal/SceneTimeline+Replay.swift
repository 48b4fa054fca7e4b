import Annotations
import SceneDocument
import SceneModel

extension SceneTimeline {
    /// The reason why a batch of the journal cannot be repeated.
    enum ReplayError: Error {
        /// Its ops cannot be parsed.
        case badOps(String)
        /// It was accepted once and is refused now, so it was made for another scene.
        case refused(String)
    }

    /// Repeats a batch of the journal.
    ///
    /// - Returns: Whether the ledger, if one is kept, planned the same ops for an undo step.
    @discardableResult
    func replay(_ batch: BatchPayload) throws(ReplayError) -> Bool {
        if let text = batch.measuredText {
            do { try model.measuredText.add(text) } catch { throw .badOps(error.description) }
        }
        if batch.purpose == .annotate {
            try repeatAnnotations(batch)
            return true
        }
        let ops: [Op]
        do { ops = try Op.parseArray(batch.ops, path: "ops", maximum: .max) } catch {
            throw .badOps(error.description)
        }
        model.isReplaying = true
        defer { model.isReplaying = false }
        var isAsPlanned = true
        let outcome: BatchOutcome
        switch batch.purpose {
        case .ops:
            outcome = apply(
                ops, author: batch.author, atomic: batch.isAtomic, undoGroup: batch.undoGroup)
        case .undo: (outcome, isAsPlanned) = replayStep(.undo, ops, batch)
        case .redo: (outcome, isAsPlanned) = replayStep(.redo, ops, batch)
        case .layOut:
            layOutOthers()
            return true
        case .annotate: return true
        case .dropUndo:
            ledger.drop(.undo, author: batch.author)
            return true
        case .dropRedo:
            ledger.drop(.redo, author: batch.author)
            return true
        }
        if let refusal = outcome.refusals.first { throw .refused(refusal.message) }
        return isAsPlanned
    }

    private func repeatAnnotations(_ batch: BatchPayload) throws(ReplayError) {
        guard let stamp = batch.stamp else { throw .badOps("annotations without a stamp") }
        let ops: [AnnotationOp]
        do { ops = try AnnotationOp.parse(batch.ops) } catch { throw .badOps(error.message) }
        for op in ops { annotations.apply(op, stamp) { model.document() } }
    }

    private func replayStep(
        _ direction: UndoLedger.Direction, _ ops: [Op], _ batch: BatchPayload
    ) -> (BatchOutcome, isAsPlanned: Bool) {
        guard tracksUndo else { return (applyStep(ops, author: batch.author), true) }
        return repeatStep(direction, ops, author: batch.author)
    }
}
