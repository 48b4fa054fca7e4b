import ConstraintLanguage

/// What a builder's relation can hold an item against: a view or guide, an anchor, a number, a
/// size.
public protocol ConstraintTarget {
    /// The same in the builder's own terms.
    var constraintOperand: ConstraintOperand { get }
}

/// The right side of a relation, before it is known which attributes it is for.
public struct ConstraintOperand {
    enum Kind {
        /// The same attributes of an item.
        case item(LayoutItem)
        /// One attribute of an item.
        case anchor(LayoutItem, LayoutAttribute)
        /// A length; for a place the distance from the superview's.
        case number(Double)
        /// A width and a height.
        case size(Size)
    }

    let kind: Kind
}

extension LayoutItem: ConstraintTarget {
    /// The item's attributes of the same names.
    public var constraintOperand: ConstraintOperand { .init(kind: .item(self)) }
}

extension LayoutXAxisAnchor: ConstraintTarget {
    /// The anchor's attribute.
    public var constraintOperand: ConstraintOperand { .init(kind: .anchor(item, attribute)) }
}

extension LayoutYAxisAnchor: ConstraintTarget {
    /// The anchor's attribute.
    public var constraintOperand: ConstraintOperand { .init(kind: .anchor(item, attribute)) }
}

extension LayoutDimension: ConstraintTarget {
    /// The anchor's attribute.
    public var constraintOperand: ConstraintOperand { .init(kind: .anchor(item, attribute)) }
}

extension Double: ConstraintTarget {
    /// A length in points.
    public var constraintOperand: ConstraintOperand { .init(kind: .number(self)) }
}

extension Int: ConstraintTarget {
    /// A length in points.
    public var constraintOperand: ConstraintOperand { .init(kind: .number(Double(self))) }
}

extension Size: ConstraintTarget {
    /// A width and a height in points.
    public var constraintOperand: ConstraintOperand { .init(kind: .size(self)) }
}
