extension Solver {
    /// Optimises the constraints that are not required and publishes the values.
    ///
    /// - Returns: The variables whose published value differs from the last time, ascending by index.
    /// - Complexity: O(what changed), plus the pivots that optimising takes; every so many changes also
    ///   O(size of the tableau), to clear rounding.
    public mutating func solve() -> [Variable] {
        guard needsSolve else { return [] }
        let isRefreshDue = movesSinceRefresh > 1000 + rowCount
        var isGood = (!isRefreshDue || refresh()) && optimiseWithinBounds()
        if isGood, !touchedResidualsAreSmall() {
            isGood = refresh() && optimiseWithinBounds() && touchedResidualsAreSmall()
        }
        if !isGood {
            isGood = refactor() && optimiseWithinBounds() && touchedResidualsAreSmall()
        }
        if !isGood {
            rebuild()
            // A second failure leaves a feasible point that is short of the optimum, the best there is.
            if !optimiseWithinBounds() {
                clearUnpriced()
                clearSuspects()
            }
        }
        clearRounding()
        needsSolve = false
        checkInvariantsIfSmall()
        return publish()
    }

    /// Ends with a tableau made anew if pivots on small coefficients blurred this one.
    private mutating func clearRounding() {
        for _ in 0..<4 {
            guard isBlurred || isOvershot else { break }
            guard isBlurred ? refactor() : (refresh() || refactor()) else {
                rebuild()
                if !optimiseWithinBounds() { clearUnpriced() }
                break
            }
            if !optimiseWithinBounds() { clearUnpriced() }
        }
        peak = 0
    }

    /// Whether values were so large on the way to where they are that their rounding shows.
    var isOvershot: Bool {
        guard peak > Tolerance.overshoot else { return false }
        var largest = 1.0
        for symbol in touched { largest = max(largest, symbols[Int(symbol)].value.magnitude) }
        return peak > Tolerance.overshoot * largest
    }

    /// Optimises, and mends required rows that rounding pushed over their bound on the way.
    private mutating func optimiseWithinBounds() -> Bool {
        for _ in 0..<4 {
            guard optimise() else { return false }
            if suspects.isEmpty { return true }
            guard case .feasible = repair() else { return false }
        }
        return unpriced.isEmpty
    }

    private mutating func publish() -> [Variable] {
        touched.sort()
        var changed: [Variable] = []
        for symbol in touched {
            symbols[Int(symbol)].isTouched = false
            guard symbols[Int(symbol)].status != .absent else { continue }
            let variable = Variable(index: symbol >> 1)
            let old = published[Int(variable.index)]
            // Adding zero turns a negative zero into zero.
            let new = symbols[Int(symbol)].value + 0
            // Rounding alone is no change; otherwise a move there and back would be reported. A parametric
            // variable is not rounded.
            let limit =
                symbols[Int(symbol)].status == .parametric
                ? 0 : Tolerance.publication * max(1, old.magnitude)
            guard (new - old).magnitude > limit else { continue }
            published[Int(variable.index)] = new
            changed.append(variable)
        }
        touched.removeAll(keepingCapacity: true)
        return changed
    }

    private mutating func clearUnpriced() {
        for symbol in unpriced { symbols[Int(symbol)].isUnpriced = false }
        unpriced.removeAll(keepingCapacity: true)
    }

    /// Holds the required constraints of every variable that moved against its row.
    private func touchedResidualsAreSmall() -> Bool {
        for symbol in touched {
            var index = terms.columns[Int(symbol >> 1)].head
            while index >= 0 {
                let row = terms.cells[Int(index)].row
                let source = sources[Int(row)]
                if source.isActive, source.strength.isRequired, !residualIsSmall(row) {
                    return false
                }
                index = terms.cells[Int(index)].nextInColumn
            }
        }
        return true
    }

    /// Whether a row says of its constraint what the variables say, and a required one holds by both.
    func residualIsSmall(_ row: Int32) -> Bool {
        let sum = sourceSum(row)
        let state = symbols[Symbol(ConstraintID(index: row)).position]
        let limit =
            Tolerance.residual * max(1, state.kink.magnitude) + 10 * Tolerance.rounding * sum.size
        guard (sum.value - state.value).magnitude <= limit else { return false }
        guard state.shape.level < 0 else { return true }
        var excess = 0.0
        if state.shape.above == .infinity { excess = max(excess, sum.value - state.kink) }
        if state.shape.below == .infinity { excess = max(excess, state.kink - sum.value) }
        let forgiven =
            Tolerance.satisfaction / sources[Int(row)].scale
            + Tolerance.rounding * (sum.size + state.kink.magnitude)
        // Publication leaves out changes that are rounding, which takes a part of the allowance.
        return excess <= forgiven / 4
    }

    /// Makes the tableau anew from the source constraints, in the order of their ids.
    ///
    /// The way out of every numerical difficulty. A required constraint that does not fit, which only
    /// rounding can cause since each fitted when it was added, is set aside until it is changed.
    mutating func rebuild() {
        rebuildCount += 1
        wear = 1
        var setAside: Set<Int> = []
        // Each failed attempt sets one more aside.
        while let misfit = rebuild(without: setAside) { setAside.insert(misfit) }
    }

    /// - Returns: The position of a constraint that made a mess which could not be taken back.
    private mutating func rebuild(without setAside: Set<Int>) -> Int? {
        endJournal()
        movesSinceRefresh = 0
        needsSolve = true
        tableau.removeAll()
        objective = Objective()
        objective.matrix.grow(rows: 0, columns: symbols.count)
        clearSuspects()
        rowCount = 0
        for index in variables.indices where variables[index].isAlive {
            let symbol = Symbol(Variable(index: Int32(index)))
            symbols[symbol.position].status = .parametric
            setValue(symbol.index, 0)
        }
        for index in sources.indices {
            let symbol = Symbol(ConstraintID(index: Int32(index)))
            symbols[symbol.position].status = .absent
        }
        for isRequired in [true, false] {
            for index in sources.indices
            where sources[index].isActive && sources[index].strength.isRequired == isRequired {
                let id = ConstraintID(index: Int32(index))
                insertRow(id)
                guard isRequired else { continue }
                if setAside.contains(index) {
                    setShape(Symbol(id).index, .free, side: 1)
                    continue
                }
                beginJournal()
                settle(Symbol(id).index)
                if case .feasible = repair() {
                    endJournal()
                } else {
                    guard rollBack() else { return index }
                    setShape(Symbol(id).index, .free, side: 1)
                }
            }
        }
        return nil
    }
}
