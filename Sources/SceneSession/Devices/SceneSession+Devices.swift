import ConstraintLanguage
import SceneModel
public import SceneProtocol

/// Members that watch the scene on devices besides the main one.
extension SceneSession {
    /// The device that a member has, and how far it is what it asked for.
    struct DeviceChoice {
        /// 0 for the main one.
        var id: UInt32 = 0
        var name = ""
        var fit = DeviceFit.exact
        var reason = ""
    }

    // MARK: Choosing

    /// Finds or makes the device that is asked for; where that cannot be, the most similar.
    ///
    /// - Returns: `nil` where it takes longer to lay it out than the room may take where it is now.
    func chooseDevice(_ request: DeviceRequest) -> DeviceChoice? {
        guard !request.isMain else { return DeviceChoice() }
        let screen: ViewportPatch
        let main = mainScreen
        do throws(Refusal) {
            screen = try Self.screen(request, main.viewport, main.devices)
        } catch {
            return DeviceChoice(fit: .main, reason: error.message)
        }
        let wanted = main.viewport.adapted(to: screen)
        var same = wanted
        same.unsatisfiable = main.viewport.unsatisfiable
        guard same != main.viewport else { return DeviceChoice(name: request.name) }
        if let scene = devices.equal(to: screen) {
            return DeviceChoice(id: scene.id, name: request.name)
        }
        devices.dropUnused(by: roster.inOrder)
        guard devices.scenes.count < options.deviceMaximum else {
            return nearest(
                to: wanted, main.viewport,
                "the room serves \(options.deviceMaximum) different devices already")
        }
        guard work.questions.isSolvent else {
            return nearest(to: wanted, main.viewport, "the room is too busy for another device")
        }
        guard let timeline = wake() else {
            return DeviceChoice(fit: .main, reason: "the room has to be read again")
        }
        let limit = min(work.budget.message, work.slice)
        do throws(Refusal) {
            let label =
                request.name.isEmpty
                ? "\(NumberText.of(wanted.width))x\(NumberText.of(wanted.height))" : request.name
            let scene = try DeviceScene(
                id: devices.makeID(), label: label, screen: screen, of: timeline.model,
                tickRate: tickRate, workLimit: limit, options: options)
            work.spendOnQuestion(scene.model?.work ?? 0)
            scene.start(epoch: epoch, tick: streams.tick)
            devices.add(scene)
            return DeviceChoice(id: scene.id, name: request.name)
        } catch {
            if error.code == .tooExpensive, limit < work.budget.message { return nil }
            return DeviceChoice(fit: .main, reason: error.message)
        }
    }

    private func nearest(
        to wanted: Viewport, _ main: Viewport, _ reason: String
    ) -> DeviceChoice {
        let scene = devices.nearest(to: wanted, main: main)
        return DeviceChoice(id: scene?.id ?? 0, fit: .nearest, reason: reason)
    }

    /// What a member's device has that the main one has not.
    ///
    /// - Throws: `Refusal` for a name that the scene does not have, and for what no device can be.
    private static func screen(
        _ request: DeviceRequest, _ main: Viewport, _ devices: [DeviceSpec]
    ) throws(Refusal) -> ViewportPatch {
        var screen = ViewportPatch()
        if !request.name.isEmpty {
            guard let named = devices.first(where: { $0.id == request.name }) else {
                let names = devices.map(\.id).joined(separator: ", ")
                throw Refusal(
                    code: .badValue,
                    message: names.isEmpty
                        ? "the scene names no devices"
                        : "the scene has no device \"\(request.name)\"; it has \(names)")
            }
            screen = named.viewport
        }
        do throws(DocumentError) {
            screen.merge(try ViewportPatch.device(request.viewport))
        } catch {
            throw Refusal(error, opIndex: 0)
        }
        guard request.columns > 0 || request.rows > 0 else { return screen.inWholePoints }
        let cell = screen.cell ?? main.cell
        let size = Size(
            width: Double(request.columns) * cell.width, height: Double(request.rows) * cell.height)
        guard size.width >= 1, size.height >= 1, size.width <= Limits.viewportMaximum,
            size.height <= Limits.viewportMaximum
        else {
            throw Refusal(
                code: .badValue,
                message:
                    "\(request.columns) × \(request.rows) cells are no device: each way 1...\(NumberText.of(Limits.viewportMaximum)) points"
            )
        }
        (screen.width, screen.height) = (size.width, size.height)
        return screen.inWholePoints
    }

    /// The main device, and the names of the others, without thawing anything.
    private var mainScreen: (viewport: Viewport, devices: [DeviceSpec]) {
        switch scene {
        case .live(let timeline): (timeline.model.viewport, timeline.model.devices)
        case .frozen(let rest), .spoiled(let rest): (rest.viewport, rest.devices)
        case .lost: (Viewport(width: 0, height: 0), [])
        }
    }

    // MARK: Telling

    /// What a member is told of its device.
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

    /// The viewport of a member's device, and how many units of the wire a point has there.
    func shownViewport(of member: Member) -> (viewport: Viewport, unitsPerPoint: Double) {
        guard let scene = devices[member.stream.device] else { return shownViewport }
        return (scene.viewport, scene.unitsPerPoint)
    }

    /// The scene that a member watches.
    func model(of member: Member, main: SceneModel) -> SceneModel {
        devices[member.stream.device]?.model ?? main
    }

    // MARK: Changing

    /// Notes that a member wants another device; of several in a tick the last counts.
    func request(_ device: DeviceRequest, _ member: Member) {
        member.wantedDevice = device
    }

    /// Whether the scene can be laid out for another device where the room is now: it takes about as much as the scene itself
    /// did. A room that cannot goes on in the slow lane first.
    var canLayOutAnother: Bool { work.snapshotWork <= work.slice }

    /// Whether members wait for a device that the room can afford.
    var awaitsDevices: Bool {
        work.questions.isSolvent && roster.inOrder.contains { $0.wantedDevice != nil }
    }

    /// Gives members the devices that they asked for since the last tick.
    func serveDeviceRequests() {
        for member in roster.inOrder where member.wantedDevice != nil {
            guard work.questions.isSolvent else { break }
            guard canLayOutAnother else {
                effects.append(.overran)
                break
            }
            guard let request = member.wantedDevice else { continue }
            guard let choice = chooseDevice(request) else {
                effects.append(.overran)
                break
            }
            member.wantedDevice = nil
            member.deviceRequest = request
            move(member, to: choice)
        }
        devices.dropUnused(by: roster.inOrder)
    }

    /// Has a member watch the scene on a device from now on.
    func move(_ member: Member, to choice: DeviceChoice) {
        member.device = choice
        let isOther = member.stream.device != choice.id
        if isOther {
            var key = member.stream
            key.device = choice.id
            if !openStream(key) {
                key.roots = []
                _ = openStream(key)
            }
            member.stream = key
            // Until the member acknowledges the state there, it may come back with that of the device before.
            clients[member.admission.session]?.stream = StreamKey(device: .max)
            membersDidChange()
        }
        send([.device(deviceGrant(member))], to: [member])
        guard isOther else { return }
        if let seeker = seekers.of(member) {
            seeker.watch(on: devices[choice.id]?.screen)
        } else {
            sendState(to: [member])
        }
        if member.has(Capability.diagnostics) {
            devices[choice.id]?.board.join(member)
            if choice.id == 0 { diagnosticsBoard.join(member) }
        }
    }

    // MARK: Following the main scene

    /// Does on every device what the main one decided.
    ///
    /// - Returns: The devices where it did not hold.
    func followOnDevices(_ decision: Decision) -> [String] {
        guard !devices.scenes.isEmpty, decision.isChange else { return [] }
        if decision.isScene {
            replaceSceneOnDevices()
            return []
        }
        let before = devices.work
        let laysOut = decision.batches.contains { $0.purpose == .layOut }
        var failing: [String] = []
        for scene in devices.scenes {
            let limit = deviceLimit(since: before)
            if scene.follow(decision.ops, laysOutFirst: laysOut, workLimit: limit) {
                failing.append(scene.label)
            }
        }
        // Before a device goes, whose work counts as well.
        work.spend(devices.work &- before)
        leaveFaulty()
        return failing
    }

    /// Lays every device out, after the main one.
    func runDeviceCycles() {
        guard !devices.scenes.isEmpty else { return }
        let before = devices.work
        if case .live(let timeline) = scene, devices.scenes.contains(where: \.hasDiverged) {
            let snapshot = timeline.model.snapshot()
            for scene in devices.scenes where scene.hasDiverged {
                scene.rebuild(from: snapshot, workLimit: deviceLimit(since: before))
            }
        }
        for scene in devices.scenes { scene.runCycle(workLimit: deviceLimit(since: before)) }
        work.spend(devices.work &- before)
        leaveFaulty()
    }

    /// Units of work that one device may take: a message's, and where the room is now no more than what is left of a slice
    /// that all devices share.
    ///
    /// - Parameter before: The work of all devices when they began.
    private func deviceLimit(since before: UInt64) -> UInt64 {
        let spent = devices.work &- min(before, devices.work)
        return min(work.budget.message, work.slice - min(spent, work.slice))
    }

    private func replaceSceneOnDevices() {
        guard case .live(let timeline) = scene else { return }
        let document = timeline.model.document()
        for scene in devices.scenes {
            do throws(Refusal) {
                try scene.replaceScene(document)
            } catch {
                close(scene, error.message)
            }
        }
        // Names may mean other devices now.
        for member in roster.inOrder where !member.deviceRequest.isMain {
            member.wantedDevice = member.wantedDevice ?? member.deviceRequest
        }
    }

    /// Rebuilds every device's scene where the main one is rebuilt from its snapshot.
    func rebuildDevices(from snapshot: SceneSnapshot) {
        let before = devices.work
        for scene in devices.scenes {
            scene.rebuild(from: snapshot, workLimit: deviceLimit(since: before))
        }
        leaveFaulty()
    }

    /// Begins every device anew after the main scene's views were given other numbers.
    func renumberDevices(_ main: SceneModel) {
        guard !devices.scenes.isEmpty else { return }
        rebuildDevices(from: main.snapshot())
        for scene in devices.scenes {
            scene.start(epoch: epoch, tick: streams.tick)
            sendState(
                to: roster.inOrder.filter {
                    $0.stream.device == scene.id && $0.phase != .seeking
                })
        }
    }

    /// Has devices wait that were cut short where the room is now, and closes those that cannot be shown anywhere.
    private func leaveFaulty() {
        for scene in devices.scenes {
            guard let fault = scene.fault else { continue }
            if scene.model?.isExhausted == true, work.slice < work.budget.message {
                scene.suspend()
            } else {
                close(scene, fault)
            }
        }
    }

    /// Makes devices again that were cut short, now that the room may take longer.
    func resumeDevices() {
        guard devices.areSuspended, let timeline = wake() else { return }
        thawDevices(timeline.model)
    }

    /// Has the members of a device that cannot be shown watch the main one.
    private func close(_ scene: DeviceScene, _ reason: String) {
        let members = roster.inOrder.filter { $0.stream.device == scene.id }
        devices.remove(scene.id)
        for member in members { move(member, to: DeviceChoice(fit: .main, reason: reason)) }
    }

    // MARK: Telling members what changed

    /// Tells the members of each device what a tick changed there.
    func broadcastDevices() {
        for scene in devices.scenes {
            guard let model = scene.model else { continue }
            let marks = model.takeMarks()
            let members = roster.inOrder.filter { $0.stream.device == scene.id }
            do {
                guard !scene.takeNewState(), !marks.isComplete else {
                    throw MirrorError.noSnapshot
                }
                let (deliveries, moved) = try scene.streams.advance(
                    marks, in: model, tick: tick, durableTick: durableTick, members: members)
                movedViewCount &+= UInt64(moved)
                for delivery in deliveries { send(delivery) }
            } catch {
                // As on the main device: they begin anew. The unit may be another one, so they are told it first.
                scene.start(epoch: epoch, tick: tick)
                for member in members { send([.device(deviceGrant(member))], to: [member]) }
                sendState(to: members.filter { $0.phase != .seeking })
            }
        }
    }

    /// Tells the members of each device what is wrong with the layout there, if that is news.
    func broadcastDeviceDiagnostics() {
        for scene in devices.scenes {
            guard let model = scene.model else { continue }
            let readers = roster.inOrder.filter {
                $0.stream.device == scene.id && $0.has(Capability.diagnostics)
                    && $0.phase == .inStep
            }
            guard !readers.isEmpty, let present = deviceDiagnostics(scene, model) else { continue }
            if scene.board.isNews(present) { send([.diagnostics(present)], to: readers) }
        }
    }

    /// Tells members that are new on a device what is wrong with the layout there.
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

    /// Notes that a member came, left, fell behind or caught up.
    func membersDidChange() {
        streams.membersDidChange()
        for scene in devices.scenes { scene.streams.membersDidChange() }
    }

    // MARK: Rest

    func freezeDevices() {
        devices.dropUnused(by: roster.inOrder)
        for scene in devices.scenes { scene.freeze() }
    }

    /// Brings the scenes of devices back after the main one's.
    func thawDevices(_ main: SceneModel) {
        var spent: UInt64 = 0
        // What grew message by message may take as much to be made again as a room to be opened.
        let (many, isTooMuch) = work.budget.message.multipliedReportingOverflow(by: 16)
        let most = isTooMuch ? .max : many
        for scene in devices.scenes where scene.model == nil {
            let limit = min(most, work.slice - min(spent, work.slice))
            do throws(Refusal) {
                let isSame = try scene.thaw(
                    main, epoch: epoch, tick: streams.tick, tickRate: tickRate, workLimit: limit)
                spent &+= scene.model?.work ?? 0
                guard !isSame else { continue }
                sendState(
                    to: roster.inOrder.filter {
                        $0.stream.device == scene.id && $0.phase != .seeking
                    })
            } catch {
                if error.code == .tooExpensive, limit < most {
                    scene.suspend()
                } else {
                    close(scene, error.message)
                }
            }
        }
        work.spend(spent)
    }
}

extension ViewportPatch {
    /// Takes over what another one gives.
    mutating func merge(_ other: ViewportPatch) {
        width = other.width ?? width
        height = other.height ?? height
        scale = other.scale ?? scale
        direction = other.direction ?? direction
        rounding = other.rounding ?? rounding
        cell = other.cell ?? cell
        safeArea = other.safeArea ?? safeArea
        horizontalSizeClass = other.horizontalSizeClass ?? horizontalSizeClass
        verticalSizeClass = other.verticalSizeClass ?? verticalSizeClass
        contentSizeCategory = other.contentSizeCategory ?? contentSizeCategory
        userInterfaceStyle = other.userInterfaceStyle ?? userInterfaceStyle
        idiom = other.idiom ?? idiom
    }

    /// The same with a size in whole points, so that windows that differ by less share a layout.
    var inWholePoints: ViewportPatch {
        var copy = self
        copy.width = width.map { max(1, $0.rounded()) }
        copy.height = height.map { max(1, $0.rounded()) }
        return copy
    }
}

extension SceneSession {
    /// The views as the latest connection of a client is to have them once it is in step and does not animate by itself;
    /// `nil` for a client that is not here. Thaws the scene.
    public func records(shownTo session: String) -> [ViewRecord]? {
        guard let member = roster.latest(of: session), let main = wake()?.model else { return nil }
        return model(of: member, main: main).records()
    }
}
