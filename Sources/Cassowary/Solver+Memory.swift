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
}

extension Basis {
    fileprivate var byteCount: Int {
        upper.byteCount + equations.byteCount + uses.byteCount + equationOf.byteCount
            + operations.byteCount
            + work.byteCount + reached.byteCount + cellOf.byteCount
    }
}
