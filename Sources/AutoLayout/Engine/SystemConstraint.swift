import Cassowary

/// What a constraint of the engine's own is there for; one of each kind at most for an item.
enum SystemRole: Int {
    case frameX, frameY, frameWidth, frameHeight
    case hugWidth, hugHeight, compressWidth, compressHeight
    case collapseWidth, collapseHeight
    case flowX, flowY
}

/// A constraint that the engine keeps for an item: its content's size, a frame set by hand, a collapse.
final class SystemConstraint {
    let role: SystemRole
    var id: ConstraintID?
    var strength: Strength
    var relation: Relation
    var expression: LinearExpression

    init(
        role: SystemRole, expression: LinearExpression, relation: Relation, strength: Strength
    ) {
        self.role = role
        self.expression = expression
        self.relation = relation
        self.strength = strength
    }
}

/// The engine's own constraints of one item, by role.
struct SystemConstraints {
    private var members: [SystemConstraint] = []

    subscript(role: SystemRole) -> SystemConstraint? {
        members.first { $0.role == role }
    }

    /// Makes the constraint of a role say what is asked, with as little work for the solver as possible:
    /// nothing when it says so already, a change of constant where only that differs.
    mutating func set(
        _ role: SystemRole, to expression: LinearExpression, _ relation: Relation,
        _ strength: Strength, in engine: LayoutEngine
    ) {
        guard let index = members.firstIndex(where: { $0.role == role }) else {
            let added = SystemConstraint(
                role: role, expression: expression, relation: relation, strength: strength)
            members.append(added)
            engine.add(added)
            return
        }
        let present = members[index]
        guard present.id != nil, present.relation == relation,
            present.expression.hasSameTerms(as: expression)
        else {
            engine.remove(present)
            present.expression = expression
            present.relation = relation
            present.strength = strength
            engine.add(present)
            return
        }
        if present.expression.constant != expression.constant {
            present.expression = expression
            engine.updateConstant(of: present)
        }
        if present.strength != strength {
            present.strength = strength
            engine.updateStrength(of: present)
        }
    }

    mutating func clear(_ role: SystemRole, in engine: LayoutEngine) {
        guard let index = members.firstIndex(where: { $0.role == role }) else { return }
        engine.remove(members[index])
        members.remove(at: index)
    }

    mutating func clearAll(in engine: LayoutEngine) {
        for member in members { engine.remove(member) }
        members.removeAll()
    }
}

extension LinearExpression {
    func hasSameTerms(as other: LinearExpression) -> Bool {
        guard terms.count == other.terms.count else { return false }
        return zip(terms, other.terms).allSatisfy {
            $0.variable == $1.variable && $0.coefficient == $1.coefficient
        }
    }
}

extension LayoutEngine {
    /// Puts a constraint of the engine's own in force; people's constraints give way to it in a conflict.
    func add(_ constraint: SystemConstraint) {
        while true {
            do {
                constraint.id = try insert(
                    constraint.expression, constraint.relation, constraint.strength,
                    owner: .system(constraint))
                return
            } catch {
                guard resolve(error) else { return }
            }
        }
    }

    func remove(_ constraint: SystemConstraint) {
        guard let id = constraint.id else { return }
        constraint.id = nil
        erase(id)
    }

    func updateConstant(of constraint: SystemConstraint) {
        mutationCount += 1
        while let id = constraint.id {
            do {
                try solver.setConstant(constraint.expression.constant, of: id)
                return
            } catch {
                guard resolve(error) else {
                    remove(constraint)
                    return
                }
            }
        }
    }

    func updateStrength(of constraint: SystemConstraint) {
        mutationCount += 1
        while let id = constraint.id {
            do {
                try solver.setStrength(constraint.strength, of: id)
                return
            } catch {
                guard resolve(error) else { return }
            }
        }
    }

    /// Gives way to a constraint of the engine's own; false when there is nobody to give way.
    private func resolve(_ error: SolverError) -> Bool {
        switch error {
        case .unsatisfiable(let conflict):
            if giveUpNewest(of: conflict) { return true }
            report(.error(.unsatisfiable(conflict: [])))
        case .notFinite, .outOfRange, .unknownVariable, .unknownConstraint, .variableInUse:
            report(.error(.badValue("\(error)")))
        }
        return false
    }
}
