/// Solving the kernel for a column.
extension Basis {
    /// Solves the kernel for the right side in `work`, whose places are equations.
    ///
    /// Afterwards `work` holds the value of each reached equation's pivot, and what is left of the
    /// right side of those outside the kernel, which their markers have to take up. `spike` holds
    /// the right side as the operations left it, of which an update is made.
    ///
    /// From one equation on, what follows from another mostly follows from no third one, or from
    /// one that was found before it: each is solved when its turn comes among those found. Where
    /// that turns out to be wrong, they are put in order first; so they are at once where the right
    /// side has several equations, some of which mostly follow from others.
    ///
    /// - Parameters:
    ///   - kinks: `Shape.kinkClass` of each symbol.
    ///   - column: Gets the pivots that are not zero; it is empty.
    mutating func solveColumn(
        _ terms: borrowing TermTable, _ kinks: borrowing Buffer<UInt8>,
        into column: inout SparseList
    ) {
        operateForward()
        spike.removeAll()
        var index = 0
        while index < work.count {
            let value = work.value(at: index)
            if value != 0 { spike.append(Part(row: work.place(at: index), value: value)) }
            index &+= 1
        }
        if spike.count == 1 {
            guard !solveAsFound(terms, kinks, into: &column) else { return }
            column.entries.removeAll()
            work.removeAll()
            work.add(spike[0].value, at: spike[0].row)
        }
        solveInOrder(terms, kinks, into: &column)
    }

    /// Marks the equations of the kernel that depend on the pivot of one, itself included;
    /// `isMarked` tells until the next solve.
    mutating func markDependents(of row: Int32, in terms: borrowing TermTable) {
        beginVisit()
        _ = find(row)
        var next = 0
        var count = 1
        while next < reached.count {
            let row = reached[next]
            next &+= 1
            count &+= forEachMention(of: equations[row].pivot, besides: row, terms) {
                (basis, mention, _) in
                _ = basis.find(mention)
                return true
            }
        }
        charge(search: count)
    }

    /// Solves the equations in the order in which they are found, one from the other.
    ///
    /// - Returns: Whether that was right; false once something follows for one that was solved
    ///   before.
    @inline(__always)
    private mutating func solveAsFound(
        _ terms: borrowing TermTable, _ kinks: borrowing Buffer<UInt8>,
        into column: inout SparseList
    ) -> Bool {
        beginVisit()
        for index in spike.indices { _ = find(spike[index].row) }
        var next = 0
        var count = reached.count
        var isInOrder = true
        while next < reached.count, isInOrder {
            let row = reached[next]
            next &+= 1
            let done = visit &+ 1
            let equation = equations.modify(row) { equation in
                equation.visit = done
                return equation
            }
            let solution = work.divide(row, by: equation.value)
            if solution != 0 { column.append(equation.pivot, solution, kinks) }
            count &+= forEachMention(of: equation.pivot, besides: row, terms) {
                (basis, mention, value) in
                basis.work.add(-value * solution, at: mention)
                isInOrder = basis.find(mention)
                return isInOrder
            }
        }
        charge(search: count)
        // What was found is gone through for its numbers, too.
        meter &+= UInt64(truncatingIfNeeded: count)
        return isInOrder
    }

    /// Lists an equation for a search that comes to it, unless it is outside the kernel.
    ///
    /// - Returns: False if the search was done with it.
    @inline(__always)
    private mutating func find(_ row: Int32) -> Bool {
        let visit = visit
        let before = equations.modify(row) { equation in
            let before = equation.visit
            if equation.pivot >= 0, before != visit &+ 1 { equation.visit = visit }
            return equation.pivot < 0 ? visit : before
        }
        if before == visit { return true }
        guard before != visit &+ 1 else { return false }
        reached.append(row)
        return true
    }

    /// Goes through the equations that mention a pivot, those outside the kernel too, with their
    /// coefficients, until `body` returns false.
    ///
    /// - Parameter row: The pivot's own equation, which is left out.
    /// - Returns: How many cells that took.
    @inline(__always)
    private mutating func forEachMention(
        of pivot: Int32, besides row: Int32, _ terms: borrowing TermTable,
        _ body: (inout Self, Int32, Double) -> Bool
    ) -> Int {
        var count = 0
        if pivot & 1 == 0 {
            var next = terms.head(ofColumn: pivot >> 1)
            while next >= 0 {
                let cell = terms.cells[next]
                next = cell.nextInColumn
                count &+= 1
                guard cell.row != row, !isReduced(cell.row) else { continue }
                guard body(&self, cell.row, cell.value) else { return count }
            }
        } else {
            count = 1
            // An equation is its terms less its marker.
            if pivot >> 1 != row, !isReduced(pivot >> 1), !body(&self, pivot >> 1, -1) {
                return count
            }
        }
        guard hasReduced else { return count }
        var next = reduced.head(ofColumn: pivot)
        while next >= 0 {
            let cell = reduced.cells[next]
            next = cell.nextInColumn
            count &+= 1
            guard body(&self, cell.row, cell.value) else { return count }
        }
        return count
    }

    private mutating func charge(search count: Int) {
        priceOfSearch = UInt64(truncatingIfNeeded: count)
        meter &+= priceOfSearch
    }

    /// Solves the equations each after those that it depends on.
    private mutating func solveInOrder(
        _ terms: borrowing TermTable, _ kinks: borrowing Buffer<UInt8>,
        into column: inout SparseList
    ) {
        beginVisit()
        for index in spike.indices { visitDependents(of: spike[index].row, in: terms) }
        var index = reached.count
        while index > 0 {
            index &-= 1
            let row = reached[index]
            let equation = equations[row]
            let solution = work.divide(row, by: equation.value)
            guard solution != 0 else { continue }
            column.append(equation.pivot, solution, kinks)
            meter &+= UInt64(
                truncatingIfNeeded: forEachMention(of: equation.pivot, besides: row, terms) {
                    (basis, mention, value) in
                    basis.work.add(-value * solution, at: mention)
                    return true
                })
        }
    }
}
