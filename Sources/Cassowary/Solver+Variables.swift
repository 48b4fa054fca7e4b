/// Making variables, and giving them back.
extension Solver {
    /// Makes a variable, with the value 0.
    ///
    /// - Parameter isNonNegative: Whether the variable may never be below zero. This costs no
    ///   constraint.
    /// - Complexity: O(1), amortised.
    public mutating func makeVariable(isNonNegative: Bool = false) -> Variable {
        let shape = isNonNegative ? Shape.nonNegative : .free
        let record = VariableRecord(isAlive: true, isNonNegative: isNonNegative)
        let index: Int32
        var state = SymbolState()
        if let free = freeVariables.popLast() {
            index = free
            variables[index] = record
            published[Int(index)] = 0
            values[Symbol.variable(index)] = 0
            // The solver's lists may still have the variable of before.
            state.queues = symbols[Symbol.variable(index)].queues.intersection([
                .unpriced, .uncharged,
            ])
        } else {
            index = Int32(truncatingIfNeeded: variables.count)
            variables.append(record)
            published.append(0)
            growSymbols()
        }
        state.status = .parametric
        state.shape = shape
        symbols[Symbol.variable(index)] = state
        kinks[Symbol.variable(index)] = shape.kinkClass
        variableCount += 1
        return Variable(index: index)
    }

    /// Makes a rectangle's four variables: its place, which may be anywhere, and its size, of which
    /// neither length may be below zero.
    ///
    /// - Complexity: O(1), amortised.
    package mutating func makeRectangle() -> (
        x: Variable, y: Variable, width: Variable, height: Variable
    ) {
        guard freeVariables.isEmpty else {
            return (
                makeVariable(), makeVariable(), makeVariable(isNonNegative: true),
                makeVariable(isNonNegative: true)
            )
        }
        let first = Int32(truncatingIfNeeded: variables.count)
        for index in 0..<Int32(4) {
            variables.append(VariableRecord(isAlive: true, isNonNegative: index > 1))
        }
        published.append(contentsOf: repeatElement(0, count: 4))
        growSymbols()
        var state = SymbolState()
        state.status = .parametric
        state.shape = .free
        symbols[Symbol.variable(first)] = state
        symbols[Symbol.variable(first &+ 1)] = state
        state.shape = .nonNegative
        symbols[Symbol.variable(first &+ 2)] = state
        symbols[Symbol.variable(first &+ 3)] = state
        kinks[Symbol.variable(first &+ 2)] = Shape.nonNegative.kinkClass
        kinks[Symbol.variable(first &+ 3)] = Shape.nonNegative.kinkClass
        variableCount += 4
        return (
            Variable(index: first), Variable(index: first &+ 1), Variable(index: first &+ 2),
            Variable(index: first &+ 3)
        )
    }

    /// Gives a variable back; its index may be used again.
    ///
    /// - Throws: `unknownVariable`, or `variableInUse` while any constraint mentions it.
    /// - Complexity: O(1).
    public mutating func releaseVariable(_ variable: Variable) throws(SolverError) {
        guard isKnown(variable) else { throw .unknownVariable(variable) }
        if terms.count(ofColumn: variable.index) > 0, !departed.isEmpty { factorBasis() }
        guard terms.count(ofColumn: variable.index) == 0 else { throw .variableInUse(variable) }
        note(.changed)
        let symbol = Symbol(variable)
        objective.removeRates(of: symbol.index)
        invalidate()
        symbols[symbol.position].status = .absent
        variables[variable.index].isAlive = false
        published[Int(variable.index)] = 0
        values[symbol.index] = 0
        freeVariables.append(variable.index)
        variableCount -= 1
    }
}
