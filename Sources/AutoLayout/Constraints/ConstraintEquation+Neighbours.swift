import Cassowary
import ConstraintLanguage

/// The equations that most constraints have: between a view and its superview, or between two of its subviews. They are written
/// without a walk over the hierarchy, and without counting references, which takes longer than the rest.
extension ConstraintEquation {
    /// Writes the equation of a constraint between edges, centres or sizes of views that are neighbours, are shown, and do not
    /// scroll, the same as the general way does.
    ///
    /// - Returns: Whether the constraint is such a one; if not, nothing was written.
    mutating func addNeighbours(_ constraint: LayoutConstraint) -> Bool {
        guard !constraint.scalesConstant, let first = constraint.first,
            let start = Place(constraint.firstAttribute)
        else { return false }
        guard let secondAttribute = constraint.secondAttribute else {
            return addAlone(start, of: first, constraint)
        }
        guard let second = constraint.second, second != first, let end = Place(secondAttribute)
        else { return false }
        return first.use { first in
            second.use { second in
                guard first.isShownPlainView, second.isShownPlainView, let own = first.variables,
                    let other = second.variables,
                    let kinship = Kinship.between(first.viewUnchecked, second.viewUnchecked),
                    !start.followsText && !end.followsText
                        || kinship.space(first.viewUnchecked, second.viewUnchecked)
                            .effectiveLayoutDirection == .leftToRight
                else { return false }
                expression.constant = -constraint.constant
                add(start, own, isSpace: kinship == .superview, times: 1)
                add(end, other, isSpace: kinship == .subview, times: -constraint.multiplier)
                return true
            }
        }
    }

    private mutating func addAlone(
        _ place: Place, of first: LayoutItemReference, _ constraint: LayoutConstraint
    ) -> Bool {
        first.use { first in
            guard first.isShownPlainView, let own = first.variables else { return false }
            let view = first.viewUnchecked
            guard
                !place.followsText
                    || (view.superview ?? view).effectiveLayoutDirection == .leftToRight
            else { return false }
            expression.constant = -constraint.constant
            add(place, own, isSpace: view.superviewReference == nil, times: 1)
            return true
        }
    }

    private mutating func add(
        _ place: Place, _ variables: ItemVariables, isSpace: Bool, times factor: Double
    ) {
        let isHorizontal = place.isHorizontal
        let extent = isHorizontal ? variables.width : variables.height
        guard let fraction = place.fraction else {
            expression.add(extent, times: factor)
            return
        }
        if fraction != 0 { expression.add(extent, times: fraction * factor) }
        if !isSpace { expression.add(isHorizontal ? variables.x : variables.y, times: factor) }
    }

    /// How two views lie that are neighbours in the hierarchy.
    private enum Kinship {
        /// The first is the second's superview.
        case superview
        /// The first is a subview of the second.
        case subview
        /// Both have the same superview.
        case sibling

        /// Not an initializer, which would be given references of its own.
        static func between(_ first: View, _ second: View) -> Kinship? {
            let above = first.superviewReference
            if let above, above == LayoutItemReference(second) { return .subview }
            if let other = second.superviewReference, other == LayoutItemReference(first) {
                return .superview
            }
            if let above, above == second.superviewReference { return .sibling }
            return nil
        }

        /// The nearest view that holds both or is one of them.
        func space(_ first: View, _ second: View) -> View {
            switch self {
            case .superview: first
            case .subview: second
            case .sibling: first.superview ?? first
            }
        }
    }

    /// Where on a view an attribute is.
    private struct Place {
        let isHorizontal: Bool
        /// How much of the extent lies before it; nil for the extent itself.
        let fraction: Double?
        /// Whether it lies at the other end where text runs from the right.
        let followsText: Bool

        /// Nil for baselines, which depend on more than the view's place.
        init?(_ attribute: LayoutAttribute) {
            switch attribute {
            case .left: (isHorizontal, fraction, followsText) = (true, 0, false)
            case .leading: (isHorizontal, fraction, followsText) = (true, 0, true)
            case .centerX: (isHorizontal, fraction, followsText) = (true, 0.5, false)
            case .right: (isHorizontal, fraction, followsText) = (true, 1, false)
            case .trailing: (isHorizontal, fraction, followsText) = (true, 1, true)
            case .width: (isHorizontal, fraction, followsText) = (true, nil, false)
            case .top: (isHorizontal, fraction, followsText) = (false, 0, false)
            case .centerY: (isHorizontal, fraction, followsText) = (false, 0.5, false)
            case .bottom: (isHorizontal, fraction, followsText) = (false, 1, false)
            case .height: (isHorizontal, fraction, followsText) = (false, nil, false)
            case .firstBaseline, .lastBaseline: return nil
            }
        }
    }
}

extension LayoutItem {
    /// Whether the item is a view that constraints mean by its own edges, and not hidden, so that it collapses nothing.
    @inline(__always)
    var isShownPlainView: Bool { isPlainView && !viewUnchecked.isHidden }

    /// The item, which is known to be a view.
    @inline(__always)
    var viewUnchecked: View { unsafe unsafeDowncast(self, to: View.self) }
}
