/// A view whose subviews lie in a content area that can be larger than the view and is shown from
/// an offset.
///
/// As in UIKit, a constraint between the edges of the scroll view or of its margins and something
/// inside it means the content's edges; one on its width, height or centres means the view itself.
public final class ScrollView: View {
    override var isBuiltIn: Bool { true }

    /// The content: at the origin, as large as constraints make it.
    public let contentLayoutGuide: LayoutGuide
    /// The part of the content that shows.
    public let frameLayoutGuide: LayoutGuide

    /// The point of the content that is shown at the top left corner, in points.
    ///
    /// Until it is set, the content rests where it begins inside `adjustedContentInset`, and
    /// follows that. Setting another scrolls: the view is laid out. Apple,
    /// `UIScrollView.contentOffset`.
    public var contentOffset: Point {
        get { ownContentOffset ?? restingOffset }
        set { changeOffset { ownContentOffset = newValue } }
    }

    /// Has the content rest again where it begins.
    public func resetContentOffset() { changeOffset { ownContentOffset = nil } }

    private var ownContentOffset: Point?

    private var restingOffset: Point {
        let insets = adjustedContentInsetByEdge
        return Point(x: 0 - insets.left, y: 0 - insets.top)
    }

    /// Changes something that the offset may follow from.
    private func changeOffset(_ change: () -> Void) {
        let old = contentOffset
        change()
        guard contentOffset != old else { return }
        offsetDidChange()
    }

    private func offsetDidChange() {
        rederiveConstraints(of: frameLayoutGuide)
        markNeedsLayout()
        engine?.frameObserver?(self)
    }

    /// Tells that the insets are on other sides.
    func directionDidChange() {
        if adjustedContentInset != .zero { insetsDidChange() }
    }

    public override func safeAreaInsetsDidChange() {
        super.safeAreaInsetsDidChange()
        if !adjustedAxes.isEmpty { insetsDidChange() }
    }

    /// Tells that the insets are others, and with them the offset where it follows from them.
    private func insetsDidChange() {
        if ownContentOffset == nil { offsetDidChange() } else { engine?.contentObserver?(self) }
    }

    /// Free space around the content, in points; zero by default. Nothing is laid out by it: the
    /// content can be scrolled that much further. Apple, `UIScrollView.contentInset`.
    public var contentInset = EdgeInsets.zero {
        didSet {
            guard contentInset != oldValue else { return }
            offsetDidChange()
        }
    }

    /// Along which axes the safe area becomes free space around the content. Apple,
    /// `UIScrollView.contentInsetAdjustmentBehavior`.
    public var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic {
        didSet {
            guard contentInsetAdjustmentBehavior != oldValue else { return }
            followAdjustment()
        }
    }

    /// The axes whose safe area the scroll view has taken as insets, so that the content has none
    /// along them.
    private(set) var adjustedAxes: Set<Axis> = []
    /// The axes along which the content had the safe area in the cycle of this number, and was not
    /// as long as the view.
    private var refusedAxes: (axes: Set<Axis>, cycle: Int32) = ([], 0)

    /// `contentInset`, and the safe area along the axes that take it. How far the content can be
    /// scrolled beyond its edges; renderers keep to it. Apple, `UIScrollView.adjustedContentInset`.
    public var adjustedContentInset: EdgeInsets {
        let area = adjustedAxes.isEmpty ? .zero : safeAreaInsets
        let (x, y) = (adjustedAxes.contains(.horizontal), adjustedAxes.contains(.vertical))
        return EdgeInsets(
            top: contentInset.top + (y ? area.top : 0),
            leading: contentInset.leading + (x ? area.leading : 0),
            bottom: contentInset.bottom + (y ? area.bottom : 0),
            trailing: contentInset.trailing + (x ? area.trailing : 0))
    }

    /// The same by edges on the screen, whatever the direction.
    public var adjustedContentInsetByEdge:
        (top: Double, left: Double, bottom: Double, right: Double)
    {
        let insets = adjustedContentInset
        let isLeft = effectiveLayoutDirection == .leftToRight
        return (
            insets.top, isLeft ? insets.leading : insets.trailing, insets.bottom,
            isLeft ? insets.trailing : insets.leading
        )
    }

    /// Has a cycle look again at what the safe area is for the content.
    private func followAdjustment() {
        engine?.followsSafeArea = true
        markNeedsLayout()
    }

    /// Decides along which axes the safe area is taken as insets, by the frames of the last layout.
    ///
    /// Along an axis in which the content is as long as the view, as where one is tied to the
    /// other, the content keeps the safe area as any view does. Content that is as long without its
    /// safe area and not with it gives it up, whatever was before, so that the same scene always
    /// has the same answer.
    ///
    /// - Parameter cycle: The number of the update cycle.
    /// - Returns: Whether insets are others than before, so that layout goes on.
    func settleAdjustment(cycle: Int32) -> Bool {
        if refusedAxes.cycle != cycle { refusedAxes = ([], cycle) }
        var axes: Set<Axis> = []
        for axis in Axis.allCases where takesSafeArea(along: axis) { axes.insert(axis) }
        guard axes != adjustedAxes else { return false }
        refusedAxes.axes.formUnion(axes.subtracting(adjustedAxes))
        adjustedAxes = axes
        guard safeAreaInsets != .zero else { return false }
        rederiveConstraints(of: marginsGuide)
        offsetDidChange()
        return true
    }

    private func takesSafeArea(along axis: Axis) -> Bool {
        switch contentInsetAdjustmentBehavior {
        case .never: return false
        case .always: return true
        case .automatic, .scrollableAxes: break
        }
        if refusedAxes.axes.contains(axis) { return true }
        let (content, own) =
            axis == .horizontal
            ? (contentSize.width, storedFrame.width) : (contentSize.height, storedFrame.height)
        return abs(content - own) > 1e-6
    }

    /// What is left of insets of the scroll view for its content: nothing of the safe area along
    /// adjusted axes.
    func contentSafeArea() -> EdgeInsets {
        let area = safeAreaInsets
        guard area != .zero, !adjustedAxes.isEmpty else { return area }
        let (x, y) = (adjustedAxes.contains(.horizontal), adjustedAxes.contains(.vertical))
        return EdgeInsets(
            top: y ? 0 : area.top, leading: x ? 0 : area.leading, bottom: y ? 0 : area.bottom,
            trailing: x ? 0 : area.trailing)
    }

    /// Makes a scroll view at offset zero.
    public override init(identifier: String = "") {
        contentLayoutGuide = LayoutGuide(kind: .content, identifier: identifier + ".content")
        frameLayoutGuide = LayoutGuide(kind: .viewport, identifier: identifier + ".viewport")
        super.init(identifier: identifier)
        contentLayoutGuide.owningView = self
        frameLayoutGuide.owningView = self
    }

    /// The extent of the content as the engine has it, in points.
    public var contentSize: Size { contentLayoutGuide.layoutFrame.size }

    /// The area that lies around the content's views: the content, and the view where that is
    /// larger.
    var contentExtent: Size {
        let content = contentSize
        return Size(
            width: max(content.width, storedFrame.width),
            height: max(content.height, storedFrame.height))
    }

    public override var bounds: Rect { Rect(origin: contentOffset, size: layoutFrame.size) }
}
