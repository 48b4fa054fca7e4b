public import AutoLayout
import ConstraintLanguage
public import Foundation

/// One attribute of an item; those of different kinds cannot be related to one another.
public class NSLayoutAnchor<Kind> {
    let item: LayoutItem
    let attribute: LayoutAttribute

    init(_ item: LayoutItem, _ attribute: LayoutAttribute) {
        (self.item, self.attribute) = (item, attribute)
    }

    func relate(
        _ relation: LayoutRelation, _ other: NSLayoutAnchor<Kind>?, _ multiplier: CGFloat,
        _ constant: CGFloat
    ) -> NSLayoutConstraint {
        NSLayoutConstraint(
            LayoutConstraint(
                item: item, attribute: attribute, relatedBy: relation, toItem: other?.item,
                attribute: other?.attribute, multiplier: Double(multiplier),
                constant: Double(constant)))
    }

    public func constraint(
        equalTo other: NSLayoutAnchor<Kind>, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.equal, other, 1, constant) }

    public func constraint(
        lessThanOrEqualTo other: NSLayoutAnchor<Kind>, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.lessThanOrEqual, other, 1, constant) }

    public func constraint(
        greaterThanOrEqualTo other: NSLayoutAnchor<Kind>, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.greaterThanOrEqual, other, 1, constant) }
}

public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    public func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        relate(.equal, nil, 1, constant)
    }

    public func constraint(lessThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        relate(.lessThanOrEqual, nil, 1, constant)
    }

    public func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        relate(.greaterThanOrEqual, nil, 1, constant)
    }

    public func constraint(
        equalTo other: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.equal, other, multiplier, constant) }

    public func constraint(
        lessThanOrEqualTo other: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.lessThanOrEqual, other, multiplier, constant) }

    public func constraint(
        greaterThanOrEqualTo other: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { relate(.greaterThanOrEqual, other, multiplier, constant) }
}

/// What has edges, a centre and a size.
public protocol AnchoredItem {
    /// The engine's item.
    var item: LayoutItem { get }
}

extension UIView: AnchoredItem {
    public var item: LayoutItem { view }

    // A guide has no baselines.
    public var firstBaselineAnchor: NSLayoutYAxisAnchor { .init(view, .firstBaseline) }
    public var lastBaselineAnchor: NSLayoutYAxisAnchor { .init(view, .lastBaseline) }
}

extension UILayoutGuide: AnchoredItem {
    public var item: LayoutItem { guide }
}

extension AnchoredItem {
    public var leftAnchor: NSLayoutXAxisAnchor { .init(item, .left) }
    public var rightAnchor: NSLayoutXAxisAnchor { .init(item, .right) }
    public var leadingAnchor: NSLayoutXAxisAnchor { .init(item, .leading) }
    public var trailingAnchor: NSLayoutXAxisAnchor { .init(item, .trailing) }
    public var centerXAnchor: NSLayoutXAxisAnchor { .init(item, .centerX) }
    public var topAnchor: NSLayoutYAxisAnchor { .init(item, .top) }
    public var bottomAnchor: NSLayoutYAxisAnchor { .init(item, .bottom) }
    public var centerYAnchor: NSLayoutYAxisAnchor { .init(item, .centerY) }
    public var widthAnchor: NSLayoutDimension { .init(item, .width) }
    public var heightAnchor: NSLayoutDimension { .init(item, .height) }
}
