public import AutoLayout
import ConstraintLanguage
public import SceneProtocol

/// A scene document brought to life: it applies ops to an `AutoLayout` hierarchy, runs update cycles, and tells
/// what changed in the terms of the wire.
///
/// It knows no members, no network, no clock and no store; time arrives as cycles. Everything is synchronous and
/// deterministic: the same document and the same ops give the same frames, bit for bit. Used from one thread.
public final class SceneModel {
    /// The viewport as it was asked for; its size is in force from the next cycle on.
    public internal(set) var viewport: Viewport {
        didSet { shownViewport = screen.map { viewport.adapted(to: $0) } ?? viewport }
    }
    /// The viewport that this scene is laid out in: `viewport`, or what it is on the scene's own device.
    public private(set) var shownViewport: Viewport
    /// The device that the scene is laid out for besides the main one; `nil` on that.
    ///
    /// A scene on another device follows the main one: it takes the ops that were accepted there. It refuses no constraint;
    /// where constraints contradict one another on this device alone, the lowest-ranked give way.
    public let screen: ViewportPatch?
    /// The devices that the document names.
    public internal(set) var devices: [DeviceSpec] = []
    /// Those of them that have a say.
    var strictDevices = StrictDevices()
    /// Whether an op or a cycle is under way, whose parts are asked about with it.
    var isWithinOp = false
    /// The window at the root of the hierarchy; another one after the scene was rebuilt.
    public internal(set) var window: Window

    /// What the model keeps for each view, by number; numbers are never used twice.
    var nodes: [ViewNumber: ViewNode] = [:]
    var nodeIDs: [String: ViewNumber] = [:]
    var guides: [String: LayoutGuide] = [:]
    /// The constraints in the order of the document and of their adding.
    var constraints = ConstraintRegistry()
    /// The sets in the order of the document.
    var sets: [SetEntry] = []
    var nextNumber: UInt32 = 0
    var pending = SceneMarks()
    /// Views of which there may be something new to tell about what people can do with them.
    var interactionLog = InteractionLog()
    /// Frames that a `layoutIfNeeded` of the current batch assigned.
    var laidOut: [String]?
    /// Whether ops keep going past contradictions until the batch ends.
    var isAtomic = false
    /// Why the scene is not what it should be, after it could not be put back: nothing may be built on it.
    public internal(set) var restoringFault: Refusal?
    /// Whether ops are those of a journal: what was accepted once is accepted again, whatever the limits are by then.
    public var isReplaying = false
    /// Whether a document is being brought to life, which is thrown away whole if a part of it is refused.
    var isLoading = false

    /// Work done outside of the window at hand.
    var meter: UInt64 = 0
    /// The parts of it that solvers, and windows as a whole, took that others have taken the place of.
    var retiredSolverWork: UInt64 = 0
    var retiredLayoutWork: UInt64 = 0
    /// Where work had gone when the op at hand began.
    var sharesBefore = WorkShares()
    /// Whether an op or a cycle was cut short.
    var wasCutShort = false
    /// The `work` at which ops and cycles are cut short; none by default.
    public var workLimit = UInt64.max { didSet { allotWindow() } }
    /// Records which op is being performed, so that other threads can report it; `nil` records nothing.
    public var progress: WorkProgress?
    /// Units of work that a single op may take, those of an animation counted as one; none by default.
    public var opWorkLimit = UInt64.max
    /// Whether the scene goes back by itself to what it was before an atomic batch or an animation that is refused, from a
    /// copy made before each. Where it does not, such a scene `isSpoiled`, and its owner goes back.
    public var restoresRefused = true
    /// Whether a batch that was refused is half in the scene.
    var isHalfChanged = false

    /// Cycles in a second, by which the durations of animations are counted.
    public var tickRate = 60 {
        didSet { window.tickRate = Double(tickRate) }
    }
    /// Whether outcomes of batches tell what takes their ops back.
    public var recordsEdits = false

    /// Told of every call and mark of the passes.
    public var traceHandler: ((TraceEvent) -> Void)? {
        didSet { window.traceHandler = traceHandler }
    }
    /// What people should know: conflicts, feedback loops and the like, since it was last taken.
    var diagnostics: [LayoutDiagnostic] = []
    /// What the constraints that were given up contradict, by their names.
    var conflicts: [String: [String]] = [:]

    /// Brings a document to life and runs its first cycle.
    ///
    /// - Parameters:
    ///   - screen: The device to lay it out for; the main one by default.
    ///   - settles: Whether to run the first cycle; without it nothing has a frame yet.
    ///   - workLimit: The `work` that bringing it to life may take.
    ///   - prepare: Called when the views are there and nothing was called yet; a place for hooks and handlers.
    /// - Throws: `Refusal` with `unsatisfiable` when required constraints conflict and the viewport says to refuse; with
    ///   `tooExpensive` beyond the limit.
    public init(
        _ document: SceneDocument, on screen: ViewportPatch? = nil, settles: Bool = true,
        workLimit: UInt64 = .max,
        prepare: (SceneModel) -> Void = { _ in }
    ) throws(Refusal) {
        self.screen = screen
        viewport = document.viewport
        shownViewport = document.viewport
        window = Window(size: .zero)
        self.workLimit = workLimit
        try build(
            document, numbers: [:], tick: 0, breaks: breaksDocument(document))
        prepare(self)
        try makeStrictDevices()
        guard settles else { return }
        runCycle()
        try requireAffordable()
        try refuseIfBroken()
        try refuseIfStrictlyBroken()
    }

    /// Makes everything from a document, in canonical order, in the place of whatever there was.
    func build(
        _ document: SceneDocument, numbers: [String: ViewNumber], tick: Int, breaks: Bool
    ) throws(Refusal) {
        viewport = document.viewport
        devices = document.devices
        retireWindow()
        window = Window(
            size: Size(width: shownViewport.width, height: shownViewport.height), tick: tick,
            traits: shownViewport.traits)
        // Scenes have data and no objects.
        window.tracksObservableProperties = false
        window.screenSafeAreaInsets = shownViewport.safeArea
        window.keyboardHeight = shownViewport.keyboard
        window.textMetrics = textMetrics
        allotWindow()
        nodes.removeAll()
        nodeIDs.removeAll()
        guides.removeAll()
        constraints = ConstraintRegistry()
        sets.removeAll()
        nextNumber = max(nextNumber, (numbers.values.map(\.rawValue).max() ?? 0) + 1)
        window.tickRate = Double(tickRate)
        window.traceHandler = traceHandler
        window.passClock = passClock
        window.diagnosticHandler = { [unowned self] in note($0) }
        window.frameObserver = { [unowned self] in frameDidChange($0) }
        window.animationObserver = { [unowned self] in frameWillAnimate($0, $1) }
        window.displayObserver = { [unowned self] view, rect in didDisplay(view, rect) }
        adopt(window, id: "root", properties: Shared(ViewProperties()), number: numbers["root"])
        try load(document, numbers: numbers, breaks: breaks)
    }

    /// Whether constraints of a document that contradict one another give way.
    func breaksDocument(_ document: SceneDocument) -> Bool {
        screen != nil || document.viewport.unsatisfiable == .break
    }

    /// Whether ops keep going past contradictions.
    var givesWay: Bool { isAtomic || screen != nil }

    private func note(_ diagnostic: LayoutDiagnostic) {
        diagnostics.append(diagnostic)
        switch diagnostic {
        case .brokeConstraint(let id, let conflict): conflicts[id] = conflict
        case .restoredConstraint(let id): conflicts[id] = nil
        case .error, .markedOutsideSubtree, .missingSuperCall, .setOscillates, .nothingAnimated:
            break
        }
    }

    /// Runs one update cycle. What ended it early, if anything, is among the diagnostics.
    public func runCycle() {
        for view in window.animatingViews { markFrame(view) }
        let outer = isWithinOp
        isWithinOp = true
        do {
            try window.runCycle()
        } catch .tooExpensive {
            // No diagnostic: the owner of the limit reads `isExhausted` and discards the scene.
            wasCutShort = true
        } catch {
            diagnostics.append(.error(error))
        }
        isWithinOp = outer
        for view in window.animatingViews { markFrame(view) }
        chargeTelling()
        runStrictCycles()
    }

    /// Whether a cycle would do anything.
    public var hasPendingWork: Bool {
        window.hasPendingWork || !pending.isEmpty || strictDevices.havePendingWork
    }

    /// Whether nothing is left to lay out or to animate, though marks may wait to be taken.
    public var isIdle: Bool { !window.hasPendingWork }

    /// Hands out what people should know since the last call.
    public func takeDiagnostics() -> [LayoutDiagnostic] {
        defer { diagnostics.removeAll() }
        return diagnostics
    }

    /// Hands out the views that kept marking one another until a cycle was ended, and forgets all other diagnostics.
    public func takeFeedbackLoop() -> [String] {
        takeDiagnostics().flatMap { diagnostic -> [String] in
            if case .error(.layoutFeedbackLoop(let views, _)) = diagnostic { views } else { [] }
        }
    }

    /// The same as `traceHandler` in words: the view, and the line that scenarios write.
    public func trace(_ handler: ((_ view: String, _ line: String) -> Void)?) {
        traceHandler = handler.map { handler in { handler($0.view, $0.description) } }
    }

    /// A clock in nanoseconds by which cycles are measured; none by default.
    public var passClock: (() -> UInt64)? {
        didSet { window.passClock = passClock }
    }

    /// How long the passes took since the last call; `nil` without a clock.
    public func takePassDurations() -> CycleDurations? {
        guard passClock != nil else { return nil }
        let passes = window.takePassDurations()
        var durations = CycleDurations()
        durations.updateConstraints = UInt32(clamping: passes.updateConstraints)
        durations.solve = UInt32(clamping: passes.solve)
        durations.layout = UInt32(clamping: passes.layout)
        durations.display = UInt32(clamping: passes.display)
        return durations
    }

    // MARK: Looking things up

    /// The names of all views in preorder, `root` first.
    public var viewIDs: [String] { window.preorder.map(\.identifier) }

    func node(_ id: String) throws(Refusal) -> ViewNode {
        guard let number = nodeIDs[id], let node = nodes[number] else {
            throw Refusal(code: .unknownView, message: "there is no view \"\(id)\"")
        }
        return node
    }

    /// The subviews of a view in their order, the last in front; none for a number that no view has.
    func subviews(of number: ViewNumber) -> [ViewNumber] {
        nodes[number]?.view.subviews.compactMap { node(of: $0)?.number } ?? []
    }

    var rootNode: ViewNode {
        if let node = node(of: window) { return node }
        return adopt(window, id: "root", properties: Shared(ViewProperties()))
    }

    var nodesInOrder: [ViewNode] { window.preorder.compactMap { node(of: $0) } }

    /// Views that are there, superviews before their subviews.
    func inPreorder(_ numbers: Set<ViewNumber>) -> [ViewNumber] {
        window.inPreorder(numbers.compactMap { nodes[$0]?.view })
            .compactMap { node(of: $0)?.number }
    }

    func node(of view: View) -> ViewNode? { nodes[ViewNumber(UInt32(view.tag))] }

    /// The view or guide that a rule names.
    func item(_ reference: ItemReference) -> LayoutItem? {
        guard let number = nodeIDs[reference.id], let view = nodes[number]?.view else {
            return reference.guide == nil ? guides[reference.id] : nil
        }
        switch reference.guide {
        case nil: return view
        case .margins: return view.layoutMarginsGuide
        case .safeArea: return view.safeAreaLayoutGuide
        case .readable: return view.readableContentGuide
        case .keyboard: return view.keyboardLayoutGuide
        case .content: return (view as? ScrollView)?.contentLayoutGuide
        case .viewport: return (view as? ScrollView)?.frameLayoutGuide
        }
    }

    @discardableResult
    func adopt(
        _ view: View, id: String, properties: Shared<ViewProperties>, number: ViewNumber? = nil
    ) -> ViewNode {
        let chosen = number ?? ViewNumber(nextNumber)
        if number == nil { nextNumber += 1 }
        let node = ViewNode(id: id, view: view, number: chosen, properties: properties)
        view.tag = Int(chosen.rawValue)
        nodes[chosen] = node
        nodeIDs[id] = chosen
        pending.add(node)
        return node
    }
}
