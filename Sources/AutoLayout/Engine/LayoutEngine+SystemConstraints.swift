import Cassowary

/// Constraints of the engine's own: people's give way to them.
extension LayoutEngine {
    /// Puts a constraint of the engine's own in force; people's constraints give way to it in a
    /// conflict.
    ///
    /// - Returns: `nil` if none can give way.
    func add(_ statement: SystemStatement) -> ConstraintID? {
        var expression = takeSpareExpression()
        statement.expression.write(to: &expression)
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
        reuse(expression)
        return id
    }

    /// Whether a constraint of the engine's own says what is asked, or differs in its constant and
    /// its strengths alone.
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
