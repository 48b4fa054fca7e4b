public import ConstraintLanguage

/// Where a guideline lies along its axis. Android, `Guideline`.
public enum GuidelinePosition: Hashable, Sendable {
    /// Points from the leading or top edge.
    case begin(Double)
    /// Points from the trailing or bottom edge, inwards.
    case end(Double)
    /// A share of the length, 0 at the leading or top edge, 1 at the other.
    case fraction(Double)
}

extension View {
    /// Adds a guide without extent along an axis, across the whole view in the other: a line to
    /// align with.
    ///
    /// - Parameters:
    ///   - position: The place of the line.
    ///   - axis: The axis along which `position` is measured; `horizontal` gives an upright line.
    ///   - identifier: The guide's name.
    /// - Returns: The guide; `removeLayoutGuide` takes it away again.
    /// - Throws: `LayoutError.badValue` when a number is not finite.
    public func addGuideline(
        at position: GuidelinePosition, along axis: Axis, identifier: String = ""
    ) throws(LayoutError) -> LayoutGuide {
        let guide = LayoutGuide(identifier: identifier)
        addLayoutGuide(guide)
        let side = AxisAttributes(axis)
        let place: LayoutConstraint
        switch position {
        case .begin(let points):
            place = guide.tie(side.start, to: self, side.start, constant: points)
        case .end(let points):
            place = guide.tie(side.start, to: self, side.end, constant: -points)
        case .fraction(let share):
            // A place times a number counts in the owner's own coordinates, where its far edge is
            // its length.
            place = guide.tie(side.start, to: self, side.end, multiplier: share)
        }
        try activateOrRemove(
            guide,
            [
                place, LayoutConstraint(item: guide, attribute: side.length),
                guide.tie(side.crossStart, to: self, side.crossStart),
                guide.tie(side.crossEnd, to: self, side.crossEnd),
            ])
        return guide
    }

    /// Adds a line just beyond the farthest of several items, wherever they are. Android,
    /// `Barrier`.
    ///
    /// The line keeps out of the items' way: it only follows, by inequalities and the weakest of
    /// pulls.
    ///
    /// - Parameters:
    ///   - edge: The side of the items on which the line lies: `left`, `right`, `leading`,
    ///     `trailing`, `top` or `bottom`.
    ///   - items: The items that the line follows.
    ///   - margin: Points between the items and the line.
    ///   - identifier: The guide's name.
    /// - Throws: `LayoutError.badDescription` for another attribute or no items,
    ///   `.noCommonAncestor` for items outside the view's hierarchy.
    public func addBarrier(
        at edge: LayoutConstraint.Attribute, of items: [LayoutItem], margin: Double = 0,
        identifier: String = ""
    ) throws(LayoutError) -> LayoutGuide {
        guard !items.isEmpty, !edge.isSize, edge != .centerX, edge != .centerY,
            edge != .firstBaseline, edge != .lastBaseline
        else { throw .badDescription("a barrier at \(edge) of \(items.count) items") }
        let guide = LayoutGuide(identifier: identifier)
        addLayoutGuide(guide)
        let side = AxisAttributes(edge.isHorizontal ? .horizontal : .vertical)
        let opposite: [LayoutAttribute: LayoutAttribute] = [
            .left: .right, .right: .left, .leading: .trailing, .trailing: .leading, .top: .bottom,
            .bottom: .top,
        ]
        let isFar = edge == .right || edge == .trailing || edge == .bottom
        var constraints = items.map { item in
            guide.tie(
                edge, to: item, edge, by: isFar ? .greaterThanOrEqual : .lessThanOrEqual,
                constant: isFar ? margin : -margin)
        }
        constraints.append(
            guide.tie(edge, to: self, opposite[edge] ?? edge, priority: LayoutPriority(1)))
        constraints.append(LayoutConstraint(item: guide, attribute: side.length))
        constraints.append(guide.tie(side.crossStart, to: self, side.crossStart))
        constraints.append(guide.tie(side.crossEnd, to: self, side.crossEnd))
        try activateOrRemove(guide, constraints)
        return guide
    }

    private func activateOrRemove(
        _ guide: LayoutGuide, _ constraints: [LayoutConstraint]
    ) throws(LayoutError) {
        do {
            try LayoutConstraint.activate(constraints)
        } catch {
            removeLayoutGuide(guide)
            throw error
        }
    }
}

/// The attributes along an axis and across it.
struct AxisAttributes {
    let start: LayoutAttribute
    let end: LayoutAttribute
    let length: LayoutAttribute
    let crossStart: LayoutAttribute
    let crossEnd: LayoutAttribute
    let crossLength: LayoutAttribute

    init(_ axis: Axis) {
        switch axis {
        case .horizontal:
            (start, end, length) = (.leading, .trailing, .width)
            (crossStart, crossEnd, crossLength) = (.top, .bottom, .height)
        case .vertical:
            (start, end, length) = (.top, .bottom, .height)
            (crossStart, crossEnd, crossLength) = (.leading, .trailing, .width)
        }
    }
}

extension LayoutItem {
    /// An inactive constraint between an attribute of this item and one of another.
    func tie(
        _ attribute: LayoutAttribute, to other: LayoutItem, _ otherAttribute: LayoutAttribute,
        by relation: LayoutRelation = .equal, multiplier: Double = 1, constant: Double = 0,
        priority: LayoutPriority = .required
    ) -> LayoutConstraint {
        LayoutConstraint(
            item: self, attribute: attribute, relatedBy: relation, toItem: other,
            attribute: otherAttribute, multiplier: multiplier, constant: constant,
            priority: priority, identifier: identifier)
    }
}
