import JSON
import SceneDocument
import SceneModel
import SceneWire

extension SceneSession {
    func append(_ batch: BatchPayload) {
        var batch = batch
        if let history = clients[batch.author], !history.digestIsJournalled {
            batch.tokenDigest = history.tokenDigest
            clients[batch.author]?.digestIsJournalled = true
        }
        noteForFollowers(batch)
        batch.measuredText = takeMeasuredText()
        append(.batch, JournalPayload.batch(batch).bytes)
    }

    /// The lengths of words that the journal lacks, of the scene and of those on devices.
    private func takeMeasuredText() -> JSONValue? {
        guard case .live(let timeline) = scene else { return nil }
        let model = timeline.model
        for device in devices.scenes.compactMap(\.model) where device.measuredText.isUntold {
            model.measuredText.takeUntold(of: &device.measuredText)
        }
        return model.measuredText.takeUntoldJSON()
    }

    /// Keeps of measured text what the scene needs, and the scenes on devices, which were all
    /// rebuilt.
    private func keepMeasuredText(of model: SceneModel) {
        model.measuredText.forgetUnused()
        for device in devices.scenes.compactMap(\.model) {
            device.measuredText.forgetUnused()
            model.measuredText.formUnion(device.measuredText)
        }
    }

    /// Writes a snapshot of the scene and rebuilds the live scene from it, so that both stay
    /// identical.
    ///
    /// The snapshot replaces the records before it, so it is parsed before anything changes. If
    /// that fails, nothing is written and the journal keeps its records.
    ///
    /// - Parameter isOptional: Whether the journal is complete without the snapshot; if not, a
    ///   failure loses the scene.
    func appendSnapshot(author: String, clientSequence: UInt64, isOptional: Bool = false) {
        // A replacement for a lost scene must never be journalled after it.
        guard let timeline = wake() else { return }
        let records = clients.names.compactMap { name -> ClientRecord? in
            // The snapshot may come from the author's first message, so its client record must be
            // in the same record as its op.
            guard let history = clients[name], history.lastSequence > 0 || name == author else {
                return nil
            }
            let waiting = journal.waitingSequences(of: name)
            var record = ClientRecord(
                name: name, tokenDigest: history.tokenDigest, lastSequence: history.lastSequence,
                committed: history.committed + waiting)
            if options.provesAnswers {
                record.kept = history.kept
                for sequence in waiting { record.kept.insert(sequence) }
            }
            return record
        }
        // The new maximum applies from this snapshot on; a replay of earlier records needs the
        // former one.
        var ledger = timeline.ledger
        ledger.stepMaximum = options.undoMaximum
        ledger.byteMaximum = options.undoByteMaximum
        var payload = SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: tickRate, author: author,
            clientSequence: clientSequence, clients: records, ledger: ledger.json)
        payload.annotations = timeline.annotations
        var bytes = JournalPayload.snapshot(payload).bytes
        let before = timeline.model.work
        var readingWork: UInt64
        do {
            if let fault = timeline.model.restoringFault { throw fault }
            let read = try SnapshotPayload.read(bytes, undoMaximum: options.undoMaximum)
            timeline.model.rebuildCanonically(from: read.payload.scene)
            if let fault = timeline.model.restoringFault { throw fault }
            rebuildDevices(from: read.payload.scene)
            readingWork = read.readingWork
            keepMeasuredText(of: timeline.model)
            if !timeline.model.measuredText.isEmpty {
                // What it had measured besides is not needed any more, and what it measured for the
                // first time now is.
                payload.scene.measuredText = timeline.model.measuredText
                bytes = JournalPayload.snapshot(payload).bytes
                readingWork = JournalPayload.readingWork(of: payload.json)
            }
        } catch {
            let reason = "a snapshot of the scene is not read back: \(error)"
            if isOptional, timeline.model.restoringFault == nil {
                journal.postponeSnapshot(at: tick, reason)
                // Without this, the snapshot would be due again in the next tick.
                work.wroteSnapshot(work.snapshotWork)
            } else {
                lose(reason)
            }
            return
        }
        timeline.ledger = ledger
        timeline.didRebuild()
        traces.clear()
        timeline.model.countIn(readingWork)
        work.wroteSnapshot(timeline.model.work &- before)
        hasUntoldSnapshot = true
        restoringSnapshot = nil
        for record in records { clients[record.name]?.digestIsJournalled = true }
        append(.snapshot, bytes, repeatsScene: isOptional)
        noteRebuilding(isAsBefore: isOptional)
    }

    /// The reason why the last due snapshot was not written; `nil` if it was.
    public var snapshotFault: String? { journal.snapshotFault }

    private func append(
        _ kind: JournalRecord.Kind, _ bytes: [UInt8], repeatsScene: Bool = false
    ) {
        effects.append(
            .append(
                journal.makeRecord(
                    kind, repeatsScene: repeatsScene, epoch: epoch, tick: tick, payload: bytes)))
    }

    // MARK: Snapshots

    /// Writes a snapshot if one is due, preferably while nothing changes.
    func writeSnapshotIfDue(_ model: SceneModel) {
        guard gate.writes else { return }
        if model.numbersUsed > Limits.viewNumberMaximum / 2 {
            renumber(model)
            appendSnapshot(author: "", clientSequence: 0)
            return
        }
        let bytes = journal.bytesSinceSnapshot
        let enough = Int(
            clamping: options.apart(
                UInt64(max(options.snapshotBytes, options.snapshotGrowth * journal.snapshotBytes))))
        let age = options.apart(UInt64(options.snapshotSeconds) * UInt64(max(tickRate, 1)))
        let isDue =
            bytes >= enough
            || (journal.batchesSinceSnapshot > 0 && tick - min(tick, journal.snapshotTick) >= age)
            || work.isSnapshotDue
        guard isDue, model.isIdle || bytes / 16 >= enough || work.isSnapshotOverdue,
            inbox.isEmpty || bytes / 2 >= enough || work.isSnapshotOverdue
        else { return }
        // A snapshot costs about as much as building the scene did.
        guard work.snapshotWork <= work.slice else { return effects.append(.overran) }
        let renumbers =
            model.isFragmented
            && tick >= keyframeTick + UInt64(options.keyframeSeconds * max(tickRate, 1))
        if renumbers { renumber(model) }
        // A replay can learn the new numbers from a snapshot only.
        appendSnapshot(author: "", clientSequence: 0, isOptional: !renumbers)
    }

    /// Writes a snapshot before the room is unloaded, if its journal would be slow to replay.
    func retire() {
        guard gate.writes, journal.batchesSinceSnapshot > 0, inbox.isEmpty,
            let timeline = wake(), timeline.model.isIdle
        else { return }
        rewriteScene(isOptional: true)
    }

    /// Writes a snapshot between two ticks and sends members the views that moved.
    ///
    /// The change has a tick number of its own: members may have received the state of the last
    /// tick, and each tick must name one state, or a client that resumes from it would have
    /// another.
    func rewriteScene(isOptional: Bool = false) {
        guard let timeline = wake() else { return }
        tick += 1
        appendSnapshot(author: "", clientSequence: 0, isOptional: isOptional)
        // As a replay does: what moves goes on in each tick.
        timeline.runCycle()
        runDeviceCycles()
        broadcastChanges(timeline.model)
    }

    // MARK: What the store says

    /// Sends results whose records are on disk.
    func becomeDurable(through sequence: UInt64) {
        let (records, ready) = journal.becomeDurable(through: sequence)
        if journal.isDurable { durableTick = tick }
        for entry in ready {
            note(entry.result, author: entry.author, isJournalled: entry.isJournalled)
            send([.result(entry.result)], to: recipients(of: entry))
        }
        seekers.append(records)
    }

    /// The connection that sent the request, and the client's latest one, if that is another. The
    /// first may be dead without the server having noticed, and the client may have asked again
    /// over the second.
    func recipients(of entry: JournalState.Waiting) -> [Member] {
        guard let asker = roster[entry.member] else {
            return roster.latest(of: entry.author).map { [$0] } ?? []
        }
        // The search takes time for each member, so that it is left out where there is one
        // connection.
        guard let history = clients[entry.author], history.connectionCount > 1,
            let latest = roster.latest(of: entry.author), latest !== asker
        else { return [asker] }
        return [asker, latest]
    }

    /// Returns to the state on disk under a new epoch; the room is read-only until the store
    /// recovers.
    func storeFailed(_ reason: String) {
        // Without a durable scene to return to, the room keeps its present one.
        if !journal.hasDurableSnapshot { _ = wake() }
        let (records, failed) = journal.rewind()
        gate.close()
        for entry in failed {
            var result = entry.result
            result.outcome = .refused(
                Refusal(
                    code: .storeFailed,
                    message: "read-only: store failed; the journal could not be written: \(reason)"
                ))
            note(result, author: entry.author)
            send([.result(result)], to: recipients(of: entry))
        }
        for name in clients.names { clients[name]?.digestIsJournalled = false }
        epoch += 1
        former = nil
        do {
            // The cycles since then run too, so that animations continue from the same positions as
            // in any other replay.
            let timeline = try JournalReplay(
                records, through: tick, options: options, recalls: 0
            ).timeline
            timeline.model.tickRate = tickRate
            scene = .live(timeline)
            toldTick = tick
            noteActivity()
        } catch {
            // Nothing of the room was ever durable: it keeps its scene and is read-only.
        }
        followTraces()
        annotationsWentBack()
        feed.restart()
        broadcastEverything()
        if case .live(let timeline) = scene { restartDevices(timeline.model) }
    }

    /// Accepts changes again; the first record under the new epoch is a snapshot of the present
    /// scene.
    func storeRecovered() {
        guard gate.reopen() else { return }
        rewriteScene()
    }
}
