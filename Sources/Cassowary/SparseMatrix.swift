/// A sparse matrix whose cells are linked along their row and along their column.
///
/// Walking a row or a column costs its own length, never the size of the matrix; section 5 of the paper
/// keeps the same column index. Cells live in one array and are recycled.
struct SparseMatrix {
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

    /// Where the row being added to has its cell of a column, when `epoch` is current.
    private struct Mark {
        var epoch: UInt32 = 0
        var cell: Int32 = -1
    }

    private(set) var cells: ContiguousArray<Cell> = []
    private(set) var rows: ContiguousArray<Line> = []
    private(set) var columns: ContiguousArray<Line> = []
    private var marks: ContiguousArray<Mark> = []
    private var epoch: UInt32 = 0
    private var firstFree: Int32 = -1
    private(set) var cellCount = 0
    /// Values of smaller magnitude are not stored.
    let floor: Double
    /// A sum this much smaller than its addends is zero.
    var cancellation = Tolerance.cancellation

    init(floor: Double) { self.floor = floor }

    mutating func grow(rows rowCount: Int, columns columnCount: Int) {
        while rows.count < rowCount { rows.append(Line()) }
        while columns.count < columnCount {
            columns.append(Line())
            marks.append(Mark())
        }
    }

    mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        for row in rows.indices { rows[row] = Line() }
        for column in columns.indices { columns[column] = Line() }
        firstFree = -1
        cellCount = 0
    }

    /// Adds a cell that is known not to exist yet.
    mutating func insert(row: Int32, column: Int32, value: Double, isKept: Bool = false) {
        guard value.magnitude > floor || (isKept && value != 0) else { return }
        let rowHead = rows[Int(row)].head
        let columnHead = columns[Int(column)].head
        let cell = Cell(
            value: value, row: row, column: column, nextInRow: rowHead, previousInRow: -1,
            nextInColumn: columnHead, previousInColumn: -1)
        let index: Int32
        if firstFree >= 0 {
            index = firstFree
            firstFree = cells[Int(index)].nextInRow
            cells[Int(index)] = cell
        } else {
            index = Int32(cells.count)
            cells.append(cell)
        }
        if rowHead >= 0 { cells[Int(rowHead)].previousInRow = index }
        if columnHead >= 0 { cells[Int(columnHead)].previousInColumn = index }
        rows[Int(row)].head = index
        rows[Int(row)].count &+= 1
        columns[Int(column)].head = index
        columns[Int(column)].count &+= 1
        cellCount += 1
    }

    mutating func remove(cell index: Int32) {
        let cell = cells[Int(index)]
        if cell.previousInRow >= 0 {
            cells[Int(cell.previousInRow)].nextInRow = cell.nextInRow
        } else {
            rows[Int(cell.row)].head = cell.nextInRow
        }
        if cell.nextInRow >= 0 { cells[Int(cell.nextInRow)].previousInRow = cell.previousInRow }
        if cell.previousInColumn >= 0 {
            cells[Int(cell.previousInColumn)].nextInColumn = cell.nextInColumn
        } else {
            columns[Int(cell.column)].head = cell.nextInColumn
        }
        if cell.nextInColumn >= 0 {
            cells[Int(cell.nextInColumn)].previousInColumn = cell.previousInColumn
        }
        rows[Int(cell.row)].count &-= 1
        columns[Int(cell.column)].count &-= 1
        cells[Int(index)].nextInRow = firstFree
        firstFree = index
        cellCount -= 1
    }

    mutating func removeRow(_ row: Int32) {
        while rows[Int(row)].head >= 0 { remove(cell: rows[Int(row)].head) }
    }

    mutating func removeColumn(_ column: Int32) {
        while columns[Int(column)].head >= 0 { remove(cell: columns[Int(column)].head) }
    }

    func value(row: Int32, column: Int32) -> Double {
        var index = columns[Int(column)].head
        while index >= 0 {
            let cell = cells[Int(index)]
            if cell.row == row { return cell.value }
            index = cell.nextInColumn
        }
        return 0
    }

    func largestMagnitude(inColumn column: Int32) -> Double {
        var result = 0.0
        var index = columns[Int(column)].head
        while index >= 0 {
            result = max(result, cells[Int(index)].value.magnitude)
            index = cells[Int(index)].nextInColumn
        }
        return result
    }

    /// Copies a row into `list`, which is emptied first.
    func copyRow(_ row: Int32, into list: inout SparseRow) {
        list.removeAll()
        var index = rows[Int(row)].head
        while index >= 0 {
            let cell = cells[Int(index)]
            list.append(column: cell.column, value: cell.value)
            index = cell.nextInRow
        }
    }

    /// Adds `factor` times `source` to a row.
    ///
    /// - Complexity: O(length of the row + length of the source).
    mutating func add(_ factor: Double, times source: SparseRow, toRow row: Int32) {
        epoch &+= 1
        if epoch == 0 {
            // Marks of the first epochs would look current again after the counter wraps.
            for column in marks.indices { marks[column] = Mark() }
            epoch = 1
        }
        var index = rows[Int(row)].head
        while index >= 0 {
            let column = Int(cells[Int(index)].column)
            marks[column] = Mark(epoch: epoch, cell: index)
            index = cells[Int(index)].nextInRow
        }
        for position in source.columns.indices {
            let column = source.columns[position]
            let delta = factor * source.values[position]
            let mark = marks[Int(column)]
            guard mark.epoch == epoch else {
                insert(row: row, column: column, value: delta)
                continue
            }
            let old = cells[Int(mark.cell)].value
            let new = old + delta
            let noise = max(
                floor, cancellation * max(old.magnitude, delta.magnitude))
            if new.magnitude <= noise {
                remove(cell: mark.cell)
            } else {
                cells[Int(mark.cell)].value = new
            }
        }
    }
}

/// A row outside the matrix, kept as a buffer that is used again.
struct SparseRow {
    var columns: ContiguousArray<Int32> = []
    var values: ContiguousArray<Double> = []

    mutating func removeAll() {
        columns.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    mutating func append(column: Int32, value: Double) {
        columns.append(column)
        values.append(value)
    }
}
