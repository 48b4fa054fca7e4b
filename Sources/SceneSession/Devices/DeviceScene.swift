import SceneModel
import SceneProtocol

/// The scene on one device besides the main one, and what the members that watch it there have.
///
/// It takes the ops that the main scene accepted, decides nothing and writes nothing.
final class DeviceScene {
    /// The number by which keys of streams name the device.
    let id: UInt32
    /// What the device has that the main one has not.
    let screen: ViewportPatch
    /// What people call it: a name, or a size.
    var label: String
    /// The scene there; `nil` while the room is at rest.
    private(set) var model: SceneModel?
    var streams: StreamSet
    var board = DiagnosticsBoard()
    /// What the passes called and marked here, while a member of the device traces them.
    let traces = TraceRecorder()
    private var isTraced = false
    /// The viewport there, and units of the wire in a point.
    private(set) var viewport: Viewport
    private(set) var unitsPerPoint: Double
    /// Whether the members have to be sent everything.
    private var hasNewState = false
    /// Whether something was refused here that the main scene took; the scene has to be made from that again.
    private(set) var hasDiverged = false
    /// Units of work that it took to make the scene.
    private var makingWork: UInt64
    /// Whether it was cut short where the room is now, and waits to be made again where the room may take longer.
    private(set) var isSuspended = false

    /// Lays a scene out for a device.
    ///
    /// - Throws: `Refusal` with `tooExpensive` beyond the limit.
    init(
        id: UInt32, label: String, screen: ViewportPatch, of main: SceneModel,
        tickRate: Int, workLimit: UInt64, options: SessionOptions
    ) throws(Refusal) {
        self.id = id
        self.label = label
        self.screen = screen
        let model = try SceneModel(
            main.snapshot(), on: screen, tickRate: tickRate, workLimit: workLimit)
        model.workLimit = .max
        model.restoresRefused = false
        makingWork = model.work
        viewport = model.shownViewport
        unitsPerPoint = model.unitsPerPoint
        streams = StreamSet([], options, device: id)
        self.model = model
    }

    /// Begins what members have with the scene as it stands.
    func start(epoch: UInt64, tick: UInt64) {
        guard let model else { return }
        _ = model.takeMarks()
        streams.start(epoch: epoch, tick: tick, model: model)
    }

    /// Listens to the passes, now and after the scene was made again, or stops.
    func followTraces(_ isWanted: Bool, clock: (() -> UInt64)?) {
        traces.clock = clock
        isTraced = isWanted
        if let model { traces.follow(model, isWanted: isWanted) }
    }

    // MARK: Following the main scene

    /// Takes ops that the main scene accepted.
    ///
    /// - Returns: Whether constraints contradict one another here that did not before.
    func follow(_ ops: [Op], laysOutFirst: Bool, workLimit: UInt64) -> Bool {
        guard let model else { return false }
        let before = Set(model.brokenConstraintIDs)
        model.workLimit = model.work.addingCapped(workLimit)
        if laysOutFirst { _ = model.apply([.layoutIfNeeded(id: "root")]) }
        let refusals = model.apply(ops).refusals
        model.workLimit = .max
        // What the main scene took has its place here too, so the two have come apart.
        if !refusals.isEmpty { hasDiverged = true }
        return model.brokenConstraintIDs.contains { !before.contains($0) }
    }

    /// Takes another document in the place of the scene.
    func replaceScene(_ document: SceneDocument) throws(Refusal) {
        try model?.replaceScene(document)
        hasNewState = true
    }

    /// Rebuilds the scene as the main one was. Views take the main scene's numbers; where they had others, members begin
    /// anew.
    ///
    /// - Parameter workLimit: Where the scene took more when it was last made, it is suspended instead.
    func rebuild(from snapshot: SceneSnapshot, workLimit: UInt64) {
        guard let model else { return }
        guard makingWork <= workLimit else { return suspend() }
        let workBefore = model.work
        defer { makingWork = model.work &- workBefore }
        let before = model.snapshot()
        let hasSameTree = before.document.views.elementsEqual(snapshot.document.views) {
            $0.id == $1.id && $0.parent == $1.parent
        }
        if hasDiverged || !hasSameTree || before.numbers != snapshot.numbers { hasNewState = true }
        hasDiverged = false
        model.rebuildCanonically(from: snapshot)
        traces.clear()
    }

    /// Whether the members have to be sent everything; they are taken to be.
    func takeNewState() -> Bool {
        defer { hasNewState = false }
        return hasNewState
    }

    /// Runs one update cycle if anything is pending, within a limit.
    func runCycle(workLimit: UInt64) {
        guard let model, model.hasPendingWork else { return }
        model.workLimit = model.work.addingCapped(workLimit)
        model.runCycle()
        model.workLimit = .max
        viewport = model.shownViewport
        unitsPerPoint = model.unitsPerPoint
        board.note(model)
    }

    /// Why the scene cannot be shown here, if it cannot.
    var fault: String? {
        guard let model else { return nil }
        if let fault = model.restoringFault { return fault.message }
        return model.isSpoiled
            ? "to lay the scene out for it takes more work than is allowed" : nil
    }

    // MARK: Rest

    /// Keeps what members have in few bytes, and no scene.
    func freeze() {
        model = nil
        isSuspended = false
        streams.freeze()
    }

    /// Lets a scene go that was cut short; `thaw` makes it again.
    func suspend() {
        model = nil
        isSuspended = true
    }

    /// Lays the scene out again.
    ///
    /// - Returns: Whether it is what members have; otherwise they begin anew.
    func thaw(
        _ main: SceneModel, epoch: UInt64, tick: UInt64, tickRate: Int, workLimit: UInt64
    ) throws(Refusal) -> Bool {
        let model = try SceneModel(
            main.snapshot(), on: screen, tickRate: tickRate, workLimit: workLimit)
        model.workLimit = .max
        model.restoresRefused = false
        isSuspended = false
        hasDiverged = false
        makingWork = model.work
        viewport = model.shownViewport
        unitsPerPoint = model.unitsPerPoint
        _ = model.takeMarks()
        self.model = model
        if isTraced { traces.follow(model, isWanted: true) }
        guard streams.isSame(as: model.records()) else {
            start(epoch: epoch, tick: tick)
            return false
        }
        streams.remember(model)
        return true
    }
}

extension UInt64 {
    /// The sum, or the largest number.
    fileprivate func addingCapped(_ more: UInt64) -> UInt64 {
        let (sum, isTooMuch) = addingReportingOverflow(more)
        return isTooMuch ? .max : sum
    }
}
