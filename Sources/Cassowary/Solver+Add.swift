extension Solver {
    /// Adds the constraint `expression relation 0`.
    ///
    /// A weaker constraint never fails; a required one holds from now on, although values are published by
    /// `solve()`. Follows section 2.5 of the paper.
    ///
    /// - Throws: `notFinite`, `outOfRange` or `unknownVariable` for a bad expression; `unsatisfiable` with a
    ///   minimal conflict. The solver is then as it was.
    /// - Complexity: O(lengths of the rows of its variables), plus the pivots that a required one needs.
    public mutating func addConstraint(
        _ expression: Expression, _ relation: Relation, strength: Strength = .required
    ) throws(SolverError) -> ConstraintID {
        let normal = try normalised(expression)
        let id: ConstraintID
        if let free = freeConstraints.popLast() {
            id = ConstraintID(index: free)
        } else {
            id = ConstraintID(index: Int32(sources.count))
            sources.append(Source())
            terms.grow(rows: sources.count, columns: variables.count)
            growSymbols()
        }
        sources[Int(id.index)] = Source(
            relation: relation, strength: strength, constant: expression.constant,
            scale: normal.scale, isAlive: true, isActive: true)
        terms.grow(rows: sources.count, columns: variables.count)
        for term in normal.terms {
            terms.insert(row: id.index, column: term.variable.index, value: term.coefficient)
        }
        constraintCount += 1
        do throws(SolverError) {
            try enterRow(id)
        } catch {
            forget(id)
            finishChange()
            throw error
        }
        needsSolve = true
        finishChange()
        return id
    }

    /// Drops an inactive constraint and frees its id.
    mutating func forget(_ id: ConstraintID) {
        terms.removeRow(id.index)
        sources[Int(id.index)] = Source()
        freeConstraints.append(id.index)
        constraintCount -= 1
    }

    /// Gives an active source its row and, if it is required, makes it hold or takes the row away again.
    mutating func enterRow(_ id: ConstraintID) throws(SolverError) {
        for isRetry in [false, true] {
            insertRow(id)
            guard sources[Int(id.index)].strength.isRequired else { return }
            beginJournal()
            settle(Symbol(id).index)
            switch repairChecked(offered: id) {
            case .feasible: return
            case .conflict(let members):
                abandonRow(id)
                throw .unsatisfiable(conflict: members)
            case .trouble:
                abandonRow(id)
                if isRetry { break }
                sources[Int(id.index)].isActive = false
                rebuild()
                sources[Int(id.index)].isActive = true
            }
        }
        throw .unsatisfiable(conflict: requiredNeighbours(of: id))
    }

    /// Takes back the repair that a new row needed, and the row.
    private mutating func abandonRow(_ id: ConstraintID) {
        if rollBack() {
            dropRow(id)
        } else {
            sources[Int(id.index)].isActive = false
            rebuild()
            sources[Int(id.index)].isActive = true
        }
    }

    /// The required constraints that share a variable with one; the answer when arithmetic gives out twice.
    func requiredNeighbours(of id: ConstraintID) -> [ConstraintID] {
        var result: Set<ConstraintID> = []
        var index = terms.rows[Int(id.index)].head
        while index >= 0 {
            var other = terms.columns[Int(terms.cells[Int(index)].column)].head
            while other >= 0 {
                let row = terms.cells[Int(other)].row
                let source = sources[Int(row)]
                if row != id.index, source.isActive, source.strength.isRequired {
                    result.insert(ConstraintID(index: row))
                }
                other = terms.cells[Int(other)].nextInColumn
            }
            index = terms.cells[Int(index)].nextInRow
        }
        return result.sorted()
    }

    /// Makes the marker of a constraint basic, in terms of what is parametric now.
    mutating func insertRow(_ id: ConstraintID) {
        let symbol = Symbol(id).index
        let source = sources[Int(id.index)]
        let value = sourceSum(id.index).value
        substituteTerms(of: id)
        var state = SymbolState()
        state.isUnpriced = symbols[Int(symbol)].isUnpriced
        state.status = .basic
        state.value = value
        state.kink = -source.constant / source.scale
        symbols[Int(symbol)] = state
        rowCount += 1
        let shape = makeShape(source)
        setShape(symbol, shape, side: side(of: symbol, shape: shape))
    }

    /// Fills the empty row of a constraint's marker in terms of what is parametric now.
    mutating func substituteTerms(of id: ConstraintID) {
        let symbol = Symbol(id).index
        var index = terms.rows[Int(id.index)].head
        while index >= 0 {
            let cell = terms.cells[Int(index)]
            let variable = Symbol(Variable(index: cell.column)).index
            if symbols[Int(variable)].status == .basic {
                tableau.copyRow(variable, into: &scratchRow)
            } else {
                scratchRow.removeAll()
                scratchRow.append(column: variable, value: 1)
            }
            tableau.add(cell.value, times: scratchRow, toRow: symbol)
            index = cell.nextInRow
        }
    }

    /// The price of a constraint's marker; counts one use of its level.
    mutating func makeShape(_ source: Source) -> Shape {
        let isRequired = source.strength.isRequired
        let slope = isRequired ? Double.infinity : source.scale
        let level =
            isRequired ? -1 : objective.retain(source.strength.value, weight: min(1, source.scale))
        return Shape(
            below: source.relation == .lessThanOrEqual ? 0 : slope,
            above: source.relation == .greaterThanOrEqual ? 0 : slope, level: level)
    }

    /// The side of the kink that a basic symbol is on; on the kink itself, the cheaper one.
    func side(of symbol: Int32, shape: Shape) -> Int8 {
        let state = symbols[Int(symbol)]
        if state.value > state.kink { return 1 }
        if state.value < state.kink { return -1 }
        return shape.above <= shape.below ? 1 : -1
    }

    /// Checks an expression, sums repeated variables and scales by a power of two, which rounds nothing.
    private func normalised(
        _ expression: Expression
    ) throws(SolverError) -> (terms: [Term], scale: Double) {
        guard expression.constant.isFinite else { throw .notFinite }
        guard expression.constant.magnitude <= 1e9 else { throw .outOfRange(expression.constant) }
        for term in expression.terms {
            guard isKnown(term.variable) else { throw .unknownVariable(term.variable) }
            try checkCoefficient(term.coefficient)
        }
        // Sorted by variable, then by position, so that sums come out the same every time.
        let order = expression.terms.indices.sorted {
            let left = expression.terms[$0].variable
            let right = expression.terms[$1].variable
            return left != right ? left < right : $0 < $1
        }
        var result: [Term] = []
        var magnitudes: [Double] = []
        for index in order {
            let term = expression.terms[index]
            if let last = result.indices.last, result[last].variable == term.variable {
                result[last].coefficient += term.coefficient
                magnitudes[last] += term.coefficient.magnitude
            } else {
                result.append(term)
                magnitudes.append(term.coefficient.magnitude)
            }
        }
        var kept: [Term] = []
        for (term, magnitude) in zip(result, magnitudes)
        where term.coefficient.magnitude > Tolerance.rounding * magnitude {
            try checkCoefficient(term.coefficient)
            kept.append(term)
        }
        let largest = kept.reduce(0) { max($0, $1.coefficient.magnitude) }
        guard largest > 0 else { return ([], 1) }
        let scale = Double(sign: .plus, exponent: largest.exponent, significand: 1)
        for index in kept.indices { kept[index].coefficient /= scale }
        return (kept, scale)
    }

    private func checkCoefficient(_ coefficient: Double) throws(SolverError) {
        guard coefficient.isFinite else { throw .notFinite }
        let magnitude = coefficient.magnitude
        guard magnitude <= 1e9, magnitude == 0 || magnitude >= 1e-9 else {
            throw .outOfRange(coefficient)
        }
    }
}
