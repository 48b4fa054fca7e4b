/// Factoring the kernel anew.
///
/// Equations with one open symbol, and symbols in one open equation, become pivots without any
/// arithmetic; layouts are made of little else. What remains is eliminated in the order of
/// Markowitz ("The elimination form of the inverse", 1957): a short equation, and in it a symbol of
/// few others whose coefficient is not small.
extension Basis {
    /// Empties the kernel; its equations are then put into `reduced` and `factor` finds their
    /// pivots.
    mutating func beginFactoring() {
        reduced.removeAll()
        reduced.grow(rows: equations.count, columns: equationOf.count)
        forgetOperations()
        equations.fill(with: Equation())
        equationOf.fill(with: -1)
        visit = 0
        kernelCount = 0
        markerPivots = 0
        forgetWear(since: 0)
    }

    /// Finds a pivot for each of `rows`, whose coefficients are in `reduced`.
    ///
    /// - Returns: The equations that turned out to depend on the others; all that were left when
    ///   the limit was met.
    mutating func factor(rows: borrowing Buffer<Int32>) -> [Int32] {
        var elimination = Elimination(rows: rows, in: reduced, equationCount: equations.count)
        var dependent: [Int32] = []
        while let choice = elimination.next(in: reduced) {
            meter &+= UInt64(UInt32(bitPattern: reduced.count(ofRow: choice.row) &+ 1))
            // Beyond the limit the rest counts as dependent: the result is a basis still, if a poor
            // one.
            guard choice.cell >= 0, meter <= meterLimit else {
                elimination.close(choice.row)
                elimination.leaveColumns(of: choice.row, in: reduced)
                dependent.append(choice.row)
                continue
            }
            let pivot = reduced.cells[choice.cell]
            let isSingle = elimination.openCount(of: choice.row) == 1
            reduced.remove(cell: choice.cell)
            enter(choice.row, pivot: pivot.column, value: pivot.value)
            elimination.close(choice.row)
            elimination.closeColumn(pivot.column)
            elimination.leaveColumns(of: choice.row, in: reduced)
            eliminate(pivot, isSingle: isSingle, &elimination)
        }
        for row in dependent {
            reduced.removeRow(row)
            forgetOperations(target: row)
        }
        forgetUnreduced(rows)
        factoredOperations = operations.count
        return dependent
    }

    /// Keeps the coefficients of those equations that operations have changed.
    private mutating func forgetUnreduced(_ rows: borrowing Buffer<Int32>) {
        guard hasReduced else {
            reduced = SparseMatrix()
            return
        }
        for index in rows.indices where !isReduced(rows[index]) { reduced.removeRow(rows[index]) }
    }

    /// Rids the open equations of a pivot's symbol.
    ///
    /// - Parameter isSingle: Whether the symbol was the last open one of its equation. Others may
    ///   then go on mentioning it, since it can be computed before their pivots.
    private mutating func eliminate(
        _ pivot: SparseMatrix.Cell, isSingle: Bool, _ elimination: inout Elimination
    ) {
        var next = reduced.head(ofColumn: pivot.column)
        while next >= 0 {
            let index = next
            let cell = reduced.cells[index]
            next = cell.nextInColumn
            guard elimination.isOpen(cell.row) else { continue }
            elimination.shorten(cell.row)
            meter &+= 1
            guard !isSingle else { continue }
            let factor = cell.value / pivot.value
            reduced.remove(cell: index)
            append(target: cell.row, source: pivot.row, factor: factor)
            subtract(factor, times: pivot.row, from: cell.row, &elimination)
        }
    }

    /// Takes `factor` times one equation, without its pivot, from another.
    private mutating func subtract(
        _ factor: Double, times source: Int32, from target: Int32, _ elimination: inout Elimination
    ) {
        let isIndexed = indexes(target, lookedUpFor: source)
        defer { if isIndexed { forgetIndex(of: target) } }
        var next = reduced.head(ofRow: source)
        while next >= 0 {
            let cell = reduced.cells[next]
            next = cell.nextInRow
            let delta = -factor * cell.value
            let other =
                isIndexed
                ? cellOf[cell.column] : reduced.cell(row: target, column: cell.column)
            if other < 0 {
                reduced.insert(row: target, column: cell.column, value: delta)
                elimination.change(target, column: cell.column, by: 1)
                continue
            }
            let old = reduced.cells[other].value
            let new = old + delta
            if new.magnitude <= Tolerance.summation * max(old.magnitude, delta.magnitude) {
                reduced.remove(cell: other)
                if isIndexed { cellOf[cell.column] = -1 }
                elimination.change(target, column: cell.column, by: -1)
            } else {
                reduced.setValue(new, ofCell: other)
            }
        }
    }

    /// Makes the cells of one equation known by their column in `cellOf`, if looking for each one
    /// along its column would take longer.
    private mutating func indexes(_ target: Int32, lookedUpFor source: Int32) -> Bool {
        var lookups: Int32 = 0
        var next = reduced.head(ofRow: source)
        while next >= 0 {
            let cell = reduced.cells[next]
            next = cell.nextInRow
            lookups &+= reduced.count(ofColumn: cell.column)
        }
        let length = reduced.count(ofRow: target) &+ reduced.count(ofRow: source)
        meter &+= UInt64(
            UInt32(bitPattern: min(lookups, 2 &* length) &+ reduced.count(ofRow: source)))
        guard lookups > 2 &* length else { return false }
        cellOf.grow(to: reduced.columnCount)
        next = reduced.head(ofRow: target)
        while next >= 0 {
            cellOf[reduced.cells[next].column] = next
            next = reduced.cells[next].nextInRow
        }
        return true
    }

    private mutating func forgetIndex(of target: Int32) {
        var next = reduced.head(ofRow: target)
        while next >= 0 {
            cellOf[reduced.cells[next].column] = -1
            next = reduced.cells[next].nextInRow
        }
    }
}
