extension SparseMatrix {
    /// Solves the row of `leaving` for `entering` and substitutes the result in every other row.
    ///
    /// Afterwards `row`, which the caller also substitutes into the objective, holds the row of `entering`.
    /// This is the pivot of section 2.4 of the paper.
    ///
    /// - Complexity: O(length of each row that mentions `entering` + length of the pivot row for each).
    mutating func pivot(leaving: Int32, entering: Int32, row: inout SparseRow) {
        var coefficient = 0.0
        copyRow(leaving, into: &row)
        removeRow(leaving)
        var write = 0
        for read in row.columns.indices {
            let column = row.columns[read]
            let value = row.values[read]
            if column == entering {
                coefficient = value
            } else {
                row.columns[write] = column
                row.values[write] = value
                write += 1
            }
        }
        row.columns.removeLast(row.columns.count - write)
        row.values.removeLast(row.values.count - write)
        precondition(coefficient != 0, "a pivot needs a coefficient")
        for position in row.values.indices { row.values[position] /= -coefficient }
        row.append(column: leaving, value: 1 / coefficient)

        substitute(column: entering, with: row)
        for position in row.columns.indices {
            let column = row.columns[position]
            // The leaving symbol keeps its cell however small, or the basis would lose a dimension.
            insert(
                row: entering, column: column, value: row.values[position],
                isKept: column == leaving)
        }
    }

    /// Replaces a column by a row: every row that mentions `column` takes `row` in its place.
    mutating func substitute(column: Int32, with row: SparseRow) {
        while true {
            let index = columns[Int(column)].head
            guard index >= 0 else { return }
            let factor = cells[Int(index)].value
            let target = cells[Int(index)].row
            remove(cell: index)
            add(factor, times: row, toRow: target)
        }
    }
}
