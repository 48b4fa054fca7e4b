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

    /// Writes the expression.
    ///
    /// - Parameter terms: An empty array, whose memory it uses.
    func expression(in terms: consuming [Term]) -> Expression {
        terms.append(Term(variable, 1))
        if let reference { terms.append(Term(reference, share)) }
        return Expression(terms: terms, constant: constant)
    }
}

/// What a constraint of the engine's own says.
struct SystemStatement {
    var expression: SystemExpression
    var relation: Relation
    var strength: Strength
    /// How strongly it holds against a greater value, where that is another strength.
    var strengthAbove: Strength?
}

/// A constraint that the engine keeps for an item: its content's size, a frame set by hand, a collapse. What it says is with the solver
/// alone.
struct SystemConstraint {
    let role: SystemRole
    /// The solver's number of it; below zero where it could not be put in force.
    fileprivate let row: Int32

    /// The solver's number of it; `nil` where it could not be put in force.
    var id: ConstraintID? { row < 0 ? nil : ConstraintID(index: row) }

    init(_ role: SystemRole, _ id: ConstraintID?) { self.init(role, row: id?.index ?? -1) }

    fileprivate init(_ role: SystemRole, row: Int32) {
        self.role = role
        self.row = row
    }
}

/// The engine's own constraints of one item, by role. Most items have none, or those of their content, which have their place here; others
/// are in a list.
struct SystemConstraints {
    private var others: [SystemConstraint] = []
    /// The solver's numbers of the content's constraints; below zero for none.
    private var contentWidth: Int32 = -1
    private var contentHeight: Int32 = -1

    var isEmpty: Bool { contentWidth < 0 && contentHeight < 0 && others.isEmpty }

    /// All of them: the content's after the others, which are in the order in which they came.
    var all: [SystemConstraint] {
        others + [self[.contentWidth], self[.contentHeight]].compactMap(\.self)
    }

    subscript(role: SystemRole) -> SystemConstraint? {
        switch role {
        case .contentWidth: contentWidth < 0 ? nil : SystemConstraint(role, row: contentWidth)
        case .contentHeight: contentHeight < 0 ? nil : SystemConstraint(role, row: contentHeight)
        default: others.first { $0.role == role }
        }
    }

    /// Puts a constraint in the place of the one of its role.
    mutating func put(_ constraint: SystemConstraint) {
        switch constraint.role {
        case .contentWidth: contentWidth = constraint.row
        case .contentHeight: contentHeight = constraint.row
        default: putAmongOthers(constraint)
        }
    }

    private mutating func putAmongOthers(_ constraint: SystemConstraint) {
        if let index = others.firstIndex(where: { $0.role == constraint.role }) {
            others[index] = constraint
        } else {
            // Frames come in fours.
            if others.isEmpty { others.reserveCapacity(4) }
            others.append(constraint)
        }
    }

    /// - Returns: The constraint that was there.
    mutating func remove(_ role: SystemRole) -> SystemConstraint? {
        guard let found = self[role] else { return nil }
        switch role {
        case .contentWidth: contentWidth = -1
        case .contentHeight: contentHeight = -1
        default: others.removeAll { $0.role == role }
        }
        return found
    }
}

extension LayoutEngine {
    /// Puts a constraint of the engine's own in force; people's constraints give way to it in a conflict.
    ///
    /// - Returns: `nil` if none can give way.
    func add(_ statement: SystemStatement) -> ConstraintID? {
        let expression = statement.expression.expression(in: takeSpareTerms())
        var id: ConstraintID?
        while id == nil {
            do {
                id = try insert(
                    expression, statement.relation, statement.strength,
                    above: statement.strengthAbove, owner: nil)
            } catch {
                guard resolve(error) else { break }
            }
        }
        reuse(consume expression)
        return id
    }

    /// Whether a constraint of the engine's own says what is asked, or differs in its constant and its strengths alone.
    func isStated(_ statement: SystemStatement, by id: ConstraintID) -> Bool {
        let expression = statement.expression
        var count = 1
        if let reference = expression.reference {
            guard solver.coefficient(of: reference, in: id) == expression.share else {
                return false
            }
            count = 2
        }
        return solver.relation(of: id) == statement.relation
            && solver.coefficient(of: expression.variable, in: id) == 1
            && solver.termCount(of: id) == count
    }

    /// Has such a constraint say what is asked, with as little work for the solver as possible.
    ///
    /// - Returns: `nil` if it had to be taken out of force.
    func restate(_ id: ConstraintID, as statement: SystemStatement) -> ConstraintID? {
        let constant = statement.expression.constant
        if solver.constant(of: id) != constant, !updateConstant(of: id, to: constant) {
            return nil
        }
        updateStrength(of: id, to: statement)
        return id
    }

    /// - Returns: Whether the constraint is still in force.
    private func updateConstant(of id: ConstraintID, to constant: Double) -> Bool {
        mutationCount += 1
        while true {
            do {
                try solver.setConstant(constant, of: id)
                return true
            } catch {
                guard resolve(error) else {
                    erase(id)
                    return false
                }
            }
        }
    }

    private func updateStrength(of id: ConstraintID, to statement: SystemStatement) {
        let strengths = solver.strengths(of: id)
        let above = statement.strengthAbove ?? statement.strength
        guard strengths.below != statement.strength || strengths.above != above else { return }
        mutationCount += 1
        while true {
            do {
                if let above = statement.strengthAbove {
                    try solver.setStrengths(below: statement.strength, above: above, of: id)
                } else {
                    try solver.setStrength(statement.strength, of: id)
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
