/// A rectangle in a hierarchy whose place is decided by constraints and assigned in the layout
/// pass.
///
/// The names and the rules are `UIView`'s. One difference: a view made by plain `init` is placed by
/// constraints at once; one made by `init(frame:)` is placed by its frame, as if
/// `translatesAutoresizingMaskIntoConstraints` were set. A hierarchy is used from one thread.
///
/// Stored properties that every pass touches go without run-time checks for exclusive access, which
/// took a third of a layout pass. That is safe because each access is a single load or store, or an
/// append; nothing is called meanwhile.
open class View: LayoutItem {
    /// Whether the superview has this view among its unplaced ones.
    @safe @exclusivity(unchecked) var isUnplaced = false
    /// Whether the engine keeps the view in mind until its superview has a size.
    @safe @exclusivity(unchecked) var awaitsReference = false
    /// The engine's `directionGeneration` when `knownDirection` was found; 0 for never.
    @safe @exclusivity(unchecked) var knownDirectionGeneration: UInt32 = 0

    /// The view that holds this one, if any.
    ///
    /// Not a weak reference: an object with weak references keeps its counts in a table aside,
    /// which makes every use of it slower. A view that goes lets its subviews know, so the
    /// reference needs no count either.
    public internal(set) var superview: View? {
        get { superviewReference?.useView { $0 } }
        set { superviewReference = newValue.map(LayoutItemReference.init) }
    }
    /// The same, lent.
    @safe @exclusivity(unchecked) private(set) var superviewReference: LayoutItemReference?
    /// The engine of the hierarchy, once it has one.
    @safe @exclusivity(unchecked) var engine: LayoutEngine?
    /// What few views have; `nil` while all of it is at its default.
    @safe @exclusivity(unchecked) var extras: ViewExtras?
    /// The views that this one holds, back to front.
    @safe @exclusivity(unchecked) public internal(set) var subviews: [View] = []
    @safe @exclusivity(unchecked) var marks = ViewMarks()
    /// Subviews whose frame may not be the one that the last solve found.
    @safe @exclusivity(unchecked) var unplacedSubviews: [LayoutItemReference] = []

    /// The one subview in whose subtree layout is pending; `nil` where there may be several.
    @safe @exclusivity(unchecked) var pendingSubview: LayoutItemReference?

    /// The frame as last assigned; see `frame`.
    @safe @exclusivity(unchecked) var storedFrame: Rect = .zero
    /// The engine's own constraints for this view.
    @safe @exclusivity(unchecked) var systemConstraints = SystemConstraints()
    /// The traits of the view; `nil` where they are its superview's.
    @safe @exclusivity(unchecked) var traitBox: TraitBox?
    /// How strongly the view holds to its content's size; `nil` while as strongly as any plain
    /// view.
    @safe @exclusivity(unchecked) private var contentPriorities: ContentPriorities?
    /// A number by which a program finds what it keeps about the view elsewhere; the engine does
    /// not read it.
    public var tag = 0
    /// What overrides the content's size, if anything does.
    @safe @exclusivity(unchecked) private var sizeOverride = Size.zero
    @safe @exclusivity(unchecked) private var sizeRules: SizeRules = []

    /// Makes a view that constraints will place. All three passes are pending on it.
    public override init(identifier: String = "") {
        translatesFrame = false
        super.init(identifier: identifier)
        isPlainView = !(self is ScrollView)
        expectProperties()
    }

    /// Makes a view placed by its frame, in points of its superview.
    public init(frame: Rect, identifier: String = "") {
        translatesFrame = true
        super.init(identifier: identifier)
        isPlainView = !(self is ScrollView)
        storedFrame = frame
        solvedFrame = frame
        expectProperties()
    }

    /// Whether the class is a subclass of this module, none of which overrides `updateProperties`.
    var isBuiltIn: Bool { false }

    /// The margins of a view that was given none.
    var defaultMargins: EdgeInsets {
        EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
    }

    private func expectProperties() {
        guard !isBuiltIn else { return }
        #if hasFeature(Embedded)
        // Embedded Swift compares no metatypes. The modules that it compiles have no subclasses of
        // a program.
        marks.isPlainClass = true
        #else
        marks.isPlainClass = type(of: self) == View.self
        #endif
        guard !marks.isPlainClass else { return }
        marks.isOwnClass = true
        marks.properties = .new
        marks.subtreeNeedsUpdateProperties = true
    }

    deinit {
        let isRoot = superview == nil && engine != nil
        for subview in subviews {
            subview.superview = nil
            subview.isUnplaced = false
            // A part of the hierarchy may outlive its root; without the root it has no layout.
            if isRoot { subview.forgetEngine() }
        }
    }

    /// Where `displayList` is kept: among the extras, except by classes all of whose views draw.
    var drawnItems: [DisplayItem] {
        get { extras?.drawnItems ?? [] }
        set { writeExtras().drawnItems = newValue }
    }

    // MARK: Overriding

    /// Takes over from the view's model and traits what it shows: texts, colours, fonts, what is
    /// hidden. The place for properties whose setting invalidates layout. Apple,
    /// `UIView.updateProperties()`, iOS 26.
    ///
    /// Called in a cycle after traits and before constraints: once when the view is new in a
    /// window's hierarchy, and after `setNeedsUpdateProperties()` or a change of a trait that the
    /// last call read. The base implementation does nothing, and an override does not call it. Not
    /// to be called directly.
    open func updateProperties() {
        marks.reachedBaseProperties = true
    }

    /// Called after the part of the view that something else covers changed, before the layout that
    /// follows. Apple, `UIView.safeAreaInsetsDidChange()`.
    open func safeAreaInsetsDidChange() {}

    /// Takes over how large people want text and how it is measured, where the view follows that.
    func takeTextTraits() {
        updateReadableWidth()
        rescaleConstants()
    }

    /// Follows a direction that came with the traits.
    func directionTraitDidChange() {}

    /// Changes constraints just before the layout pass. Call `super` last. Not to be called
    /// directly.
    open func updateConstraints() {
        marks.reachedBaseImplementation = true
    }

    /// Places the subviews: the base implementation assigns them the frames that the engine found.
    ///
    /// Override it for what constraints cannot express, and call `super`. Not to be called
    /// directly.
    open func layoutSubviews() {
        marks.reachedBaseImplementation = true
        placeSubviews()
    }

    /// What happens in the place of `layoutSubviews` while the view has no rectangle.
    func placeSubviewsWhileEmpty() { placeSubviews() }

    /// Whether `draw` is to be called; views with ready content have nothing to draw.
    open var drawsContent: Bool { false }

    /// Draws what `rect` (in the view's own coordinates) covers. The context is valid only until it
    /// returns.
    open func draw(_ rect: Rect, in context: DrawingContext) {}

    /// The size that the content would like, in points; `noIntrinsicMetric` where it has no wish.
    open var intrinsicContentSize: Size {
        Size(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric)
    }

    /// Called after the engine was told of the content's size.
    func didHoldContentSize() {}

    /// The size that would fit best into `size`; computes and changes nothing.
    open func sizeThatFits(_ size: Size) -> Size { storedFrame.size }

    /// Called after the view's frame was assigned with another size.
    open func boundsSizeDidChange() {}

    /// Called when `superview` changed.
    open func didMoveToSuperview() {}

    /// Called when the list of subviews, or its order, changed.
    open func subviewsDidChange() {}

    /// "No wish" in `intrinsicContentSize`.
    public static let noIntrinsicMetric: Double = -1

    // MARK: Look and content

    /// Whether the view and all in it are left out of drawing.
    @safe @exclusivity(unchecked) public var isHidden = false {
        didSet { if isHidden != oldValue { hiddenDidChange() } }
    }

    /// Which sizes become zero while the view is hidden; the gap before it goes as well.
    public var collapseAxes: Set<Axis> {
        get { Set(Axis.allCases.filter(collapses)) }
        set {
            var rules = sizeRules.intersection([.hasOverride, .ignoresContent])
            for axis in newValue { rules.insert(.collapses(along: axis)) }
            guard rules != sizeRules else { return }
            sizeRules = rules
            collapseDidChange()
        }
    }

    /// Whether a size becomes zero while the view is hidden.
    final func collapses(along axis: Axis) -> Bool {
        sizeRules.contains(.collapses(along: axis))
    }

    /// Set by a stack view for the axis along which a hidden member takes no room.
    @safe @exclusivity(unchecked) var stackCollapseAxis: Axis? {
        didSet { if stackCollapseAxis != oldValue { collapseDidChange() } }
    }

    /// Whether the size of the content counts for nothing; set by a stack view.
    final var ignoresContentSize: Bool {
        get { sizeRules.contains(.ignoresContent) }
        set {
            guard newValue != ignoresContentSize else { return }
            if newValue {
                sizeRules.insert(.ignoresContent)
            } else {
                sizeRules.remove(.ignoresContent)
            }
            updateContentSizeConstraints()
        }
    }

    /// Forgets what a stack view has set of the view as its member.
    final func leaveStack() {
        guard stackCollapseAxis != nil else { return }
        stackCollapseAxis = nil
        ignoresContentSize = false
    }

    /// How ready content is placed when the bounds change; `redraw` draws anew instead.
    @safe @exclusivity(unchecked) public var contentMode: ContentMode = .scaleToFill

    override var givenBaselines: (fromTop: Double, fromBottom: Double)? { extras?.baselineOffsets }

    /// Overrides `intrinsicContentSize`; `nil` leaves the content's own wish.
    public var intrinsicContentSizeOverride: Size? {
        get { sizeRules.contains(.hasOverride) ? sizeOverride : nil }
        set {
            guard newValue != intrinsicContentSizeOverride else { return }
            if newValue == nil {
                sizeRules.remove(.hasOverride)
            } else {
                sizeRules.insert(.hasOverride)
            }
            sizeOverride = newValue ?? .zero
            invalidateIntrinsicContentSize()
        }
    }

    /// How strongly the view resists growing beyond its content, by axis; 250 by default.
    public var contentHuggingPriority: PriorityByAxis {
        get { contentPriorities?.hugging ?? ContentPriorities.plainHugging }
        set {
            guard newValue != contentHuggingPriority else { return }
            contentPriorities = .of(newValue, contentCompressionResistancePriority)
            contentPrioritiesDidChange()
        }
    }

    /// How strongly the view resists shrinking below its content, by axis; 750 by default.
    public var contentCompressionResistancePriority: PriorityByAxis {
        get { contentPriorities?.compression ?? ContentPriorities.plainCompression }
        set {
            guard newValue != contentCompressionResistancePriority else { return }
            contentPriorities = .of(contentHuggingPriority, newValue)
            contentPrioritiesDidChange()
        }
    }

    // MARK: Frames set by hand

    /// Whether the frame, with `autoresizingMask`, is turned into constraints (UIKit's
    /// `translatesAutoresizingMaskIntoConstraints`).
    @safe @exclusivity(unchecked) public var translatesFrame: Bool {
        didSet {
            guard translatesFrame != oldValue else { return }
            updateFrameConstraints()
            if !translatesFrame { takeSolvedFrame() }
        }
    }

    /// UIKit's name for `translatesFrame`.
    public var translatesAutoresizingMaskIntoConstraints: Bool {
        get { translatesFrame }
        set { translatesFrame = newValue }
    }

    /// Which margins and sizes give when the superview's size changes.
    @safe @exclusivity(unchecked) public var autoresizingMask: AutoresizingMask = [] {
        willSet { if autoresizingMask != newValue { rebaseHandFrame() } }
        didSet { if autoresizingMask != oldValue { updateFrameConstraints() } }
    }

    /// The view's place in its superview's coordinates, in points, as the last layout pass assigned
    /// it; under a `transform` the smallest rectangle around the view, as UIKit has it.
    ///
    /// Setting it places the view by hand, without regard to a transform. A different size marks
    /// the view and its superview as needing layout; an equal value or another origin alone calls
    /// nothing.
    public var frame: Rect {
        get { extras?.transform.map(transformedFrame) ?? storedFrame }
        set { setFrameByHand(newValue) }
    }

    /// The view's rectangle in its own coordinates.
    open var bounds: Rect { Rect(origin: .zero, size: storedFrame.size) }

    /// The place that the engine has found, which may run ahead of `frame` until the next layout
    /// pass.
    public var engineFrame: Rect {
        guard let engine, variables != nil else { return storedFrame }
        return engine.solvedFrame(of: self)
    }

    override var coordinateSpace: View? { superview }
    override var hostView: View? { self }
    override var asView: View? { self }

    // MARK: Direction

    /// The direction for the view and all in it; `nil` takes the superview's.
    @safe @exclusivity(unchecked) public var layoutDirection: LayoutDirection? {
        didSet {
            guard layoutDirection != oldValue else { return }
            engine?.directionGeneration &+= 1
            layoutDirectionDidChange()
        }
    }

    /// The direction that was found last.
    @safe @exclusivity(unchecked) var knownDirection = LayoutDirection.leftToRight
}
