/// Passing pivots from equation to equation, which keeps the kernel triangular without an
/// elimination.
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
    ///
    /// - Complexity: O(number of its terms).
    mutating func isSingleton(_ row: Int32, in terms: borrowing TermTable) -> Bool {
        guard isAsStated(row), borrower(ofMarkerOf: row) < 0 else { return false }
        var next = terms.head(ofRow: row)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            meter &+= 1
            let equation = equationOf[Symbol.variable(cell.column)]
            if equation >= 0, equation != row { return false }
        }
        return true
    }

    /// Whether an equation of the kernel is what its constraint says, mentions its pivot alone, and
    /// nothing else in the kernel does: it can leave, and its pivot is free then.
    ///
    /// - Complexity: O(number of its terms, and of the constraints of its pivot).
    mutating func holdsAlone(_ row: Int32, in terms: borrowing TermTable) -> Bool {
        let pivot = equations[row].pivot
        guard pivot & 1 == 0, use(of: row).firstAsSource < 0, isSingleton(row, in: terms),
            !hasReduced || reduced.head(ofColumn: pivot) < 0
        else { return false }
        var next = terms.head(ofColumn: pivot >> 1)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInColumn
            meter &+= 1
            if cell.row != row, isAsStated(cell.row) { return false }
        }
        return true
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
    /// - Returns: How much `variable` changes per unit of the last equation's right side; nil if an
    ///   equation depends on two marked ones, or would be solved for a variable of small
    ///   coefficient.
    mutating func followPath(
        from variable: Int32, to end: Int32, in terms: borrowing TermTable
    ) -> Double? {
        path.removeAll()
        var factor = 1.0
        var row = equationOf[variable]
        while row != end {
            guard let (step, next) = onlyMarkedRequisite(of: row, in: terms) else { return nil }
            let pivot = equations[row].value
            guard step.value.magnitude >= Tolerance.pivotShare * pivot.magnitude else { return nil }
            factor *= -step.value / pivot
            path.append(step)
            row = next
        }
        return factor / equations[end].value
    }

    /// The one marked equation that another depends on, and by what; nil if there is none, or more
    /// than one.
    @inline(__always)
    private mutating func onlyMarkedRequisite(
        of row: Int32, in terms: borrowing TermTable
    ) -> (step: PathStep, next: Int32)? {
        var step = PathStep(row: row, value: -1, cell: -1)
        var found: Int32 = -1
        if isReduced(row) {
            meter &+= UInt64(reduced.count(ofRow: row))
            var next = reduced.head(ofRow: row)
            while next >= 0 {
                let cell = reduced.cells[next]
                if isMarked(equationOf[cell.column]) {
                    guard found < 0 else { return nil }
                    found = equationOf[cell.column]
                    (step.value, step.cell) = (cell.value, next)
                }
                next = cell.nextInRow
            }
        } else {
            var next = terms.head(ofRow: row)
            while next >= 0 {
                let cell = terms.cells[next]
                next = cell.nextInRow(after: next)
                meter &+= 1
                let equation = equationOf[Symbol.variable(cell.column)]
                guard equation >= 0, equation != row, isMarked(equation) else { continue }
                guard found < 0 else { return nil }
                found = equation
                step.value = cell.value
            }
            // An equation is its terms less its marker.
            let borrower = borrower(ofMarkerOf: row)
            if borrower >= 0, isMarked(borrower) {
                guard found < 0 else { return nil }
                found = borrower
            }
        }
        return found < 0 ? nil : (step, found)
    }

    /// Takes an equation out of the kernel; each on the path to it takes the pivot of the next.
    ///
    /// - Returns: The pivot of the path's first equation, which is free for another.
    mutating func handOn(endingAt end: Int32) -> Int32 {
        var pivot = equations[end].pivot
        forgetOperations(target: end)
        equations[end].pivot = -1
        kernelCount -= 1
        var index = path.count
        while index > 0 {
            index &-= 1
            let step = path[index]
            let old = equations[step.row].pivot
            if step.cell >= 0 {
                reduced.remove(cell: step.cell)
                reduced.insert(row: step.row, column: old, value: equations[step.row].value)
            }
            equations[step.row].pivot = pivot
            equations[step.row].value = step.value
            equationOf[pivot] = step.row
            pivot = old
        }
        equationOf[pivot] = -1
        return pivot
    }
}
