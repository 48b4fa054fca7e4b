import Annotations
import SceneDocument
import SceneModel
import SceneWire

/// Records a replay on the wanted devices.
struct RoomRecorder {
    private struct Device {
        let scene: DeviceScene
        var recorder: TrackRecorder
    }

    private let player: JournalPlayer
    private let animatesLocally: Bool
    private var main: TrackRecorder?
    private var devices: [Device] = []
    /// The number of the player's records that the devices have followed.
    private var position = 0
    private(set) var captions: [SceneRecording.Caption] = []
    /// The reason why nothing more is recorded.
    private(set) var failure: SceneRecording.Failure?

    init(_ player: JournalPlayer, animatesLocally: Bool) {
        self.player = player
        self.animatesLocally = animatesLocally
    }

    /// One track for each device.
    var tracks: [SceneRecording.Track] {
        (main.map { [$0.track] } ?? []) + devices.map(\.recorder.track)
    }

    private var epoch: UInt64 { player.records[max(0, player.position - 1)].epoch }
    private var hashTicks: UInt64 { UInt64(max(player.tickRate, 1)) }

    // MARK: The beginning

    /// Begins to follow the scene on its devices, after the first record: by the first tick that is
    /// recorded, something may move on them.
    mutating func follow(_ wanted: SceneRecording.Devices) {
        position = player.position
        for spec in player.timeline.model.devices {
            switch wanted {
            case .all: break
            case .shared: return
            case .named(let names): if !names.contains(spec.id) { continue }
            }
            // What cannot be shown now may be by then.
            try? add(spec)
        }
    }

    /// Records the whole scene at the first tick.
    mutating func begin(_ wanted: SceneRecording.Devices, at tick: UInt64) {
        let shared = TrackRecorder(device: "", animatesLocally: animatesLocally)
        do throws(SceneRecording.Failure) {
            switch wanted {
            case .all:
                main = shared
                try choose(player.timeline.model.devices)
            case .shared: main = shared
            case .named(let names): try choose(try specs(names))
            }
            try record(tick)
        } catch {
            failure = error
        }
    }

    private func specs(_ names: [String]) throws(SceneRecording.Failure) -> [DeviceSpec] {
        let all = player.timeline.model.devices
        var specs: [DeviceSpec] = []
        for name in names {
            guard let spec = all.first(where: { $0.id == name }) else {
                let known = all.map(\.id).joined(separator: ", ")
                throw .device(
                    name,
                    reason: known.isEmpty
                        ? "the scene names no devices" : "the scene has \(known)")
            }
            specs.append(spec)
        }
        return specs
    }

    /// Drops followed devices that are not recorded, and adds those that are missing.
    private mutating func choose(_ specs: [DeviceSpec]) throws(SceneRecording.Failure) {
        let followed = devices
        devices = []
        for spec in specs {
            let device = followed.first {
                $0.scene.label == spec.id && $0.scene.screen == spec.viewport
            }
            if let device { devices.append(device) } else { try add(spec) }
        }
    }

    private mutating func add(_ spec: DeviceSpec) throws(SceneRecording.Failure) {
        do throws(Refusal) {
            let scene = try DeviceScene(
                id: UInt32(devices.count + 1), label: spec.id, screen: spec.viewport,
                of: player.timeline.model, tickRate: player.tickRate, workLimit: .max,
                options: SessionOptions())
            devices.append(
                Device(
                    scene: scene,
                    recorder: TrackRecorder(device: spec.id, animatesLocally: animatesLocally)))
        } catch {
            throw .device(spec.id, reason: error.message)
        }
    }

    // MARK: Ticks

    /// Lays the scene out on its devices, after the cycle of a tick, and records it unless the
    /// recording begins later.
    mutating func note(_ tick: UInt64, isRecorded: Bool) {
        guard failure == nil else { return }
        for record in player.records[position..<player.position] {
            follow(record, tick, isRecorded: isRecorded)
        }
        position = player.position
        for device in devices {
            if device.scene.hasDiverged {
                device.scene.rebuild(from: player.timeline.model.snapshot(), workLimit: .max)
            }
            device.scene.runCycle(workLimit: .max)
        }
        guard isRecorded else { return }
        do throws(SceneRecording.Failure) { try record(tick) } catch { failure = error }
    }

    private mutating func record(_ tick: UInt64) throws(SceneRecording.Failure) {
        let (epoch, hashTicks) = (epoch, hashTicks)
        try main?.note(
            player.timeline.model, epoch: epoch, tick: tick, isNew: false, hashTicks: hashTicks)
        for index in devices.indices {
            let scene = devices[index].scene
            guard let model = scene.model else { continue }
            try devices[index].recorder.note(
                model, epoch: epoch, tick: tick, isNew: scene.takeNewState(),
                hashTicks: hashTicks)
        }
    }

    /// Ends all tracks.
    mutating func end() {
        main?.end()
        for index in devices.indices { devices[index].recorder.end() }
    }

    // MARK: Records

    private mutating func follow(
        _ record: JournalRecord, _ tick: UInt64, isRecorded: Bool
    ) {
        // The player has read it.
        guard let payload = try? JournalPayload(record) else { return }
        switch payload {
        case .snapshot(let snapshot):
            for device in devices {
                device.scene.rebuild(from: snapshot.scene, workLimit: .max)
            }
        case .batch(let batch):
            switch batch.purpose {
            case .annotate: if isRecorded { note(batch, tick) }
            case .layOut: follow([], laysOutFirst: true)
            case .ops, .undo, .redo:
                let ops = try? Op.parseArray(batch.ops, path: "ops", maximum: .max)
                follow(ops ?? [], laysOutFirst: false)
            case .dropUndo, .dropRedo: break
            }
        }
    }

    private func follow(_ ops: [Op], laysOutFirst: Bool) {
        for device in devices {
            _ = device.scene.follow(ops, laysOutFirst: laysOutFirst, workLimit: .max)
        }
    }

    private mutating func note(_ batch: BatchPayload, _ tick: UInt64) {
        guard let stamp = batch.stamp, let ops = try? AnnotationOp.parse(batch.ops) else { return }
        for op in ops {
            let text: String
            switch op {
            case .addComment(_, _, let comment, _), .replyComment(_, let comment, _):
                text = comment
            case .addVersion(let name, _): text = "version \(name)"
            case .restoreVersion(let name): text = "restored version \(name)"
            case .suggest(_, let name, _): text = "suggestion \(name)"
            case .acceptSuggestion(let id, _): text = "accepted suggestion \(id)"
            case .lock, .unlock, .editComment, .removeComment, .resolveComment, .reopenComment,
                .reactComment, .removeVersion, .refuseSuggestion, .reopenSuggestion,
                .removeSuggestion, .updateSuggestion:
                continue
            }
            captions.append(
                SceneRecording.Caption(tick: tick, author: stamp.person.name, text: text))
        }
    }
}
