/// Pivots by which constraints take over from each other, with nothing eliminated. They are most of
/// a layout's pivots.
extension Solver {
    /// The variable and the coefficient of a constraint that has one term.
    private mutating func singleton(of constraint: Int32) -> (column: Int32, coefficient: Double)? {
        let head = terms.head(ofRow: constraint)
        guard head >= 0 else { return nil }
        let term = terms.cells[head]
        return term.nextInRow(after: head) < 0 ? (term.column, term.value) : nil
    }

    /// How many times another constraint's terms one's are, if both are on the same variable alone
    /// and the other is what the kernel solves for it: parallel rows, in the words of presolving.
    private mutating func parallelRatio(_ constraint: Int32, _ other: Int32) -> Double? {
        guard basis.isSingleton(other, in: terms), let term = singleton(of: constraint),
            let otherTerm = singleton(of: other), term.column == otherTerm.column,
            term.column &* 2 == basis.equations[other].pivot
        else { return nil }
        let ratio = term.coefficient / otherTerm.coefficient
        return ratio.magnitude >= Tolerance.comfortablePivot ? ratio : nil
    }

    /// Exchanges the markers of parallel constraints, of which the leaving one is always `ratio`
    /// times the entering one.
    private mutating func swapParallel(leaving: Int32, entering: Int32, ratio: Double, side: Int8) {
        row.begin(leaving)
        rowSum.removeAll()
        rowSum.add(ratio, at: entering)
        row.append(entering, ratio)
        exchangeRoles(
            leaving: leaving, entering: entering, side: side,
            isPriced: isPriced(leaving: leaving, entering: entering))
        basis.replace(entering >> 1, by: leaving >> 1, ratio: ratio)
        invalidate()
    }

    /// Exchanges two symbols without an elimination, if the leaving one's constraint depends by one
    /// path only on that of the entering one: the equations on the path hand their pivots on.
    ///
    /// The leaving symbol's equation enters the kernel and is solved for the first variable of the
    /// path, whose equation is solved for the next one instead, and so on; the last is the entering
    /// symbol's own, which leaves the kernel. So the network simplex pivots along the path of a
    /// tree (Dantzig, "Linear Programming and Extensions", 1963, chapter 17). Were there a second
    /// path, the kernel would no longer be triangular.
    ///
    /// - Parameter side: On which side of its kink the entering symbol will be.
    /// - Returns: Whether the exchange was made.
    mutating func handOver(leaving: Int32, entering: Int32, side: Int8) -> Bool {
        guard leaving & 1 == 1, entering & 1 == 1, isOutside(leaving) else { return false }
        if let ratio = parallelRatio(leaving >> 1, entering >> 1) {
            swapParallel(leaving: leaving, entering: entering, ratio: ratio, side: side)
            return true
        }
        let heir = leaving >> 1
        guard let path = findPath(from: heir, to: entering >> 1) else { return false }
        let isPriced = isPriced(leaving: leaving, entering: entering)
        if isPriced {
            loadRow(leaving, isWhole: symbols[entering].isFixed)
            let disagreement = (rowCoefficient(of: entering) - path.product).magnitude
            guard disagreement <= Tolerance.pivotAgreement * path.product.magnitude else {
                return false
            }
        }
        exchangeRoles(leaving: leaving, entering: entering, side: side, isPriced: isPriced)
        let variable = basis.handOn(endingAt: entering >> 1)
        basis.enter(heir, pivot: variable, value: path.coefficient)
        invalidate()
        if basis.isWorn { factorBasis() }
        return true
    }

    /// Finds the only path from a constraint outside the kernel to one in it, by what they depend
    /// on, into `basis.path`.
    ///
    /// - Returns: The coefficient of the path's first variable in the constraint, and how much its
    ///   marker changes per unit of the other's; nil if there is no path or a second one, or a
    ///   pivot would be small.
    private mutating func findPath(
        from heir: Int32, to end: Int32
    ) -> (coefficient: Double, product: Double)? {
        guard basis.canLeave(end) else { return nil }
        markDependents(of: end)
        var variable: Int32 = -1
        var coefficient = 0.0
        var next = terms.head(ofRow: heir)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            let equation = basis.equationOf[cell.column &* 2]
            guard equation >= 0, basis.isMarked(equation) else { continue }
            guard variable < 0 else { return nil }
            variable = cell.column &* 2
            coefficient = cell.value
        }
        guard variable >= 0, coefficient.magnitude >= Tolerance.pivotShare,
            let factor = basis.followPath(from: variable, to: end, in: terms)
        else { return nil }
        return (coefficient, coefficient * factor)
    }

    /// Marks the equations of the kernel that depend on the pivot of one, itself included.
    ///
    /// Before a pivot they mostly are marked: the column that was just moved was solved for with a
    /// search from there. That is paid for as if it were made again, since a copy of the solver,
    /// which does not have the column, has to make it.
    private mutating func markDependents(of equation: Int32) {
        let isMarked =
            column.owner == Symbol.marker(ofRow: equation) && column.visit == basis.visit
            && !basis.hasReduced
        if isMarked { basis.payForSearch() } else { basis.markDependents(of: equation, in: terms) }
    }
}
