/// What few views have, in an object of its own, so that the many others stay small.
final class ViewExtras {
    /// The controller whose root view this is, if any; a controller that goes clears it.
    @safe unowned(unsafe) var viewController: ViewController?
    var layoutGuides: [LayoutGuide] = []
    var marginsGuide: LayoutGuide?
    var safeAreaGuide: LayoutGuide?
    /// The margins that the view was given.
    var layoutMargins: EdgeInsets?
    /// The safe area that the view was given, which ends that it follows the screen's.
    var ownSafeArea: EdgeInsets?
    /// What the screen covers of the view; a window's whole safe area.
    var coveredInsets = EdgeInsets.zero
    var insetsMarginsFromSafeArea = true
    /// How far the alignment rectangle lies within the frame.
    var alignmentInsets = EdgeInsets.zero
    var preservesSuperviewMargins = false
    /// What the superview's margins reach into a view that preserves them.
    var preservedMargins = EdgeInsets.zero
    var followsReadableWidth = false
    /// How much wider each margin is, so that lines are not too long.
    var readableExcess = 0.0
    /// The least margins of a controller's root view.
    var minimumMargins = EdgeInsets.zero
    /// How far a keyboard reaches into the view, from its bottom edge; of a window, the keyboard's
    /// height.
    var keyboardReach = 0.0
    var keyboardUsesBottomSafeArea = true
    var keyboardGuide: LayoutGuide?
    /// Whether the view is out of the layout with all that is in it.
    var isUninstalled = false
    var readableGuide: LayoutGuide?
    var readableLimit: LayoutConstraint?
    /// The view's transform, unless it is the identity.
    var transform: AffineTransform?
    /// The baselines that the view was given.
    var baselineOffsets: (fromTop: Double, fromBottom: Double)?
    var drawnItems: [DisplayItem] = []
    /// What the view has besides the traits that it inherits.
    var traits: ViewTraits?
    var updatePropertiesHook: (() -> Void)?
    var updateConstraintsHook: (() -> Void)?
    var layoutSubviewsHook: (() -> Void)?
    /// The frame as set by hand, once the engine's answer stands in its place.
    var handFrame: Rect?
    /// The superview's size when the frame was set, from which flexible margins and sizes stretch.
    var autoresizingReference: Size?
    /// The part to redraw, in the view's own coordinates; `nil` means all of it.
    var dirtyRect: Rect?
}

extension View {
    /// The view's extras to write to, made now if need be.
    func writeExtras() -> ViewExtras {
        if let extras { return extras }
        let made = ViewExtras()
        extras = made
        return made
    }

    /// The controller whose root view this is, if any.
    public internal(set) var viewController: ViewController? {
        get { extras?.viewController }
        set {
            guard newValue != nil || extras != nil else { return }
            writeExtras().viewController = newValue
        }
    }

    /// The guides that this view owns, in the order in which they were added.
    public internal(set) var layoutGuides: [LayoutGuide] {
        get { extras?.layoutGuides ?? [] }
        set { writeExtras().layoutGuides = newValue }
    }

    var marginsGuide: LayoutGuide? {
        get { extras?.marginsGuide }
        set { writeExtras().marginsGuide = newValue }
    }

    var safeAreaGuide: LayoutGuide? {
        get { extras?.safeAreaGuide }
        set { writeExtras().safeAreaGuide = newValue }
    }

    /// What the view drew last.
    public internal(set) var displayList: [DisplayItem] {
        get { drawnItems }
        set { drawnItems = newValue }
    }

    /// Called inside the view's call, before `updateProperties`; for programs that cannot subclass.
    /// Setting it asks for the first call.
    public var updatePropertiesHook: (() -> Void)? {
        get { extras?.updatePropertiesHook }
        set {
            writeExtras().updatePropertiesHook = newValue
            if newValue != nil { setNeedsUpdateProperties() }
        }
    }

    /// Called inside the view's call, before `updateConstraints`; for programs that cannot
    /// subclass.
    public var updateConstraintsHook: (() -> Void)? {
        get { extras?.updateConstraintsHook }
        set { writeExtras().updateConstraintsHook = newValue }
    }

    /// Called inside the view's call, before `layoutSubviews`; for programs that cannot subclass.
    public var layoutSubviewsHook: (() -> Void)? {
        get { extras?.layoutSubviewsHook }
        set { writeExtras().layoutSubviewsHook = newValue }
    }

    /// Distances of the first baseline from the top and of the last from the bottom edge, in
    /// points.
    ///
    /// Until it is set, those of the text in the view's middle, of a view that has text with a
    /// baseline (`Label`, `Button`, `TextField`), and the edges of any other.
    public var baselineOffsetsFromEdges: (fromTop: Double, fromBottom: Double) {
        get {
            if let given = extras?.baselineOffsets { return given }
            guard let text = textBaselines else { return (0, 0) }
            let middle = storedFrame.height / 2
            return (middle + text.first, middle - text.last)
        }
        set {
            if let given = extras?.baselineOffsets, given == newValue { return }
            writeExtras().baselineOffsets = newValue
            rederiveConstraints()
        }
    }

    /// Has the view's own baselines count again.
    public func resetBaselineOffsets() {
        guard extras?.baselineOffsets != nil else { return }
        extras?.baselineOffsets = nil
        rederiveConstraints()
    }

    /// The insets of `layoutMarginsGuide` within the safe area; by default 8 points at each edge,
    /// and 0 of a stack view.
    public var layoutMargins: EdgeInsets {
        get { extras?.layoutMargins ?? defaultMargins }
        set {
            guard newValue != layoutMargins else { return }
            writeExtras().layoutMargins = newValue
            rederiveConstraints(of: marginsGuide)
        }
    }

    var autoresizingReference: Size? { extras?.autoresizingReference }

    /// Notes the frame set by hand, if it is not the view's present one, and the superview's size
    /// that it belongs to.
    func writeHandFrame(_ frame: Rect?, _ superviewSize: Size?) {
        let extras = writeExtras()
        extras.handFrame = frame
        extras.autoresizingReference = superviewSize
    }

    /// The part to redraw, in the view's own coordinates; `nil` means all of it.
    var dirtyRect: Rect? {
        get { extras?.dirtyRect }
        set {
            guard newValue != nil || extras != nil else { return }
            writeExtras().dirtyRect = newValue
        }
    }
}
