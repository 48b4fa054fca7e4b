import SceneModel
import SceneProtocol

extension SceneTimeline {
    /// Why a batch of the journal cannot be done again.
    enum ReplayError: Error {
        /// Its ops cannot be read.
        case badOps(String)
        /// It was accepted once and now is not, so this is not the scene that it was made for.
        case refused(String)
    }

    /// Does again what a batch of the journal says.
    func replay(_ batch: BatchPayload) throws(ReplayError) {
        let ops: [Op]
        do { ops = try Op.parseArray(batch.ops, path: "ops", maximum: .max) } catch {
            throw .badOps(error.description)
        }
        model.isReplaying = true
        defer { model.isReplaying = false }
        let outcome: BatchOutcome
        switch batch.purpose {
        case .ops:
            outcome = apply(
                ops, author: batch.author, atomic: batch.isAtomic, undoGroup: batch.undoGroup)
        case .undo: outcome = try replayStep(.undo, ops, batch)
        case .redo: outcome = try replayStep(.redo, ops, batch)
        case .layOut: return layOutOthers()
        case .dropUndo: return ledger.drop(.undo, author: batch.author)
        case .dropRedo: return ledger.drop(.redo, author: batch.author)
        }
        if let refusal = outcome.refusals.first { throw .refused(refusal.message) }
    }

    private func replayStep(
        _ direction: UndoLedger.Direction, _ ops: [Op], _ batch: BatchPayload
    ) throws(ReplayError) -> BatchOutcome {
        guard tracksUndo else { return applyStep(ops, author: batch.author) }
        do throws(UndoRefusal) {
            let done = try step(direction, author: batch.author)
            guard done.ops == ops else {
                throw UndoRefusal(
                    Refusal(code: .conflict, message: "the step taken back is another one"),
                    dropsStep: false)
            }
            return done.outcome
        } catch {
            throw .refused(error.refusal.message)
        }
    }
}
