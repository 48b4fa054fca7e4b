/// A rectangle in a hierarchy whose place is decided by constraints and assigned in the layout pass.
///
/// The names and the rules are `UIView`'s. One difference: a view made by plain `init` is placed by constraints
/// at once; one made by `init(frame:)` is placed by its frame, as if
/// `translatesAutoresizingMaskIntoConstraints` were set. A hierarchy is used from one thread.
open class View: LayoutItem {
    /// The view that holds this one, if any.
    ///
    /// Not a weak reference: an object with weak references keeps its counts in a table aside, which makes every use
    /// of it slower. A view that goes lets its subviews know.
    public internal(set) unowned var superview: View?
    /// The views that this one holds, back to front.
    public internal(set) var subviews: [View] = []
    /// The controller whose root view this is, if any.
    public internal(set) weak var viewController: ViewController?
    /// The guides that this view owns, in the order in which they were added.
    public internal(set) var layoutGuides: [LayoutGuide] = []

    /// The frame as last assigned; see `frame`.
    var storedFrame: Rect = .zero
    /// The engine of the hierarchy, once it has one.
    var engine: LayoutEngine?
    /// The engine's own constraints for this view.
    var systemConstraints = SystemConstraints()
    var marks = ViewMarks()
    var marginsGuide: LayoutGuide?
    var safeAreaGuide: LayoutGuide?
    /// Subviews whose frame may not be the one that the last settling found.
    var unplacedSubviews: [View] = []
    /// Whether the superview has this view among those.
    var isUnplaced = false
    /// Preorder number, valid while the hierarchy's `preorderIsValid` holds.
    var preorderIndex = 0
    /// The superview's size when the frame was set, from which flexible margins and sizes stretch.
    var autoresizingReference: Size?
    /// Whether the engine keeps the view in mind until its superview has a size.
    var awaitsReference = false
    /// What the view drew last.
    public internal(set) var displayList: [DisplayItem] = []

    /// Makes a view that constraints will place. All three passes are pending on it.
    public override init(identifier: String = "") {
        translatesFrame = false
        super.init(identifier: identifier)
    }

    /// Makes a view placed by its frame, in points of its superview.
    public init(frame: Rect, identifier: String = "") {
        translatesFrame = true
        super.init(identifier: identifier)
        storedFrame = frame
        settled = frame
    }

    deinit {
        for subview in subviews { subview.superview = nil }
    }

    /// A number for whoever keeps more about the view elsewhere; the engine does not look at it.
    public var tag = 0

    /// Called inside the view's call, before `updateConstraints`; for those who cannot subclass.
    public var updateConstraintsHook: (() -> Void)?
    /// Called inside the view's call, before `layoutSubviews`; for those who cannot subclass.
    public var layoutSubviewsHook: (() -> Void)?

    // MARK: Overriding

    /// Changes constraints just before the layout pass. Call `super` last. Not to be called directly.
    open func updateConstraints() {
        marks.reachedBaseImplementation = true
    }

    /// Places the subviews: the base implementation assigns them the frames that the engine found.
    ///
    /// Override it for what constraints cannot express, and call `super`. Not to be called directly.
    open func layoutSubviews() {
        marks.reachedBaseImplementation = true
        placeSubviews()
    }

    /// What happens in the place of `layoutSubviews` while the view has no rectangle.
    func placeSubviewsWhileEmpty() { placeSubviews() }

    /// Whether `draw` is to be called; views with ready content have nothing to draw.
    open var drawsContent: Bool { false }

    /// Draws what `rect` (in the view's own coordinates) covers. The context is valid only until it returns.
    open func draw(_ rect: Rect, in context: DrawingContext) {}

    /// The size that the content would like, in points; `noIntrinsicMetric` where it has no wish.
    open var intrinsicContentSize: Size {
        Size(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric)
    }

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
    public var isHidden = false {
        didSet { if isHidden != oldValue { hiddenDidChange() } }
    }

    /// Which sizes become zero while the view is hidden; the gap before it goes as well.
    public var collapseAxes: Set<Axis> = [] {
        didSet { if collapseAxes != oldValue { collapseDidChange() } }
    }

    /// Set by a stack view for the axis along which a hidden member takes no room.
    var stackCollapseAxis: Axis? {
        didSet { if stackCollapseAxis != oldValue { collapseDidChange() } }
    }

    /// How ready content is placed when the bounds change; `redraw` draws anew instead.
    public var contentMode: ContentMode = .scaleToFill

    /// Distances of the first baseline from the top and of the last from the bottom edge, in points.
    public var baselineOffsetsFromEdges: (fromTop: Double, fromBottom: Double) = (0, 0) {
        didSet { if baselineOffsetsFromEdges != oldValue { rederiveConstraints() } }
    }

    override var baselineOffsets: (fromTop: Double, fromBottom: Double) { baselineOffsetsFromEdges }

    /// The insets of `layoutMarginsGuide`; 8 points at each edge by default.
    public var layoutMargins = EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8) {
        didSet { if layoutMargins != oldValue { rederiveConstraints(of: marginsGuide) } }
    }

    /// The insets of `safeAreaLayoutGuide`; none by default.
    public var safeAreaInsets = EdgeInsets.zero {
        didSet { if safeAreaInsets != oldValue { rederiveConstraints(of: safeAreaGuide) } }
    }

    /// Overrides `intrinsicContentSize`; `nil` leaves the content's own wish.
    public var intrinsicContentSizeOverride: Size? {
        didSet {
            if intrinsicContentSizeOverride != oldValue { invalidateIntrinsicContentSize() }
        }
    }

    /// How strongly the view resists growing beyond its content, by axis; 250 by default.
    public var contentHuggingPriority: PriorityByAxis = .init(250, 250) {
        didSet { if contentHuggingPriority != oldValue { contentPrioritiesDidChange() } }
    }

    /// How strongly the view resists shrinking below its content, by axis; 750 by default.
    public var contentCompressionResistancePriority: PriorityByAxis = .init(750, 750) {
        didSet {
            if contentCompressionResistancePriority != oldValue { contentPrioritiesDidChange() }
        }
    }

    // MARK: Frames set by hand

    /// Whether the frame, with `autoresizingMask`, is turned into constraints (UIKit's
    /// `translatesAutoresizingMaskIntoConstraints`).
    public var translatesFrame: Bool {
        didSet { if translatesFrame != oldValue { updateFrameConstraints() } }
    }

    /// UIKit's name for `translatesFrame`.
    public var translatesAutoresizingMaskIntoConstraints: Bool {
        get { translatesFrame }
        set { translatesFrame = newValue }
    }

    /// Which margins and sizes give when the superview's size changes.
    public var autoresizingMask: AutoresizingMask = [] {
        didSet { if autoresizingMask != oldValue { updateFrameConstraints() } }
    }

    /// The view's place in its superview's coordinates, in points, as the last layout pass assigned it.
    ///
    /// Setting it places the view by hand. A different size marks the view and its superview as needing layout; an
    /// equal value or another origin alone calls nothing.
    public var frame: Rect {
        get { storedFrame }
        set { setFrameByHand(newValue) }
    }

    /// The view's rectangle in its own coordinates.
    open var bounds: Rect { Rect(origin: .zero, size: storedFrame.size) }

    /// The place that the engine has found, which may run ahead of `frame` until the next layout pass.
    public var engineFrame: Rect {
        guard let engine, variables != nil else { return storedFrame }
        return engine.solvedFrame(of: self)
    }

    override var coordinateSpace: View? { superview }
    override var hostView: View? { self }

    // MARK: Direction

    /// The direction for the view and all in it; `nil` takes the superview's.
    public var layoutDirection: LayoutDirection? {
        didSet { if layoutDirection != oldValue { layoutDirectionDidChange() } }
    }

    /// The direction in force here.
    public var effectiveLayoutDirection: LayoutDirection {
        layoutDirection ?? superview?.effectiveLayoutDirection ?? .leftToRight
    }
}

/// A pair of priorities, one for each axis.
public struct PriorityByAxis: Equatable, Sendable {
    /// Along x.
    public var horizontal: LayoutPriority
    /// Along y.
    public var vertical: LayoutPriority

    /// Makes a pair.
    public init(_ horizontal: LayoutPriority, _ vertical: LayoutPriority) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

/// What happens to ready content when the bounds change. Apple, `UIView.ContentMode`.
public enum ContentMode: String, Sendable, CaseIterable {
    /// Stretched to the new bounds.
    case scaleToFill
    /// Scaled, keeping its proportions, to lie within.
    case scaleAspectFit
    /// Scaled, keeping its proportions, to cover.
    case scaleAspectFill
    /// Drawn anew.
    case redraw
    /// Kept in size, in the middle.
    case center
    /// Kept in size, at the middle of the top edge.
    case top
    /// Kept in size, at the middle of the bottom edge.
    case bottom
    /// Kept in size, at the middle of the left edge.
    case left
    /// Kept in size, at the middle of the right edge.
    case right
    /// Kept in size, in the corner.
    case topLeft
    /// Kept in size, in the corner.
    case topRight
    /// Kept in size, in the corner.
    case bottomLeft
    /// Kept in size, in the corner.
    case bottomRight
}

/// Which margins and sizes give when the superview's size changes. Apple, `UIView.AutoresizingMask`.
public struct AutoresizingMask: OptionSet, Sendable {
    /// One bit for each flexible part.
    public let rawValue: Int

    /// Makes a mask from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The distance from the superview's left edge gives.
    public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
    /// The width gives.
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    /// The distance from the superview's right edge gives.
    public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
    /// The distance from the superview's top edge gives.
    public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
    /// The height gives.
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    /// The distance from the superview's bottom edge gives.
    public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
}
