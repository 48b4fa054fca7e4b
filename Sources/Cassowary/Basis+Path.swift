/// Passing pivots from equation to equation, which keeps the kernel triangular without an elimination.
extension Basis {
    /// Whether an equation of the kernel can leave it for another: no operation in effect reads it.
    func canLeave(_ row: Int32) -> Bool {
        guard isInKernel(row) else { return false }
        var next = use(of: row).firstAsSource
        while next >= 0 {
            let operation = operations[next]
            if operation.factor != 0 { return false }
            next = operation.nextOfSource
        }
        return true
    }

    /// Whether an equation of the kernel is what its constraint says, and mentions its pivot alone.
    func isSingleton(_ row: Int32) -> Bool {
        isInKernel(row) && use(of: row).lastAsTarget < 0 && upper.head(ofRow: row) < 0
    }

    /// Whether an equation of the kernel is what its constraint says, mentions its pivot alone, and nothing else in the kernel does: it can
    /// leave, and its pivot is free then.
    func holdsAlone(_ row: Int32) -> Bool {
        let use = use(of: row)
        return use.lastAsTarget < 0 && use.firstAsSource < 0 && upper.head(ofRow: row) < 0
            && upper.head(ofColumn: equations[row].pivot) < 0
    }

    /// Takes an equation that `holdsAlone` out of the kernel.
    mutating func letGo(of row: Int32) {
        path.removeAll()
        _ = handOn(endingAt: row)
    }

    /// Puts an equation into the kernel in the place of a singleton, of which it is `ratio` times.
    mutating func replace(_ old: Int32, by row: Int32, ratio: Double) {
        let pivot = equations[old].pivot
        var next = use(of: old).firstAsSource
        while next >= 0 {
            operations[next].source = row
            operations[next].factor /= ratio
            next = operations[next].nextOfSource
        }
        hand(usesOf: old, to: row)
        equations[row].pivot = pivot
        equations[row].value = equations[old].value * ratio
        equationOf[pivot] = row
        equations[old].pivot = -1
    }

    /// Follows what equations depend on among the marked ones, into `path`.
    ///
    /// - Returns: How much `variable` changes per unit of the last equation's right side; nil if an equation depends on two
    ///   marked ones, or would be solved for a variable of small coefficient.
    mutating func followPath(from variable: Int32, to end: Int32) -> Double? {
        path.removeAll()
        var factor = 1.0
        var row = equationOf[variable]
        while row != end {
            var step: Int32 = -1
            var next = upper.head(ofRow: row)
            while next >= 0 {
                let cell = upper.cells[next]
                if isMarked(equationOf[cell.column]) {
                    guard step < 0 else { return nil }
                    step = next
                }
                next = cell.nextInRow
            }
            guard step >= 0 else { return nil }
            meter &+= UInt64(upper.count(ofRow: row))
            let cell = upper.cells[step]
            let pivot = equations[row].value
            guard cell.value.magnitude >= Tolerance.pivotShare * pivot.magnitude else { return nil }
            factor *= -cell.value / pivot
            path.append(step)
            row = equationOf[cell.column]
        }
        return factor / equations[end].value
    }

    /// Takes an equation out of the kernel; each on the path to it takes the pivot of the next.
    ///
    /// - Returns: The pivot of the path's first equation, which is free for another.
    mutating func handOn(endingAt end: Int32) -> Int32 {
        var pivot = equations[end].pivot
        forgetOperations(target: end)
        upper.removeRow(end)
        equations[end].pivot = -1
        kernelCount -= 1
        var index = path.count
        while index > 0 {
            index &-= 1
            let cell = upper.cells[path[index]]
            let row = cell.row
            let old = equations[row].pivot
            upper.remove(cell: path[index])
            upper.insert(row: row, column: old, value: equations[row].value)
            equations[row].pivot = pivot
            equations[row].value = cell.value
            equationOf[pivot] = row
            pivot = old
        }
        equationOf[pivot] = -1
        return pivot
    }
}
