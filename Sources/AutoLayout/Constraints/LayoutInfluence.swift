import Cassowary
public import ConstraintLanguage

/// One of the constraints that hold a view where it is: a program's, or one that the engine keeps
/// itself.
public struct LayoutInfluence {
    /// What the constraint is there for.
    public enum Kind: String, Sendable {
        /// Added by the program, or by a stack to arrange its members.
        case constraint
        /// The view's content: hugging and compression resistance.
        case contentSize
        /// The frame set by hand, with its autoresizing mask.
        case frame
        /// The view is hidden and takes no room.
        case collapse
        /// A flow view's line.
        case flow
    }

    /// What it is there for.
    public var kind: Kind
    /// The constraint; `nil` for one of the engine's own.
    public var constraint: LayoutConstraint?
    /// What it asks for, in the names of the items.
    public var rule: Rule
}

extension View {
    /// What holds the view where it is along an axis: the constraints of
    /// `constraintsAffectingLayout(for:)`, oldest first, and then the engine's own, which UIKit
    /// keeps to itself: the view's first, others by identifier.
    ///
    /// Changes nothing, not even how the solver goes on.
    ///
    /// - Complexity: That of `constraintsAffectingLayout(for:)`, and O(n log n) for n constraints
    ///   of the engine's own.
    public func layoutInfluences(for axis: Axis) -> [LayoutInfluence] {
        guard let engine else { return [] }
        return engine.constraintsAffecting(self, along: axis).map {
            LayoutInfluence(kind: .constraint, constraint: $0, rule: Rule($0))
        } + engine.systemInfluences(on: self, along: axis)
    }
}

extension LayoutEngine {
    fileprivate func systemInfluences(on view: View, along axis: Axis) -> [LayoutInfluence] {
        let ids = Set(
            idsAffecting(view, along: axis).filter { owner(of: $0) == nil })
        let owners = owningViews(of: ids).sorted { first, second in
            first === view || second !== view && first.identifier < second.identifier
        }
        let found = owners.flatMap { owner in
            owner.systemConstraints.all.compactMap { constraint in
                constraint.id.flatMap { id in
                    ids.contains(id) ? (id: id, role: constraint.role, owner: owner) : nil
                }
            }
        }
        let pressed = pressedFromBelow(Set(found.filter { $0.role.isContent }.map { $0.id }))
        return found.map {
            influence(of: $0.id, as: $0.role, on: $0.owner, isPressed: pressed.contains($0.id))
        }
    }

    /// The views among whose variables are those of the constraints, each once.
    private func owningViews(of ids: Set<ConstraintID>) -> [View] {
        var views: [ObjectIdentifier: View] = [:]
        for id in ids {
            for variable in solver.variables(in: id) {
                guard let view = item(owning: variable) as? View else { continue }
                views[ObjectIdentifier(view)] = view
            }
        }
        return Array(views.values)
    }

    /// - Parameter isPressed: Whether the constraint keeps what it is about from becoming greater,
    ///   if it is one of a content's.
    private func influence(
        of id: ConstraintID, as role: SystemRole, on view: View, isPressed: Bool
    ) -> LayoutInfluence {
        let (kind, attribute): (LayoutInfluence.Kind, LayoutAttribute) =
            switch role {
            case .frameX: (.frame, .left)
            case .frameY: (.frame, .top)
            case .frameWidth: (.frame, .width)
            case .frameHeight: (.frame, .height)
            case .contentWidth, .hugWidth, .compressWidth: (.contentSize, .width)
            case .contentHeight, .hugHeight, .compressHeight: (.contentSize, .height)
            case .collapseWidth: (.collapse, .width)
            case .collapseHeight: (.collapse, .height)
            case .flowX: (.flow, .left)
            case .flowY: (.flow, .top)
            }
        let first = AnchorReference(item: .init(id: view.identifier), attribute: attribute)
        let strengths = solver.strengths(of: id)
        var rule = Rule(
            first: first, relation: LayoutRelation(solver.relation(of: id)),
            constant: -solver.constant(of: id), priority: strengths.below.value)
        if role.isContent {
            // The side that is needed: hugging where the view would be larger, else its resistance
            // to being compressed.
            rule.relation = isPressed ? .lessThanOrEqual : .greaterThanOrEqual
            rule.priority = isPressed ? strengths.above.value : strengths.below.value
        }
        if let superview = view.superview, let variables = superview.variables {
            let isHorizontal = attribute == .left || attribute == .width
            let share = solver.coefficient(
                of: isHorizontal ? variables.width : variables.height, in: id)
            if share != 0 {
                rule.second = AnchorReference(
                    item: .init(id: superview.identifier),
                    attribute: isHorizontal ? .width : .height)
                rule.multiplier = -share
            }
        }
        return LayoutInfluence(kind: kind, constraint: nil, rule: rule)
    }
}

extension LayoutRelation {
    fileprivate init(_ relation: Relation) {
        switch relation {
        case .equal: self = .equal
        case .lessThanOrEqual: self = .lessThanOrEqual
        case .greaterThanOrEqual: self = .greaterThanOrEqual
        }
    }
}

extension Rule {
    /// A constraint as a rule, in its items' identifiers.
    public init(_ constraint: LayoutConstraint) {
        func anchor(_ item: LayoutItem?, _ attribute: LayoutAttribute) -> AnchorReference {
            AnchorReference(item: ItemReference(item), attribute: attribute)
        }
        self.init(
            first: anchor(constraint.firstItem, constraint.firstAttribute),
            relation: constraint.relation,
            second: constraint.secondAttribute.map { anchor(constraint.secondItem, $0) },
            multiplier: constraint.multiplier, constant: constraint.constant,
            scalesConstant: constraint.scalesConstant, priority: constraint.priority.rawValue)
    }
}

extension ItemReference {
    /// The name of an item; a view's built-in guides go by the view's.
    fileprivate init(_ item: LayoutItem?) {
        self.init(id: item?.identifier ?? "")
        guard let guide = item as? LayoutGuide, let view = guide.owningView else { return }
        switch guide.kind {
        case .free: break
        case .margins: self.init(id: view.identifier, guide: .margins)
        case .safeArea: self.init(id: view.identifier, guide: .safeArea)
        case .content: self.init(id: view.identifier, guide: .content)
        case .viewport: self.init(id: view.identifier, guide: .viewport)
        case .readable: self.init(id: view.identifier, guide: .readable)
        case .keyboard: self.init(id: view.identifier, guide: .keyboard)
        }
    }
}
