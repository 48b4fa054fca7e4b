/// Solving the transposed kernel for a row.
extension Basis {
    /// Solves the transposed kernel for the right side in `work`, whose places are the equations of
    /// the symbols.
    ///
    /// Afterwards `work` holds the weight of each equation, also of those that `reached` does not
    /// list, and `multipliers` the weights before the operations.
    ///
    /// - Parameter rest: Gets what the equations, so weighted, say of the variables that are no
    ///   pivots; its places are symbols.
    mutating func solveRow(_ terms: borrowing TermTable, rest: inout SparseVector) {
        beginVisit()
        var index = 0
        let seedCount = work.count
        while index < seedCount {
            let row = work.place(at: index)
            if work.value(at: index) != 0 { visitRequisites(of: row, in: terms) }
            index &+= 1
        }
        multipliers.removeAll()
        index = reached.count
        while index > 0 {
            index &-= 1
            let row = reached[index]
            let solution = work.divide(row, by: equations[row].value)
            multipliers.append(Part(row: row, value: solution))
            if solution != 0 { subtractRow(row, times: solution, terms, rest: &rest) }
        }
        guard hasReduced else { return }
        operateBackward()
        index = 0
        while index < work.count {
            let row = work.place(at: index)
            let weight = work.value(at: index)
            index &+= 1
            if weight != 0, isSource(row) { subtractRest(of: row, times: weight, terms, &rest) }
        }
    }

    /// Whether an operation reads an equation: its weight then changes once more.
    @inline(__always)
    private func isSource(_ row: Int32) -> Bool { !uses.isEmpty && uses[row].firstAsSource >= 0 }

    /// Takes what an equation makes of the symbols that it mentions from what these are to come to.
    @inline(__always)
    private mutating func subtractRow(
        _ row: Int32, times solution: Double, _ terms: borrowing TermTable,
        rest: inout SparseVector
    ) {
        guard !isReduced(row) else {
            return subtractReducedRow(row, times: solution, terms, rest: &rest)
        }
        let isFinal = !isSource(row)
        var next = terms.head(ofRow: row)
        var count: UInt64 = 0
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            count &+= 1
            let variable = Symbol.variable(cell.column)
            let equation = equationOf[variable]
            guard equation != row else { continue }
            if equation >= 0 {
                work.add(-cell.value * solution, at: equation)
            } else if isFinal {
                rest.add(-cell.value * solution, at: variable)
            }
        }
        meter &+= count
        let borrower = borrower(ofMarkerOf: row)
        // An equation is its terms less its marker.
        if borrower >= 0 { work.add(solution, at: borrower) }
    }

    /// Does the same for one that operations have changed, but not in what it says of variables
    /// that are no pivots.
    private mutating func subtractReducedRow(
        _ row: Int32, times solution: Double, _ terms: borrowing TermTable,
        rest: inout SparseVector
    ) {
        var next = reduced.head(ofRow: row)
        while next >= 0 {
            let cell = reduced.cells[next]
            next = cell.nextInRow
            work.add(-cell.value * solution, at: equationOf[cell.column])
        }
        if !isSource(row) { subtractRest(of: row, times: solution, terms, &rest) }
    }

    /// Takes what a constraint makes of the variables that are no pivots from what these are to
    /// come to.
    private mutating func subtractRest(
        of row: Int32, times weight: Double, _ terms: borrowing TermTable,
        _ rest: inout SparseVector
    ) {
        var next = terms.head(ofRow: row)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            meter &+= 1
            let variable = Symbol.variable(cell.column)
            if equationOf[variable] < 0 { rest.add(-cell.value * weight, at: variable) }
        }
    }
}
