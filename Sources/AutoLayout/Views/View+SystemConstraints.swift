import Cassowary

/// Changes of the constraints that the engine keeps on a view's behalf. They are taken out of the view while the engine is at work, so
/// that each access to the view's is over at once.
extension View {
    /// Makes the constraint of a role say what is asked, with as little work for the solver as possible:
    /// nothing when it says so already, a change of constant where only that differs.
    func setSystemConstraint(
        _ role: SystemRole, to expression: SystemExpression, _ relation: Relation,
        _ strength: Strength, above: Strength? = nil, in engine: LayoutEngine
    ) {
        guard var constraint = systemConstraints[role] else {
            var added = SystemConstraint(
                role: role, relation: relation, strength: strength, strengthAbove: above,
                expression: expression)
            engine.add(&added)
            systemConstraints.put(added)
            return
        }
        guard constraint.id != nil, constraint.relation == relation,
            constraint.expression.hasSameTerms(as: expression)
        else {
            engine.remove(&constraint)
            constraint.expression = expression
            constraint.relation = relation
            constraint.strength = strength
            constraint.strengthAbove = above
            engine.add(&constraint)
            systemConstraints.put(constraint)
            return
        }
        if constraint.expression.constant != expression.constant {
            constraint.expression = expression
            engine.updateConstant(of: &constraint)
            systemConstraints.put(constraint)
        }
        if constraint.strength != strength || constraint.strengthAbove != above {
            constraint.strength = strength
            constraint.strengthAbove = above
            engine.updateStrength(of: constraint)
            systemConstraints.put(constraint)
        }
    }

    func clearSystemConstraint(_ role: SystemRole, in engine: LayoutEngine) {
        guard var constraint = systemConstraints.remove(role) else { return }
        engine.remove(&constraint)
    }

    func clearSystemConstraints(in engine: LayoutEngine) {
        let members = systemConstraints.members
        systemConstraints = SystemConstraints()
        for var constraint in members { engine.remove(&constraint) }
    }
}
