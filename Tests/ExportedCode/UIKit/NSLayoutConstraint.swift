public import AutoLayout
import ConstraintLanguage
public import Foundation

public final class NSLayoutConstraint {
    public enum Axis { case horizontal, vertical }
    public enum Relation { case lessThanOrEqual, equal, greaterThanOrEqual }
    public enum Attribute {
        case left, right, top, bottom, leading, trailing, width, height, centerX, centerY
        case lastBaseline, firstBaseline, notAnAttribute
    }

    let constraint: LayoutConstraint

    /// Stands for a constraint of the engine's.
    public init(_ constraint: LayoutConstraint) { self.constraint = constraint }

    public convenience init(
        item first: Any, attribute: Attribute, relatedBy relation: Relation, toItem second: Any?,
        attribute secondAttribute: Attribute, multiplier: CGFloat, constant: CGFloat
    ) {
        guard let item = Self.item(first), let attribute = attribute.inEngine else {
            fatalError("a constraint of nothing")
        }
        self.init(
            LayoutConstraint(
                item: item, attribute: attribute, relatedBy: relation.inEngine,
                toItem: second.flatMap(Self.item), attribute: secondAttribute.inEngine,
                multiplier: Double(multiplier), constant: Double(constant)))
    }

    private static func item(_ value: Any) -> LayoutItem? {
        (value as? UIView)?.view ?? (value as? UILayoutGuide)?.guide
    }

    public var priority: UILayoutPriority {
        get { UILayoutPriority(Float(constraint.priority.rawValue)) }
        set { constraint.priority = LayoutPriority(Double(newValue.rawValue)) }
    }

    public var identifier: String? {
        get { constraint.identifier }
        set { constraint.identifier = newValue ?? "" }
    }

    public var isActive: Bool {
        get { constraint.isActive }
        set {
            if newValue { attempt { try constraint.activate() } } else { constraint.deactivate() }
        }
    }

    public static func activate(_ constraints: [NSLayoutConstraint]) {
        attempt { try LayoutConstraint.activate(constraints.map(\.constraint)) }
    }
}

extension NSLayoutConstraint.Relation {
    var inEngine: LayoutRelation {
        switch self {
        case .lessThanOrEqual: .lessThanOrEqual
        case .equal: .equal
        case .greaterThanOrEqual: .greaterThanOrEqual
        }
    }
}

extension NSLayoutConstraint.Attribute {
    var inEngine: LayoutAttribute? {
        switch self {
        case .left: .left
        case .right: .right
        case .top: .top
        case .bottom: .bottom
        case .leading: .leading
        case .trailing: .trailing
        case .width: .width
        case .height: .height
        case .centerX: .centerX
        case .centerY: .centerY
        case .lastBaseline: .lastBaseline
        case .firstBaseline: .firstBaseline
        case .notAnAttribute: nil
        }
    }
}
