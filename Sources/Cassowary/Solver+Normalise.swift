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
    /// - Returns: The power of two, by which division rounds nothing, that brings the largest coefficient near 1.
    mutating func normalise(_ expression: Expression) throws(SolverError) -> Double {
        guard expression.constant.isFinite else { throw .notFinite }
        guard expression.constant.magnitude <= 1e9 else { throw .outOfRange(expression.constant) }
        normalTerms.removeAll()
        var isAscending = true
        var previous: Int32 = -1
        for term in expression.terms {
            guard isKnown(term.variable) else { throw .unknownVariable(term.variable) }
            try checkCoefficient(term.coefficient)
            normalTerms.append(
                NormalTerm(
                    variable: term.variable.index, coefficient: term.coefficient,
                    magnitude: term.coefficient.magnitude))
            isAscending = isAscending && term.variable.index > previous
            previous = term.variable.index
        }
        if !isAscending { try sumRepeated() }
        var largest = 0.0
        var write = 0
        for read in normalTerms.indices {
            let term = normalTerms[read]
            guard term.coefficient.magnitude > Tolerance.rounding * term.magnitude else { continue }
            largest = max(largest, term.coefficient.magnitude)
            normalTerms[write] = term
            write += 1
        }
        normalTerms.truncate(to: write)
        // The exponent alone: coefficients are far from the least number that has one.
        return largest > 0 ? Double(bitPattern: largest.bitPattern & 0x7FF0_0000_0000_0000) : 1
    }

    /// Sorts the terms, which is stable so that sums come out the same every time, and sums those of one variable.
    private mutating func sumRepeated() throws(SolverError) {
        normalTerms.sort { $0.variable < $1.variable }
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
        normalTerms.truncate(to: write)
        for index in normalTerms.indices {
            let term = normalTerms[index]
            if term.coefficient.magnitude > Tolerance.rounding * term.magnitude {
                try checkCoefficient(term.coefficient)
            }
        }
    }

    private func checkCoefficient(_ coefficient: Double) throws(SolverError) {
        guard coefficient.isFinite else { throw .notFinite }
        let magnitude = coefficient.magnitude
        guard magnitude <= 1e9, magnitude == 0 || magnitude >= 1e-9 else {
            throw .outOfRange(coefficient)
        }
    }
}
