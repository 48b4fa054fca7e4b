import SceneDocument
import SceneModel
import SceneWire

/// The scene on one device besides the main one, with the streams of the members that watch it
/// there.
///
/// It applies the ops that the main scene accepted; it decides and journals nothing.
final class DeviceScene {
    /// The number of the device in stream keys.
    let id: UInt32
    /// The device's differences from the main one.
    let screen: ViewportPatch
    /// The name for people: a name, or a size.
    var label: String
    /// The scene; `nil` while the room is at rest.
    private(set) var model: SceneModel?
    var streams: StreamSet
    /// The insets of scroll views on the device, as members were told.
    private(set) var insets = InsetTable()
    var board = DiagnosticsBoard()
    /// Records the passes on this device while a member traces them.
    let traces = TraceRecorder()
    private var isTraced = false
    /// The device's viewport, and wire units in a point.
    private(set) var viewport: Viewport
    private(set) var unitsPerPoint: Double
    /// Whether the members must receive the whole state.
    private var hasNewState = false
    /// Whether the device refused something that the main scene accepted; then it must be rebuilt
    /// from the main scene.
    private(set) var hasDiverged = false
    /// Units of work to build the scene.
    private var makingWork: UInt64
    /// Whether its layout exceeded the limit of the present thread; it waits to be rebuilt where
    /// the limit is larger.
    private(set) var isSuspended = false

    /// Lays the scene out for a device.
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

    /// Starts the streams from the present scene; without one, once it is laid out again.
    ///
    /// - Returns: Whether they were started.
    @discardableResult
    func start(epoch: UInt64, tick: UInt64) -> Bool {
        guard let model else {
            hasNewState = true
            return false
        }
        _ = model.takeMarks()
        streams.start(epoch: epoch, tick: tick, model: model)
        insets = model.insets
        return true
    }

    /// Takes over the insets of views that changed, and returns what is to be told of them.
    func takeInsetChanges(_ marks: SceneMarks) -> [InsetChange] {
        let changes = model?.insetChanges(marks, since: insets) ?? []
        insets.apply(changes)
        return changes
    }

    /// Takes over the insets of a scene that was laid out again from its beginning, and returns
    /// what is to be told of them: equal frames may come with other insets.
    func takeInsetChangesOfNewLayout() -> [InsetChange] {
        guard let present = model?.insets else { return [] }
        let gone = insets.ids.filter { present[$0] == .zero }.sorted()
        let changes =
            gone.map { InsetChange(id: $0, inset: .zero) }
            + present.changes.filter { insets[$0.id] != $0.inset }
        insets = present
        return changes
    }

    /// Starts or stops recording the passes, also of scenes rebuilt later.
    func followTraces(_ isWanted: Bool, clock: (() -> UInt64)?) {
        traces.clock = clock
        isTraced = isWanted
        if let model { traces.follow(model, isWanted: isWanted) }
    }

    // MARK: Following the main scene

    /// Applies ops that the main scene accepted.
    ///
    /// - Returns: Whether constraints conflict on this device that did not before.
    func follow(_ ops: [Op], laysOutFirst: Bool, workLimit: UInt64) -> Bool {
        guard let model else { return false }
        let before = Set(model.brokenConstraintIDs)
        model.workLimit = model.work.addingCapped(workLimit)
        if laysOutFirst { _ = model.apply([.layoutIfNeeded(id: "root")]) }
        let refusals = model.apply(ops).refusals
        model.workLimit = .max
        // The main scene accepted the op, so the two scenes differ now.
        if !refusals.isEmpty { hasDiverged = true }
        return model.brokenConstraintIDs.contains { !before.contains($0) }
    }

    /// Replaces the scene with another document.
    func replaceScene(_ document: SceneDocument) throws(Refusal) {
        try model?.replaceScene(document)
        hasNewState = true
    }

    /// Rebuilds the scene as the main one was. Views take the main scene's numbers; if their
    /// numbers change, members receive the whole state.
    ///
    /// - Parameter workLimit: If building the scene last took more than this, it is suspended
    ///   instead.
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
        viewport = model.shownViewport
        unitsPerPoint = model.unitsPerPoint
        traces.clear()
    }

    /// Returns whether the members must receive the whole state, and resets this.
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

    /// Whether its next cycle would only move animations on, or do nothing.
    var canSkipCycles: Bool {
        guard let model else { return true }
        return model.onlyAnimates || !model.hasPendingWork
    }

    /// Moves its animations on by a number of cycles.
    func skipCycles(_ count: Int) {
        if let model, model.onlyAnimates { model.skipCycles(count) }
    }

    /// The reason why the scene cannot be shown on this device; `nil` if it can.
    var fault: String? {
        guard let model else { return nil }
        if let fault = model.restoringFault { return fault.message }
        return model.isSpoiled
            ? "its layout takes more work than is allowed" : nil
    }

    // MARK: Rest

    /// Keeps the members' baseline as bytes and releases the scene.
    func freeze() {
        model = nil
        isSuspended = false
        streams.freeze()
    }

    /// Releases a scene whose layout exceeded its limit; `thaw` rebuilds it.
    func suspend() {
        model = nil
        isSuspended = true
    }

    /// Lays the scene out again.
    ///
    /// - Returns: Whether it equals the members' baseline; if not, they receive the whole state.
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
        guard !takeNewState(), streams.isSame(as: model.records()) else {
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
