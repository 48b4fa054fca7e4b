import ConstraintLanguage

/// One sentence of a builder: some attributes, a relation, a target, and what is added.
///
///     make.leading.top.equalTo(header).inset(8)
///     make.width.equalTo(header.widthAnchor).multipliedBy(0.5).priority(750)
public final class ConstraintDescription {
    let item: LayoutItem
    var attributes: [LayoutAttribute]
    var relation: LayoutRelation?
    var operand: ConstraintOperand?
    private var usesSuperview = false
    private var multiplier = 1.0
    private var offset = 0.0
    private var insets = EdgeInsets.zero
    private var priority = LayoutPriority.required
    private var label = ""

    init(item: LayoutItem, attributes: [LayoutAttribute]) {
        self.item = item
        self.attributes = attributes
    }

    // MARK: Attributes

    private func and(_ more: LayoutAttribute...) -> ConstraintDescription {
        attributes += more
        return self
    }

    /// And the left edge.
    public var left: ConstraintDescription { and(.left) }
    /// And the right edge.
    public var right: ConstraintDescription { and(.right) }
    /// And the edge where text begins.
    public var leading: ConstraintDescription { and(.leading) }
    /// And the edge where text ends.
    public var trailing: ConstraintDescription { and(.trailing) }
    /// And the top edge.
    public var top: ConstraintDescription { and(.top) }
    /// And the bottom edge.
    public var bottom: ConstraintDescription { and(.bottom) }
    /// And the middle along x.
    public var centerX: ConstraintDescription { and(.centerX) }
    /// And the middle along y.
    public var centerY: ConstraintDescription { and(.centerY) }
    /// And the width.
    public var width: ConstraintDescription { and(.width) }
    /// And the height.
    public var height: ConstraintDescription { and(.height) }

    // MARK: Relations

    private func relate(
        _ relation: LayoutRelation, _ target: ConstraintOperand?
    ) -> ConstraintDescription {
        self.relation = relation
        operand = target
        usesSuperview = target == nil
        return self
    }

    /// Equals the target.
    @discardableResult
    public func equalTo(_ target: some ConstraintTarget) -> ConstraintDescription {
        relate(.equal, target.constraintOperand)
    }

    /// Is at most the target.
    @discardableResult
    public func lessThanOrEqualTo(_ target: some ConstraintTarget) -> ConstraintDescription {
        relate(.lessThanOrEqual, target.constraintOperand)
    }

    /// Is at least the target.
    @discardableResult
    public func greaterThanOrEqualTo(_ target: some ConstraintTarget) -> ConstraintDescription {
        relate(.greaterThanOrEqual, target.constraintOperand)
    }

    /// Equals the same attributes of the superview.
    @discardableResult
    public func equalToSuperview() -> ConstraintDescription { relate(.equal, nil) }

    /// Is at most the same attributes of the superview.
    @discardableResult
    public func lessThanOrEqualToSuperview() -> ConstraintDescription {
        relate(.lessThanOrEqual, nil)
    }

    /// Is at least the same attributes of the superview.
    @discardableResult
    public func greaterThanOrEqualToSuperview() -> ConstraintDescription {
        relate(.greaterThanOrEqual, nil)
    }

    // MARK: What is added

    /// Adds points to the right side, as they are.
    @discardableResult
    public func offset(_ points: Double) -> ConstraintDescription {
        offset += points
        return self
    }

    /// Moves edges inwards by points; a width or height shrinks by twice as much.
    @discardableResult
    public func inset(_ points: Double) -> ConstraintDescription {
        inset(EdgeInsets(top: points, leading: points, bottom: points, trailing: points))
    }

    /// Moves edges inwards, each by its own points; a width or height shrinks by both.
    @discardableResult
    public func inset(_ insets: EdgeInsets) -> ConstraintDescription {
        self.insets = insets
        return self
    }

    /// Multiplies the target's attribute.
    @discardableResult
    public func multipliedBy(_ factor: Double) -> ConstraintDescription {
        multiplier *= factor
        return self
    }

    /// Divides the target's attribute.
    @discardableResult
    public func dividedBy(_ divisor: Double) -> ConstraintDescription {
        multiplier /= divisor
        return self
    }

    /// Sets how much the constraints matter; required by default.
    @discardableResult
    public func priority(_ priority: LayoutPriority) -> ConstraintDescription {
        self.priority = priority
        return self
    }

    /// Names the constraints, for diagnostics.
    @discardableResult
    public func labeled(_ label: String) -> ConstraintDescription {
        self.label = label
        return self
    }

    // MARK: Turning it into constraints

    /// One inactive constraint for each attribute, in order.
    ///
    /// - Throws: `LayoutError.badDescription` without a relation, or when kinds do not go together;
    ///   `LayoutError.noSuperview` where the superview is spoken of and missing.
    func constraints() throws(LayoutError) -> [LayoutConstraint] {
        guard let relation else {
            throw .badDescription("\(subject): the relation is missing")
        }
        var result: [LayoutConstraint] = []
        for attribute in attributes {
            let (second, secondAttribute, constant) = try rightSide(for: attribute)
            if let secondAttribute {
                let isComparable =
                    attribute.isSize == secondAttribute.isSize
                    && (attribute.isSize || attribute.isHorizontal == secondAttribute.isHorizontal)
                guard isComparable else {
                    throw .badDescription(
                        "\(subject): \(attribute) cannot be compared with \(secondAttribute)")
                }
            }
            result.append(
                LayoutConstraint(
                    item: item, attribute: attribute, relatedBy: relation, toItem: second,
                    attribute: secondAttribute, multiplier: second == nil ? 1 : multiplier,
                    constant: constant + offset + inset(for: attribute), priority: priority,
                    identifier: label))
        }
        return result
    }

    private var subject: String {
        "\(item.identifier).\(attributes.map { $0.rawValue }.joined(separator: "."))"
    }

    private func rightSide(
        for attribute: LayoutAttribute
    ) throws(LayoutError) -> (LayoutItem?, LayoutAttribute?, constant: Double) {
        switch operand?.kind {
        case nil: return (try superview(), attribute, 0)
        case .item(let other): return (other, attribute, 0)
        case .anchor(let other, let otherAttribute): return (other, otherAttribute, 0)
        case .number(let number):
            if attribute.isSize { return (nil, nil, number) }
            return (try superview(), attribute, number)
        case .size(let size):
            switch attribute {
            case .width: return (nil, nil, size.width)
            case .height: return (nil, nil, size.height)
            default:
                throw .badDescription("\(subject): \(attribute) cannot be compared with a size")
            }
        }
    }

    private func superview() throws(LayoutError) -> LayoutItem {
        guard let view = item.coordinateSpace else {
            throw .noSuperview("\(subject): \(item.identifier) has no superview")
        }
        return view
    }

    private func inset(for attribute: LayoutAttribute) -> Double {
        switch attribute {
        case .left, .leading: insets.leading
        case .right, .trailing: -insets.trailing
        case .top, .firstBaseline: insets.top
        case .bottom, .lastBaseline: -insets.bottom
        case .width: -insets.leading - insets.trailing
        case .height: -insets.top - insets.bottom
        case .centerX, .centerY: 0
        }
    }
}
