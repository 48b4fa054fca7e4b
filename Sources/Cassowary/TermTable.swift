/// The terms of constraints: those of one lie side by side, those of one variable are linked.
///
/// A constraint comes and goes as a whole, and is mostly short. So its terms need no links among
/// themselves, as the cells of a `SparseMatrix` do, which come and go one by one. What was removed
/// leaves a gap; when there is more of that than terms, all move together.
struct TermTable: ~Copyable {
    /// One variable in one constraint.
    struct Term {
        var value: Double
        /// The constraint; -1 for what was removed.
        fileprivate(set) var row: Int32
        /// Twice the variable, and one for a constraint's last term: a variable's number is half as
        /// large as its symbol's.
        private var columnAndEnd: Int32
        fileprivate(set) var nextInColumn: Int32
        /// The term before it; of a variable's first one, how many the variable has, below zero.
        fileprivate(set) var previousInColumn: Int32

        fileprivate init(value: Double, row: Int32, column: Int32, isLast: Bool, next: Int32) {
            self.value = value
            self.row = row
            columnAndEnd = column &* 2 | (isLast ? 1 : 0)
            nextInColumn = next
            previousInColumn = -1
        }

        /// The variable.
        @inline(__always) var column: Int32 { columnAndEnd >> 1 }
        @inline(__always) fileprivate var isLast: Bool { columnAndEnd & 1 != 0 }

        /// The next term of the constraint; -1 for none.
        ///
        /// - Parameter index: That of this term.
        @inline(__always)
        func nextInRow(after index: Int32) -> Int32 { isLast ? -1 : index &+ 1 }
    }

    private(set) var cells = Buffer<Term>()
    /// The first term of each constraint and of each variable; -1 for none.
    private var rows = IndexTable()
    private var columns = IndexTable()
    /// How many terms there are.
    private(set) var cellCount = 0

    init() {}

    init(copying other: borrowing TermTable) {
        cells = Buffer(copying: other.cells)
        rows = IndexTable(copying: other.rows)
        columns = IndexTable(copying: other.columns)
        cellCount = other.cellCount
    }

    mutating func grow(rows rowCount: Int, columns columnCount: Int) {
        rows.grow(to: rowCount)
        columns.grow(to: columnCount)
    }

    /// Makes room for so many constraints and variables in all.
    mutating func reserveCapacity(rows rowCount: Int, columns columnCount: Int) {
        rows.reserveCapacity(rowCount)
        columns.reserveCapacity(columnCount)
    }

    /// Makes room for so many terms in all.
    mutating func reserveCapacity(cells count: Int, sure: Int = 0) {
        cells.reserveCapacity(count, sure: sure)
    }

    /// How many variables there is room for.
    var columnCount: Int { columns.count }

    /// Has the processor bring closer where the first term of a variable is looked up.
    @inline(__always)
    func prefetch(column: Int32) { columns.prefetch(column) }

    /// The first term of a constraint; -1 for none.
    @inline(__always)
    func head(ofRow row: Int32) -> Int32 { rows[row] }

    /// The first term of a variable, that of the constraint which came last; -1 for none.
    @inline(__always)
    func head(ofColumn column: Int32) -> Int32 { columns[column] }

    /// How many terms a constraint has.
    ///
    /// - Complexity: O(as many).
    @inline(__always)
    func count(ofRow row: Int32) -> Int32 {
        let head = rows[row]
        return head < 0 ? 0 : last(ofRow: row) &- head &+ 1
    }

    /// The last term of a constraint that has any.
    ///
    /// - Complexity: O(number of its terms).
    @inline(__always)
    func last(ofRow row: Int32) -> Int32 {
        var index = rows[row]
        while !cells[index].isLast { index &+= 1 }
        return index
    }

    /// How many constraints a variable is in.
    @inline(__always)
    func count(ofColumn column: Int32) -> Int32 {
        let head = columns[column]
        return head < 0 ? 0 : 0 &- cells[head].previousInColumn
    }

    /// Bytes of memory that it holds.
    var byteCount: Int { cells.byteCount + rows.byteCount + columns.byteCount }

    /// Gives back memory that is kept for terms to come.
    mutating func trim() {
        closeGaps()
        cells.trim()
        rows.trim()
        columns.trim()
    }

    /// Adds a term to a constraint that has no others but those that were added just before.
    @inline(__always)
    mutating func append(row: Int32, column: Int32, value: Double, isFirst: Bool, isLast: Bool) {
        let index = Int32(truncatingIfNeeded: cells.count)
        let head = columns[column]
        var term = Term(value: value, row: row, column: column, isLast: isLast, next: head)
        // The count goes from the first term until now to the new one.
        if head >= 0 {
            cells.modify(head) { first in
                term.previousInColumn = first.previousInColumn &- 1
                first.previousInColumn = index
            }
        }
        cells.append(term)
        columns[column] = index
        if isFirst { rows[row] = index }
        cellCount &+= 1
    }

    /// Removes a constraint's terms.
    ///
    /// - Complexity: O(number of them), on the average of many.
    mutating func removeRow(_ row: Int32) {
        var next = rows[row]
        while next >= 0 {
            let index = next
            let term = cells[index]
            next = term.nextInRow(after: index)
            unlink(term)
            cells[index].row = -1
            cellCount &-= 1
        }
        rows[row] = -1
        if cells.count > Self.fewCells &+ 2 &* cellCount { closeGaps() }
    }

    /// How many cells may be gaps, whatever there is besides.
    private static let fewCells = 64

    /// Takes a term out of the list of its variable.
    private mutating func unlink(_ term: Term) {
        if term.previousInColumn >= 0 {
            cells[term.previousInColumn].nextInColumn = term.nextInColumn
            if term.nextInColumn >= 0 {
                cells[term.nextInColumn].previousInColumn = term.previousInColumn
            }
            cells[columns[term.column]].previousInColumn &+= 1
        } else {
            columns[term.column] = term.nextInColumn
            if term.nextInColumn >= 0 {
                cells[term.nextInColumn].previousInColumn = term.previousInColumn &+ 1
            }
        }
    }

    /// Moves the terms together.
    private mutating func closeGaps() {
        guard cells.count > cellCount else { return }
        var count: Int32 = 0
        for index in cells.indices {
            let term = cells[index]
            guard term.row >= 0 else { continue }
            // The terms before and behind it say where they are now.
            if rows[term.row] == Int32(truncatingIfNeeded: index) { rows[term.row] = count }
            if term.previousInColumn >= 0 {
                cells[term.previousInColumn].nextInColumn = count
            } else {
                columns[term.column] = count
            }
            if term.nextInColumn >= 0 { cells[term.nextInColumn].previousInColumn = count }
            cells[count] = term
            count &+= 1
        }
        cells.truncate(to: Int(count))
    }

    /// The first wrong link or count, in words; nil when all are right.
    func linkFailure() -> String? {
        var inRows = 0
        for row in rows.places {
            var index = rows[row]
            while index >= 0 {
                let term = cells[index]
                if term.row != row { return "term of row \(row)" }
                inRows += 1
                index = term.nextInRow(after: index)
            }
        }
        var inColumns = 0
        for column in columns.places {
            let length = count(ofColumn: column)
            var previous = 0 &- length
            var count: Int32 = 0
            var index = columns[column]
            while index >= 0 {
                let term = cells[index]
                if term.row < 0 || term.column != column || term.previousInColumn != previous {
                    return "link in column \(column)"
                }
                previous = index
                count += 1
                index = term.nextInColumn
            }
            if count != length { return "count of column \(column)" }
            inColumns += Int(count)
        }
        return inRows == cellCount && inColumns == cellCount ? nil : "count of terms"
    }
}
