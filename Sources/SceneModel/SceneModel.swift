public import AutoLayout
import ConstraintLanguage
public import SceneDocument
public import SceneWire

/// The live form of a scene document: applies ops to an `AutoLayout` hierarchy, runs update cycles,
/// and reports changes as protocol values.
///
/// It has no members, network, clock or store; time advances by cycles. Everything is synchronous
/// and deterministic: the same document and the same ops give the same frames, bit for bit. Used
/// from one thread.
public final class SceneModel {
    /// The requested viewport; its size applies from the next cycle on.
    public internal(set) var viewport: Viewport {
        didSet { shownViewport = screen.map { viewport.adapted(to: $0) } ?? viewport }
    }
    /// The viewport of this scene's layout: `viewport`, or that of the scene's own device.
    public private(set) var shownViewport: Viewport
    /// The device of the scene; `nil` for the main one.
    ///
    /// A scene on another device follows the main one: it applies the ops that were accepted there.
    /// It refuses no constraint; if constraints conflict on this device only, the lowest-ranked are
    /// broken.
    public let screen: ViewportPatch?
    /// The devices that the document names.
    public internal(set) var devices: [DeviceSpec] = []
    /// The faces that the document names.
    public internal(set) var faces: [FaceSpec] = []
    /// How long the words of the text are; the first measurement counts.
    public var measuredText = MeasuredText()
    /// Whether any view had a tint since the scene was built.
    var hasTints = false
    /// The strict devices among those that the document names.
    var strictDevices = StrictDevices()
    /// Whether an op or a cycle is in progress; strict devices are checked once for all its parts.
    var isWithinOp = false
    /// The window at the root of the hierarchy; replaced when the scene is rebuilt.
    public internal(set) var window: Window

    /// The model's state of each view, by number; numbers are never reused.
    var nodes: [ViewNumber: ViewNode] = [:]
    var nodeIDs: [String: ViewNumber] = [:]
    var guides: [String: LayoutGuide] = [:]
    /// The constraints in the order of the document and of their addition.
    var constraints = ConstraintRegistry()
    /// The sets in the order of the document.
    var sets = SetRegistry()
    var nextNumber: UInt32 = 0
    var pending = SceneMarks()
    /// The views whose interactions may have changed.
    var interactionLog = InteractionLog()
    /// Frames that a `layoutIfNeeded` of the present batch assigned.
    var laidOut: [String]?
    /// Whether conflicts are tolerated until the batch ends.
    var isAtomic = false
    /// The reason why a rebuild of the scene failed; the scene must not be used any more.
    public internal(set) var restoringFault: Refusal?
    /// Whether ops are replayed from a journal: accepted ops are accepted again, under any later
    /// limits.
    public var isReplaying = false
    /// Whether what is replayed was accepted under earlier layout rules: what contradicts the
    /// present ones gives way.
    public var repeatsEarlierRules = false
    /// Whether a batch that is taken whole or not at all is looked through for mistakes in names
    /// before it is applied. Not where something was done for it already that its refusal has to
    /// take back.
    public var looksUpNames = true
    /// Returns why an op may not be performed on the scene as it is just before; `nil` lets every
    /// op through. Asked for each op, those of animations included.
    public var refusalOfAccess: ((Op, SceneModel) -> Refusal?)?
    /// Whether strict devices may refuse what is applied; not while others' pending changes are
    /// laid out.
    var letsDevicesDecide = true
    /// Whether a document is being loaded, which is discarded as a whole if a part of it is
    /// refused.
    var isLoading = false

    /// Work done outside of the present window.
    var meter: UInt64 = 0
    /// The work of former solvers, and of former windows.
    var retiredSolverWork: UInt64 = 0
    var retiredLayoutWork: UInt64 = 0
    /// The work by purpose when the present op began.
    var sharesBefore = WorkShares()
    /// Whether an op or a cycle was stopped at the limit.
    var wasCutShort = false
    /// Counts the comparisons that were charged.
    var comparisons: UInt32 = 0
    /// The `work` at which ops and cycles stop; no limit by default.
    public var workLimit = UInt64.max { didSet { allotWindow() } }
    /// Publishes the op being performed to other threads; `nil` publishes nothing.
    public var progress: WorkProgress?
    /// Units of work for a single op, where an animation counts as one; no limit by default.
    public var opWorkLimit = UInt64.max
    /// Whether the scene is restored after a refused atomic batch or animation, from a copy made
    /// before each. If not, such a scene `isSpoiled`, and its owner restores it.
    public var restoresRefused = true
    /// Whether a refused batch is partly applied.
    var isHalfChanged = false

    /// Cycles in a second, which durations of animations are converted with.
    public var tickRate = 60 {
        didSet { window.tickRate = Double(tickRate) }
    }
    /// Whether outcomes of batches contain edits.
    public var recordsEdits = false

    /// Called for every call and mark of the passes.
    public var traceHandler: ((TraceEvent) -> Void)? {
        didSet { window.traceHandler = traceHandler }
    }
    /// Conflicts, feedback loops and other findings since they were last taken.
    var diagnostics: [LayoutDiagnostic] = []
    /// The constraints that each broken constraint conflicts with, by id.
    var conflicts: [String: [String]] = [:]

    /// Loads a document and runs its first cycle.
    ///
    /// - Parameters:
    ///   - screen: The device of the layout; the main one by default.
    ///   - settles: Whether to run the first cycle; without it no view has a frame.
    ///   - workLimit: The `work` for loading.
    ///   - prepare: Called when the views exist, before any pass; installs hooks and handlers.
    /// - Throws: `Refusal` with `unsatisfiable` if required constraints conflict and the viewport's
    ///   policy is to refuse; with `tooExpensive` beyond the limit.
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

    /// Builds all objects of a document, in canonical order, replacing the present ones.
    ///
    /// - Parameter lacksFaces: Whether faces may be missing: the scene was accepted once.
    func build(
        _ document: SceneDocument, numbers: [String: ViewNumber], tick: Int, breaks: Bool,
        lacksFaces: Bool = false
    ) throws(Refusal) {
        viewport = document.viewport
        devices = document.devices
        let makeMeasurer = try makeTextMeasurer(of: document, lacksFaces: lacksFaces)
        if !lacksFaces, faces != document.faces { measuredText = MeasuredText() }
        faces = document.faces
        hasTints = false
        retireWindow()
        window = Window(
            size: Size(width: shownViewport.width, height: shownViewport.height), tick: tick,
            traits: shownViewport.traits)
        // Scenes contain data only, no custom objects.
        window.tracksObservableProperties = false
        window.screenSafeAreaInsets = shownViewport.safeArea
        window.keyboardHeight = shownViewport.keyboard
        applyRootMargins()
        window.textMetrics = textMetrics
        if let makeMeasurer { window.provideTextMeasurer(makeMeasurer) }
        allotWindow()
        nodes.removeAll()
        nodeIDs.removeAll()
        guides.removeAll()
        constraints = ConstraintRegistry()
        sets = SetRegistry()
        nextNumber = max(nextNumber, (numbers.values.map { $0.rawValue }.max() ?? 0) + 1)
        window.tickRate = Double(tickRate)
        window.traceHandler = traceHandler
        window.passClock = passClock
        let model = Unowned(self)
        window.diagnosticHandler = { model.object.note($0) }
        window.frameObserver = { model.object.frameDidChange($0) }
        window.animationObserver = { model.object.frameWillAnimate($0, $1) }
        window.displayObserver = { model.object.didDisplay($0, $1) }
        window.contentObserver = { model.object.contentDidChange($0) }
        adopt(window, id: "root", properties: Shared(ViewProperties()), number: numbers["root"])
        try load(document, numbers: numbers, breaks: breaks)
    }

    /// Whether conflicting constraints of a document are broken instead of refused.
    func breaksDocument(_ document: SceneDocument) -> Bool {
        screen != nil || document.viewport.unsatisfiable == .break
    }

    /// Whether conflicts are tolerated.
    var givesWay: Bool { isAtomic || screen != nil || repeatsEarlierRules }

    private func note(_ diagnostic: LayoutDiagnostic) {
        diagnostics.append(diagnostic)
        switch diagnostic {
        case .brokeConstraint(let id, let conflict): conflicts[id] = conflict
        case .restoredConstraint(let id): conflicts[id] = nil
        case .error, .markedOutsideSubtree, .missingSuperCall, .setOscillates, .nothingAnimated:
            break
        }
    }

    /// Runs one update cycle. If it was stopped early, a diagnostic has the reason.
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

    /// Whether a cycle would have an effect.
    public var hasPendingWork: Bool {
        window.hasPendingWork || !pending.isEmpty || strictDevices.havePendingWork
    }

    /// Whether the next cycle would do nothing but move animations on.
    public var onlyAnimates: Bool {
        window.onlyAnimates && strictDevices.allow { $0.onlyAnimates || !$0.hasPendingWork }
    }

    /// Animations under way, one for each view that a block moves.
    public var animationCount: Int { window.animationCount }

    /// Cycles after which nothing is animated any more.
    public var cyclesUntilShownAsLaidOut: Int { window.cyclesUntilShownAsLaidOut }

    /// Moves animations on by a number of cycles at once, which would all do nothing else
    /// (`onlyAnimates`).
    ///
    /// - Complexity: O(animations), however many cycles.
    public func skipCycles(_ count: Int) {
        guard count > 0 else { return }
        for view in window.animatingViews { markFrame(view) }
        window.skipCycles(count)
        for view in window.animatingViews { markFrame(view) }
        chargeTelling()
        strictDevices.skipCycles(count, of: self)
    }

    /// Whether no layout or animation is pending; marks may still wait to be taken.
    public var isIdle: Bool { !window.hasPendingWork }

    /// Removes and returns the diagnostics since the last call.
    public func takeDiagnostics() -> [LayoutDiagnostic] {
        defer { diagnostics.removeAll() }
        return diagnostics
    }

    /// Removes and returns the views of a feedback loop that was stopped; discards all other
    /// diagnostics.
    public func takeFeedbackLoop() -> [String] {
        takeDiagnostics().flatMap { diagnostic -> [String] in
            if case .error(.layoutFeedbackLoop(let views, _)) = diagnostic { views } else { [] }
        }
    }

    /// The same as `traceHandler` as text: the view, and the line in the format of scenarios.
    public func trace(_ handler: ((_ view: String, _ line: String) -> Void)?) {
        traceHandler = handler.map { handler in { handler($0.view, $0.description) } }
    }

    /// A clock in nanoseconds that measures cycles; none by default.
    public var passClock: (() -> UInt64)? {
        didSet { window.passClock = passClock }
    }

    /// The durations of the passes since the last call; `nil` without a clock.
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

    // MARK: Lookup

    /// The ids of all views in preorder, `root` first.
    public var viewIDs: [String] { window.preorder.map { $0.identifier } }

    func node(_ id: String) throws(Refusal) -> ViewNode {
        guard let number = nodeIDs[id], let node = nodes[number] else {
            throw Refusal(code: .unknownView, message: "there is no view \"\(id)\"")
        }
        return node
    }

    /// The subviews of a view in order, the front one last; none for an unknown number.
    func subviews(of number: ViewNumber) -> [ViewNumber] {
        nodes[number]?.view.subviews.compactMap { node(of: $0)?.number } ?? []
    }

    var rootNode: ViewNode {
        if let node = node(of: window) { return node }
        return adopt(window, id: "root", properties: Shared(ViewProperties()))
    }

    var nodesInOrder: [ViewNode] { window.preorder.compactMap { node(of: $0) } }

    /// The existing views among these, superviews before their subviews.
    func inPreorder(_ numbers: Set<ViewNumber>) -> [ViewNumber] {
        window.inPreorder(numbers.compactMap { nodes[$0]?.view })
            .compactMap { node(of: $0)?.number }
    }

    func node(of view: View) -> ViewNode? { nodes[ViewNumber(UInt32(view.tag))] }

    /// The view or guide that a rule refers to.
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
        followLook(node)
        return node
    }
}
