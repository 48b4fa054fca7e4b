import Cassowary
import ConstraintLanguage

/// Turns a constraint into the expression whose relation to zero the solver keeps.
///
/// Locations are written in the coordinates of the nearest common ancestor of the two items (UIKit
/// measures multipliers there), each as the sum of the origins on the way up. Variables are
/// relative to the superview, so moving a container changes none of its descendants' values.
struct ConstraintEquation: ~Copyable {
    var expression: LinearExpression
    /// Views that were looked at on the way to the common ancestor.
    private(set) var stepCount = 0

    /// Makes an equation with nothing in it.
    ///
    /// - Parameter expression: An empty one, whose memory the equation's uses.
    init(in expression: consuming LinearExpression) { self.expression = expression }

    /// Gives the memory back.
    consuming func takeExpression() -> LinearExpression { expression }

    /// Writes the equation of a constraint. Not an initializer, which would be given a reference of
    /// its own.
    ///
    /// - Throws: `LayoutError.noCommonAncestor` when the items share no hierarchy.
    mutating func write(_ constraint: LayoutConstraint) throws(LayoutError) {
        if addNeighbours(constraint) { return }
        guard let first = constraint.firstItem else {
            throw .noCommonAncestor(constraint.identifier)
        }
        let attribute = constraint.firstAttribute
        expression.constant = -Self.effectiveConstant(of: constraint)
        guard let secondAttribute = constraint.secondAttribute else {
            let space = first.coordinateSpace ?? first.hostView
            let frame = CoordinateSpace(space, mirrors: Self.mirrors(space, attribute, nil))
            add(attribute, of: first, in: frame, other: nil, times: 1)
            return
        }
        guard let second = constraint.secondItem, let space = commonSpace(first, second) else {
            throw .noCommonAncestor(constraint.identifier)
        }
        let frame = CoordinateSpace(space, mirrors: Self.mirrors(space, attribute, secondAttribute))
        add(attribute, of: first, in: frame, other: second, times: 1)
        add(secondAttribute, of: second, in: frame, other: first, times: -constraint.multiplier)
    }

    /// The coordinates that a constraint is written in. Where text runs from the right and the
    /// constraint speaks of leading or trailing, x is measured from the right edge, so that a
    /// positive constant always points along the text.
    private struct CoordinateSpace {
        let space: View?
        let mirrors: Bool
        init(_ space: View?, mirrors: Bool) {
            self.space = space
            self.mirrors = mirrors
        }
    }

    private static func mirrors(
        _ space: View?, _ first: LayoutAttribute, _ second: LayoutAttribute?
    ) -> Bool {
        let followsText =
            first == .leading || first == .trailing || second == .leading || second == .trailing
        return followsText && space?.effectiveLayoutDirection == .rightToLeft
    }

    /// The constant as it acts now: gone while an item that collapses is hidden, for the gap before
    /// it.
    static func effectiveConstant(of constraint: LayoutConstraint) -> Double {
        if gapIsCollapsed(constraint.firstItem, constraint.firstAttribute) { return 0 }
        if let attribute = constraint.secondAttribute,
            gapIsCollapsed(constraint.secondItem, attribute)
        {
            return 0
        }
        guard constraint.scalesConstant, let view = constraint.firstItem?.hostView else {
            return constraint.constant
        }
        return constraint.constant * view.textScale
    }

    /// Whether the constraint names a view that is not installed, or is about a size that a
    /// collapsed view no longer has.
    static func isSuspended(_ constraint: LayoutConstraint, in engine: LayoutEngine) -> Bool {
        if !engine.hasUninstalledViews, isBetweenShownViews(constraint) { return false }
        if engine.hasUninstalledViews {
            for item in [constraint.firstItem, constraint.secondItem] {
                if item?.hostView?.isLeftOut == true { return true }
            }
        }
        return isAboutCollapsedSize(constraint)
    }

    /// Whether neither side can be collapsed, which is quick to find out and true of most
    /// constraints.
    private static func isBetweenShownViews(_ constraint: LayoutConstraint) -> Bool {
        guard constraint.first?.use({ $0.isShownPlainView }) == true else { return false }
        guard constraint.hasSecondItem, let second = constraint.second else { return true }
        return second.use { $0.isShownPlainView }
    }

    /// Whether one side is a size that is collapsed, or the two sides are places of a view whose
    /// distance is.
    private static func isAboutCollapsedSize(_ constraint: LayoutConstraint) -> Bool {
        let attribute = constraint.firstAttribute
        let collapsed = collapsedView(measuring: constraint.firstItem, along: attribute.axis)
        // Without a factor the second side counts for nothing.
        guard let other = constraint.secondAttribute, constraint.multiplier != 0 else {
            return collapsed != nil && attribute.isSize
        }
        let otherCollapsed = collapsedView(measuring: constraint.secondItem, along: other.axis)
        let isWithinOne = collapsed != nil && collapsed === otherCollapsed
        // One size of a view and its guides against itself holds at any length; that of two places
        // is a size.
        guard !isWithinOne || attribute.axis != other.axis else {
            return !attribute.isSize && attribute != other && constraint.multiplier == 1
        }
        return collapsed != nil && attribute.isSize || otherCollapsed != nil && other.isSize
    }

    /// The collapsed view whose size along the axis is the item's: the view itself, or the owner of
    /// a guide that follows its bounds.
    private static func collapsedView(measuring item: LayoutItem?, along axis: Axis) -> View? {
        let view: View?
        if let guide = item as? LayoutGuide {
            view = guide.followsBounds(along: axis) ? guide.owningView : nil
        } else {
            view = item as? View
        }
        return view?.isCollapsed(along: axis) == true ? view : nil
    }

    private static func gapIsCollapsed(_ item: LayoutItem?, _ attribute: LayoutAttribute) -> Bool {
        guard let view = item as? View else { return false }
        switch attribute {
        case .leading, .left: return view.isCollapsed(along: .horizontal)
        case .top: return view.isCollapsed(along: .vertical)
        default: return false
        }
    }

    /// The nearest view that is an ancestor of both, or one of them; for an item and itself, the
    /// one above.
    ///
    /// - Complexity: O(depth).
    private mutating func commonSpace(_ first: LayoutItem, _ second: LayoutItem) -> View? {
        if first === second { return first.coordinateSpace ?? first.hostView }
        // Most constraints are between siblings, or between a view and its superview.
        let firstHost = first.hostView
        let secondHost = second.hostView
        if let firstHost, let secondHost {
            let superview = firstHost.superview
            if superview === secondHost || firstHost === secondHost { return secondHost }
            if secondHost.superview === firstHost { return firstHost }
            if let superview, superview === secondHost.superview { return superview }
        }
        guard var low = firstHost, var high = secondHost else { return nil }
        var (below, above) = (low.depth, high.depth)
        stepCount = 2 * (below + above)
        if below < above { (low, high, below, above) = (high, low, above, below) }
        while below > above, let next = low.superview { (low, below) = (next, below - 1) }
        while low !== high {
            guard let next = low.superview, let other = high.superview else { return nil }
            (low, high) = (next, other)
        }
        return low
    }

    /// Adds an attribute's value in the coordinates of `frame`.
    private mutating func add(
        _ attribute: LayoutAttribute, of item: LayoutItem, in frame: CoordinateSpace,
        other: LayoutItem?,
        times factor: Double
    ) {
        let inset = alignmentInset(of: attribute, of: item, mirrored: frame.mirrors)
        let content = contentOfScrollView(item, attribute, seenFrom: other)
        let item = content?.guide ?? item
        expression.constant += factor * (content?.inset(attribute, frame.mirrors) ?? inset)
        let space = frame.space
        switch attribute {
        case .width: item.addWidth(to: &expression, times: factor)
        case .height: item.addHeight(to: &expression, times: factor)
        case .left: addX(item, 0, frame, factor)
        case .right: addX(item, 1, frame, factor)
        case .centerX: addX(item, 0.5, frame, factor)
        case .leading: addX(item, frame.mirrors ? 1 : 0, frame, factor)
        case .trailing: addX(item, frame.mirrors ? 0 : 1, frame, factor)
        case .top: addY(item, 0, space, factor)
        case .bottom: addY(item, 1, space, factor)
        case .centerY: addY(item, 0.5, space, factor)
        case .firstBaseline, .lastBaseline:
            addBaseline(isFirst: attribute == .firstBaseline, of: item, space, factor)
        }
    }

    /// Adds the y of a baseline: where it was given; of text, which stands in the middle of its
    /// view; or an edge.
    private mutating func addBaseline(
        isFirst: Bool, of item: LayoutItem, _ space: View?, _ factor: Double
    ) {
        if let given = item.givenBaselines {
            addY(item, isFirst ? 0 : 1, space, factor)
            expression.constant += factor * (isFirst ? given.fromTop : -given.fromBottom)
        } else if let text = item.textBaselines {
            addY(item, 0.5, space, factor)
            expression.constant += factor * (isFirst ? text.first : text.last)
        } else {
            addY(item, isFirst ? 0 : 1, space, factor)
        }
    }

    /// How far an attribute of a view's alignment rectangle lies from that of its frame, along the
    /// axis as it is measured.
    @inline(__always)
    private func alignmentInset(
        of attribute: LayoutAttribute, of item: LayoutItem, mirrored: Bool
    ) -> Double {
        guard !item.isPlainView, let insets = item.asView?.alignmentInsets, insets != .zero
        else { return 0 }
        return insets.offset(of: attribute, isLeftToRight: item.runsFromLeft, mirrored: mirrored)
    }

    /// What the edges of a scroll view, or of its margins, mean to what scrolls inside it.
    private struct ScrollContent {
        let guide: LayoutGuide
        let isLeftToRight: Bool
        /// The margins around the content; none where the view's own edges are meant.
        let margins: EdgeInsets

        func inset(_ attribute: LayoutAttribute, _ mirrored: Bool) -> Double {
            margins.offset(of: attribute, isLeftToRight: isLeftToRight, mirrored: mirrored)
        }
    }

    /// As in UIKit, the edges of a scroll view and of its margins mean its content to what scrolls
    /// inside it.
    private mutating func contentOfScrollView(
        _ item: LayoutItem, _ attribute: LayoutAttribute, seenFrom other: LayoutItem?
    ) -> ScrollContent? {
        guard !attribute.isSize, attribute != .centerX, attribute != .centerY, !item.isPlainView,
            let scroll = (item as? ScrollView) ?? Self.scrollViewOfMargins(item), let other,
            other !== scroll, other.hostView !== scroll
        else { return nil }
        var above = other.coordinateSpace
        while let view = above, view !== scroll {
            (above, stepCount) = (view.superview, stepCount + 1)
        }
        guard above != nil else { return nil }
        return ScrollContent(
            guide: scroll.contentLayoutGuide, isLeftToRight: scroll.runsFromLeft,
            margins: item === scroll ? .zero : scroll.marginsOfContent)
    }

    private static func scrollViewOfMargins(_ item: LayoutItem) -> ScrollView? {
        guard let guide = item as? LayoutGuide, guide.kind == .margins else { return nil }
        return guide.owningView as? ScrollView
    }

    /// Adds the x of a place `fraction` of the item's width from its left edge.
    private mutating func addX(
        _ item: LayoutItem, _ fraction: Double, _ frame: CoordinateSpace, _ factor: Double
    ) {
        var factor = factor
        if frame.mirrors, let space = frame.space {
            space.addWidth(to: &expression, times: factor)
            factor = -factor
        }
        if fraction != 0 { item.addWidth(to: &expression, times: fraction * factor) }
        guard item !== frame.space else { return }
        item.addLeftEdge(to: &expression, times: factor)
        var above = item.coordinateSpace
        while let view = above, view !== frame.space {
            view.addLeftEdge(to: &expression, times: factor)
            above = view.superview
        }
    }

    /// Adds the y of a place `fraction` of the item's height from its top edge.
    private mutating func addY(
        _ item: LayoutItem, _ fraction: Double, _ space: View?, _ factor: Double
    ) {
        if fraction != 0 { item.addHeight(to: &expression, times: fraction * factor) }
        guard item !== space else { return }
        item.addTopEdge(to: &expression, times: factor)
        var above = item.coordinateSpace
        while let view = above, view !== space {
            view.addTopEdge(to: &expression, times: factor)
            above = view.superview
        }
    }
}

extension LayoutAttribute {
    fileprivate var axis: Axis { isHorizontal ? .horizontal : .vertical }
}
