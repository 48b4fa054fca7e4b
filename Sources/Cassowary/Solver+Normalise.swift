/// Expressions in the form in which they are entered: each variable once, ascending, scaled.
extension Solver {
    /// A variable's share of an expression, and the magnitudes that it was summed from.
    struct NormalTerm {
        var variable: Int32
        var coefficient: Double
        var magnitude: Double
    }

    /// Checks an expression and sums repeated variables, into `normalTerms`, ascending by variable.
    ///
    /// - Returns: The power of two, by which division rounds nothing, that brings the largest
    ///   coefficient near 1.
    mutating func normalise(_ expression: Expression) throws(SolverError) -> Double {
        try normalise(expression.terms.count, constant: expression.constant) {
            expression.terms[$0]
        }
    }

    /// The same, with the terms in a buffer.
    mutating func normalise(
        _ terms: borrowing Buffer<Term>, constant: Double
    ) throws(SolverError) -> Double {
        try normalise(terms.count, constant: constant) { terms[$0] }
    }

    @inline(__always)
    private mutating func normalise(
        _ count: Int, constant: Double, _ term: (Int) -> Term
    ) throws(SolverError) -> Double {
        guard constant.isFinite else { throw .notFinite }
        guard constant.magnitude <= 1e9 else { throw .outOfRange(constant) }
        normalTerms.removeAll()
        var isAscending = true
        var previous: Int32 = -1
        var largest = 0.0
        for index in 0..<count {
            let term = term(index)
            guard isKnown(term.variable) else { throw .unknownVariable(term.variable) }
            try checkCoefficient(term.coefficient)
            guard term.coefficient != 0 else { continue }
            let variable = term.variable.index
            let magnitude = term.coefficient.magnitude
            normalTerms.append(
                NormalTerm(
                    variable: variable, coefficient: term.coefficient, magnitude: magnitude))
            largest = max(largest, magnitude)
            isAscending = isAscending && variable > previous
            previous = variable
        }
        if !isAscending, sort() { largest = try sumRepeated() }
        meter &+= UInt64(count)
        // The exponent alone: coefficients are far from the least number that has one.
        return largest > 0 ? Double(bitPattern: largest.bitPattern & 0x7FF0_0000_0000_0000) : 1
    }

    /// How many terms are sorted by insertion.
    private static let shortExpression = 8

    /// Sorts the terms by variable, which is stable so that sums come out the same every time.
    ///
    /// - Returns: Whether several may be of one variable.
    private mutating func sort() -> Bool {
        guard normalTerms.count <= Self.shortExpression else {
            normalTerms.sort { $0.variable < $1.variable }
            return true
        }
        var isAnyRepeated = false
        for next in normalTerms.indices.dropFirst() {
            let term = normalTerms[next]
            var place = next
            while place > 0, normalTerms[place &- 1].variable > term.variable {
                normalTerms[place] = normalTerms[place &- 1]
                place &-= 1
            }
            normalTerms[place] = term
            if place > 0, normalTerms[place &- 1].variable == term.variable { isAnyRepeated = true }
        }
        return isAnyRepeated
    }

    /// Sums the terms of each variable, which stand together, and leaves out what cancels.
    ///
    /// - Returns: The largest magnitude of a coefficient.
    private mutating func sumRepeated() throws(SolverError) -> Double {
        var write = 0
        for read in normalTerms.indices {
            let term = normalTerms[read]
            if write > 0, normalTerms[write - 1].variable == term.variable {
                normalTerms[write - 1].coefficient += term.coefficient
                normalTerms[write - 1].magnitude += term.magnitude
            } else {
                normalTerms[write] = term
                write += 1
            }
        }
        var largest = 0.0
        var kept = 0
        for index in 0..<write {
            let term = normalTerms[index]
            guard term.coefficient.magnitude > Tolerance.rounding * term.magnitude else { continue }
            try checkCoefficient(term.coefficient)
            largest = max(largest, term.coefficient.magnitude)
            normalTerms[kept] = term
            kept += 1
        }
        normalTerms.truncate(to: kept)
        return largest
    }

    private func checkCoefficient(_ coefficient: Double) throws(SolverError) {
        guard coefficient.isFinite else { throw .notFinite }
        let magnitude = coefficient.magnitude
        guard magnitude <= 1e9, magnitude == 0 || magnitude >= 1e-9 else {
            throw .outOfRange(coefficient)
        }
    }
}
