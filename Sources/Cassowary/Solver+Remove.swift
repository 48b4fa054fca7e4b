extension Solver {
    /// Removes a constraint; its id may be used again.
    ///
    /// Follows section 2.7 of the paper: the marker is pivoted into the basis at the nearest bound
    /// and its row dropped, so that the rest of the tableau is exactly that of a solver that never
    /// had it.
    ///
    /// - Throws: `unknownConstraint`, `exhausted`.
    /// - Complexity: At most one pivot.
    public mutating func removeConstraint(_ id: ConstraintID) throws(SolverError) {
        guard isKnown(id) else { throw .unknownConstraint(id) }
        try change { (solver) throws(SolverError) in
            if solver.sources[id.index].isActive { solver.leaveRow(id) }
            solver.forget(id)
            solver.needsSolve = true
            solver.finishChange()
        }
    }

    /// Takes an active constraint out of the tableau. The source stays.
    mutating func leaveRow(_ id: ConstraintID) {
        let symbol = Symbol(id).index
        sources[id.index].isActive = false
        if symbols[symbol].status == .parametric {
            makeFree(symbol)
            guard enterFree(symbol) else {
                rebuild(around: [symbol])
                return
            }
        }
        dropRow(id)
        // Rounding may have pushed a row over its bound; with one constraint less, all can hold
        // again.
        if !suspects.isEmpty, !isRepaired() { rebuild(around: [symbol]) }
    }

    /// Whether all required rows can be brought within their bounds again; brings them there.
    mutating func isRepaired() -> Bool {
        if case .feasible = repair() { return true }
        return false
    }

    /// Drops the row of a basic marker.
    mutating func dropRow(_ id: ConstraintID) {
        let symbol = Symbol(id).index
        makeFree(symbol)
        rowCount -= 1
        invalidate()
        objective.removeRates(of: symbol)
        if isOutside(symbol) {
            symbols[symbol].status = .absent
        } else {
            // Other equations are factored in terms of this one, which has to stay until they are
            // factored anew.
            sources[id.index].hasDeparted = true
            departed.append(id.index)
        }
        if rowCount == 0, !departed.isEmpty { factorBasis() }
    }

    private mutating func makeFree(_ symbol: Int32) {
        let shape = symbols[symbol].shape
        setShape(symbol, .free, side: 1)
        objective.release(shape)
    }

    /// Makes a freed parametric marker basic, in place of whatever it meets first.
    ///
    /// It moves the way that lowers the objective. When both ways cost nothing, the nearer bound is
    /// taken, and where no bound is near, a free variable leaves at zero, its value when nothing
    /// holds it.
    private mutating func enterFree(_ symbol: Int32) -> Bool {
        updateObjective()
        for isUp in [true, false] {
            let price = leadingCost(of: symbol, isUp: isUp)
            if let price, price.rate < 0 {
                return advance(symbol, isUp: isUp, leading: price, smallestIndex: false) != nil
            }
        }
        let up = firstBreakpoint(symbol, isUp: true)
        let down = firstBreakpoint(symbol, isUp: false)
        switch (up, down) {
        case (.some(let above), .some(let below)):
            let isUp = above.distance <= below.distance
            exchange(symbol, isUp: isUp, at: isUp ? above : below)
        case (.some(let above), .none): exchange(symbol, isUp: true, at: above)
        case (.none, .some(let below)): exchange(symbol, isUp: false, at: below)
        case (.none, .none): return exchangeWithFreeVariable(symbol)
        }
        return true
    }

    private mutating func exchangeWithFreeVariable(_ symbol: Int32) -> Bool {
        loadColumn(symbol)
        // The variable that the constraint itself was solved for lets its equation leave the
        // kernel.
        let own = basis.equations[symbol >> 1].pivot
        var best: Int32?
        var coefficient = 0.0
        for index in column.entries.indices {
            let entry = column.entries[index]
            // Markers without a price belong to no constraint in force; they are defined by their
            // equations.
            guard entry.symbol & 1 == 0, entry.value.magnitude > Tolerance.pivot,
                !symbols[entry.symbol].shape.hasKink
            else { continue }
            if entry.symbol == own, entry.value.magnitude >= Tolerance.pivotShare {
                best = own
                coefficient = entry.value
                break
            }
            let isLarger = entry.value.magnitude > coefficient.magnitude
            let isTie = entry.value.magnitude == coefficient.magnitude
            if isLarger || (isTie && best.map { entry.symbol < $0 } ?? true) {
                best = entry.symbol
                coefficient = entry.value
            }
        }
        guard let best else { return false }
        move(symbol, by: -values[best] / coefficient)
        setValue(best, 0)
        swap(leaving: best, entering: symbol, side: 1)
        return true
    }
}
