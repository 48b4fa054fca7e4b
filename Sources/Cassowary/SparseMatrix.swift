/// A sparse matrix whose cells are linked along their row and along their column.
///
/// Walking a row or a column costs its own length, never the size of the matrix; section 5 of the
/// paper keeps the same column index. Cells live in one buffer and are recycled.
struct SparseMatrix: ~Copyable {
    struct Cell {
        var value: Double
        var row: Int32
        var column: Int32
        var nextInRow: Int32
        /// The neighbour before it; of a row's first cell, how many the row has, below zero.
        var previousInRow: Int32
        var nextInColumn: Int32
        /// The same along the column.
        var previousInColumn: Int32
    }

    private(set) var cells = Buffer<Cell>()
    /// The first cell of each row and of each column; -1 for none. Most are empty, so that their
    /// lengths stand in the cells.
    private var rows = IndexTable()
    private var columns = IndexTable()
    private var firstFree: Int32 = -1
    private(set) var cellCount = 0

    init() {}

    init(copying other: borrowing SparseMatrix) {
        cells = Buffer(copying: other.cells)
        rows = IndexTable(copying: other.rows)
        columns = IndexTable(copying: other.columns)
        firstFree = other.firstFree
        cellCount = other.cellCount
    }

    mutating func grow(rows rowCount: Int, columns columnCount: Int) {
        rows.grow(to: rowCount)
        columns.grow(to: columnCount)
    }

    /// Makes room for so many rows and columns in all.
    mutating func reserveCapacity(rows rowCount: Int, columns columnCount: Int) {
        rows.reserveCapacity(rowCount)
        columns.reserveCapacity(columnCount)
    }

    /// Makes room for so many cells in all.
    mutating func reserveCapacity(cells count: Int, sure: Int = 0) {
        cells.reserveCapacity(count, sure: sure)
    }

    /// How many columns there are, empty ones included.
    var columnCount: Int { columns.count }

    /// Has the processor bring closer where the first cell of a column is looked up.
    @inline(__always)
    func prefetch(column: Int32) { columns.prefetch(column) }

    /// The first cell of a row; -1 for none.
    @inline(__always)
    func head(ofRow row: Int32) -> Int32 { rows[row] }

    /// The first cell of a column; -1 for none.
    @inline(__always)
    func head(ofColumn column: Int32) -> Int32 { columns[column] }

    /// How many cells a row has.
    @inline(__always)
    func count(ofRow row: Int32) -> Int32 {
        let head = rows[row]
        return head < 0 ? 0 : 0 &- cells[head].previousInRow
    }

    /// How many cells a column has.
    @inline(__always)
    func count(ofColumn column: Int32) -> Int32 {
        let head = columns[column]
        return head < 0 ? 0 : 0 &- cells[head].previousInColumn
    }

    /// Bytes of memory that it holds.
    var byteCount: Int { cells.byteCount + rows.byteCount + columns.byteCount }

    /// Gives back memory that is kept for cells to come.
    mutating func trim() {
        cells.trim()
        rows.trim()
        columns.trim()
    }

    mutating func removeAll() {
        cells.removeAll()
        rows.removeAll()
        columns.removeAll()
        firstFree = -1
        cellCount = 0
    }

    /// Adds a cell that is known not to exist yet.
    @discardableResult
    mutating func insert(row: Int32, column: Int32, value: Double) -> Int32 {
        let index = firstFree >= 0 ? firstFree : Int32(truncatingIfNeeded: cells.count)
        let rowHead = rows[row]
        let columnHead = columns[column]
        var cell = Cell(
            value: value, row: row, column: column, nextInRow: rowHead, previousInRow: -1,
            nextInColumn: columnHead, previousInColumn: -1)
        // The count goes from the first cell until now to the new one.
        if rowHead >= 0 {
            cells.modify(rowHead) { head in
                cell.previousInRow = head.previousInRow &- 1
                head.previousInRow = index
            }
        }
        if columnHead >= 0 {
            cells.modify(columnHead) { head in
                cell.previousInColumn = head.previousInColumn &- 1
                head.previousInColumn = index
            }
        }
        if firstFree >= 0 {
            firstFree = cells[index].nextInRow
            cells[index] = cell
        } else {
            cells.append(cell)
        }
        rows[row] = index
        columns[column] = index
        cellCount &+= 1
        return index
    }

    mutating func remove(cell index: Int32) {
        let cell = cells[index]
        if cell.previousInRow >= 0 {
            cells[cell.previousInRow].nextInRow = cell.nextInRow
            if cell.nextInRow >= 0 { cells[cell.nextInRow].previousInRow = cell.previousInRow }
            cells[rows[cell.row]].previousInRow &+= 1
        } else {
            rows[cell.row] = cell.nextInRow
            if cell.nextInRow >= 0 {
                cells[cell.nextInRow].previousInRow = cell.previousInRow &+ 1
            }
        }
        if cell.previousInColumn >= 0 {
            cells[cell.previousInColumn].nextInColumn = cell.nextInColumn
            if cell.nextInColumn >= 0 {
                cells[cell.nextInColumn].previousInColumn = cell.previousInColumn
            }
            cells[columns[cell.column]].previousInColumn &+= 1
        } else {
            columns[cell.column] = cell.nextInColumn
            if cell.nextInColumn >= 0 {
                cells[cell.nextInColumn].previousInColumn = cell.previousInColumn &+ 1
            }
        }
        cells[index].nextInRow = firstFree
        firstFree = index
        cellCount &-= 1
    }

    mutating func setValue(_ value: Double, ofCell index: Int32) { cells[index].value = value }

    mutating func removeRow(_ row: Int32) {
        while rows[row] >= 0 { remove(cell: rows[row]) }
    }

    mutating func removeColumn(_ column: Int32) {
        while columns[column] >= 0 { remove(cell: columns[column]) }
    }

    /// The cell at a place, looked for along the column; -1 if there is none.
    @inline(__always)
    func cell(row: Int32, column: Int32) -> Int32 {
        var index = columns[column]
        while index >= 0 && cells[index].row != row { index = cells[index].nextInColumn }
        return index
    }

    /// The first wrong link or count, in words; nil when all are right.
    func linkFailure() -> String? {
        var inRows = 0
        for row in rows.places {
            let length = count(ofRow: row)
            var previous = 0 &- length
            var count: Int32 = 0
            var index = rows[row]
            while index >= 0 {
                let cell = cells[index]
                if cell.row != row || cell.previousInRow != previous { return "link in row \(row)" }
                previous = index
                count += 1
                index = cell.nextInRow
            }
            if count != length { return "count of row \(row)" }
            inRows += Int(count)
        }
        var inColumns = 0
        for column in columns.places {
            let length = count(ofColumn: column)
            var previous = 0 &- length
            var count: Int32 = 0
            var index = columns[column]
            while index >= 0 {
                let cell = cells[index]
                if cell.column != column || cell.previousInColumn != previous {
                    return "link in column \(column)"
                }
                previous = index
                count += 1
                index = cell.nextInColumn
            }
            if count != length { return "count of column \(column)" }
            inColumns += Int(count)
        }
        return inRows == cellCount && inColumns == cellCount ? nil : "count of cells"
    }
}
