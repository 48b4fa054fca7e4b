public import ConstraintLanguage

/// An edge or a centre of an item along x; makes constraints with other such anchors. Apple,
/// `NSLayoutXAxisAnchor`.
public struct LayoutXAxisAnchor {
    let item: LayoutItem
    let attribute: LayoutConstraint.Attribute
}

/// An edge, a centre or a baseline of an item along y. Apple, `NSLayoutYAxisAnchor`.
public struct LayoutYAxisAnchor {
    let item: LayoutItem
    let attribute: LayoutConstraint.Attribute
}

/// A width or a height. Apple, `NSLayoutDimension`.
public struct LayoutDimension {
    let item: LayoutItem
    let attribute: LayoutConstraint.Attribute

    /// `self == constant`, inactive until activated.
    public func constraint(equalToConstant constant: Double) -> LayoutConstraint {
        LayoutConstraint(item: item, attribute: attribute, constant: constant)
    }

    /// `self >= constant`, inactive until activated.
    public func constraint(greaterThanOrEqualToConstant constant: Double) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: .greaterThanOrEqual, constant: constant)
    }

    /// `self <= constant`, inactive until activated.
    public func constraint(lessThanOrEqualToConstant constant: Double) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: .lessThanOrEqual, constant: constant)
    }

    /// `self == multiplier × other + constant`, inactive until activated.
    public func constraint(
        equalTo other: LayoutDimension, multiplier: Double = 1, constant: Double = 0
    ) -> LayoutConstraint {
        constraint(.equal, to: other, multiplier, constant)
    }

    /// `self >= multiplier × other + constant`, inactive until activated.
    public func constraint(
        greaterThanOrEqualTo other: LayoutDimension, multiplier: Double = 1, constant: Double = 0
    ) -> LayoutConstraint {
        constraint(.greaterThanOrEqual, to: other, multiplier, constant)
    }

    /// `self <= multiplier × other + constant`, inactive until activated.
    public func constraint(
        lessThanOrEqualTo other: LayoutDimension, multiplier: Double = 1, constant: Double = 0
    ) -> LayoutConstraint {
        constraint(.lessThanOrEqual, to: other, multiplier, constant)
    }

    private func constraint(
        _ relation: LayoutConstraint.Relation, to other: LayoutDimension, _ multiplier: Double,
        _ constant: Double
    ) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: relation, toItem: other.item,
            attribute: other.attribute, multiplier: multiplier, constant: constant)
    }
}

/// What x and y anchors have in common.
public protocol LayoutAnchor {
    /// Makes `self relation other + constant`, inactive until activated.
    func constraint(
        _ relation: LayoutConstraint.Relation, to other: Self, constant: Double
    ) -> LayoutConstraint
}

extension LayoutAnchor {
    /// `self == other + constant`, inactive until activated.
    public func constraint(equalTo other: Self, constant: Double = 0) -> LayoutConstraint {
        constraint(.equal, to: other, constant: constant)
    }

    /// `self >= other + constant`, inactive until activated.
    public func constraint(
        greaterThanOrEqualTo other: Self, constant: Double = 0
    ) -> LayoutConstraint {
        constraint(.greaterThanOrEqual, to: other, constant: constant)
    }

    /// `self <= other + constant`, inactive until activated.
    public func constraint(
        lessThanOrEqualTo other: Self, constant: Double = 0
    ) -> LayoutConstraint {
        constraint(.lessThanOrEqual, to: other, constant: constant)
    }
}

extension LayoutAnchor {
    /// The standard gap between siblings, and to a superview's edge, in points.
    public static var systemSpacing: Double { 8 }
}

extension LayoutXAxisAnchor: LayoutAnchor {
    /// `self == other + multiplier × the standard gap`, inactive until activated.
    public func constraint(
        equalToSystemSpacingAfter other: LayoutXAxisAnchor, multiplier: Double = 1
    ) -> LayoutConstraint {
        constraint(.equal, to: other, constant: multiplier * Self.systemSpacing)
    }

    /// Makes `self relation other + constant`, inactive until activated.
    public func constraint(
        _ relation: LayoutConstraint.Relation, to other: Self, constant: Double
    ) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: relation, toItem: other.item,
            attribute: other.attribute, constant: constant)
    }
}

extension LayoutYAxisAnchor: LayoutAnchor {
    /// `self == other + multiplier × the standard gap`, inactive until activated.
    public func constraint(
        equalToSystemSpacingBelow other: LayoutYAxisAnchor, multiplier: Double = 1
    ) -> LayoutConstraint {
        constraint(.equal, to: other, constant: multiplier * Self.systemSpacing)
    }

    /// Makes `self relation other + constant`, inactive until activated.
    public func constraint(
        _ relation: LayoutConstraint.Relation, to other: Self, constant: Double
    ) -> LayoutConstraint {
        LayoutConstraint(
            item: item, attribute: attribute, relatedBy: relation, toItem: other.item,
            attribute: other.attribute, constant: constant)
    }
}

extension LayoutItem {
    /// The left edge.
    public var leftAnchor: LayoutXAxisAnchor { .init(item: self, attribute: .left) }
    /// The right edge.
    public var rightAnchor: LayoutXAxisAnchor { .init(item: self, attribute: .right) }
    /// The edge where text begins.
    public var leadingAnchor: LayoutXAxisAnchor { .init(item: self, attribute: .leading) }
    /// The edge where text ends.
    public var trailingAnchor: LayoutXAxisAnchor { .init(item: self, attribute: .trailing) }
    /// The middle along x.
    public var centerXAnchor: LayoutXAxisAnchor { .init(item: self, attribute: .centerX) }
    /// The top edge.
    public var topAnchor: LayoutYAxisAnchor { .init(item: self, attribute: .top) }
    /// The bottom edge.
    public var bottomAnchor: LayoutYAxisAnchor { .init(item: self, attribute: .bottom) }
    /// The middle along y.
    public var centerYAnchor: LayoutYAxisAnchor { .init(item: self, attribute: .centerY) }
    /// The baseline of the first line of text, or the top edge.
    public var firstBaselineAnchor: LayoutYAxisAnchor {
        .init(item: self, attribute: .firstBaseline)
    }
    /// The baseline of the last line of text, or the bottom edge.
    public var lastBaselineAnchor: LayoutYAxisAnchor {
        .init(item: self, attribute: .lastBaseline)
    }
    /// The width.
    public var widthAnchor: LayoutDimension { .init(item: self, attribute: .width) }
    /// The height.
    public var heightAnchor: LayoutDimension { .init(item: self, attribute: .height) }
}
