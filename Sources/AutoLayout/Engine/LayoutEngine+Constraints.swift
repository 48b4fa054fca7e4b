import Cassowary
import ConstraintLanguage

extension Relation {
    init(_ relation: LayoutRelation) {
        switch relation {
        case .equal: self = .equal
        case .lessThanOrEqual: self = .lessThanOrEqual
        case .greaterThanOrEqual: self = .greaterThanOrEqual
        }
    }
}

extension LayoutEngine {
    /// Puts a constraint in force.
    ///
    /// - Throws: `LayoutError.unsatisfiable`; the engine is then exactly as it was.
    func add(_ constraint: LayoutConstraint) throws(LayoutError) {
        guard constraint.solverID == nil, prepare(constraint) else { return }
        let equation = try equation(of: constraint)
        do {
            constraint.solverID = try insert(equation, of: constraint)
        } catch {
            throw translate(error, offered: constraint)
        }
        reuse(equation.takeExpression())
    }

    /// Notes whether a collapse, or a view that is not installed, puts the constraint out of force;
    /// returns whether it is to be in force.
    func prepare(_ constraint: LayoutConstraint) -> Bool {
        constraint.isSuspended = ConstraintEquation.isSuspended(constraint, in: self)
        return !constraint.isSuspended
    }

    /// The constraint as an expression, in memory that is to be used again; what it takes to write
    /// it is charged.
    ///
    /// - Throws: `LayoutError.noCommonAncestor`.
    func equation(of constraint: LayoutConstraint) throws(LayoutError) -> ConstraintEquation {
        var equation = ConstraintEquation(in: takeSpareExpression())
        try equation.write(constraint)
        let steps = equation.stepCount + equation.expression.terms.count
        charge(Price.step * UInt64(steps))
        return equation
    }

    func insert(
        _ equation: borrowing ConstraintEquation, of constraint: LayoutConstraint
    ) throws(SolverError) -> ConstraintID {
        try insert(
            equation.expression, Relation(constraint.relation),
            constraint.priority.strength,
            owner: constraint)
    }

    func remove(_ constraint: LayoutConstraint) {
        brokenConstraints.removeAll { $0 === constraint }
        constraint.isBroken = false
        mutationCount += 1
        guard let id = constraint.solverID else { return }
        constraint.solverID = nil
        erase(id)
    }

    func updateConstant(of constraint: LayoutConstraint) throws(LayoutError) {
        mutationCount += 1
        guard let id = constraint.solverID else { return }
        let constant = try equationConstant(of: constraint)
        do {
            try solver.setConstant(constant, of: id)
        } catch {
            throw translate(error, offered: constraint)
        }
    }

    /// The constant of a constraint's equation; what it takes to write the whole is charged,
    /// whether or not it has to be written.
    private func equationConstant(of constraint: LayoutConstraint) throws(LayoutError) -> Double {
        if let found = ConstraintEquation.constant(ofNeighbours: constraint) {
            charge(Price.steps(found.termCount))
            return found.constant
        }
        let equation = try equation(of: constraint)
        let constant = equation.expression.constant
        reuse(equation.takeExpression())
        return constant
    }

    func updateStrength(of constraint: LayoutConstraint) throws(LayoutError) {
        mutationCount += 1
        guard let id = constraint.solverID else { return }
        do {
            try solver.setStrength(constraint.priority.strength, of: id)
        } catch {
            throw translate(error, offered: constraint)
        }
    }

    /// Writes a constraint anew, after something its equation is made of has changed.
    ///
    /// - Throws: `LayoutError.unsatisfiable`; the constraint is then in force as before the call
    ///   only if its old equation still holds, which it does unless its items moved.
    func rederive(_ constraint: LayoutConstraint) throws(LayoutError) {
        guard let id = constraint.solverID else {
            if constraint.isActive, !constraint.isBroken { try add(constraint) }
            return
        }
        let checkpoint = checkpoint()
        constraint.solverID = nil
        erase(id)
        do {
            try add(constraint)
        } catch {
            restore(checkpoint)
            constraint.solverID = id
            throw error
        }
    }

    /// Puts a broken constraint back if nothing contradicts it any more.
    func restoreIfPossible(_ constraint: LayoutConstraint) {
        guard constraint.solverID == nil else {
            constraint.isBroken = false
            return
        }
        do {
            try add(constraint)
            constraint.isBroken = false
            report(.restoredConstraint(constraint.identifier))
        } catch {
            // Still in conflict: it stays broken and is tried again at the next change.
        }
    }

    /// The solver's refusal in the words of the layout: identifiers instead of numbers.
    func translate(_ error: SolverError, offered: LayoutConstraint) -> LayoutError {
        switch error {
        case .unsatisfiable(let conflict):
            var names = conflict.compactMap { id -> (UInt64, String)? in
                guard let constraint = owner(of: id), constraint !== offered
                else { return nil }
                return (constraint.serial, constraint.identifier)
            }
            names.append((offered.serial, offered.identifier))
            return .unsatisfiable(conflict: names.sorted { $0.0 < $1.0 }.map { $0.1 })
        case .notFinite:
            return .badValue("\(offered.identifier): a number is not finite")
        case .outOfRange(let value):
            return .badValue("\(offered.identifier): \(value) is out of range")
        case .tooManyStrengths:
            return .badValue("\(offered.identifier): there are too many different priorities")
        case .exhausted: return .tooExpensive
        case .unknownVariable, .unknownConstraint, .variableInUse:
            return .noCommonAncestor(offered.identifier)
        }
    }
}
