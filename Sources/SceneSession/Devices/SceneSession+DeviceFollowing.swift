import SceneDocument
import SceneModel
import SceneWire

/// Applies the main scene's decisions to the devices; freezes, thaws and closes them with it.
extension SceneSession {
    // MARK: Following the main scene

    /// Applies a decision of the main scene to every device.
    ///
    /// - Returns: The devices on which its constraints conflict.
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
        // Before unused devices are removed, since their work counts as well.
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

    /// The units of work that one device may take: a message's budget, and at most the rest of the
    /// slice that all devices share.
    ///
    /// - Parameter before: The work of all devices at the beginning.
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
        // Names may denote other devices in the new scene.
        for member in roster.inOrder where !member.deviceRequest.isMain {
            roster.wantAgain(member)
        }
    }

    /// Rebuilds every device's scene when the main one is rebuilt from its snapshot.
    func rebuildDevices(from snapshot: SceneSnapshot) {
        let before = devices.work
        for scene in devices.scenes {
            scene.rebuild(from: snapshot, workLimit: deviceLimit(since: before))
        }
        leaveFaulty()
    }

    /// Rebuilds every device from the main scene, after a renumbering or a rollback to the durable
    /// state, and sends its members the whole state.
    func restartDevices(_ main: SceneModel) {
        guard !devices.scenes.isEmpty else { return }
        rebuildDevices(from: main.snapshot())
        for scene in devices.scenes { restart(scene, at: streams.tick) }
    }

    /// Starts a device's streams again and sends its members the whole state. The unit may have
    /// changed, so the grant is sent first. Members of a suspended device receive the state with
    /// its next scene.
    func restart(_ scene: DeviceScene, at tick: UInt64) {
        guard scene.start(epoch: epoch, tick: tick) else { return }
        let members = members(on: scene)
        for member in members { send([.device(deviceGrant(member))], to: [member]) }
        sendState(to: members.filter { $0.phase != .seeking })
    }

    /// The members that watch a device.
    func members(on scene: DeviceScene) -> [Member] {
        roster.inOrder.filter { $0.stream.device == scene.id }
    }

    /// Suspends devices whose layout exceeded the slice, and closes those that exceed the budget of
    /// a message.
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

    /// Rebuilds suspended devices on a thread where the room may take longer.
    func resumeDevices() {
        guard devices.areSuspended, let timeline = wake() else { return }
        thawDevices(timeline.model)
    }

    /// Moves the members of a device that cannot be shown to the main one.
    func close(_ scene: DeviceScene, _ reason: String) {
        let members = members(on: scene)
        devices.remove(scene.id)
        for member in members { move(member, to: DeviceChoice(fit: .main, reason: reason)) }
    }

    // MARK: Rest

    func freezeDevices() {
        devices.dropUnused(by: roster.inOrder)
        for scene in devices.scenes { scene.freeze() }
    }

    /// Thaws the scenes of devices after the main one.
    func thawDevices(_ main: SceneModel) {
        var spent: UInt64 = 0
        // A scene that grew message by message may take as much work to rebuild as a room to open.
        let (many, isTooMuch) = work.budget.message.multipliedReportingOverflow(by: 16)
        let most = isTooMuch ? .max : many
        for scene in devices.scenes where scene.model == nil {
            let limit = min(most, work.slice - min(spent, work.slice))
            do throws(Refusal) {
                let isSame = try scene.thaw(
                    main, epoch: epoch, tick: streams.tick, tickRate: tickRate, workLimit: limit)
                spent &+= scene.model?.work ?? 0
                guard !isSame else {
                    tell(scene.takeInsetChangesOfNewLayout(), to: members(on: scene))
                    continue
                }
                forgetStreams(of: scene)
                sendState(to: members(on: scene).filter { $0.phase != .seeking })
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

    /// Has the clients of a device, present and absent, resume with its whole state: its streams
    /// start again under a tick that members have, with another state.
    private func forgetStreams(of scene: DeviceScene) {
        clients.forgetStreams(ofDevice: scene.id)
        for member in roster.inOrder where member.stream.device == scene.id {
            member.change(to: member.stream)
        }
    }
}
