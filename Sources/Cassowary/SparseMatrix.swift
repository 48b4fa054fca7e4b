/// A sparse matrix whose cells are linked along their row and along their column.
///
/// Walking a row or a column costs its own length, never the size of the matrix; section 5 of the paper
/// keeps the same column index. Cells live in one buffer and are recycled.
struct SparseMatrix: ~Copyable {
    struct Cell {
        var value: Double
        var row: Int32
        var column: Int32
        var nextInRow: Int32
        var previousInRow: Int32
        var nextInColumn: Int32
        var previousInColumn: Int32
    }

    struct Line {
        var head: Int32 = -1
        var count: Int32 = 0
    }

    private(set) var cells = Buffer<Cell>()
    private(set) var rows = Buffer<Line>()
    private(set) var columns = Buffer<Line>()
    private var firstFree: Int32 = -1
    private(set) var cellCount = 0

    init() {}

    init(copying other: borrowing SparseMatrix) {
        cells = Buffer(copying: other.cells)
        rows = Buffer(copying: other.rows)
        columns = Buffer(copying: other.columns)
        firstFree = other.firstFree
        cellCount = other.cellCount
    }

    mutating func grow(rows rowCount: Int, columns columnCount: Int) {
        rows.grow(to: rowCount, filling: Line())
        columns.grow(to: columnCount, filling: Line())
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
        rows.fill(with: Line())
        columns.fill(with: Line())
        firstFree = -1
        cellCount = 0
    }

    /// Adds a cell that is known not to exist yet.
    @discardableResult
    mutating func insert(row: Int32, column: Int32, value: Double) -> Int32 {
        let rowHead = rows[row].head
        let columnHead = columns[column].head
        let cell = Cell(
            value: value, row: row, column: column, nextInRow: rowHead, previousInRow: -1,
            nextInColumn: columnHead, previousInColumn: -1)
        let index: Int32
        if firstFree >= 0 {
            index = firstFree
            firstFree = cells[index].nextInRow
            cells[index] = cell
        } else {
            index = Int32(cells.count)
            cells.append(cell)
        }
        if rowHead >= 0 { cells[rowHead].previousInRow = index }
        if columnHead >= 0 { cells[columnHead].previousInColumn = index }
        rows[row].head = index
        rows[row].count &+= 1
        columns[column].head = index
        columns[column].count &+= 1
        cellCount &+= 1
        return index
    }

    mutating func remove(cell index: Int32) {
        let cell = cells[index]
        if cell.previousInRow >= 0 {
            cells[cell.previousInRow].nextInRow = cell.nextInRow
        } else {
            rows[cell.row].head = cell.nextInRow
        }
        if cell.nextInRow >= 0 { cells[cell.nextInRow].previousInRow = cell.previousInRow }
        if cell.previousInColumn >= 0 {
            cells[cell.previousInColumn].nextInColumn = cell.nextInColumn
        } else {
            columns[cell.column].head = cell.nextInColumn
        }
        if cell.nextInColumn >= 0 {
            cells[cell.nextInColumn].previousInColumn = cell.previousInColumn
        }
        rows[cell.row].count &-= 1
        columns[cell.column].count &-= 1
        cells[index].nextInRow = firstFree
        firstFree = index
        cellCount &-= 1
    }

    mutating func setValue(_ value: Double, ofCell index: Int32) { cells[index].value = value }

    mutating func removeRow(_ row: Int32) {
        while rows[row].head >= 0 { remove(cell: rows[row].head) }
    }

    mutating func removeColumn(_ column: Int32) {
        while columns[column].head >= 0 { remove(cell: columns[column].head) }
    }

    /// The cell at a place, looked for along the column; -1 if there is none.
    @inline(__always)
    func cell(row: Int32, column: Int32) -> Int32 {
        var index = columns[column].head
        while index >= 0 && cells[index].row != row { index = cells[index].nextInColumn }
        return index
    }

    /// The first wrong link or count, in words; nil when all are right.
    func linkFailure() -> String? {
        var inRows = 0
        for row in rows.indices {
            var previous: Int32 = -1
            var count: Int32 = 0
            var index = rows[row].head
            while index >= 0 {
                let cell = cells[index]
                if cell.row != row || cell.previousInRow != previous { return "link in row \(row)" }
                previous = index
                count += 1
                index = cell.nextInRow
            }
            if count != rows[row].count { return "count of row \(row)" }
            inRows += Int(count)
        }
        var inColumns = 0
        for column in columns.indices {
            var previous: Int32 = -1
            var count: Int32 = 0
            var index = columns[column].head
            while index >= 0 {
                let cell = cells[index]
                if cell.column != column || cell.previousInColumn != previous {
                    return "link in column \(column)"
                }
                previous = index
                count += 1
                index = cell.nextInColumn
            }
            if count != columns[column].count { return "count of column \(column)" }
            inColumns += Int(count)
        }
        return inRows == cellCount && inColumns == cellCount ? nil : "count of cells"
    }
}
