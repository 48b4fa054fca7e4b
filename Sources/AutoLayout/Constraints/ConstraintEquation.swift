import ConstraintLanguage

/// Turns a constraint into the expression whose relation to zero the solver keeps.
///
/// Locations are written in the coordinates of the nearest common ancestor of the two items (UIKit measures
/// multipliers there), each as the sum of the origins on the way up. Variables are relative to the superview,
/// so moving a container changes none of its descendants' values.
struct ConstraintEquation {
    var expression: LinearExpression

    /// - Throws: `LayoutError.noCommonAncestor` when the items share no hierarchy.
    init(_ constraint: LayoutConstraint) throws(LayoutError) {
        guard let first = constraint.firstItem else {
            throw .noCommonAncestor(constraint.identifier)
        }
        let attribute = constraint.firstAttribute
        guard let secondAttribute = constraint.secondAttribute else {
            let space = first.coordinateSpace ?? first.hostView
            let frame = Frame(space, mirrors: Self.mirrors(space, attribute, nil))
            expression = Self.value(of: attribute, of: first, in: frame, other: nil)
            expression.constant -= Self.effectiveConstant(of: constraint)
            return
        }
        guard let second = constraint.secondItem else {
            throw .noCommonAncestor(constraint.identifier)
        }
        guard let space = Self.commonSpace(first, second) else {
            throw .noCommonAncestor(constraint.identifier)
        }
        let frame = Frame(space, mirrors: Self.mirrors(space, attribute, secondAttribute))
        expression = Self.value(of: attribute, of: first, in: frame, other: second)
        expression.add(
            Self.value(of: secondAttribute, of: second, in: frame, other: first),
            times: -constraint.multiplier)
        expression.constant -= Self.effectiveConstant(of: constraint)
    }

    /// The coordinates that a constraint is written in. Where text runs from the right and the constraint
    /// speaks of leading or trailing, x is measured from the right edge, so that a positive constant always
    /// points along the text.
    private struct Frame {
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
        guard space?.effectiveLayoutDirection == .rightToLeft else { return false }
        return [first, second].contains { $0 == .leading || $0 == .trailing }
    }

    /// The constant as it acts now: gone while an item that collapses is hidden, for the gap before it.
    static func effectiveConstant(of constraint: LayoutConstraint) -> Double {
        if gapIsCollapsed(constraint.firstItem, constraint.firstAttribute) { return 0 }
        if let attribute = constraint.secondAttribute,
            gapIsCollapsed(constraint.secondItem, attribute)
        {
            return 0
        }
        return constraint.constant
    }

    /// Whether the constraint asks for a size that a collapsed view no longer has.
    static func isSuspended(_ constraint: LayoutConstraint) -> Bool {
        guard let view = constraint.firstItem as? View else { return false }
        switch constraint.firstAttribute {
        case .width: return view.isCollapsed(along: .horizontal)
        case .height: return view.isCollapsed(along: .vertical)
        default: return false
        }
    }

    private static func gapIsCollapsed(_ item: LayoutItem?, _ attribute: LayoutAttribute) -> Bool {
        guard let view = item as? View else { return false }
        switch attribute {
        case .leading, .left: return view.isCollapsed(along: .horizontal)
        case .top: return view.isCollapsed(along: .vertical)
        default: return false
        }
    }

    /// The nearest view that is an ancestor of both, or one of them; for an item and itself, the one above.
    static func commonSpace(_ first: LayoutItem, _ second: LayoutItem) -> View? {
        if first === second { return first.coordinateSpace ?? first.hostView }
        var above = first.hostView
        while let candidate = above {
            if second.hostView?.isDescendant(of: candidate) == true { return candidate }
            above = candidate.superview
        }
        return nil
    }

    /// An attribute's value in the coordinates of `frame`.
    private static func value(
        of attribute: LayoutAttribute, of item: LayoutItem, in frame: Frame, other: LayoutItem?
    ) -> LinearExpression {
        let item = contentOfScrollView(item, attribute, seenFrom: other)
        let space = frame.space
        switch attribute {
        case .width: return item.widthExtent()
        case .height: return item.heightExtent()
        case .left: return horizontal(item, 0, frame)
        case .right: return horizontal(item, 1, frame)
        case .centerX: return horizontal(item, 0.5, frame)
        case .leading: return horizontal(item, frame.mirrors ? 1 : 0, frame)
        case .trailing: return horizontal(item, frame.mirrors ? 0 : 1, frame)
        case .top: return vertical(item, 0, space)
        case .bottom: return vertical(item, 1, space)
        case .centerY: return vertical(item, 0.5, space)
        case .firstBaseline:
            return vertical(item, 0, space).adding(.init(constant: item.baselineOffsets.fromTop))
        case .lastBaseline:
            return vertical(item, 1, space)
                .adding(.init(constant: -item.baselineOffsets.fromBottom))
        }
    }

    /// As in UIKit, the edges of a scroll view mean its content to what scrolls inside it.
    private static func contentOfScrollView(
        _ item: LayoutItem, _ attribute: LayoutAttribute, seenFrom other: LayoutItem?
    ) -> LayoutItem {
        guard let scroll = item as? ScrollView, !attribute.isSize,
            attribute != .centerX, attribute != .centerY,
            let other, other !== scroll, other.coordinateSpace?.isDescendant(of: scroll) == true,
            other.hostView !== scroll
        else { return item }
        return scroll.contentLayoutGuide
    }

    private static func horizontal(
        _ item: LayoutItem, _ fraction: Double, _ frame: Frame
    ) -> LinearExpression {
        var result = LinearExpression()
        if fraction != 0 { result.add(item.widthExtent(), times: fraction) }
        if item !== frame.space {
            result.add(item.leftEdge())
            var above = item.coordinateSpace
            while let view = above, view !== frame.space {
                result.add(view.leftEdge())
                above = view.superview
            }
        }
        guard frame.mirrors, let space = frame.space else { return result }
        return space.widthExtent().adding(result, times: -1)
    }

    private static func vertical(
        _ item: LayoutItem, _ fraction: Double, _ space: View?
    ) -> LinearExpression {
        var result = LinearExpression()
        if fraction != 0 { result.add(item.heightExtent(), times: fraction) }
        guard item !== space else { return result }
        result.add(item.topEdge())
        var above = item.coordinateSpace
        while let view = above, view !== space {
            result.add(view.topEdge())
            above = view.superview
        }
        return result
    }
}
