extension Solver {
    /// Adds the constraint `expression relation 0` and, if it contradicts others, breaks the lowest-ranked of those that
    /// cannot hold together, as Apple's engine does, until the rest can.
    ///
    /// A broken constraint is deactivated; it keeps its id and can be tried again with `setActive`. The new one takes
    /// part like the others, and is the one to break if its rank is the lowest.
    ///
    /// - Parameters:
    ///   - expression: The left side.
    ///   - relation: How it compares with 0.
    ///   - strength: How much the constraint matters when the scene is solved.
    ///   - rank: How much a constraint matters, asked only of members of a conflict. Of several with the lowest rank the
    ///     one with the greatest id breaks.
    /// - Returns: The new constraint, and those that were broken, in that order.
    /// - Throws: `notFinite`, `outOfRange` or `unknownVariable` for a bad expression; never `unsatisfiable`.
    /// - Complexity: As `addConstraint`, once more for each constraint broken.
    public mutating func addConstraint(
        _ expression: Expression, _ relation: Relation, strength: Strength = .required,
        breaking rank: (ConstraintID) -> Double
    ) throws(SolverError) -> (constraint: ConstraintID, broken: [ConstraintID]) {
        let id = try makeConstraint(expression, relation, strength: strength)
        var broken: [ConstraintID] = []
        while true {
            do throws(SolverError) {
                try setActive(true, of: id)
                return (id, broken)
            } catch {
                guard case .unsatisfiable(let conflict) = error else { throw error }
                var weakest = id
                for member in conflict {
                    let isLower = rank(member) < rank(weakest)
                    let isTie = rank(member) == rank(weakest)
                    if isLower || (isTie && member > weakest) { weakest = member }
                }
                broken.append(weakest)
                if weakest == id { return (id, broken) }
                try setActive(false, of: weakest)
            }
        }
    }
}
