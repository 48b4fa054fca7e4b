import Cassowary

/// What a constraint of the engine's own is there for; one of each kind at most for an item.
enum SystemRole: UInt8 {
    case frameX, frameY, frameWidth, frameHeight
    case contentWidth, contentHeight
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
    /// How strongly it holds against a greater value, where that is another strength.
    var strengthAbove: Strength?
    var expression: SystemExpression
}

/// The engine's own constraints of one item, by role.
struct SystemConstraints {
    private(set) var members: [SystemConstraint] = []

    subscript(role: SystemRole) -> SystemConstraint? {
        index(of: role).map { members[$0] }
    }

    private func index(of role: SystemRole) -> Int? {
        members.firstIndex { $0.role == role }
    }

    /// Puts a constraint in the place of the one of its role.
    mutating func put(_ constraint: SystemConstraint) {
        if let index = index(of: constraint.role) {
            members[index] = constraint
            return
        }
        // Content sizes come in twos, frames in fours.
        if members.isEmpty { members.reserveCapacity(2) }
        members.append(constraint)
    }

    mutating func remove(_ role: SystemRole) -> SystemConstraint? {
        index(of: role).map { members.remove(at: $0) }
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
                    expression, constraint.relation, constraint.strength,
                    above: constraint.strengthAbove, owner: nil)
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
                if let above = constraint.strengthAbove {
                    try solver.setStrengths(below: constraint.strength, above: above, of: id)
                } else {
                    try solver.setStrength(constraint.strength, of: id)
                }
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
        case .notFinite, .outOfRange, .unknownVariable, .unknownConstraint, .variableInUse,
            .tooManyStrengths:
            report(.error(.badValue("\(error)")))
        }
        return false
    }
}
