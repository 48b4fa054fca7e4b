import Cassowary

/// Changes of the constraints that the engine keeps on a view's behalf. Each access to the view's
/// is over before the engine is at work.
extension View {
    /// Makes the constraint of a role say what is asked, with as little work for the solver as
    /// possible: nothing when it says so already, a change of constant where only that differs.
    func setSystemConstraint(
        _ role: SystemRole, to expression: SystemExpression, _ relation: Relation,
        _ strength: Strength, above: Strength? = nil, in engine: LayoutEngine
    ) {
        let statement = SystemStatement(
            expression: expression, relation: relation, strength: strength, strengthAbove: above)
        let id: ConstraintID?
        if let old = systemConstraints[role]?.id {
            if engine.isStated(statement, by: old) {
                id = engine.restate(old, as: statement)
            } else {
                engine.erase(old)
                id = engine.add(statement)
            }
        } else {
            id = engine.add(statement)
        }
        systemConstraints.put(SystemConstraint(role, id))
    }

    func clearSystemConstraint(_ role: SystemRole, in engine: LayoutEngine) {
        if let id = systemConstraints.remove(role)?.id { engine.erase(id) }
    }

    func clearSystemConstraints(in engine: LayoutEngine) {
        let members = systemConstraints.all
        systemConstraints = SystemConstraints()
        for id in members.compactMap({ $0.id }) { engine.erase(id) }
    }
}
