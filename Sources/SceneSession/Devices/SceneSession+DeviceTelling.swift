import SceneDocument
import SceneModel
public import SceneWire

/// Sends members of devices their grants, the changes, and the diagnostics there.
extension SceneSession {
    // MARK: Telling

    /// The device grant for a member.
    func deviceGrant(_ member: Member) -> DeviceGrant {
        var grant = DeviceGrant()
        let shown = shownViewport(of: member)
        grant.name = member.device.name
        grant.fit = member.device.fit
        grant.reason = member.device.reason
        grant.unitsPerPoint = shown.unitsPerPoint
        grant.viewport = Size(width: shown.viewport.width, height: shown.viewport.height)
        grant.scale = shown.viewport.scale
        grant.cell = shown.viewport.cell
        grant.maximum = UInt32(clamping: options.deviceMaximum)
        grant.names = mainScreen.devices.map(\.id)
        return grant
    }

    /// The viewport of a member's device, and the number of wire units in a point there.
    func shownViewport(of member: Member) -> (viewport: Viewport, unitsPerPoint: Double) {
        guard let scene = devices[member.stream.device] else { return shownViewport }
        return (scene.viewport, scene.unitsPerPoint)
    }

    /// The scene that a member watches.
    func model(of member: Member, main: SceneModel) -> SceneModel {
        devices[member.stream.device]?.model ?? main
    }

    // MARK: Telling members what changed

    /// Sends the members of each device the changes of a tick there.
    func broadcastDevices() {
        for scene in devices.scenes {
            guard let model = scene.model else { continue }
            let marks = model.takeMarks()
            do {
                guard !scene.takeNewState(), !marks.isComplete else {
                    throw MirrorError.noSnapshot
                }
                let result = try scene.streams.advance(
                    marks, in: model, tick: tick, durableTick: durableTick, members: roster.inOrder)
                movedViewCount &+= UInt64(result.movedViewCount)
                for delivery in result.deliveries { send(delivery) }
                for key in result.restarted { sendState(to: roster.inStep(key)) }
                tell(scene.takeInsetChanges(marks), to: members(on: scene))
            } catch {
                // As on the main device: they receive the whole state.
                restart(scene, at: tick)
            }
        }
    }

    /// Sends the members of each device its diagnostics, if they changed.
    func broadcastDeviceDiagnostics() {
        for scene in devices.scenes {
            guard let model = scene.model else { continue }
            let readers = roster.inOrder.filter {
                $0.stream.device == scene.id && $0.has(Capability.diagnostics)
                    && $0.phase == .inStep
            }
            guard !readers.isEmpty else { continue }
            guard let present = deviceDiagnostics(scene, model) else {
                // As for the main device, when the budget for questions allows it.
                diagnosticsDueTick = max(tick + 1, work.questions.solventTick)
                continue
            }
            if scene.board.isNews(present) { send([.diagnostics(present)], to: readers) }
        }
    }

    /// Sends the diagnostics to members that are new on a device.
    func tellNewDeviceReaders() {
        for scene in devices.scenes where scene.board.hasNewReaders {
            guard let model = scene.model, let present = deviceDiagnostics(scene, model) else {
                continue
            }
            send([.diagnostics(present)], to: scene.board.takeNewReaders(present))
        }
    }

    private func deviceDiagnostics(_ scene: DeviceScene, _ model: SceneModel) -> Diagnostics? {
        if let known = scene.board.known(at: scene.streams.tick) { return known }
        let found = ask(model) {
            scene.board.diagnostics(of: model, tick: scene.streams.tick)
        }
        guard var diagnostics = found?.answer else { return nil }
        diagnostics.isUnfinished = found?.isWhole == false
        return diagnostics
    }

    // MARK: Streams

    /// The stream that a key names.
    func stream(_ key: StreamKey) -> BroadcastStream? {
        guard key.device != 0 else { return streams[key] }
        return devices[key.device]?.streams[key]
    }

    func baseline(_ key: StreamKey) -> StreamBaseline? { stream(key)?.baseline }

    func insets(of key: StreamKey) -> InsetTable { devices[key.device]?.insets ?? insets }

    /// The keys of the streams of all devices.
    var streamKeys: [StreamKey] { streams.keys + devices.scenes.flatMap(\.streams.keys) }

    func statePayloads(_ key: StreamKey, _ format: Subprotocol) -> [[UInt8]] {
        guard key.device != 0 else { return streams.statePayloads(key, format) }
        return devices[key.device]?.streams.statePayloads(key, format) ?? []
    }

    func merged(_ key: StreamKey, since base: UInt64) -> [ServerMessage]? {
        guard key.device != 0 else {
            return streams.merged(key, since: base, durableTick: durableTick)
        }
        return devices[key.device]?.streams.merged(key, since: base, durableTick: durableTick)
    }

    /// Registers that a member joined, left, lagged or caught up.
    func membersDidChange() {
        streams.membersDidChange()
        for scene in devices.scenes { scene.streams.membersDidChange() }
    }
}

extension SceneSession {
    /// The views that the latest connection of a client receives once it is in step and does not
    /// animate locally; `nil` for a client that is not connected. Thaws the scene.
    public func records(shownTo session: String) -> [ViewRecord]? {
        guard let member = roster.latest(of: session), let main = wake()?.model else { return nil }
        return model(of: member, main: main).records()
    }

    /// The insets that the latest connection of a client knows; `nil` for one that is not told any.
    /// Thaws the scene.
    public func insets(shownTo session: String) -> InsetTable? {
        guard let member = roster.latest(of: session), member.has(Capability.insets),
            let main = wake()?.model
        else { return nil }
        return model(of: member, main: main).insets
    }
}
