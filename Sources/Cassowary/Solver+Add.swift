extension Solver {
    /// Adds the constraint `expression relation 0`.
    ///
    /// A weaker constraint never fails; a required one holds from now on, although values are
    /// published by `solve()`. Follows section 2.5 of the paper.
    ///
    /// - Throws: `notFinite`, `outOfRange` or `unknownVariable` for a bad expression;
    ///   `unsatisfiable` with a minimal conflict; `tooManyStrengths`. The solver is then as it was.
    ///   `exhausted` if it would cost more than `workLimit` allows.
    /// - Complexity: O(lengths of the rows of its variables), plus the pivots that a required one
    ///   needs.
    public mutating func addConstraint(
        _ expression: Expression, _ relation: Relation, strength: Strength = .required
    ) throws(SolverError) -> ConstraintID {
        try change(.plain) { (solver) throws(SolverError) in
            let scale = try solver.normalise(expression)
            return try solver.enterConstraint(
                scale, expression.constant, relation, Strengths(strength))
        }
    }

    /// The same, with the terms in memory that the caller uses again.
    package mutating func addConstraint(
        _ terms: borrowing Buffer<Term>, constant: Double, _ relation: Relation, strength: Strength
    ) throws(SolverError) -> ConstraintID {
        try change(.plain) { (solver) throws(SolverError) in
            let scale = try solver.normalise(terms, constant: constant)
            return try solver.enterConstraint(scale, constant, relation, Strengths(strength))
        }
    }

    /// Adds the constraint that `expression` is zero, which gives way to either side at a strength
    /// of its own; the same as a constraint `expression ≥ 0` and another, `expression ≤ 0`, in the
    /// room and the time of one.
    ///
    /// So a view holds to its content's size: it resists being compressed more than it hugs.
    ///
    /// - Parameters:
    ///   - expression: What is to be zero.
    ///   - below: How much it matters that the expression is not below zero; less than required.
    ///   - above: How much it matters that it is not above zero; less than required.
    /// - Throws: `notFinite`, `outOfRange` or `unknownVariable` for a bad expression;
    ///   `tooManyStrengths`; `exhausted`.
    /// - Complexity: O(lengths of the rows of its variables).
    public mutating func addConstraint(
        _ expression: Expression, below: Strength, above: Strength
    ) throws(SolverError) -> ConstraintID {
        precondition(!below.isRequired && !above.isRequired, "sides that give way")
        return try change(.plain) { (solver) throws(SolverError) in
            let scale = try solver.normalise(expression)
            return try solver.enterConstraint(
                scale, expression.constant, .equal, Strengths(below: below, above: above))
        }
    }

    /// The same, with the terms in memory that the caller uses again.
    package mutating func addConstraint(
        _ terms: borrowing Buffer<Term>, constant: Double, below: Strength, above: Strength
    ) throws(SolverError) -> ConstraintID {
        precondition(!below.isRequired && !above.isRequired, "sides that give way")
        return try change(.plain) { (solver) throws(SolverError) in
            let scale = try solver.normalise(terms, constant: constant)
            return try solver.enterConstraint(
                scale, constant, .equal, Strengths(below: below, above: above))
        }
    }

    /// Adds the constraint whose terms are `normalTerms`, which are to be divided by `scale`.
    private mutating func enterConstraint(
        _ scale: Double, _ constant: Double, _ relation: Relation, _ strengths: Strengths
    ) throws(SolverError) -> ConstraintID {
        // As exact as to divide, since it is a power of two.
        let share = 1 / scale
        let id = takeIn(
            Source(strengths, scale: scale, relation: relation), kink: -constant * share,
            multiplyingTermsBy: share)
        sources[id.index].isActive = true
        do throws(SolverError) {
            try enterRow(id)
        } catch {
            note(.entered)
            sources[id.index].isActive = false
            forget(id)
            finishChange()
            throw error
        }
        needsSolve = true
        finishChange()
        return id
    }

    /// Takes in a constraint whose terms are `normalTerms`, and which is not in force yet.
    mutating func takeIn(
        _ source: Source, kink: Double, multiplyingTermsBy share: Double
    ) -> ConstraintID {
        let id: ConstraintID
        if let free = freeConstraints.popLast() {
            id = ConstraintID(index: free)
            sources[free] = source
        } else {
            id = ConstraintID(index: Int32(truncatingIfNeeded: sources.count))
            sources.append(source)
            growSymbols()
        }
        kinkValues[id.index] = kink
        let last = normalTerms.count &- 1
        var index = last
        // The last one comes first in the table, as in the list of a variable the last constraint
        // does.
        while index >= 0 {
            let term = normalTerms[index]
            terms.append(
                row: id.index, column: term.variable, value: term.coefficient * share,
                isFirst: index == last, isLast: index == 0)
            index &-= 1
        }
        constraintCount += 1
        return id
    }

    /// Drops an inactive constraint and frees its id, at once or when the basis is factored anew.
    mutating func forget(_ id: ConstraintID) {
        constraintCount -= 1
        if sources[id.index].hasDeparted {
            sources[id.index].isAlive = false
            return
        }
        removeTerms(of: id.index)
        sources[id.index] = Source()
        freeConstraints.append(id.index)
    }

    /// Removes a constraint's terms, and charges twice as many: their part of moving together those
    /// that are left, now and then.
    mutating func removeTerms(of constraint: Int32) {
        let before = terms.cellCount
        terms.removeRow(constraint)
        charge(2 &* (before &- terms.cellCount))
    }

    /// Gives an active source its row and, if it is required, makes it hold or takes the row away
    /// again.
    mutating func enterRow(_ id: ConstraintID) throws(SolverError) {
        guard objective.hasRoom || sources[id.index].isRequired else { throw .tooManyStrengths }
        for isRetry in [false, true] {
            insertRow(id)
            if takesFreshVariable(id) { return }
            guard sources[id.index].isRequired else { return }
            note(.entered)
            if takesHeldVariable(id) { return }
            beginJournal()
            crossKink(Symbol(id).index)
            stretchNearby(Symbol(id).index)
            switch repairChecked(offered: id) {
            case .feasible:
                tighten(id)
                return
            case .conflict(let members):
                abandonRow(id)
                throw .unsatisfiable(conflict: members)
            case .trouble:
                abandonRow(id)
                if isRetry { break }
                sources[id.index].isActive = false
                rebuild(around: [Symbol(id).index])
                sources[id.index].isActive = true
            }
        }
        throw .unsatisfiable(conflict: requiredNeighbours(of: id))
    }

    /// Solves a required equation that happens to hold already for one of its variables.
    ///
    /// But for rounding nothing moves; left basic, the equation would not show among those that
    /// hold the variable where it is. A symbol that may not move the way that the rounding asks for
    /// takes the equation's place where it stands.
    private mutating func tighten(_ id: ConstraintID) {
        let marker = Symbol(id).index
        guard sources[id.index].relation == .equal, symbols[marker].status == .basic else { return }
        for isUp in [true, false] {
            let way = isUp ? 1.0 : -1
            guard
                let choice = nearbyHolder(of: marker, need: way)
                    ?? entering(row: marker, need: way, smallestIndex: false),
                choice.coefficient.magnitude >= Tolerance.comfortablePivot
            else { continue }
            let need = kink(of: marker) - values[marker]
            if isMovable(choice.column, choice.coefficient, need: need) {
                move(choice.column, by: need / choice.coefficient)
            }
            setValue(marker, kink(of: marker))
            swap(
                leaving: marker, entering: choice.column,
                side: isUp == (choice.coefficient > 0) ? 1 : -1)
            if !suspects.isEmpty, !isRepaired() { rebuild(around: [marker]) }
            return
        }
    }

    /// Takes back the repair that a new row needed, and the row.
    private mutating func abandonRow(_ id: ConstraintID) {
        if rollBack() {
            dropRow(id)
        } else {
            sources[id.index].isActive = false
            rebuild(around: [Symbol(id).index])
            sources[id.index].isActive = true
        }
    }

    /// The required constraints that share a variable with one; the answer when arithmetic gives
    /// out twice.
    func requiredNeighbours(of id: ConstraintID) -> [ConstraintID] {
        guard !isExhausted else { return [] }
        var result: Set<ConstraintID> = []
        var index = terms.head(ofRow: id.index)
        while index >= 0 {
            var other = terms.head(ofColumn: terms.cells[index].column)
            while other >= 0 {
                let row = terms.cells[other].row
                let source = sources[row]
                if row != id.index, source.isActive, source.isRequired {
                    result.insert(ConstraintID(index: row))
                }
                other = terms.cells[other].nextInColumn
            }
            index = terms.cells[index].nextInRow(after: index)
        }
        return result.sorted()
    }

    /// Makes the marker of a constraint basic.
    mutating func insertRow(_ id: ConstraintID) {
        let symbol = Symbol(id).index
        let source = sources[id.index]
        var state = SymbolState()
        state.queues = symbols[symbol].queues.intersection([.unpriced, .uncharged])
        state.status = .basic
        values[symbol] = sourceSum(id.index).value
        // If the basis never let go of the equation, it is in force again as it is.
        sources[id.index].hasDeparted = false
        rowCount += 1
        invalidate()
        let shape = makeShape(source)
        state.shape = shape
        state.side = side(of: symbol, shape: shape)
        symbols[symbol] = state
        kinks[symbol] = shape.kinkClass
        invalidateKinks()
        if shape.isSoft { markUncharged(symbol) }
    }
}
