import SceneModel
import SceneWire

/// How a session goes back to the scene of before a request: by building it from the journal again.
extension SceneSession {
    /// Restores the scene after a request that left it half changed, and charges the request for
    /// it.
    ///
    /// - Returns: Whether the scene is in memory; if not, it is lost, or the turn has overrun.
    func bringBack(_ decision: inout Decision, _ turn: inout Turn) -> Bool {
        guard work.replayWork <= work.slice - min(turn.spent, work.slice) else {
            turn.hasOverrun = true
            return false
        }
        var spent: UInt64 = 0
        defer {
            turn.charge(spent, to: &decision)
            decision.restoringWork &+= spent
        }
        return bringBack(turn.decisions, &spent)
    }

    /// Restores the scene to the beginning of the tick and repeats the decisions made since.
    ///
    /// - Parameter spent: Set to the units of work that this took.
    /// - Returns: False if the scene is lost.
    func bringBack(_ decisions: [Decision], _ spent: inout UInt64) -> Bool {
        guard let timeline = restore(before: tick) else { return false }
        do throws(SceneTimeline.ReplayError) {
            for decision in decisions {
                for batch in decision.batches { try timeline.replay(batch) }
            }
        } catch {
            lose("the decisions of a tick cannot be repeated: \(error)")
            return false
        }
        spent = timeline.model.work
        work.restored(spent)
        return true
    }

    /// Rebuilds the scene from the journal, as of the beginning of a tick whose cycle has not run.
    ///
    /// - Returns: `nil` if that fails; then the scene is lost.
    func restore(before next: UInt64) -> SceneTimeline? {
        traces.clear()
        let kept = journal.kept
        do throws(JournalPlayer.Failure) {
            guard let start = kept.lastIndex(where: { $0.kind == .snapshot }) else {
                throw .noSnapshot
            }
            let snapshot = try snapshotToReturnTo(kept[start])
            let player = try JournalPlayer(
                Array(kept[start...]), tracksUndo: true, undoMaximum: options.undoMaximum,
                from: snapshot)
            let model = player.timeline.model
            model.tickRate = tickRate
            var budget = Int.max
            if hasUntoldSnapshot {
                // Ticks may have passed since it was written, in a turn that overran.
                if next > 0 { try player.advance(to: next - 1, budget: &budget) }
                try player.takeRest()
                // The members' baseline does not include the rebuilt scene yet.
                model.markEverything()
            } else {
                try player.advance(to: toldTick, budget: &budget) { _, model in
                    _ = model.takeMarks()
                }
                _ = model.takeMarks()
                guard SceneMirror.stateHash(of: model.records()) == streams.stateHash else {
                    lose("the rebuilt scene differs from its journal")
                    return nil
                }
                streams.remember(model)
                if next > 0 { try player.advance(to: next - 1, budget: &budget) }
            }
            _ = model.takeDiagnostics()
            model.repeatsEarlierRules = false
            scene = .live(player.timeline)
            followTraces()
            return player.timeline
        } catch {
            lose("the scene cannot be rebuilt from its journal: \(error)")
            return nil
        }
    }

    /// Parses a snapshot, unless it is the one that the scene was built from when it last went
    /// back.
    private func snapshotToReturnTo(
        _ record: JournalRecord
    ) throws(JournalPlayer.Failure) -> ParsedSnapshot {
        if let present = restoringSnapshot, present.record == record { return present }
        let snapshot = try ParsedSnapshot(record, undoMaximum: options.undoMaximum)
        restoringSnapshot = snapshot
        return snapshot
    }
}
