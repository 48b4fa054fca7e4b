import CPrefetch

/// How much memory a solver holds.
extension Solver {
    /// Bytes of what the solver keeps for each symbol, constraint and cell, the room for more
    /// included. What it keeps once, whatever its size, is left out.
    ///
    /// - Complexity: O(1).
    public var byteCount: Int {
        let perSymbol =
            symbols.byteCount + values.byteCount + kinks.byteCount + rowSum.byteCount
            + uncharged.byteCount + unpriced.byteCount
            + objective.byteCount + published.capacity * MemoryLayout<Double>.stride
        let perConstraint =
            sources.byteCount + kinkValues.byteCount + variables.byteCount + journal.byteCount
        return perSymbol + perConstraint + terms.byteCount + basis.byteCount
    }

    /// Gives back what is kept for values to come, if it is worth copying the others.
    mutating func trimPublished() {
        guard published.capacity > published.count + published.count / 8 + 8 else { return }
        var shorter: ContiguousArray<Double> = []
        shorter.reserveCapacity(published.count)
        shorter.append(contentsOf: published)
        published = shorter
    }

    /// Makes room for the symbols of every variable and constraint, and for some to come.
    @inline(__always)
    mutating func growSymbols() {
        let needed = 2 * max(variables.count, sources.count)
        if symbols.count < needed { growSymbols(beyond: needed) }
    }

    /// How many symbols there is to be room for when so many are needed.
    private static func roomyCount(_ needed: Int) -> Int { needed + 64 + (needed / 64) * 2 }

    private mutating func growSymbols(beyond needed: Int) {
        growSymbols(to: Self.roomyCount(needed))
    }

    /// Makes room for so many symbols.
    mutating func growSymbols(to count: Int) {
        terms.grow(rows: count / 2, columns: count / 2)
        symbols.grow(to: count, filling: SymbolState())
        values.grow(to: count, filling: 0)
        kinks.grow(to: count, filling: 0)
        kinkValues.grow(to: count / 2, filling: 0)
        touched.grow(to: count / 2)
        basis.grow(equations: count / 2, symbols: count)
        objective.grow(symbols: count)
        rowSum.grow(to: count)
    }
}

/// Room that is made at once.
extension Solver {
    /// Makes room for so many more variables, and constraints of two or three terms. Those that
    /// come then need not move what is there again and again; it is no promise, and no limit.
    /// Memory for what each of them takes for sure is taken at once.
    ///
    /// - Complexity: O(size of the solver), and memory for what is to come.
    public mutating func reserveCapacity(
        variables newVariables: Int, constraints newConstraints: Int
    ) {
        let variableTotal = variables.count + newVariables
        let constraintTotal = sources.count + newConstraints
        variables.reserveCapacity(variableTotal, sure: variableTotal)
        published.reserveCapacity(variableTotal)
        sources.reserveCapacity(constraintTotal, sure: constraintTotal)
        terms.reserveCapacity(
            cells: terms.cellCount + newConstraints * 5 / 2,
            sure: terms.cellCount + newConstraints * 3 / 2)
        let count = Self.roomyCount(2 * max(variableTotal, constraintTotal))
        symbols.reserveCapacity(count, sure: count)
        values.reserveCapacity(count, sure: count)
        kinks.reserveCapacity(count, sure: count)
        kinkValues.reserveCapacity(count / 2, sure: count / 2)
        rowSum.reserveCapacity(places: count)
        terms.reserveCapacity(rows: count / 2, columns: count / 2)
        basis.reserveCapacity(equations: count / 2, symbols: count)
        objective.reserveCapacity(symbols: count)
    }
}

extension Basis {
    fileprivate mutating func reserveCapacity(
        equations equationCount: Int, symbols symbolCount: Int
    ) {
        equations.reserveCapacity(equationCount, sure: equationCount)
        equationOf.reserveCapacity(symbolCount, sure: symbolCount)
        work.reserveCapacity(places: equationCount)
    }
}

extension Basis {
    fileprivate var byteCount: Int {
        reduced.byteCount + equations.byteCount + uses.byteCount + equationOf.byteCount
            + operations.byteCount
            + work.byteCount + reached.byteCount + cellOf.byteCount
    }
}

extension Solver {
    /// Has the processor bring closer what is looked at first when a constraint on variables
    /// enters.
    ///
    /// - Parameters:
    ///   - first: A variable.
    ///   - last: One with a number a little higher; what lies between the two is likely to be
    ///     brought along.
    @inline(__always)
    package mutating func prefetch(_ first: Variable, _ last: Variable) {
        symbols.prefetch(Symbol(first).index)
        symbols.prefetch(Symbol(last).index)
        values.prefetch(Symbol(first).index)
        values.prefetch(Symbol(last).index)
        basis.equationOf.prefetch(Symbol(first).index)
        terms.prefetch(column: first.index)
    }
}
