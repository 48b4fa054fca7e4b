import AutoLayout
import SceneProtocol

/// The devices of a document that have a say in what is accepted, each with a scene that takes what the main one takes.
///
/// Unlike the scenes of devices that members watch, which follow what was decided, these are asked before: a contradiction
/// that an op brings about on one of them is a refusal. A journal holds what was accepted, so a replay asks nobody.
struct StrictDevices {
    private struct Device {
        let id: String
        let model: SceneModel
    }

    private var devices: [Device] = []

    /// Constraints that are given up, by device; the newer ones are those that a batch brought about.
    typealias Broken = [String: Set<String>]

    /// Lays a scene out for each strict device of its document.
    ///
    /// - Throws: `Refusal` with `tooExpensive` beyond what is left of the scene's limit.
    init(of main: SceneModel) throws(Refusal) {
        guard main.screen == nil, main.devices.contains(where: \.isStrict) else { return }
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

    /// No device.
    init() {}

    var isEmpty: Bool { devices.isEmpty }

    /// What is given up on each device.
    var broken: Broken {
        Dictionary(uniqueKeysWithValues: devices.map { ($0.id, Set($0.model.brokenConstraintIDs)) })
    }

    /// Whether a cycle would do anything on one of them.
    var havePendingWork: Bool { devices.contains { $0.model.window.hasPendingWork } }

    /// Does on each device what the main scene did, and lets that pay for it.
    func follow(_ main: SceneModel, _ act: (SceneModel) -> Void) throws(Refusal) {
        for device in devices {
            let before = device.model.work
            let rest = main.workLimit &- min(main.work, main.workLimit)
            let (limit, isTooMuch) = before.addingReportingOverflow(rest)
            device.model.workLimit = isTooMuch ? .max : limit
            act(device.model)
            // Nobody is told of them.
            _ = device.model.takeMarks()
            main.countIn(device.model.work &- before)
            guard !device.model.isExhausted else {
                main.wasCutShort = true
                return try main.requireAffordable()
            }
        }
    }

    /// Why what was done since then cannot be, where required constraints contradict one another on a device.
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
    /// Brings the scenes of strict devices to life, after the main one was.
    ///
    /// - Throws: `Refusal` with `tooExpensive` beyond the limit.
    func makeStrictDevices() throws(Refusal) {
        strictDevices = try StrictDevices(of: self)
    }

    /// Refuses a document that contradicts itself on a strict device, where one that does so on the main one is refused.
    func refuseIfStrictlyBroken() throws(Refusal) {
        guard shownViewport.unsatisfiable == .refuse, !isReplaying else { return }
        if let refusal = strictDevices.refusal(since: [:]) { throw refusal }
    }

    /// Performs an op on the main scene and on strict devices, which may refuse it.
    ///
    /// The main scene then goes back to a copy, or is half changed and its owner goes back, as with an atomic batch.
    func askingStrictDevices(
        _ op: Op, into outcome: inout BatchOutcome,
        _ perform: (inout BatchOutcome) throws(Refusal) -> Void
    ) throws(Refusal) {
        // What an animation or a view's code does is theirs, and asked about with them.
        guard !strictDevices.isEmpty, !isWithinOp else { return try perform(&outcome) }
        let decides = !isAtomic && !isReplaying
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

    /// Why a batch that is whole cannot be, where its parts contradict one another on a strict device.
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
