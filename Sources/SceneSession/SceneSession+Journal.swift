import SceneModel
import SceneProtocol

extension SceneSession {
    func append(_ batch: BatchPayload) {
        var batch = batch
        if let history = clients[batch.author], !history.digestIsJournalled {
            batch.tokenDigest = history.tokenDigest
            clients[batch.author]?.digestIsJournalled = true
        }
        append(.batch, JournalPayload.batch(batch).bytes)
    }

    /// Writes the scene anew and rebuilds the live one from the same snapshot, so that both stay identical.
    ///
    /// The snapshot is read back before anything is touched, for it takes the place of what came before it. One that is
    /// not read is not written: what the journal has is the scene still.
    ///
    /// - Parameter isOptional: Whether the journal says the same without it; otherwise the room is to be read again.
    func appendSnapshot(author: String, clientSequence: UInt64, isOptional: Bool = false) {
        // What stands in the place of a lost scene must never follow it in the journal.
        guard let timeline = wake() else { return }
        let records = clients.names.compactMap { name -> ClientRecord? in
            // The author too, whose first message this may be: it has to be known again with the message or not at all.
            guard let history = clients[name], history.lastSequence > 0 || name == author else {
                return nil
            }
            return ClientRecord(
                name: name, tokenDigest: history.tokenDigest, lastSequence: history.lastSequence,
                committed: history.committed + journal.waitingSequences(of: name))
        }
        // Another maximum holds from here on; until then a replay needs the one that held.
        var ledger = timeline.ledger
        ledger.stepMaximum = options.undoMaximum
        ledger.byteMaximum = options.undoByteMaximum
        let payload = SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: tickRate, author: author,
            clientSequence: clientSequence, clients: records, ledger: ledger.json)
        let bytes = JournalPayload.snapshot(payload).bytes
        let before = timeline.model.work
        do {
            if let fault = timeline.model.restoringFault { throw fault }
            let read = try SnapshotPayload.read(bytes, undoMaximum: options.undoMaximum).payload
            timeline.model.rebuildCanonically(from: read.scene)
            if let fault = timeline.model.restoringFault { throw fault }
            rebuildDevices(from: read.scene)
        } catch {
            let reason = "a snapshot of the scene is not read back: \(error)"
            if isOptional, timeline.model.restoringFault == nil {
                journal.postponeSnapshot(at: tick, reason)
                // Or it would be due again in the next tick.
                work.wroteSnapshot(work.snapshotWork)
            } else {
                lose(reason)
            }
            return
        }
        timeline.ledger = ledger
        timeline.didRebuild()
        traces.clear()
        timeline.model.countIn(JournalRecord.readingWork(of: bytes.count))
        work.wroteSnapshot(timeline.model.work &- before)
        hasUntoldSnapshot = true
        for record in records { clients[record.name]?.digestIsJournalled = true }
        append(.snapshot, bytes)
    }

    /// Why the last snapshot that was due was not written; `nil` where it was.
    public var snapshotFault: String? { journal.snapshotFault }

    private func append(_ kind: JournalRecord.Kind, _ bytes: [UInt8]) {
        effects.append(
            .append(journal.makeRecord(kind, epoch: epoch, tick: tick, payload: bytes)))
    }

    // MARK: Snapshots

    /// Writes the scene anew when that is worth it, at a quiet moment if one comes in time.
    func writeSnapshotIfDue(_ model: SceneModel) {
        guard !isReadOnly else { return }
        if model.numbersUsed > Limits.viewNumberMaximum / 2 {
            renumber(model)
            appendSnapshot(author: "", clientSequence: 0)
            return
        }
        let bytes = journal.bytesSinceSnapshot
        let enough = max(options.snapshotBytes, options.snapshotGrowth * journal.snapshotBytes)
        let age = UInt64(options.snapshotSeconds) * UInt64(max(tickRate, 1))
        let isDue =
            bytes >= enough
            || (journal.batchesSinceSnapshot > 0 && tick >= journal.snapshotTick + age)
            || work.isSnapshotDue
        guard isDue, model.isIdle || bytes >= 16 * enough || work.isSnapshotOverdue,
            inbox.isEmpty || bytes >= 2 * enough || work.isSnapshotOverdue
        else { return }
        // It costs about as much as making the scene did.
        guard work.snapshotWork <= work.slice else { return effects.append(.overran) }
        let renumbers =
            model.isFragmented
            && tick >= keyframeTick + UInt64(options.keyframeSeconds * max(tickRate, 1))
        if renumbers { renumber(model) }
        // A replay does not know the new numbers without it.
        appendSnapshot(author: "", clientSequence: 0, isOptional: !renumbers)
    }

    /// Leaves a journal that is quickly read, before the room is unloaded.
    func retire() {
        guard !isReadOnly, journal.batchesSinceSnapshot > 0, inbox.isEmpty,
            let timeline = wake(), timeline.model.isIdle
        else { return }
        rewriteScene(isOptional: true)
    }

    /// Writes the scene anew between two ticks, and tells at once what that moved.
    ///
    /// It is told under a tick of its own, since members may have been told of the last one: a tick names one state, or
    /// a client that resumes from it would resume from another.
    func rewriteScene(isOptional: Bool = false) {
        guard let timeline = wake() else { return }
        tick += 1
        appendSnapshot(author: "", clientSequence: 0, isOptional: isOptional)
        broadcastChanges(timeline.model)
    }

    // MARK: What the store says

    /// Results leave once their records are on disk.
    func becomeDurable(through sequence: UInt64) {
        let (records, ready) = journal.becomeDurable(through: sequence)
        if journal.isDurable { durableTick = tick }
        for entry in ready {
            note(entry.result, author: entry.author, isJournalled: entry.isJournalled)
            if let recipient = recipient(of: entry) {
                send([.result(entry.result)], to: [recipient])
            }
        }
        seekers.append(records)
    }

    /// The connection that asked, or the one that the same client has now.
    private func recipient(of entry: JournalState.Waiting) -> Member? {
        roster[entry.member] ?? roster.latest(of: entry.author)
    }

    /// Goes back to what is on disk, under a new epoch; the room is read-only until the store is back.
    func storeFailed(_ reason: String) {
        // Afterwards nothing could bring it back, and the room goes on with the scene that it has.
        if !journal.hasDurableSnapshot { _ = wake() }
        let (records, failed) = journal.rewind()
        isReadOnly = true
        for entry in failed {
            var result = entry.result
            result.outcome = .refused(
                Refusal(
                    code: .storeFailed,
                    message: "read-only: store failed; the journal could not be written: \(reason)"
                ))
            note(result, author: entry.author)
            if let recipient = recipient(of: entry) { send([.result(result)], to: [recipient]) }
        }
        for name in clients.names { clients[name]?.digestIsJournalled = false }
        epoch += 1
        continues = nil
        do {
            // With the cycles since: what was animated goes on where it is now, as in every other replay.
            let timeline = try JournalReplay(
                records, through: tick, options: options, recalls: 0
            ).timeline
            timeline.model.tickRate = tickRate
            scene = .live(timeline)
            toldTick = tick
            noteActivity()
        } catch {
            // Nothing of the room was ever durable: it goes on with the scene it has, read-only.
        }
        followTraces()
        broadcastEverything()
    }

    /// Takes changes again; the first record under the new epoch is the scene as it stands.
    func storeRecovered() {
        guard isReadOnly else { return }
        isReadOnly = false
        rewriteScene()
    }
}
