import Cassowary
import ConstraintLanguage

/// The equations that most constraints have: between a view and its superview, or between two of
/// its subviews. They are written without a walk over the hierarchy, and without counting
/// references, which takes longer than the rest.
extension ConstraintEquation {
    /// Writes the equation of a constraint between edges, centres or sizes of views that are
    /// neighbours, are shown, and do not scroll, the same as the general way does.
    ///
    /// - Returns: Whether the constraint is such a one; if not, nothing was written.
    mutating func addNeighbours(_ constraint: LayoutConstraint) -> Bool {
        guard let neighbours = Neighbours(constraint) else { return false }
        expression.constant = neighbours.constant
        guard let second = neighbours.second else {
            add(neighbours.first, times: 1)
            return true
        }
        // In the order of their variables, which the solver need not bring about then.
        if second.variables.x.index < neighbours.first.variables.x.index {
            add(second, times: -constraint.multiplier)
            add(neighbours.first, times: 1)
        } else {
            add(neighbours.first, times: 1)
            add(second, times: -constraint.multiplier)
        }
        return true
    }

    /// The constant of such a constraint's equation and how many terms it has, which are not
    /// written for it.
    static func constant(ofNeighbours constraint: LayoutConstraint) -> (
        constant: Double, termCount: Int
    )? {
        guard let neighbours = Neighbours(constraint) else { return nil }
        let count = neighbours.first.termCount + (neighbours.second?.termCount ?? 0)
        return (neighbours.constant, count)
    }

    private mutating func add(_ side: Side, times factor: Double) {
        let isHorizontal = side.place.isHorizontal
        let variables = side.variables
        let extent = isHorizontal ? variables.width : variables.height
        guard let fraction = side.place.fraction else {
            expression.add(extent, times: factor)
            return
        }
        if !side.isSpace { expression.add(isHorizontal ? variables.x : variables.y, times: factor) }
        if fraction != 0 { expression.add(extent, times: fraction * factor) }
    }

    /// One side of an equation between neighbours.
    private struct Side {
        let place: Place
        let variables: ItemVariables
        /// Whether the view is the one in whose coordinates the equation is.
        let isSpace: Bool

        var termCount: Int {
            guard let fraction = place.fraction else { return 1 }
            return (fraction != 0 ? 1 : 0) + (isSpace ? 0 : 1)
        }
    }

    /// What an equation between neighbours is made of.
    private struct Neighbours {
        let constant: Double
        let first: Side
        let second: Side?

        @inline(__always)
        init?(_ constraint: LayoutConstraint) {
            guard !constraint.scalesConstant, let first = constraint.first,
                let start = Place(constraint.firstAttribute)
            else { return nil }
            constant = -constraint.constant
            guard let secondAttribute = constraint.secondAttribute else {
                guard let side = Self.side(start, of: first) else { return nil }
                (self.first, second) = (side, nil)
                return
            }
            guard let second = constraint.second, second != first, let end = Place(secondAttribute),
                let sides = Self.sides(start, of: first, end, of: second)
            else { return nil }
            (self.first, self.second) = sides
        }

        @inline(__always)
        private static func side(_ place: Place, of item: LayoutItemReference) -> Side? {
            item.use { item in
                guard item.isShownPlainView, let own = item.variables,
                    !place.followsText || item.viewUnchecked.runsFromLeftAbove
                else { return nil }
                let isSpace = item.viewUnchecked.superviewReference == nil
                return Side(place: place, variables: own, isSpace: isSpace)
            }
        }

        @inline(__always)
        private static func sides(
            _ start: Place, of first: LayoutItemReference, _ end: Place,
            of second: LayoutItemReference
        ) -> (Side, Side)? {
            first.use { first in
                second.use { second in
                    guard first.isShownPlainView, second.isShownPlainView,
                        let own = first.variables, let other = second.variables,
                        let kinship = Kinship.between(first.viewUnchecked, second.viewUnchecked),
                        !start.followsText && !end.followsText
                            || kinship.space(first.viewUnchecked, second.viewUnchecked)
                                .effectiveLayoutDirection == .leftToRight
                    else { return nil }
                    return (
                        Side(place: start, variables: own, isSpace: kinship == .superview),
                        Side(place: end, variables: other, isSpace: kinship == .subview)
                    )
                }
            }
        }
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

extension View {
    /// Whether text runs from the left in the view's superview, or in itself where it has none.
    fileprivate var runsFromLeftAbove: Bool {
        (superview ?? self).effectiveLayoutDirection == .leftToRight
    }
}

extension LayoutItem {
    /// Whether the item is a view that constraints mean by its own edges, and not hidden, so that
    /// it collapses nothing.
    @inline(__always)
    var isShownPlainView: Bool { isPlainView && !viewUnchecked.isHidden }

    /// The item, which is known to be a view.
    @inline(__always)
    var viewUnchecked: View { unsafe unsafeDowncast(self, to: View.self) }
}
