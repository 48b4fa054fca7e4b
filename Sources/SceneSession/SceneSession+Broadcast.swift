import SceneModel
import SceneWire

/// Sends members the changes of each tick, encoded once for each stream and format.
extension SceneSession {
    // MARK: Streams

    /// Starts all streams from the present scene.
    func startStreams() {
        guard let model = wake()?.model else { return }
        _ = model.takeMarks()
        streams.start(epoch: epoch, tick: tick, model: model)
        insets = model.insets
        didTell()
    }

    /// Opens a stream for a member; returns false if there are too many streams.
    func openStream(_ key: StreamKey) -> Bool {
        if stream(key) == nil { noteActivity() }
        if let scene = devices[key.device] {
            return scene.streams.open(key, epoch: epoch, model: scene.model)
        }
        var model: SceneModel?
        if case .live(let timeline) = scene { model = timeline.model }
        return streams.open(key, epoch: epoch, model: model)
    }

    // MARK: Each tick

    func broadcastChanges(_ model: SceneModel) {
        let marks = model.takeMarks()
        guard !marks.isComplete else {
            broadcastEverything()
            return
        }
        do {
            let result = try streams.advance(
                marks, in: model, tick: tick, durableTick: durableTick, members: roster.inOrder)
            movedViewCount &+= UInt64(result.movedViewCount)
            didTell()
            for delivery in result.deliveries { send(delivery) }
            for key in result.restarted { sendState(to: roster.inStep(key)) }
            tellInsets(model.insetChanges(marks, since: insets))
            if result.changesTree { sightsDidChange() }
        } catch {
            // All members would fail on the same message, so all receive a new snapshot.
            broadcastEverything()
            return
        }
        serveSlowMembers()
    }

    /// Has members who see a part of the scene told anew what there is besides the state: views may
    /// have come to be seen, or ceased to be.
    private func sightsDidChange() {
        for member in roster.inOrder where member.sight != nil {
            member.missesInteractions = member.has(Capability.events)
            member.missesAnnotations = member.has(Capability.annotations)
            someMissInteractions = someMissInteractions || member.missesInteractions
            annotationState.someMissThem =
                annotationState.someMissThem || member.missesAnnotations
            if member.phase == .inStep, member.has(Capability.insets) {
                let changes = insets(of: member.stream).changes
                send(Insets.messages(changes, whole: true), to: [member])
            }
        }
    }

    private func tellInsets(_ changes: [InsetChange]) {
        guard !changes.isEmpty else { return }
        insets.apply(changes)
        tell(changes, to: roster.inOrder.filter { $0.stream.device == 0 })
    }

    /// Goes on after a tick that the last owner showed.
    func goOn(after shown: UInt64) {
        lastShownTick = max(lastShownTick, shown)
        if shown >= tick { runTick(shown + 1) }
    }

    /// Brings a stream up to what a member has seen of it from the last owner. A whole state is
    /// told at the tick of its last change, which may be earlier than that; a frame without changes
    /// takes those along that came before.
    func bring(_ key: StreamKey, to seen: UInt64) {
        guard key.device == 0, seen <= lastShownTick, let stream = streams[key], stream.tick < seen
        else { return }
        do {
            let delivery = try streams.advance(
                key, to: tick, durableTick: durableTick, members: roster.inOrder)
            if let delivery { send(delivery) }
        } catch {
            broadcastEverything()
        }
    }

    /// Registers that members have received the present scene.
    private func didTell() {
        toldTick = tick
        hasUntoldSnapshot = false
        if journal.lastTick == tick { journalHash = streams.stateHash }
    }

    func send(_ delivery: StreamSet.Delivery) {
        hashDueTick = hashDueTick ?? nextSecond
        for format in Subprotocol.allCases {
            guard let ids = delivery.recipients.byFormat[format], !ids.isEmpty else { continue }
            effects.append(
                .send(
                    payloads: delivery.messages.map { $0.encoded(as: format) }, format: format,
                    to: ids))
        }
        for member in delivery.recipients.members {
            expectAcknowledgement(of: tick, from: member)
        }
    }

    private var nextSecond: UInt64 {
        let rate = UInt64(max(tickRate, 1))
        return (tick / rate + 1) * rate
    }

    /// Schedules new diagnostics within a second: a change can break a constraint or make a view
    /// ambiguous without moving anything.
    func expectDiagnostics() {
        diagnosticsBoard.sceneDidChange()
        for scene in devices.scenes { scene.board.sceneDidChange() }
        diagnosticsDueTick = diagnosticsDueTick ?? nextSecond
    }

    // MARK: Everything

    /// Sends a snapshot to all members, which puts all in step.
    func broadcastEverything() {
        startStreams()
        sightsDidChange()
        sendState(to: roster.inOrder.filter { $0.phase != .seeking && $0.stream.device == 0 })
    }

    /// Renumbers the views so that neighbours in the tree have adjacent numbers.
    func renumber(_ model: SceneModel) {
        keyframeTick = tick
        numberingTick = tick
        // Members that lag receive nothing before they catch up, and no frame leads from the old
        // numbers to the new ones.
        for member in roster.inOrder where member.phase == .behind { member.hasOldNumbers = true }
        let numbers = model.renumber()
        for key in streams.keys where key.isWhole {
            let keyframe: Keyframe?
            do {
                keyframe = try streams.renumber(key, numbers)
            } catch {
                broadcastEverything()
                return
            }
            guard let keyframe, let stream = streams[key] else { continue }
            let own = roster.inStep(key)
            let able = own.filter {
                $0.has(Capability.keyframes) && $0.sentTick == stream.tick
            }
            send([.keyframe(keyframe)], to: able)
            sendState(to: own.filter { member in !able.contains { $0 === member } })
        }
        for key in streams.keys where !key.isWhole {
            streams.restartPart(key, epoch: epoch)
            sendState(to: roster.inStep(key))
        }
        restartDevices(model)
    }

    // MARK: Once a second

    /// Sends the state hash about once a second after a change, so that members can verify their
    /// state.
    func broadcastHash() {
        guard let due = hashDueTick, tick >= due else { return broadcastOwedDiagnostics() }
        hashDueTick = nil
        feed.expectHash()
        var untold = streams.takeUntoldHashes()
        for scene in devices.scenes { untold += scene.streams.takeUntoldHashes() }
        for hash in untold {
            send(
                [hash.message],
                to: roster.inStep(hash.key).filter { $0.sentTick == hash.tick })
        }
        broadcastAllDiagnostics()
        let patience = UInt64(10 * tickRate)
        streams.closeUnused(by: roster.inOrder, tick: tick, patience: patience)
        for scene in devices.scenes {
            scene.streams.closeUnused(by: roster.inOrder, tick: tick, patience: patience)
        }
    }
}
