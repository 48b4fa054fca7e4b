import AutoLayout
import SceneDocument

/// The strict devices of a document, each with a scene that applies the main scene's ops.
///
/// Unlike the scenes of devices that members watch, which follow decisions, these take part in
/// them: an op that causes a conflict on one of them is refused. A journal contains accepted ops
/// only, so a replay does not check them.
struct StrictDevices {
    private struct Device {
        let id: String
        let model: SceneModel
    }

    private var devices: [Device] = []

    /// The broken constraints, by device; new ones were caused by the present batch.
    typealias Broken = [String: Set<String>]

    /// Lays a scene out for each strict device of its document.
    ///
    /// - Throws: `Refusal` with `tooExpensive` beyond the rest of the scene's limit.
    init(of main: SceneModel) throws(Refusal) {
        guard main.screen == nil, main.devices.contains(where: { $0.isStrict }) else { return }
        let snapshot = main.snapshot()
        for device in main.devices where device.isStrict {
            let model = try SceneModel(
                snapshot, on: device.viewport, tickRate: main.tickRate,
                workLimit: main.workLimit &- min(main.work, main.workLimit))
            main.countIn(model.work)
            model.restoresRefused = false
            devices.append(Device(id: device.id, model: model))
        }
    }

    /// No devices.
    init() {}

    var isEmpty: Bool { devices.isEmpty }

    /// The broken constraints on each device.
    var broken: Broken {
        Dictionary(uniqueKeysWithValues: devices.map { ($0.id, Set($0.model.brokenConstraintIDs)) })
    }

    /// Whether a cycle would have an effect on one of them.
    var havePendingWork: Bool { devices.contains { $0.model.window.hasPendingWork } }

    /// Whether all their windows are so.
    func allow(_ condition: (Window) -> Bool) -> Bool {
        devices.allSatisfy { condition($0.model.window) }
    }

    /// Moves their animations on with the main scene's.
    func skipCycles(_ count: Int, of main: SceneModel) {
        for device in devices where device.model.window.onlyAnimates {
            let before = device.model.work
            device.model.skipCycles(count)
            _ = device.model.takeMarks()
            main.countIn(device.model.work &- before)
        }
    }

    /// Repeats an action of the main scene on each device, and charges the main scene.
    func follow(_ main: SceneModel, _ act: (SceneModel) -> Void) throws(Refusal) {
        for device in devices {
            let before = device.model.work
            let rest = main.workLimit &- min(main.work, main.workLimit)
            let (limit, isTooMuch) = before.addingReportingOverflow(rest)
            device.model.workLimit = isTooMuch ? .max : limit
            act(device.model)
            // Members do not receive their marks.
            _ = device.model.takeMarks()
            main.countIn(device.model.work &- before)
            guard !device.model.isExhausted else {
                main.wasCutShort = true
                return try main.requireAffordable()
            }
        }
    }

    /// The refusal for required constraints that conflict on a device since then, if any.
    func refusal(since before: Broken) -> Refusal? {
        for device in devices {
            let known = before[device.id] ?? []
            guard
                let broken = device.model.brokenConstraintIDs.first(where: { !known.contains($0) })
            else { continue }
            var refusal = Refusal(
                .unsatisfiable(conflict: device.model.conflicts[broken] ?? [broken]))
            refusal.message += ", on the device \"\(device.id)\", which is strict"
            return refusal
        }
        return nil
    }
}

extension SceneModel {
    /// Builds the scenes of strict devices, after the main one.
    ///
    /// - Throws: `Refusal` with `tooExpensive` beyond the limit.
    func makeStrictDevices() throws(Refusal) {
        strictDevices = try StrictDevices(of: self)
    }

    /// Refuses a document that conflicts on a strict device, if a conflict on the main one would be
    /// refused.
    func refuseIfStrictlyBroken() throws(Refusal) {
        guard shownViewport.unsatisfiable == .refuse, !isReplaying else { return }
        if let refusal = strictDevices.refusal(since: [:]) { throw refusal }
    }

    /// Performs an op on the main scene and on strict devices, which may refuse it.
    ///
    /// After a refusal the main scene is restored from a copy, or is half changed and its owner
    /// restores it, as with an atomic batch.
    func askingStrictDevices(
        _ op: Op, into outcome: inout BatchOutcome,
        _ perform: (inout BatchOutcome) throws(Refusal) -> Void
    ) throws(Refusal) {
        // Ops within an animation or a view's code are checked together.
        guard !strictDevices.isEmpty, !isWithinOp else { return try perform(&outcome) }
        let decides = !isAtomic && !isReplaying && letsDevicesDecide
        let backup = decides && restoresRefused ? backup() : nil
        let before = decides ? strictDevices.broken : [:]
        isWithinOp = true
        defer { isWithinOp = false }
        try perform(&outcome)
        try strictDevices.follow(self) { _ = $0.apply([op]) }
        guard decides, let refusal = strictDevices.refusal(since: before) else { return }
        if let backup {
            restore(backup)
            outcome.wasRebuilt = true
        } else {
            isHalfChanged = true
        }
        throw refusal
    }

    /// The refusal for a complete batch whose parts conflict on a strict device, if any.
    func refusalOfStrictDevices(since before: StrictDevices.Broken) -> Refusal? {
        do {
            try strictDevices.follow(self) { $0.window.restoreBrokenConstraints() }
        } catch {
            return error
        }
        return strictDevices.refusal(since: before)
    }

    /// Runs the cycles of strict devices after the main one's.
    func runStrictCycles() {
        guard !strictDevices.isEmpty else { return }
        do {
            try strictDevices.follow(self) { $0.runCycle() }
        } catch {
            // The owner of the limit reads `isExhausted` and discards the scene.
        }
    }
}
