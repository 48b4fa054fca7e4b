import Cassowary

/// The root of a hierarchy on show: it has the viewport's size, owns the engine, and runs the
/// update cycle.
///
/// Each `runCycle()` is one tick; nothing pending means that nothing is called.
public final class Window: View {
    override var isBuiltIn: Bool { true }

    /// Ticks in a second, by which durations of animations are counted.
    public var tickRate: Double = 60 {
        didSet { engine?.animator.tickRate = tickRate }
    }

    /// The number of the last cycle that ran; 0 before the first.
    @safe @exclusivity(unchecked) public private(set) var tick: Int

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - size: The size of the viewport, in points.
    ///   - identifier: The root view's name.
    ///   - tick: The number of the cycle that is taken to have run last, when a scene is rebuilt.
    ///   - traits: What the device says of itself and of the people at it.
    public init(
        size: Size, identifier: String = "root", tick: Int = 0,
        traits: TraitValues = TraitValues()
    ) {
        self.tick = tick
        screenTraits = traits
        super.init(frame: Rect(origin: .zero, size: size), identifier: identifier)
        let engine = ensureEngine()
        layoutDirection = traits.layoutDirection
        guard !traits.isEmpty else { return }
        traitBox = TraitBox(traits)
        marks.hasHadTraits = true
        engine.followsTextTraits =
            traits.specifies(.contentSizeCategory) || traits.typography == .faces
    }

    /// Makes room for so many more views and constraints, where it is known how many will come:
    /// they are then added without what is there being moved again and again. It is no promise, and
    /// no limit, but memory for most of it is taken at once.
    ///
    /// - Complexity: The size of the hierarchy, and memory for what is to come.
    public func reserveCapacity(views: Int, constraints: Int) {
        engine?.reserveCapacity(items: views, constraints: constraints)
        readyMemory = ReadyMemory(
            byteCount: views * Self.viewByteCount + constraints * Self.constraintByteCount)
    }

    private var readyMemory: ReadyMemory?

    /// The least that views and constraints take of the allocator, in bytes: a view with its
    /// handle, and a constraint with its places in the lists of two items.
    static let viewByteCount = 352
    static let constraintByteCount = 96

    /// Gives back the memory that the engine keeps for views and constraints to come: about half of
    /// what it has after a hierarchy was made. The next constraint that is added takes as much
    /// again.
    ///
    /// - Complexity: The size of the hierarchy.
    public func trimMemory() { engine?.solver.trim() }

    /// The grid of body text, by which the readable width is measured and constants are scaled.
    public var textMetrics = TextMetrics.standard {
        didSet {
            guard textMetrics != oldValue else { return }
            for view in preorder {
                view.updateReadableWidth()
                view.rescaleConstants()
            }
        }
    }

    /// The faces of text where the trait `typography` asks for them; without, all text stands on
    /// the grid.
    public var textMeasurer: (any TextMeasurer)? {
        get { engine?.faces.measurer }
        set {
            ensureEngine().faces = HierarchyFaces(newValue)
            for view in preorder { (view as? TextContentView)?.facesDidChange() }
        }
    }

    /// Sets the faces of the text, made when the first view asks for them.
    ///
    /// - Precondition: The window has no text yet.
    public func provideTextMeasurer(_ make: @escaping () -> any TextMeasurer) {
        ensureEngine().faces = HierarchyFaces(making: make)
    }

    /// What the device says of itself and of the people at it, from which all traits of the
    /// hierarchy come. Another value is taken over by the next cycle, or `updateTraitsIfNeeded()`.
    public var screenTraits: TraitValues {
        didSet { if screenTraits != oldValue { markNeedsTraits() } }
    }

    override func directionTraitDidChange() {
        if traitOverrides.layoutDirection == nil {
            layoutDirection = screenTraits.layoutDirection
        }
    }

    /// The size of the viewport. Setting it is what a rotation is on a device: the engine knows at
    /// once, and the next cycle lays out the root, and on down as sizes change.
    ///
    /// The root view controller is told before (`viewWillTransition(to:)`).
    public var viewportSize: Size {
        get { requestedSize ?? frame.size }
        set {
            if newValue != viewportSize { rootViewController?.viewWillTransition(to: newValue) }
            requestedSize = newValue
            guard let engine, let variables else { return }
            setSystemConstraint(
                .frameWidth,
                to: SystemExpression(variables.width, minus: newValue.width),
                .equal, .required, in: engine)
            setSystemConstraint(
                .frameHeight,
                to: SystemExpression(variables.height, minus: newValue.height),
                .equal, .required, in: engine)
        }
    }
    private var requestedSize: Size?

    /// Runs one update cycle: advances animations, then the three passes.
    ///
    /// - Throws: What ended the cycle early: a view that asks for its own `updateConstraints`, or a
    ///   feedback loop. The frames stand as they are, and the next cycle goes on.
    public func runCycle() throws(LayoutError) {
        tick += 1
        guard let engine else { return }
        let isObserved = cycleObserver != nil && hasPendingWork
        try engine.runCycle(of: self, at: tick)
        rootViewController?.finishAppearing()
        if isObserved { cycleObserver?() }
    }

    /// Called at the end of each cycle that had something to do, when all views are laid out and
    /// drawn.
    @safe @exclusivity(unchecked) public var cycleObserver: (() -> Void)?

    /// The controller whose view fills the window.
    ///
    /// Setting it loads the view and calls `viewWillAppear` at once; `viewDidAppear` follows at the
    /// end of the next cycle, when the view was laid out and drawn. The controller before
    /// disappears at once.
    @safe @exclusivity(unchecked) public var rootViewController: ViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.leaveWindow()
            rootViewController?.enter(self)
        }
    }

    /// Whether the next cycle has anything to do.
    public var hasPendingWork: Bool {
        guard let engine else { return false }
        return isAnythingMarked || engine.animator.isAnimating
    }

    /// The same but for animations.
    var isAnythingMarked: Bool {
        guard let engine else { return false }
        return marks.subtreeNeedsUpdateConstraints || marks.subtreeNeedsLayout
            || marks.subtreeNeedsDisplay || marks.subtreeNeedsUpdateProperties
            || marks.subtreeNeedsTraits || engine.needsSettling || engine.faces.isAwaitingLines
            || rootViewController?.isAppearing == true
    }

    /// Counts cycles that do not run.
    func skipTicks(_ count: Int) { tick += count }

    /// Told of every call and mark of the passes, in order; costs nothing while `nil`.
    public var traceHandler: ((TraceEvent) -> Void)? {
        get { engine?.cycle.traceHandler }
        set { engine?.cycle.traceHandler = newValue }
    }

    /// Told of conflicts, feedback loops and other things that people should know.
    public var diagnosticHandler: ((LayoutDiagnostic) -> Void)? {
        get { engine?.diagnosticHandler }
        set { engine?.diagnosticHandler = newValue }
    }

    /// Told of each view whose `frame` was assigned another value.
    public var frameObserver: ((View) -> Void)? {
        get { engine?.frameObserver }
        set { engine?.frameObserver = newValue }
    }

    /// Told of each view that was drawn, with the part that was.
    public var displayObserver: ((View, Rect) -> Void)? {
        get { engine?.displayObserver }
        set { engine?.displayObserver = newValue }
    }

    /// Told of each view whose lines may lie elsewhere because the cell of its grid or the
    /// direction of its traits changed. A view that is hidden is not drawn then, so that
    /// `displayObserver` does not hear of it.
    public var contentObserver: ((View) -> Void)? {
        get { engine?.contentObserver }
        set { engine?.contentObserver = newValue }
    }

    /// How many readable content guides the hierarchy's views have made since the window was. A
    /// guide is made where it is first named, and its constraints stay, whatever becomes of the one
    /// that named it.
    public var readableGuideCount: Int { engine?.readableGuideCount ?? 0 }

    /// Layouts of one view in one cycle before a feedback loop is reported; 50 to 1000.
    public var feedbackLoopLimit: Int {
        get { engine?.cycle.feedbackLoopLimit ?? 100 }
        set { engine?.cycle.feedbackLoopLimit = min(max(newValue, 50), 1000) }
    }

    /// Bytes of memory that the solver of the hierarchy holds.
    public var solverByteCount: Int { engine?.solver.byteCount ?? 0 }

    /// How often the solver made its tableau anew because rounding had added up.
    public var solverRebuildCount: Int { engine?.solver.counts.rebuilds ?? 0 }

    /// The constraints given up because they contradict others, in the order in which they were.
    public var brokenConstraints: [LayoutConstraint] { engine?.brokenConstraints ?? [] }

    /// Adds a set of constraints whose membership may follow conditions.
    public func addConstraintSet(_ set: ConstraintSet) {
        engine?.constraintSets.append(set)
    }

    /// Has the conditions of all sets read in the next cycle, though nothing else may have changed.
    public func reviewConditions() {
        engine?.conditionsNeedReview = true
    }

    /// The views whose frame the constraints leave open (`hasAmbiguousLayout`), in preorder.
    ///
    /// - Complexity: one question to the solver for each variable of each view, which share what
    ///   they find out.
    public var ambiguousViews: [View] {
        guard let engine else { return [] }
        let views = preorder.filter { $0.superview != nil }
        return zip(views, engine.areAmbiguous(views)).filter { $0.1 }.map { $0.0 }
    }

    /// Whether each of these views has an ambiguous layout (`hasAmbiguousLayout`).
    ///
    /// - Complexity: That of one question; the views share what is found out.
    public func ambiguity(of views: [View]) -> [Bool] {
        guard let engine else { return views.map { _ in false } }
        let found = engine.areAmbiguous(views)
        return zip(views, found).map { $0.superview != nil && $1 }
    }
}

extension View {
    /// The window at the root of the hierarchy, if the view is on show.
    public var window: Window? { hierarchyRoot as? Window }

    /// Whether another frame would satisfy all constraints equally well. Apple,
    /// `UIView.hasAmbiguousLayout`.
    ///
    /// - Complexity: linear in the number of constraints of the view's connected part of the
    ///   layout.
    public var hasAmbiguousLayout: Bool {
        guard superview != nil, let engine else { return false }
        return engine.areAmbiguous([self]) == [true]
    }

    /// The constraints that hold the view where it is along an axis, oldest first.
    /// Apple, `UIView.constraintsAffectingLayout(for:)`.
    public func constraintsAffectingLayout(for axis: Axis) -> [LayoutConstraint] {
        engine?.constraintsAffecting(self, along: axis) ?? []
    }
}
