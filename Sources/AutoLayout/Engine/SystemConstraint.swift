import Cassowary

/// What a constraint of the engine's own is there for; one of each kind at most for an item.
enum SystemRole: UInt8 {
    case frameX, frameY, frameWidth, frameHeight
    case hugWidth, hugHeight, compressWidth, compressHeight
    case collapseWidth, collapseHeight
    case flowX, flowY
}

/// What a constraint of the engine's own compares with zero: `variable + share × reference + constant`.
struct SystemExpression: Equatable {
    var variable: Variable
    /// The superview's length, of which a flexible frame follows a share.
    var reference: Variable?
    var share = 0.0
    var constant: Double

    /// The distance of a variable from a value.
    init(_ variable: Variable, minus value: Double) {
        self.variable = variable
        constant = -value
    }

    func hasSameTerms(as other: Self) -> Bool {
        variable == other.variable && reference == other.reference && share == other.share
    }

    /// Writes the expression.
    ///
    /// - Parameter terms: An empty array, whose memory it uses.
    func expression(in terms: consuming [Term]) -> Expression {
        terms.append(Term(variable, 1))
        if let reference { terms.append(Term(reference, share)) }
        return Expression(terms: terms, constant: constant)
    }
}

/// A constraint that the engine keeps for an item: its content's size, a frame set by hand, a collapse.
struct SystemConstraint {
    let role: SystemRole
    var relation: Relation
    var id: ConstraintID?
    var strength: Strength
    var expression: SystemExpression
}

/// The engine's own constraints of one item, by role.
struct SystemConstraints {
    private(set) var members: [SystemConstraint] = []

    subscript(role: SystemRole) -> SystemConstraint? {
        members.first { $0.role == role }
    }

    /// Makes the constraint of a role say what is asked, with as little work for the solver as possible:
    /// nothing when it says so already, a change of constant where only that differs.
    mutating func set(
        _ role: SystemRole, to expression: SystemExpression, _ relation: Relation,
        _ strength: Strength, in engine: LayoutEngine
    ) {
        guard let index = members.firstIndex(where: { $0.role == role }) else {
            var added = SystemConstraint(
                role: role, relation: relation, strength: strength, expression: expression)
            engine.add(&added)
            // Content sizes come in fours, frames too.
            if members.isEmpty { members.reserveCapacity(4) }
            members.append(added)
            return
        }
        let present = members[index]
        guard present.id != nil, present.relation == relation,
            present.expression.hasSameTerms(as: expression)
        else {
            engine.remove(&members[index])
            members[index].expression = expression
            members[index].relation = relation
            members[index].strength = strength
            engine.add(&members[index])
            return
        }
        if present.expression.constant != expression.constant {
            members[index].expression = expression
            engine.updateConstant(of: &members[index])
        }
        if present.strength != strength {
            members[index].strength = strength
            engine.updateStrength(of: members[index])
        }
    }

    mutating func clear(_ role: SystemRole, in engine: LayoutEngine) {
        guard let index = members.firstIndex(where: { $0.role == role }) else { return }
        engine.remove(&members[index])
        members.remove(at: index)
    }

    mutating func clearAll(in engine: LayoutEngine) {
        for index in members.indices { engine.remove(&members[index]) }
        members.removeAll()
    }
}

extension LayoutEngine {
    /// Puts a constraint of the engine's own in force; people's constraints give way to it in a conflict.
    func add(_ constraint: inout SystemConstraint) {
        var expression = constraint.expression.expression(in: takeSpareTerms())
        defer { reuse(&expression) }
        while true {
            do {
                constraint.id = try insert(
                    expression, constraint.relation, constraint.strength, owner: .system)
                return
            } catch {
                guard resolve(error) else { return }
            }
        }
    }

    func remove(_ constraint: inout SystemConstraint) {
        guard let id = constraint.id else { return }
        constraint.id = nil
        erase(id)
    }

    func updateConstant(of constraint: inout SystemConstraint) {
        mutationCount += 1
        while let id = constraint.id {
            do {
                try solver.setConstant(constraint.expression.constant, of: id)
                return
            } catch {
                guard resolve(error) else {
                    remove(&constraint)
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

    /// Gives way to a constraint of the engine's own; false when no constraint can give way.
    private func resolve(_ error: SolverError) -> Bool {
        switch error {
        case .unsatisfiable(let conflict):
            if giveUpNewest(of: conflict) { return true }
            report(.error(.unsatisfiable(conflict: [])))
        case .exhausted: break
        case .notFinite, .outOfRange, .unknownVariable, .unknownConstraint, .variableInUse:
            report(.error(.badValue("\(error)")))
        }
        return false
    }
}
