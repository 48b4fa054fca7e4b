/// The order of exchanges when a tableau is made anew: shortest row first, and in it a large coefficient.
struct Elimination {
    /// Variables that are to become basic and are not yet.
    var isPending: ContiguousArray<Bool>
    /// Constraints that turned out to depend on those before them.
    private(set) var dependent: ContiguousArray<Int32> = []
    /// Rows by how many pending variables they mention; -1 when exchanged.
    private var counts: ContiguousArray<Int32>
    /// The same rows the other way round; entries that a later count replaced are skipped.
    private var buckets: ContiguousArray<ContiguousArray<Int32>> = []
    private var shortest = 0
    private var changed: ContiguousArray<Int32> = []

    init(symbolCount: Int) {
        isPending = ContiguousArray(repeating: false, count: symbolCount)
        counts = ContiguousArray(repeating: -1, count: symbolCount)
    }

    mutating func enqueue(_ row: Int32, in matrix: SparseMatrix) {
        var count = 0
        var index = matrix.rows[Int(row)].head
        while index >= 0 {
            if isPending[Int(matrix.cells[Int(index)].column)] { count += 1 }
            index = matrix.cells[Int(index)].nextInRow
        }
        guard counts[Int(row)] != Int32(count) else { return }
        counts[Int(row)] = Int32(count)
        while buckets.count <= count { buckets.append([]) }
        buckets[count].append(row)
        shortest = min(shortest, count)
    }

    /// Takes the next exchange off the queue.
    mutating func next(in matrix: SparseMatrix) -> (leaving: Int32, entering: Int32)? {
        while shortest < buckets.count {
            guard let row = buckets[shortest].popLast() else {
                shortest += 1
                continue
            }
            guard counts[Int(row)] == Int32(shortest) else { continue }
            counts[Int(row)] = -1
            if let exchange = exchange(row, in: matrix) { return exchange }
            dependent.append(row)
        }
        return nil
    }

    private mutating func exchange(
        _ row: Int32, in matrix: SparseMatrix
    ) -> (leaving: Int32, entering: Int32)? {
        guard let column = pivotColumn(of: row, in: matrix) else { return nil }
        isPending[Int(column)] = false
        changed.removeAll(keepingCapacity: true)
        var index = matrix.columns[Int(column)].head
        while index >= 0 {
            let other = matrix.cells[Int(index)].row
            if counts[Int(other)] >= 0 { changed.append(other) }
            index = matrix.cells[Int(index)].nextInColumn
        }
        return (row, column)
    }

    /// Counts the rows anew that the last exchange changed.
    mutating func requeue(in matrix: SparseMatrix) {
        for row in changed { enqueue(row, in: matrix) }
    }

    private func largestPending(of row: Int32, in matrix: SparseMatrix) -> Double {
        var largest = 0.0
        var index = matrix.rows[Int(row)].head
        while index >= 0 {
            let cell = matrix.cells[Int(index)]
            if isPending[Int(cell.column)] { largest = max(largest, cell.value.magnitude) }
            index = cell.nextInRow
        }
        return largest
    }

    /// Of the pending variables with a coefficient near the row's largest, the one in fewest rows.
    private func pivotColumn(of row: Int32, in matrix: SparseMatrix) -> Int32? {
        let largest = largestPending(of: row, in: matrix)
        guard largest > Tolerance.pivot else { return nil }
        var best: Int32?
        var index = matrix.rows[Int(row)].head
        while index >= 0 {
            let cell = matrix.cells[Int(index)]
            index = cell.nextInRow
            guard isPending[Int(cell.column)],
                cell.value.magnitude >= Tolerance.pivotShare * largest
            else { continue }
            guard let chosen = best else {
                best = cell.column
                continue
            }
            let left = matrix.columns[Int(cell.column)].count
            let right = matrix.columns[Int(chosen)].count
            if left < right || (left == right && cell.column < chosen) { best = cell.column }
        }
        return best
    }
}
