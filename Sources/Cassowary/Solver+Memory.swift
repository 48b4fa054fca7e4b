/// How much memory a solver holds.
extension Solver {
    /// Bytes of what the solver keeps for each symbol, constraint and cell, the room for more included. What it keeps once,
    /// whatever its size, is left out.
    ///
    /// - Complexity: O(1).
    public var byteCount: Int {
        let perSymbol =
            symbols.byteCount + values.byteCount + kinks.byteCount + rowSum.byteCount
            + markers.byteCount + uncharged.byteCount + unpriced.byteCount
            + objective.byteCount + published.capacity * MemoryLayout<Double>.stride
        let perConstraint =
            sources.byteCount + kinkValues.byteCount + variables.byteCount + journal.byteCount
        return perSymbol + perConstraint + terms.byteCount + basis.byteCount
    }

    /// Makes room for the symbols of every variable and constraint, and for some to come.
    @inline(__always)
    mutating func growSymbols() {
        let needed = 2 * max(variables.count, sources.count)
        if symbols.count < needed { growSymbols(beyond: needed) }
    }

    private mutating func growSymbols(beyond needed: Int) {
        let count = needed + 64 + (needed / 64) * 2
        terms.grow(rows: count / 2, columns: count / 2)
        symbols.grow(to: count, filling: SymbolState())
        values.grow(to: count, filling: 0)
        kinks.grow(to: count, filling: 0)
        kinkValues.grow(to: count / 2, filling: 0)
        touched.grow(to: count / 2)
        basis.grow(equations: count / 2, symbols: count)
        objective.grow(symbols: count)
        rowSum.grow(to: count)
        markers.grow(to: count / 2)
    }
}

extension Basis {
    fileprivate var byteCount: Int {
        upper.byteCount + equations.byteCount + uses.byteCount + equationOf.byteCount
            + operations.byteCount
            + work.byteCount + reached.byteCount + cellOf.byteCount
    }
}
