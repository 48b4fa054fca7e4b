/// Clearing rounding: the values, then the factored basis, made anew.
extension Solver {
    /// Makes the factored basis anew and repairs what rounding had hidden.
    ///
    /// - Returns: Whether the basis is feasible, after repair, and its values agree with the
    ///   sources.
    /// - Complexity: O(terms of the parametric constraints), plus the fill-in of what is not
    ///   triangular.
    mutating func refactor() -> Bool {
        guard !stopsIfOverdrawn(), case .feasible = remake() else { return false }
        return residualsAreSmall()
    }

    /// Makes the factored basis anew, values and objective too, and repairs it.
    mutating func remake() -> RepairResult {
        endJournal()
        clearSuspects()
        factorBasis()
        isBlurred = false
        recompute()
        return repair()
    }

    /// Factors the columns of the symbols that are basic.
    ///
    /// Constraints that are dependent after all, which rounding had hidden, become basic, and
    /// variables without an equation parametric.
    mutating func factorBasis() {
        invalidate()
        purgeDeparted()
        basis.beginFactoring()
        meter &+= UInt64(terms.cellCount &+ symbols.count)
        basis.meterLimit = workLimit &- min(meter, workLimit)
        var kernel = Buffer<Int32>()
        for index in sources.indices where sources[index].isActive {
            let constraint = Int32(index)
            guard symbols[constraint * 2 + 1].status == .parametric else { continue }
            var next = terms.head(ofRow: constraint)
            while next >= 0 {
                let cell = terms.cells[next]
                next = cell.nextInRow(after: next)
                if symbols[cell.column * 2].status == .basic {
                    basis.reduced.insert(
                        row: constraint, column: cell.column * 2, value: cell.value)
                }
            }
            kernel.append(constraint)
        }
        for constraint in basis.factor(rows: kernel) {
            symbols[constraint * 2 + 1].status = .basic
            isBlurred = true
        }
        for index in variables.indices where variables[index].isAlive {
            let symbol = Int32(index) * 2
            guard symbols[symbol].status == .basic, basis.equationOf[symbol] < 0 else { continue }
            symbols[symbol].status = .parametric
            symbols[symbol].charged = 0
            if basis.hasReduced { basis.reduced.removeColumn(symbol) }
            isBlurred = true
        }
    }

    /// Lets go of removed constraints that the factored basis, which is about to be replaced, still
    /// used.
    private mutating func purgeDeparted() {
        for index in departed.indices {
            let constraint = departed[index]
            guard sources[constraint].hasDeparted else { continue }
            sources[constraint].hasDeparted = false
            symbols[constraint * 2 + 1].status = .absent
            guard !sources[constraint].isAlive else { continue }
            removeTerms(of: constraint)
            sources[constraint] = Source()
            freeConstraints.append(constraint)
        }
        departed.removeAll()
    }

    /// Recomputes values from the parametric symbols and the objective from the basis, then holds
    /// every row against its constraint.
    ///
    /// - Returns: Whether the basis is still good.
    mutating func refresh() -> Bool {
        guard !stopsIfOverdrawn() else { return false }
        clearSuspects()
        recompute()
        guard case .feasible = repair() else { return false }
        return residualsAreSmall()
    }

    private mutating func recompute() {
        movesSinceRefresh = 0
        meter &+= UInt64(4 &* terms.cellCount &+ symbols.count)
        recomputeValues()
        peak = 0
        farthest = -1
        objective.removeRates()
        for index in symbols.indices {
            let symbol = Int32(index)
            symbols[symbol].charged = 0
            guard symbols[symbol].status == .basic else { continue }
            crossKink(symbol)
            if symbols[symbol].gradient != 0 { markUncharged(symbol) }
        }
    }

    /// Holds the constraints in force, or the required ones alone, against their rows.
    mutating func residualsAreSmall(ofRequiredAlone isForRequired: Bool = false) -> Bool {
        meter &+= UInt64(terms.cellCount)
        for index in sources.indices
        where sources[index].isActive && (!isForRequired || sources[index].isRequired) {
            guard residualIsSmall(Int32(index)) else { return false }
        }
        return true
    }

    /// Puts parametric symbols on their kinks and basic ones where the constraints then put them,
    /// with two steps of iterative refinement.
    private mutating func recomputeValues() {
        for index in symbols.indices where symbols[index].status == .parametric {
            setValue(Int32(index), kink(of: Int32(index)))
        }
        for _ in 0..<3 where !refineKernel() {}
        for index in sources.indices {
            let symbol = Int32(index) * 2 + 1
            guard symbols[symbol].status == .basic else { continue }
            let sum = sourceSum(Int32(index))
            setValue(symbol, sum.value)
            let state = symbols[symbol]
            let kink = kink(of: symbol)
            // What the rounding of the sum alone puts out of bounds is on the bound.
            if !state.shape.isSoft, state.isInfeasible(at: sum.value, kink: kink),
                (sum.value - kink).magnitude <= Tolerance.summation * sum.size
            {
                setValue(symbol, kink)
            }
        }
    }

    /// Adds to the kernel's variables what the equations of parametric constraints still lack.
    ///
    /// - Returns: Whether they lacked nothing.
    private mutating func refineKernel() -> Bool {
        basis.work.removeAll()
        var isExact = true
        for index in basis.equations.indices where basis.equations[index].pivot >= 0 {
            let constraint = Int32(index)
            let marker = constraint * 2 + 1
            let sum = sourceSum(constraint)
            let lack = values[marker] - sum.value
            guard lack != 0 else { continue }
            if lack.magnitude > Tolerance.summation * max(sum.size, values[marker].magnitude) {
                isExact = false
            }
            basis.work.add(lack, at: constraint)
        }
        guard !isExact else { return true }
        var deltas = SparseList()
        basis.solveColumn(terms, kinks, into: &deltas)
        for index in deltas.entries.indices {
            let pivot = deltas.entries[index]
            setValue(pivot.symbol, values[pivot.symbol] + pivot.value)
        }
        return false
    }

    /// The value of a constraint's terms at the current values, and the sum of their magnitudes;
    /// scaled.
    @inline(__always)
    mutating func sourceSum(_ row: Int32) -> (value: Double, size: Double) {
        var value = 0.0
        var size = 0.0
        var index = terms.head(ofRow: row)
        while index >= 0 {
            let cell = terms.cells[index]
            let term = cell.value * values[cell.column &* 2]
            value += term
            size += term.magnitude
            index = cell.nextInRow(after: index)
        }
        return (value, size)
    }
}
