import ConstraintLanguage

/// Items one after another between two edges, with the room that is left shared by a style.
/// Android, chains.
///
/// Made of plain constraints and guides; the items keep their sizes, but for `weighted`.
public final class LayoutChain {
    /// How the room that is left is shared.
    public enum Style: Hashable, Sendable {
        /// Equal gaps between the items and at both ends.
        case spread
        /// Equal gaps between the items, none at the ends.
        case spreadInside
        /// The items together, `spacing` apart; `bias` is the share of the room before them, 0.5
        /// for the middle.
        case packed(bias: Double)
        /// No room: lengths in proportion to the weights, one for each item, `spacing` apart.
        case weighted([Double])
    }

    /// The constraints, in the order in which they were made.
    public private(set) var constraints: [LayoutConstraint] = []
    /// The guides that take the room.
    public private(set) var guides: [LayoutGuide] = []

    private let owner: View
    private let members: [LayoutItem]
    private let side: AxisAttributes
    private let identifier: String

    fileprivate init(owner: View, members: [LayoutItem], axis: Axis, identifier: String) {
        self.owner = owner
        self.members = members
        side = AxisAttributes(axis)
        self.identifier = identifier
    }

    /// Takes the chain's constraints and guides away.
    public func remove() {
        LayoutConstraint.deactivate(constraints)
        for guide in guides { owner.removeLayoutGuide(guide) }
        constraints.removeAll()
        guides.removeAll()
    }

    fileprivate func build(_ style: Style, spacing: Double) throws(LayoutError) {
        switch style {
        case .spread:
            let ends: [LayoutItem?] = [nil] + members.map { $0 as LayoutItem? } + [nil]
            let gaps = zip(ends, ends.dropFirst()).map { gap(from: $0, to: $1) }
            tieEqual(gaps)
        case .spreadInside:
            flush(first: true)
            flush(first: false)
            if members.count > 1 {
                tieEqual(zip(members, members.dropFirst()).map { gap(from: $0, to: $1) })
            }
        case .packed(let bias):
            guard bias.isFinite, bias >= 0, bias <= 1 else {
                throw .badValue("a bias of \(bias) is not within 0...1")
            }
            follow(spacing)
            let before = gap(from: nil, to: members.first)
            let after = gap(from: members.last, to: nil)
            // before : after = bias : 1 − bias, written so that neither share is divided by zero.
            if bias <= 0.5 {
                add(before.tie(side.length, to: after, side.length, multiplier: bias / (1 - bias)))
            } else {
                add(after.tie(side.length, to: before, side.length, multiplier: (1 - bias) / bias))
            }
        case .weighted(let weights):
            guard weights.count == members.count, weights.allSatisfy({ $0.isFinite && $0 > 0 })
            else { throw .badValue("weights \(weights) for \(members.count) items") }
            flush(first: true)
            follow(spacing)
            flush(first: false)
            for (index, member) in members.enumerated().dropFirst() {
                add(
                    member.tie(
                        side.length, to: members[0], side.length,
                        multiplier: weights[index] / weights[0]))
            }
        }
        try LayoutConstraint.activate(constraints)
    }

    private func add(_ constraint: LayoutConstraint) {
        constraint.identifier = "\(identifier).\(constraints.count)"
        constraints.append(constraint)
    }

    private func flush(first: Bool) {
        guard let member = first ? members.first : members.last else { return }
        let edge = first ? side.start : side.end
        add(member.tie(edge, to: owner, edge))
    }

    private func follow(_ spacing: Double) {
        for (before, after) in zip(members, members.dropFirst()) {
            add(after.tie(side.start, to: before, side.end, constant: spacing))
        }
    }

    /// A guide from one item's end to the next one's start; `nil` stands for the owner's edge.
    private func gap(from before: LayoutItem?, to after: LayoutItem?) -> LayoutGuide {
        let guide = LayoutGuide(identifier: "\(identifier).gap\(guides.count)")
        guides.append(guide)
        owner.addLayoutGuide(guide)
        add(
            before.map { guide.tie(side.start, to: $0, side.end) }
                ?? guide.tie(side.start, to: owner, side.start))
        add(
            after.map { guide.tie(side.end, to: $0, side.start) }
                ?? guide.tie(side.end, to: owner, side.end))
        add(guide.tie(side.crossStart, to: owner, side.crossStart))
        add(LayoutConstraint(item: guide, attribute: side.crossLength))
        return guide
    }

    private func tieEqual(_ gaps: [LayoutGuide]) {
        for guide in gaps.dropFirst() {
            add(guide.tie(side.length, to: gaps[0], side.length))
        }
    }
}

extension View {
    /// Chains items along an axis from edge to edge of the view.
    ///
    /// - Parameters:
    ///   - items: The items in their order.
    ///   - axis: The axis along which they follow one another.
    ///   - style: How the space is shared.
    ///   - spacing: Points between neighbours; `spread` and `spreadInside` find the gaps
    ///     themselves.
    ///   - identifier: The chain's name.
    /// - Returns: The chain, to be kept if it is to be removed again.
    /// - Throws: `LayoutError.badDescription` without items, `.badValue` for a bias or weights that
    ///   make no sense, `.unsatisfiable` or `.noCommonAncestor` as any constraint; nothing is in
    ///   force then.
    @discardableResult
    public func addChain(
        of items: [LayoutItem], along axis: Axis, style: LayoutChain.Style = .spread,
        spacing: Double = 0, identifier: String = "chain"
    ) throws(LayoutError) -> LayoutChain {
        guard !items.isEmpty else { throw .badDescription("\(identifier): a chain of no items") }
        let chain = LayoutChain(owner: self, members: items, axis: axis, identifier: identifier)
        do {
            try chain.build(style, spacing: spacing)
        } catch {
            chain.remove()
            throw error
        }
        return chain
    }
}
