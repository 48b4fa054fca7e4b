/// Rows and columns of the paper's tableau, computed from the constraints and the factored basis
/// when asked for.
extension Solver {
    /// Whether a basic marker's own equation alone defines it, outside the kernel.
    @inline(__always)
    func isOutside(_ symbol: Int32) -> Bool { basis.equationOf[symbol] < 0 }

    /// Whether a constraint, in force or departed, is part of the system that the basis belongs to.
    @inline(__always)
    private func hasEquation(_ constraint: Int32) -> Bool {
        symbols[Symbol.marker(ofRow: constraint)].status != .absent
    }

    /// Computes the column of a parametric symbol into `column`: how each basic symbol changes with
    /// it.
    ///
    /// - Complexity: O(number of symbols and constraints that depend on the symbol).
    mutating func loadColumn(_ symbol: Int32) {
        guard column.owner != symbol else { return payForCarriedColumn() }
        let (cells, wear) = (meter &+ basis.meter, basis.wear)
        column.begin(symbol)
        basis.work.removeAll()
        if symbol & 1 == 1 {
            basis.work.add(1, at: symbol >> 1)
        } else {
            var next = terms.head(ofColumn: symbol >> 1)
            while next >= 0 {
                let cell = terms.cells[next]
                if hasEquation(cell.row) { basis.work.add(-cell.value, at: cell.row) }
                next = cell.nextInColumn
            }
        }
        finishColumn()
        column.visit = basis.visit
        chargeListed()
        column.price.cells = meter &+ basis.meter &- cells
        column.price.wear = basis.wear &- wear
    }

    /// Charges a column that is at hand since an earlier change or `solve()`, and wears the basis,
    /// as if it were solved for.
    ///
    /// So it is a matter of time alone whether it is at hand. It is not in a copy of the solver:
    /// were its use free, what a refused change, which ends with a copy, is followed by would come
    /// to another price, and the basis be factored at another moment, than in a replay, which does
    /// not have that change.
    private mutating func payForCarriedColumn() {
        guard column.isCarried else { return }
        column.isCarried = false
        meter &+= column.price.cells
        basis.wear &+= column.price.wear
    }

    /// Keeps the column at hand for the next changes, which often move the same symbol, and forgets
    /// the row.
    mutating func carryColumn() {
        row.owner = -1
        column.isCarried = true
    }

    /// Solves the kernel for `basis.work` and lists what follows from it, markers outside the
    /// kernel included.
    private mutating func finishColumn() {
        basis.solveColumn(terms, kinks, into: &column)
        var index = 0
        while index < basis.work.count {
            let row = basis.work.place(at: index)
            let value = basis.work.value(at: index)
            index &+= 1
            guard value != 0, !basis.isInKernel(row), hasEquation(row) else { continue }
            column.append(Symbol.marker(ofRow: row), -value, kinks)
        }
    }

    /// Charges the symbols that `finishColumn` has listed. Its own loop would have to keep their
    /// number at hand for this, in a register that it needs.
    @inline(__always)
    private mutating func chargeListed() {
        charge(1 &+ column.entries.count)
    }

    /// Computes the change of all basic symbols when the markers in `moves` move at once, into
    /// `column`.
    ///
    /// - Complexity: O(number of symbols and constraints that depend on the markers).
    mutating func loadCombinedColumn() {
        column.begin(-2)
        basis.work.removeAll()
        var index = 0
        while index < moves.entries.count {
            basis.work.add(moves.entries[index].value, at: moves.entries[index].symbol >> 1)
            index &+= 1
        }
        finishColumn()
        chargeListed()
        column.owner = -1
    }

    /// Computes the row of a basic symbol into `row`: what it is in terms of the parametric
    /// symbols.
    ///
    /// - Parameter isWhole: Whether the row is to have the markers of required equations, too. They
    ///   never move, and are most of a layout's: what is to be moved is chosen without them.
    /// - Complexity: O(number of symbols that the symbol depends on, and of their constraints'
    ///   terms).
    mutating func loadRow(_ symbol: Int32, isWhole: Bool = false) {
        guard row.owner != symbol || (isWhole && !row.isWhole) else { return }
        row.begin(symbol)
        row.isWhole = isWhole
        basis.work.removeAll()
        rowSum.removeAll()
        seedRow(symbol, 1)
        finishRow()
    }

    /// Adds `factor` times a basic symbol to the combination that the row at hand is of.
    private mutating func seedRow(_ symbol: Int32, _ factor: Double) {
        let equation = basis.equationOf[symbol]
        if equation >= 0 {
            basis.work.add(factor, at: equation)
            return
        }
        var next = terms.head(ofRow: symbol >> 1)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            let variable = cell.column &* 2
            let equation = basis.equationOf[variable]
            if equation >= 0 {
                basis.work.add(factor * cell.value, at: equation)
            } else {
                rowSum.add(factor * cell.value, at: variable)
            }
        }
    }

    private mutating func finishRow() {
        basis.solveRow(terms, rest: &rowSum)
        var index = 0
        while index < basis.work.count {
            let equation = basis.work.place(at: index)
            let weight = basis.work.value(at: index)
            index &+= 1
            guard weight != 0 else { continue }
            let marker = Symbol.marker(ofRow: equation)
            let state = symbols[marker]
            if state.status == .parametric, !state.isFixed || row.isWhole {
                rowSum.add(weight, at: marker)
            }
        }
        charge(1 &+ rowSum.count)
        index = 0
        while index < rowSum.count {
            let symbol = rowSum.place(at: index)
            let value = rowSum.value(at: index)
            if value != 0 { row.append(symbol, value) }
            index &+= 1
        }
    }

    /// Brings the objective up to date with the latest gradients that changed since: one combined
    /// row a level.
    mutating func updateObjective(atMost limit: Int = .max) {
        guard limit > 0, uncharged.count > 0 else { return }
        let first = max(0, uncharged.count &- limit)
        var isFound = true
        while isFound {
            isFound = false
            var level: Int32 = -1
            basis.work.removeAll()
            rowSum.removeAll()
            var index = first
            while index < uncharged.count {
                let symbol = uncharged[index]
                index &+= 1
                guard symbols[symbol].queues.contains(.uncharged) else { continue }
                let due = symbols[symbol].due
                guard due.delta != 0 else {
                    symbols[symbol].queues.remove(.uncharged)
                    continue
                }
                if level < 0 { level = due.level }
                guard due.level == level else { continue }
                isFound = true
                symbols[symbol].charged = due.charged
                if due.charged == symbols[symbol].gradient {
                    symbols[symbol].queues.remove(.uncharged)
                }
                seedRow(symbol, due.delta)
            }
            charge(uncharged.count &- first)
            guard isFound, !stopsIfOverdrawn() else { break }
            row.begin(-2)
            finishRow()
            row.owner = -1
            index = 0
            while index < row.entries.count {
                let entry = row.entries[index]
                objective.add(entry.value, to: entry.symbol, level: level)
                markUnpriced(entry.symbol)
                index &+= 1
            }
        }
        uncharged.truncate(to: first)
    }

    /// Notes that a symbol's gradient may no longer be the one that the objective contains.
    mutating func markUncharged(_ symbol: Int32) {
        guard !symbols[symbol].queues.contains(.uncharged) else { return }
        symbols[symbol].queues.insert(.uncharged)
        uncharged.append(symbol)
    }

    /// The coefficient of a symbol in the row at hand.
    mutating func rowCoefficient(of symbol: Int32) -> Double {
        rowSum[symbol]
    }

    /// Notes that a symbol's price has changed: what is known of the column at hand's bounds is out
    /// of date.
    @inline(__always)
    mutating func invalidateKinks() {
        column.isBounded = true
        column.outline.isKnown = false
    }

    /// Forgets the row and column at hand, which a change has made untrue.
    @inline(__always)
    mutating func invalidate() {
        row.owner = -1
        column.owner = -1
    }
}
