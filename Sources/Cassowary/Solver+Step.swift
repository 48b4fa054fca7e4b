/// The moves that everything else is made of: shift a column, exchange two symbols, change a price.
extension Solver {
    /// A change that can be taken back.
    enum JournalEntry {
        case value(Int32, Double)
        case side(Int32, Int8)
        case swap(leaving: Int32, entering: Int32, leavingSide: Int8)
    }

    /// Takes back everything since journaling began, in reverse order. Values return bit for bit.
    ///
    /// - Returns: False if rounding erased the way back; the caller then restores the sources and rebuilds.
    mutating func rollBack() -> Bool {
        isJournaling = false
        while let entry = journal.popLast() {
            switch entry {
            case .value(let symbol, let old):
                symbols[Int(symbol)].value = old
                touch(symbol)
            case .side(let symbol, let old): setSide(symbol, old)
            case .swap(let leaving, let entering, let side):
                guard tableau.value(row: entering, column: leaving) != 0 else {
                    endJournal()
                    clearSuspects()
                    return false
                }
                swap(leaving: entering, entering: leaving, side: side)
            }
        }
        clearSuspects()
        return true
    }

    mutating func beginJournal() {
        journal.removeAll(keepingCapacity: true)
        isJournaling = true
    }

    mutating func endJournal() {
        journal.removeAll(keepingCapacity: true)
        isJournaling = false
    }

    /// Moves a parametric symbol and with it every basic symbol of its column.
    ///
    /// - Complexity: O(length of the column).
    mutating func move(_ symbol: Int32, by delta: Double) {
        guard delta != 0 else { return }
        movesSinceRefresh += 1
        setValue(symbol, symbols[Int(symbol)].value + delta)
        var index = tableau.columns[Int(symbol)].head
        while index >= 0 {
            let cell = tableau.cells[Int(index)]
            setValue(cell.row, symbols[Int(cell.row)].value + cell.value * delta)
            settle(cell.row)
            index = cell.nextInColumn
        }
    }

    mutating func setValue(_ symbol: Int32, _ value: Double) {
        if isJournaling { journal.append(.value(symbol, symbols[Int(symbol)].value)) }
        symbols[Int(symbol)].value = value
        peak = max(peak, value.magnitude)
        touch(symbol)
    }

    mutating func touch(_ symbol: Int32) {
        guard symbol & 1 == 0, !symbols[Int(symbol)].isTouched else { return }
        symbols[Int(symbol)].isTouched = true
        touched.append(symbol)
    }

    /// Notices that a basic symbol has crossed its kink: a required one is to be repaired, another one is
    /// priced by its other slope from now on.
    mutating func settle(_ symbol: Int32) {
        let state = symbols[Int(symbol)]
        guard state.shape.hasKink else { return }
        if state.shape.level < 0 {
            if !state.isSuspect, state.isInfeasible {
                symbols[Int(symbol)].isSuspect = true
                suspects.append(symbol)
            }
        } else if state.side > 0 {
            if state.value < state.kink - state.tolerance { flip(symbol, to: -1) }
        } else if state.value > state.kink + state.tolerance {
            flip(symbol, to: 1)
        }
    }

    /// Prices a basic symbol by the slope on the other side of its kink, which it is about to cross.
    mutating func pass(_ symbol: Int32) {
        flip(symbol, to: -symbols[Int(symbol)].side)
    }

    private mutating func flip(_ symbol: Int32, to side: Int8) {
        if isJournaling { journal.append(.side(symbol, symbols[Int(symbol)].side)) }
        setSide(symbol, side)
    }

    /// Sets the slope of a basic symbol without noting it in the journal.
    private mutating func setSide(_ symbol: Int32, _ side: Int8) {
        var state = symbols[Int(symbol)]
        let old = state.gradient
        state.side = side
        symbols[Int(symbol)].side = side
        charge(symbol, state.gradient - old)
    }

    /// Adds `factor` times the row of a basic symbol to the objective level of that symbol.
    private mutating func charge(_ symbol: Int32, _ factor: Double) {
        guard factor != 0 else { return }
        tableau.copyRow(symbol, into: &scratchRow)
        objective.matrix.add(
            factor, times: scratchRow, toRow: symbols[Int(symbol)].shape.level)
        for column in scratchRow.columns { markUnpriced(column) }
    }

    /// Adds the price of a basic symbol to an objective that is being computed anew.
    mutating func recharge(_ symbol: Int32) {
        charge(symbol, symbols[Int(symbol)].gradient)
    }

    mutating func markUnpriced(_ symbol: Int32) {
        guard !symbols[Int(symbol)].isUnpriced else { return }
        symbols[Int(symbol)].isUnpriced = true
        unpriced.append(symbol)
    }

    /// Changes a symbol's price; the objective follows.
    ///
    /// The caller sees to it that a parametric symbol rests on its kink.
    mutating func setShape(_ symbol: Int32, _ shape: Shape, side: Int8) {
        let isBasic = symbols[Int(symbol)].status == .basic
        if isBasic { charge(symbol, -symbols[Int(symbol)].gradient) }
        symbols[Int(symbol)].shape = shape
        symbols[Int(symbol)].side = side
        if isBasic {
            charge(symbol, symbols[Int(symbol)].gradient)
        } else {
            markUnpriced(symbol)
        }
    }

    /// Notes how much the last pivot can have magnified the rounding errors there were before it.
    private mutating func wearOut(factor: Double) {
        var largest = 0.0
        for value in pivotRow.values { largest = max(largest, value.magnitude) }
        let growth = largest * max(1, factor)
        if growth > Tolerance.ordinaryGrowth { wear *= growth }
    }

    /// Exchanges a basic and a parametric symbol: the pivot of section 2.4 of the paper, objective included.
    ///
    /// - Parameter side: On which side of its kink the entering symbol will be.
    mutating func swap(leaving: Int32, entering: Int32, side: Int8) {
        if isJournaling {
            let leavingSide = symbols[Int(leaving)].side
            journal.append(.swap(leaving: leaving, entering: entering, leavingSide: leavingSide))
        }
        charge(leaving, -symbols[Int(leaving)].gradient)
        if drift(of: leaving) > Tolerance.drift { wear = .infinity }
        let factor = tableau.largestMagnitude(inColumn: entering)
        tableau.pivot(leaving: leaving, entering: entering, row: &pivotRow)
        wearOut(factor: factor)
        if objective.matrix.columns[Int(entering)].count > 0 {
            objective.matrix.substitute(column: entering, with: pivotRow)
            for column in pivotRow.columns { markUnpriced(column) }
        }
        symbols[Int(leaving)].status = .parametric
        symbols[Int(entering)].status = .basic
        symbols[Int(entering)].side = side
        charge(entering, symbols[Int(entering)].gradient)
        markUnpriced(leaving)
    }
}
