extension Solver {
    /// The value that the last `solve()` published; 0 for a variable that is new or in no constraint.
    public func value(of variable: Variable) -> Double {
        isKnown(variable) ? published[Int(variable.index)] : 0
    }

    /// Whether a constraint holds at the published values, within 1e-6. Inactive ones are judged alike.
    ///
    /// - Complexity: O(terms).
    public func isSatisfied(_ id: ConstraintID) -> Bool {
        let measure = measure(id)
        // Rounding of large terms is no violation.
        return measure.violation
            <= Tolerance.satisfaction + Tolerance.rounding * measure.magnitude
    }

    /// How far a constraint is from holding at the published values, in units of its expression; 0 if it
    /// holds or is unknown.
    ///
    /// - Complexity: O(terms).
    public func violation(of id: ConstraintID) -> Double { measure(id).violation }

    private func measure(_ id: ConstraintID) -> (violation: Double, magnitude: Double) {
        guard isKnown(id) else { return (0, 0) }
        let source = sources[Int(id.index)]
        var sum = source.constant
        var magnitude = source.constant.magnitude
        var index = terms.rows[Int(id.index)].head
        while index >= 0 {
            let cell = terms.cells[Int(index)]
            let term = cell.value * source.scale * published[Int(cell.column)]
            sum += term
            magnitude += term.magnitude
            index = cell.nextInRow
        }
        switch source.relation {
        case .equal: return (sum.magnitude, magnitude)
        case .lessThanOrEqual: return (max(0, sum), magnitude)
        case .greaterThanOrEqual: return (max(0, -sum), magnitude)
        }
    }

    /// Whether a variable has the same value in every optimal solution. Call after `solve()`.
    ///
    /// - Complexity: O(length of the variable's row), except where several constraints meet in one point:
    ///   there a copy of the solver is asked to move the variable, at O(size of the tableau) or more.
    public func isUnique(_ variable: Variable) -> Bool {
        guard isKnown(variable) else { return true }
        let symbol = Symbol(variable).index
        if symbols[Int(symbol)].status == .parametric {
            if !isMovable(symbol) { return true }
        } else {
            // The value can differ only through columns that move at no price.
            var mayMove = false
            var index = tableau.rows[Int(symbol)].head
            while index >= 0, !mayMove {
                let cell = tableau.cells[Int(index)]
                mayMove = cell.value.magnitude > Tolerance.pivot && isMovable(cell.column)
                index = cell.nextInRow
            }
            if !mayMove { return true }
        }
        return !canMove(variable, by: 1) && !canMove(variable, by: -1)
    }

    /// Whether a column can move at no price as far as the objective knows.
    private func isMovable(_ column: Int32) -> Bool {
        let shape = symbols[Int(column)].shape
        for isUp in [true, false] {
            guard (isUp ? shape.above : shape.below) != .infinity else { continue }
            guard let leading = cost(of: column, isUp: isUp).leading else { return true }
            if leading.rate < 0 { return true }
        }
        return false
    }

    /// Asks a copy whether the variable follows a wish that is weaker than every constraint.
    private func canMove(_ variable: Variable, by distance: Double) -> Bool {
        var trial = Solver(copying: self)
        let old = trial.symbols[Symbol(variable).position].value
        let wish = old + distance * max(1, old.magnitude)
        trial.insertWish(variable, wish)
        guard trial.optimise() else { return true }
        let new = trial.symbols[Symbol(variable).position].value
        return (new - old).magnitude > 1e-7 * max(1, old.magnitude)
    }

    private mutating func insertWish(_ variable: Variable, _ value: Double) {
        let index = Int32(sources.count)
        sources.append(
            Source(
                relation: .equal, strength: Strength(weakest: ()), constant: -value, scale: 1,
                isAlive: true, isActive: true))
        terms.grow(rows: sources.count, columns: variables.count)
        growSymbols()
        terms.insert(row: index, column: variable.index, value: 1)
        insertRow(ConstraintID(index: index))
    }

    /// The active constraints that together fix a variable's value where it is, ascending.
    ///
    /// They are the parametric markers of its row: moving any one's constant would move the variable. Call
    /// after `solve()`. Bounds of non-negative variables have no id and are left out.
    ///
    /// - Complexity: O(length of the row).
    public func constraintsAffecting(_ variable: Variable) -> [ConstraintID] {
        guard isKnown(variable) else { return [] }
        let symbol = Symbol(variable).index
        guard symbols[Int(symbol)].status == .basic else { return [] }
        var result: [ConstraintID] = []
        var index = tableau.rows[Int(symbol)].head
        while index >= 0 {
            let cell = tableau.cells[Int(index)]
            if cell.value.magnitude > Tolerance.pivot,
                let id = Symbol(index: cell.column).constraint
            {
                result.append(id)
            }
            index = cell.nextInRow
        }
        result.sort()
        return result
    }
}
