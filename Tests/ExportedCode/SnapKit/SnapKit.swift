import AutoLayout
import ConstraintLanguage
public import UIKit

// As much of SnapKit as exported code uses, with its own names, for the module `UIKit` beside it.

/// What `snp` of a view or a guide gives.
public struct ConstraintDSL {
    let target: any AnchoredItem

    public var left: ConstraintItem { .init(target, .left) }
    public var right: ConstraintItem { .init(target, .right) }
    public var leading: ConstraintItem { .init(target, .leading) }
    public var trailing: ConstraintItem { .init(target, .trailing) }
    public var centerX: ConstraintItem { .init(target, .centerX) }
    public var top: ConstraintItem { .init(target, .top) }
    public var bottom: ConstraintItem { .init(target, .bottom) }
    public var centerY: ConstraintItem { .init(target, .centerY) }
    public var width: ConstraintItem { .init(target, .width) }
    public var height: ConstraintItem { .init(target, .height) }
    public var firstBaseline: ConstraintItem { .init(target, .firstBaseline) }
    public var lastBaseline: ConstraintItem { .init(target, .lastBaseline) }

    public func makeConstraints(_ body: (ConstraintMaker) -> Void) {
        let maker = ConstraintMaker(target)
        body(maker)
        (target as? UIView)?.translatesAutoresizingMaskIntoConstraints = false
        NSLayoutConstraint.activate(maker.made.map(\.constraint))
    }
}

extension AnchoredItem {
    public var snp: ConstraintDSL { ConstraintDSL(target: self) }
}

/// An attribute of a view or a guide.
public struct ConstraintItem {
    let target: any AnchoredItem
    let attribute: LayoutAttribute

    init(_ target: any AnchoredItem, _ attribute: LayoutAttribute) {
        (self.target, self.attribute) = (target, attribute)
    }
}

/// What something can be related to: an attribute, or a number.
public protocol ConstraintRelatableTarget {}
extension ConstraintItem: ConstraintRelatableTarget {}
extension Int: ConstraintRelatableTarget {}
extension Double: ConstraintRelatableTarget {}

public final class ConstraintMaker {
    private let target: any AnchoredItem
    var made: [ConstraintMakerEditable] = []

    init(_ target: any AnchoredItem) { self.target = target }

    private func sentence(_ attribute: LayoutAttribute) -> ConstraintMakerRelatable {
        ConstraintMakerRelatable(maker: self, item: ConstraintItem(target, attribute))
    }

    public var left: ConstraintMakerRelatable { sentence(.left) }
    public var right: ConstraintMakerRelatable { sentence(.right) }
    public var leading: ConstraintMakerRelatable { sentence(.leading) }
    public var trailing: ConstraintMakerRelatable { sentence(.trailing) }
    public var centerX: ConstraintMakerRelatable { sentence(.centerX) }
    public var top: ConstraintMakerRelatable { sentence(.top) }
    public var bottom: ConstraintMakerRelatable { sentence(.bottom) }
    public var centerY: ConstraintMakerRelatable { sentence(.centerY) }
    public var width: ConstraintMakerRelatable { sentence(.width) }
    public var height: ConstraintMakerRelatable { sentence(.height) }
    public var firstBaseline: ConstraintMakerRelatable { sentence(.firstBaseline) }
    public var lastBaseline: ConstraintMakerRelatable { sentence(.lastBaseline) }
}

public struct ConstraintMakerRelatable {
    let maker: ConstraintMaker
    let item: ConstraintItem

    private func relate(
        _ relation: LayoutRelation, _ target: any ConstraintRelatableTarget
    ) -> ConstraintMakerEditable {
        let made = ConstraintMakerEditable(item, relation, target)
        maker.made.append(made)
        return made
    }

    @discardableResult
    public func equalTo(_ other: any ConstraintRelatableTarget) -> ConstraintMakerEditable {
        relate(.equal, other)
    }

    @discardableResult
    public func lessThanOrEqualTo(
        _ other: any ConstraintRelatableTarget
    ) -> ConstraintMakerEditable { relate(.lessThanOrEqual, other) }

    @discardableResult
    public func greaterThanOrEqualTo(
        _ other: any ConstraintRelatableTarget
    ) -> ConstraintMakerEditable { relate(.greaterThanOrEqual, other) }
}

public final class ConstraintMakerEditable {
    private let item: ConstraintItem
    private let relation: LayoutRelation
    private let other: ConstraintItem?
    private var multiplier = 1.0
    private var constant = 0.0
    private var rank: Float = 1000

    init(
        _ item: ConstraintItem, _ relation: LayoutRelation,
        _ target: any ConstraintRelatableTarget
    ) {
        (self.item, self.relation) = (item, relation)
        other = target as? ConstraintItem
        if let number = target as? Int { constant = Double(number) }
        if let number = target as? Double { constant = number }
    }

    @discardableResult
    public func multipliedBy(_ factor: Double) -> ConstraintMakerEditable {
        multiplier = factor
        return self
    }

    @discardableResult
    public func offset(_ amount: Double) -> ConstraintMakerEditable {
        constant = amount
        return self
    }

    @discardableResult
    public func priority(_ priority: Float) -> ConstraintMakerEditable {
        rank = priority
        return self
    }

    var constraint: NSLayoutConstraint {
        let made = NSLayoutConstraint(
            LayoutConstraint(
                item: item.target.item, attribute: item.attribute, relatedBy: relation,
                toItem: other?.target.item, attribute: other?.attribute, multiplier: multiplier,
                constant: constant))
        made.priority = UILayoutPriority(rank)
        return made
    }
}
