/// What few views have, in an object of its own, so that the many others stay small.
final class ViewExtras {
    /// The controller whose root view this is, if any; a controller that goes clears it.
    @safe unowned(unsafe) var viewController: ViewController?
    var layoutGuides: [LayoutGuide] = []
    var marginsGuide: LayoutGuide?
    var safeAreaGuide: LayoutGuide?
    var layoutMargins = defaultMargins
    /// The safe area that the view was given, which ends that it follows the screen's.
    var ownSafeArea: EdgeInsets?
    /// What the screen covers of the view; a window's whole safe area.
    var coveredInsets = EdgeInsets.zero
    var insetsMarginsFromSafeArea = true
    var preservesSuperviewMargins = false
    /// What the superview's margins reach into a view that preserves them.
    var preservedMargins = EdgeInsets.zero
    /// The least margins of a controller's root view.
    var minimumMargins = EdgeInsets.zero
    /// How far a keyboard reaches into the view, from its bottom edge; of a window, the keyboard's height.
    var keyboardReach = 0.0
    var keyboardUsesBottomSafeArea = true
    var keyboardGuide: LayoutGuide?
    /// Whether the view is out of the layout with all that is in it.
    var isUninstalled = false
    var readableGuide: LayoutGuide?
    var readableLimit: LayoutConstraint?
    var baselineOffsets = (fromTop: 0.0, fromBottom: 0.0)
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

    /// UIKit's margins.
    static let defaultMargins = EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
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

    /// Called inside the view's call, before `updateProperties`; for programs that cannot subclass. Setting it asks for
    /// the first call.
    public var updatePropertiesHook: (() -> Void)? {
        get { extras?.updatePropertiesHook }
        set {
            writeExtras().updatePropertiesHook = newValue
            if newValue != nil { setNeedsUpdateProperties() }
        }
    }

    /// Called inside the view's call, before `updateConstraints`; for programs that cannot subclass.
    public var updateConstraintsHook: (() -> Void)? {
        get { extras?.updateConstraintsHook }
        set { writeExtras().updateConstraintsHook = newValue }
    }

    /// Called inside the view's call, before `layoutSubviews`; for programs that cannot subclass.
    public var layoutSubviewsHook: (() -> Void)? {
        get { extras?.layoutSubviewsHook }
        set { writeExtras().layoutSubviewsHook = newValue }
    }

    /// Distances of the first baseline from the top and of the last from the bottom edge, in points.
    public var baselineOffsetsFromEdges: (fromTop: Double, fromBottom: Double) {
        get { extras?.baselineOffsets ?? (0, 0) }
        set {
            guard newValue != baselineOffsetsFromEdges else { return }
            writeExtras().baselineOffsets = newValue
            rederiveConstraints()
        }
    }

    /// The insets of `layoutMarginsGuide` within the safe area; 8 points at each edge by default.
    public var layoutMargins: EdgeInsets {
        get { extras?.layoutMargins ?? ViewExtras.defaultMargins }
        set {
            guard newValue != layoutMargins else { return }
            writeExtras().layoutMargins = newValue
            rederiveConstraints(of: marginsGuide)
        }
    }

    var autoresizingReference: Size? { extras?.autoresizingReference }

    /// Notes the frame set by hand, if it is not the view's present one, and the superview's size that it belongs to.
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
