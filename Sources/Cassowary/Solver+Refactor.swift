/// Clearing rounding: the values, then the tableau, made anew for the basis that there is.
extension Solver {
    /// Makes the tableau anew from the source constraints, with the same symbols basic.
    ///
    /// Rounding of a long series of pivots, some of them on small coefficients, is gone: the number of
    /// exchanges is that of the parametric constraints, and their order is free, so each divides by a large
    /// coefficient of a short row (Markowitz, with the threshold of Tomlin, "Pivoting for size and sparsity
    /// in linear programming inversion routines", 1972). Constraints that are dependent after all, which
    /// rounding had hidden, become basic, and variables without a row parametric.
    ///
    /// - Returns: Whether the basis is feasible, after repair, and its values agree with the sources.
    /// - Complexity: O(size of the tableau times the length of its rows), at worst.
    mutating func refactor() -> Bool {
        guard case .feasible = remake() else { return false }
        return residualsAreSmall()
    }

    /// Whether pivots on small coefficients may have magnified rounding to where the tableau misleads.
    ///
    /// A larger tableau, which is dearer to make anew, may wear further.
    var isBlurred: Bool {
        wear > max(Tolerance.wear, Double(rowCount) * Double(rowCount) / 4)
    }

    /// Makes the tableau anew and repairs it.
    mutating func remake() -> RepairResult {
        endJournal()
        clearSuspects()
        wear = 1
        tableau.removeAll()
        var elimination = Elimination(symbolCount: symbols.count)
        for index in variables.indices where variables[index].isAlive {
            let symbol = Symbol(Variable(index: Int32(index)))
            elimination.isPending[symbol.position] = symbols[symbol.position].status == .basic
        }
        for index in sources.indices where sources[index].isActive {
            let symbol = Symbol(ConstraintID(index: Int32(index))).index
            guard symbols[Int(symbol)].status == .parametric else { continue }
            var next = terms.rows[index].head
            while next >= 0 {
                let cell = terms.cells[Int(next)]
                let column = Symbol(Variable(index: cell.column)).index
                tableau.insert(row: symbol, column: column, value: cell.value)
                next = cell.nextInRow
            }
            elimination.enqueue(symbol, in: tableau)
        }
        // Little rounding has accumulated here, so that small sums still mean something.
        tableau.cancellation = Tolerance.summation
        while let exchange = elimination.next(in: tableau) {
            tableau.pivot(
                leaving: exchange.leaving, entering: exchange.entering, row: &pivotRow)
            elimination.requeue(in: tableau)
        }
        for symbol in elimination.dependent {
            symbols[Int(symbol)].status = .basic
            tableau.removeRow(symbol)
        }
        for index in variables.indices where variables[index].isAlive {
            let symbol = Symbol(Variable(index: Int32(index))).position
            if elimination.isPending[symbol] { symbols[symbol].status = .parametric }
        }
        for index in sources.indices where sources[index].isActive {
            let id = ConstraintID(index: Int32(index))
            if symbols[Symbol(id).position].status == .basic { substituteTerms(of: id) }
        }
        tableau.cancellation = Tolerance.cancellation
        recompute()
        if !agreesWithValues() {
            sharpenRows()
            recompute()
        }
        return repair()
    }

    /// Recomputes values from the parametric symbols and the objective from the tableau, then holds every
    /// row against its constraint.
    ///
    /// - Returns: Whether the tableau is still good.
    mutating func refresh() -> Bool {
        clearSuspects()
        recompute()
        guard agreesWithValues(), case .feasible = repair() else { return false }
        return residualsAreSmall()
    }

    private mutating func recompute() {
        movesSinceRefresh = 0
        recomputeValues()
        peak = 0
        objective.matrix.removeAll()
        for index in symbols.indices where symbols[index].status == .basic {
            let symbol = Int32(index)
            recharge(symbol)
            settle(symbol)
        }
    }

    /// Takes from every variable's row what it misses of the variable when its constraints are written out
    /// (a step of Newton's iteration for an inverse): short of that, small rows carry the rounding of large.
    private mutating func sharpenRows() {
        tableau.cancellation = Tolerance.summation
        var miss = ContiguousArray(repeating: 0.0, count: variables.count)
        for index in variables.indices {
            let symbol = Symbol(Variable(index: Int32(index)))
            guard symbols[symbol.position].status == .basic else { continue }
            for column in miss.indices { miss[column] = 0 }
            miss[index] = 1
            tableau.copyRow(symbol.index, into: &scratchRow)
            for position in scratchRow.columns.indices {
                let factor = scratchRow.values[position]
                let member = Symbol(index: scratchRow.columns[position])
                guard let id = member.constraint else {
                    miss[member.position >> 1] -= factor
                    continue
                }
                var next = terms.rows[Int(id.index)].head
                while next >= 0 {
                    let cell = terms.cells[Int(next)]
                    miss[Int(cell.column)] -= factor * cell.value
                    next = cell.nextInRow
                }
            }
            for column in miss.indices where miss[column] != 0 {
                let other = Symbol(Variable(index: Int32(column)))
                if symbols[other.position].status == .basic {
                    tableau.copyRow(other.index, into: &scratchRow)
                } else {
                    scratchRow.removeAll()
                    scratchRow.append(column: other.index, value: 1)
                }
                tableau.add(miss[column], times: scratchRow, toRow: symbol.index)
            }
        }
        tableau.cancellation = Tolerance.cancellation
        for index in sources.indices where sources[index].isActive {
            let id = ConstraintID(index: Int32(index))
            guard symbols[Symbol(id).position].status == .basic else { continue }
            tableau.removeRow(Symbol(id).index)
            substituteTerms(of: id)
        }
    }

    /// Whether every row, which the values no longer come from, gives its symbol the value that it has.
    private func agreesWithValues() -> Bool {
        for index in symbols.indices where symbols[index].status == .basic {
            guard drift(of: Int32(index)) <= Tolerance.drift else { return false }
        }
        return true
    }

    /// How far a row is from the value of its symbol, relative to the sum of its terms' magnitudes.
    func drift(of symbol: Int32) -> Double {
        var sum = 0.0
        var size = 1.0
        var next = tableau.rows[Int(symbol)].head
        while next >= 0 {
            let cell = tableau.cells[Int(next)]
            let term = cell.value * symbols[Int(cell.column)].value
            sum += term
            size += term.magnitude
            next = cell.nextInRow
        }
        return (sum - symbols[Int(symbol)].value).magnitude / size
    }

    private func residualsAreSmall() -> Bool {
        for index in sources.indices where sources[index].isActive {
            guard residualIsSmall(Int32(index)) else { return false }
        }
        return true
    }

    /// Puts parametric symbols on their kinks and basic ones where their rows say, and, if that is not near
    /// enough to the sources, where those say.
    ///
    /// Then what the sources of parametric constraints still lack goes through the tableau once more
    /// (iterative refinement), so that the values are more accurate than the coefficients they come from.
    private mutating func recomputeValues() {
        for index in symbols.indices where symbols[index].status == .parametric {
            setValue(Int32(index), symbols[index].kink)
        }
        for index in symbols.indices where symbols[index].status == .basic {
            var value = 0.0
            var next = tableau.rows[index].head
            while next >= 0 {
                let cell = tableau.cells[Int(next)]
                value += cell.value * symbols[Int(cell.column)].value
                next = cell.nextInRow
            }
            setValue(Int32(index), value)
        }
        let isRefining = !residualsAreSmall()
        for _ in 0..<2 where isRefining { refineVariables() }
        for index in sources.indices where sources[index].isActive {
            let symbol = Symbol(ConstraintID(index: Int32(index)))
            guard symbols[symbol.position].status == .basic else { continue }
            let sum = sourceSum(Int32(index))
            if isRefining { setValue(symbol.index, sum.value) }
            let state = symbols[symbol.position]
            // What the rounding of the sum alone puts out of bounds is on the bound.
            if state.shape.level < 0, state.isInfeasible,
                (state.value - state.kink).magnitude <= Tolerance.summation * sum.size
            {
                setValue(symbol.index, state.kink)
            }
        }
    }

    private mutating func refineVariables() {
        for index in sources.indices where sources[index].isActive {
            let symbol = Symbol(ConstraintID(index: Int32(index)))
            guard symbols[symbol.position].status == .parametric else { continue }
            let lack = symbols[symbol.position].kink - sourceSum(Int32(index)).value
            guard lack != 0 else { continue }
            var next = tableau.columns[symbol.position].head
            while next >= 0 {
                let cell = tableau.cells[Int(next)]
                next = cell.nextInColumn
                guard cell.row & 1 == 0 else { continue }
                setValue(cell.row, symbols[Int(cell.row)].value + cell.value * lack)
            }
        }
    }

    /// The value of a constraint's terms at the current values, and the sum of their magnitudes; scaled.
    func sourceSum(_ row: Int32) -> (value: Double, size: Double) {
        var value = 0.0
        var size = 0.0
        var index = terms.rows[Int(row)].head
        while index >= 0 {
            let cell = terms.cells[Int(index)]
            let term = cell.value * symbols[Symbol(Variable(index: cell.column)).position].value
            value += term
            size += term.magnitude
            index = cell.nextInRow
        }
        return (value, size)
    }
}
