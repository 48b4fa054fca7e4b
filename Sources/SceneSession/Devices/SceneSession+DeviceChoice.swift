import Bytes
import ConstraintLanguage
import SceneDocument
import SceneModel
import SceneWire

/// Chooses the device on which a member watches the scene: the requested one, or the most similar.
extension SceneSession {
    /// A member's device, and how it fits the request.
    struct DeviceChoice {
        /// 0 for the main one.
        var id: UInt32 = 0
        var name = ""
        var fit = DeviceFit.exact
        var reason = ""
    }

    // MARK: Choosing

    /// Units of work for another device, whose scene is exported from the main one, laid out and
    /// told to its members.
    ///
    /// - Parameter layout: Units for its layout, which is about half of that.
    private static func price(layout: UInt64) -> UInt64 {
        14_000 + 2 * min(layout, .max / 4)
    }

    /// Finds or creates the requested device; if that is impossible, returns the most similar.
    ///
    /// - Returns: `nil` if its layout exceeds the slice of the present thread.
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
            return DeviceChoice(
                fit: .main, reason: "the room must be reopened from its journal; connect again")
        }
        let limit = min(work.budget.message, work.slice)
        do throws(Refusal) {
            let label =
                request.name.isEmpty
                ? "\(NumberText.of(wanted.width))x\(NumberText.of(wanted.height))" : request.name
            let scene = try DeviceScene(
                id: devices.makeID(), label: label, screen: screen, of: timeline.model,
                tickRate: tickRate, workLimit: limit, options: options)
            work.spendOnQuestion(Self.price(layout: scene.model?.work ?? 0))
            scene.start(epoch: epoch, tick: streams.tick)
            devices.add(scene)
            memory.expectMore()
            return DeviceChoice(id: scene.id, name: request.name)
        } catch {
            if error.code == .tooExpensive, limit < work.budget.message { return nil }
            // A failed request is charged as well, or a member could repeat it without limit.
            work.spendOnQuestion(
                Self.price(layout: error.code == .tooExpensive ? limit : work.snapshotWork))
            return DeviceChoice(fit: .main, reason: error.message)
        }
    }

    private func nearest(
        to wanted: Viewport, _ main: Viewport, _ reason: String
    ) -> DeviceChoice {
        let scene = devices.nearest(to: wanted, main: main)
        return DeviceChoice(id: scene?.id ?? 0, fit: .nearest, reason: reason)
    }

    /// The differences of a requested device from the main one.
    ///
    /// - Throws: `Refusal` for a name that the scene does not have, and for values out of range.
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

    /// The main device, and the names of the others; does not thaw the scene.
    var mainScreen: (viewport: Viewport, devices: [DeviceSpec]) {
        switch scene {
        case .live(let timeline): (timeline.model.viewport, timeline.model.devices)
        case .frozen(let rest), .spoiled(let rest): (rest.viewport, rest.devices)
        case .lost: (Viewport(width: 0, height: 0), [])
        }
    }

    // MARK: Changing

    /// Registers a member's request for a device; the last of a tick counts.
    func request(_ device: DeviceRequest, _ member: Member) {
        roster.want(device, member)
    }

    /// Whether the slice of the present thread suffices for the layout of another device, which
    /// costs about as much as the scene itself. If not, the room moves to the slow lane first.
    var canLayOutAnother: Bool { work.snapshotWork <= work.slice }

    /// Whether members wait for a device and the budget suffices.
    var awaitsDevices: Bool {
        work.questions.isSolvent && roster.isAnyWaitingForDevice
    }

    /// Assigns the devices that members requested since the last tick.
    func serveDeviceRequests() {
        for (member, request) in roster.waitingForDevice {
            guard work.questions.isSolvent else { break }
            guard canLayOutAnother else {
                effects.append(.overran)
                break
            }
            guard let choice = chooseDevice(request) else {
                effects.append(.overran)
                break
            }
            roster.didServe(request, member)
            move(member, to: choice)
        }
        devices.dropUnused(by: roster.inOrder)
    }

    /// Moves a member to a device.
    func move(_ member: Member, to choice: DeviceChoice) {
        member.device = choice
        let isOther = member.stream.device != choice.id
        if isOther {
            var key = member.stream
            key.device = choice.id
            if !openStream(key) {
                key.roots = []
                guard openStream(key) else {
                    report(.limit, "too many members see different views there", to: member)
                    return
                }
            }
            member.change(to: key)
            // Until the member acknowledges the new state, it may resume with that of the former
            // device.
            clients[member.admission.session]?.stream = StreamKey(device: .max)
            membersDidChange()
            if member.traced != nil { followTraces() }
        }
        send([.device(deviceGrant(member))], to: [member])
        guard isOther else { return }
        endFollowing(member)
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
}

extension ViewportPatch {
    /// The same with a size in whole points, so that windows with smaller differences share a
    /// layout.
    var inWholePoints: ViewportPatch {
        var copy = self
        copy.width = width.map { max(1, $0.rounded()) }
        copy.height = height.map { max(1, $0.rounded()) }
        copy.keyboard = keyboard.map { $0.rounded() }
        return copy
    }
}
