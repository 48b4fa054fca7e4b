import ConstraintLanguage
import SceneDocument

/// An edge of a view.
enum Edge: Hashable, CaseIterable {
    case left, right, top, bottom

    var isHorizontal: Bool { self == .left || self == .right }

    /// The edges at a cell of a view's area.
    static func at(_ point: GridPoint, of area: CellRect) -> [Edge] {
        guard area.contains(column: point.column, row: point.row) else { return [] }
        var edges: [Edge] = []
        // What is one cell wide is held at its far edge.
        if point.column == area.right - 1 {
            edges.append(.right)
        } else if point.column == area.left {
            edges.append(.left)
        }
        if point.row == area.bottom - 1 {
            edges.append(.bottom)
        } else if point.row == area.top {
            edges.append(.top)
        }
        return edges
    }
}

/// The constraint whose constant moves an edge, and the factor.
struct EdgeHolder: Hashable {
    var id: String
    var rule: Rule
    /// The change of the constant for a movement of the edge by a point to the right or down.
    var factor: Double

    /// Finds the constraint that holds an edge: one on the edge itself, else on the extent, else on
    /// the centre; of several, one that affects the view in the present layout, then the stronger
    /// one, then the earlier one.
    ///
    /// - Source: UIKit, `NSLayoutConstraint`: first = multiplier × second + constant.
    static func of(
        _ edge: Edge, view: String, facts: SceneInspection.ViewState?,
        document: ConstraintBook
    ) -> EdgeHolder? {
        let holds = (edge.isHorizontal ? facts?.horizontal : facts?.vertical) ?? []
        let holding = Set(holds.compactMap(\.id))
        var best: (holder: EdgeHolder, rank: Rank)?
        for constraint in document.constraints where constraint.isActive {
            guard let rule = constraint.parsed,
                rule.relation == .equal || holding.contains(constraint.id)
            else { continue }
            guard
                let (factor, kind) = effect(
                    of: rule, on: edge, of: view, isRightToLeft: document.isRightToLeft)
            else { continue }
            let rank = Rank(
                kind: kind, isHolding: holding.contains(constraint.id), priority: rule.priority)
            guard best.map({ $0.rank < rank }) ?? true else { continue }
            best = (EdgeHolder(id: constraint.id, rule: rule, factor: factor), rank)
        }
        return best?.holder
    }

    private struct Rank: Comparable {
        /// 2 for the edge, 1 for the extent, 0 for the centre.
        var kind: Int
        var isHolding: Bool
        var priority: Double

        static func < (one: Rank, other: Rank) -> Bool {
            if one.isHolding != other.isHolding { return other.isHolding }
            if one.kind != other.kind { return one.kind < other.kind }
            return one.priority < other.priority
        }
    }

    private static func effect(
        of rule: Rule, on edge: Edge, of view: String, isRightToLeft: Bool
    ) -> (factor: Double, kind: Int)? {
        func names(_ anchor: AnchorReference) -> Bool {
            anchor.item.id == view && anchor.item.guide == nil
        }
        if names(rule.first) {
            return share(of: rule.first.attribute, edge, isRightToLeft)
        }
        guard let second = rule.second, names(second), rule.multiplier != 0,
            let (share, kind) = share(of: second.attribute, edge, isRightToLeft)
        else { return nil }
        // first = m × second + c: where second is to move and first is to stay, c goes the other
        // way.
        return (-share * rule.multiplier, kind)
    }

    /// The change of an attribute for a movement of the edge by a point while the opposite edge, or
    /// the extent, stays.
    private static func share(
        of attribute: LayoutAttribute, _ edge: Edge, _ isRightToLeft: Bool
    ) -> (Double, Int)? {
        let leading: LayoutAttribute = isRightToLeft ? .trailing : .leading
        let trailing: LayoutAttribute = isRightToLeft ? .leading : .trailing
        switch edge {
        case .left:
            if attribute == .left || attribute == leading { return (1, 2) }
            if attribute == .width { return (-1, 1) }
            if attribute == .centerX { return (1, 0) }
        case .right:
            if attribute == .right || attribute == trailing { return (1, 2) }
            if attribute == .width { return (1, 1) }
            if attribute == .centerX { return (1, 0) }
        case .top:
            if attribute == .top { return (1, 2) }
            if attribute == .height { return (-1, 1) }
            if attribute == .centerY { return (1, 0) }
        case .bottom:
            if attribute == .bottom { return (1, 2) }
            if attribute == .height { return (1, 1) }
            if attribute == .centerY { return (1, 0) }
        }
        return nil
    }
}
