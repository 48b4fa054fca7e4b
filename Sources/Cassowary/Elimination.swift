/// Which pivot comes next when a kernel is factored: the bookkeeping of open equations and symbols.
struct Elimination: ~Copyable {
    struct OpenEquation {
        var count: Int32 = -1
        /// The neighbours in the list of equations with as many open symbols.
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    private var open = Buffer<OpenEquation>()
    /// For each count, the first equation with so many open symbols.
    private var firstOfCount = Buffer<Int32>()
    private var shortest: Int32 = 0
    /// How many open equations mention a symbol; -1 for one that is closed.
    private var columnCounts = Buffer<Int32>()
    private var singleColumns = Buffer<Int32>()

    init(rows: borrowing Buffer<Int32>, in matrix: borrowing SparseMatrix, equationCount: Int) {
        open.grow(to: equationCount, filling: OpenEquation())
        columnCounts.grow(to: matrix.columnCount, filling: 0)
        for column in columnCounts.indices {
            columnCounts[column] = matrix.count(ofColumn: Int32(column))
            if columnCounts[column] == 1 { singleColumns.append(Int32(column)) }
        }
        for index in rows.indices {
            let row = rows[index]
            link(row, count: matrix.count(ofRow: row))
        }
    }

    func isOpen(_ row: Int32) -> Bool { open[row].count >= 0 }
    func openCount(of row: Int32) -> Int32 { open[row].count }

    private mutating func link(_ row: Int32, count: Int32) {
        firstOfCount.grow(to: Int(count) + 1, filling: -1)
        let head = firstOfCount[count]
        open[row] = OpenEquation(count: count, next: head, previous: -1)
        if head >= 0 { open[head].previous = row }
        firstOfCount[count] = row
        shortest = min(shortest, count)
    }

    private mutating func unlink(_ row: Int32) {
        let entry = open[row]
        if entry.previous >= 0 {
            open[entry.previous].next = entry.next
        } else {
            firstOfCount[entry.count] = entry.next
        }
        if entry.next >= 0 { open[entry.next].previous = entry.previous }
    }

    mutating func close(_ row: Int32) {
        unlink(row)
        open[row].count = -1
    }

    mutating func closeColumn(_ column: Int32) { columnCounts[column] = -1 }

    /// Notes that an open equation has one open symbol less.
    mutating func shorten(_ row: Int32) {
        let count = open[row].count
        unlink(row)
        link(row, count: count - 1)
    }

    /// Notes that an open equation gained or lost a mention of a symbol by elimination.
    mutating func change(_ row: Int32, column: Int32, by delta: Int32) {
        guard columnCounts[column] >= 0 else { return }
        columnCounts[column] += delta
        if columnCounts[column] == 1 { singleColumns.append(column) }
        let count = open[row].count
        unlink(row)
        link(row, count: count + delta)
    }

    /// Notes that a closed equation no longer counts for the symbols that it mentions.
    mutating func leaveColumns(of row: Int32, in matrix: borrowing SparseMatrix) {
        var next = matrix.head(ofRow: row)
        while next >= 0 {
            let column = matrix.cells[next].column
            next = matrix.cells[next].nextInRow
            guard columnCounts[column] >= 0 else { continue }
            columnCounts[column] -= 1
            if columnCounts[column] == 1 { singleColumns.append(column) }
        }
    }

    /// The next equation and the cell of its pivot; -1 for the cell when no symbol of the equation
    /// can be one.
    mutating func next(in matrix: borrowing SparseMatrix) -> (row: Int32, cell: Int32)? {
        while shortest < firstOfCount.count {
            guard firstOfCount[shortest] >= 0 else {
                shortest += 1
                continue
            }
            if shortest > 1, let single = nextSingleColumn(in: matrix) { return single }
            let row = firstOfCount[shortest]
            return (row, pivotCell(of: row, in: matrix))
        }
        return nil
    }

    private mutating func nextSingleColumn(
        in matrix: borrowing SparseMatrix
    ) -> (row: Int32, cell: Int32)? {
        while let column = singleColumns.popLast() {
            guard columnCounts[column] == 1 else { continue }
            var next = matrix.head(ofColumn: column)
            while next >= 0 {
                let cell = matrix.cells[next]
                if isOpen(cell.row) {
                    if cell.value.magnitude > Tolerance.pivot { return (cell.row, next) }
                    break
                }
                next = cell.nextInColumn
            }
        }
        return nil
    }

    /// Of the open symbols with a coefficient near the equation's largest, the one in fewest open
    /// equations.
    private func pivotCell(of row: Int32, in matrix: borrowing SparseMatrix) -> Int32 {
        var largest = 0.0
        var next = matrix.head(ofRow: row)
        while next >= 0 {
            let cell = matrix.cells[next]
            if columnCounts[cell.column] >= 0 { largest = max(largest, cell.value.magnitude) }
            next = cell.nextInRow
        }
        guard largest > Tolerance.pivot else { return -1 }
        var best: Int32 = -1
        next = matrix.head(ofRow: row)
        while next >= 0 {
            let cell = matrix.cells[next]
            let isLarge = cell.value.magnitude >= Tolerance.pivotShare * largest
            if columnCounts[cell.column] >= 0, isLarge, isPreferred(next, to: best, in: matrix) {
                best = next
            }
            next = cell.nextInRow
        }
        return best
    }

    private func isPreferred(
        _ left: Int32, to right: Int32, in matrix: borrowing SparseMatrix
    ) -> Bool {
        guard right >= 0 else { return true }
        let leftColumn = matrix.cells[left].column
        let rightColumn = matrix.cells[right].column
        if columnCounts[leftColumn] != columnCounts[rightColumn] {
            return columnCounts[leftColumn] < columnCounts[rightColumn]
        }
        return leftColumn < rightColumn
    }
}
