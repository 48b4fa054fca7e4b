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
    /// - Returns: False if rounding erased the way back; the caller then restores the sources and
    ///   rebuilds.
    mutating func rollBack() -> Bool {
        isJournaling = false
        while let entry = journal.popLast() {
            switch entry {
            case .value(let symbol, let old):
                values[symbol] = old
                touch(symbol)
            case .side(let symbol, let old): setSide(symbol, old)
            case .swap(let leaving, let entering, let side):
                // A factorisation in between, which rounding or `workLimit` cut short, may have
                // changed their roles.
                let canSwap =
                    symbols[entering].status == .basic && symbols[leaving].status == .parametric
                if canSwap { swap(leaving: entering, entering: leaving, side: side) }
                guard canSwap, !isBlurred else {
                    endJournal()
                    clearSuspects()
                    return false
                }
            }
        }
        clearSuspects()
        return true
    }

    mutating func beginJournal() {
        journal.removeAll()
        isJournaling = true
    }

    mutating func endJournal() {
        journal.removeAll()
        isJournaling = false
    }

    /// Moves a parametric symbol and with it every basic symbol of its column.
    ///
    /// - Complexity: O(length of the column).
    mutating func move(_ symbol: Int32, by delta: Double) {
        guard delta != 0 else { return }
        loadColumn(symbol)
        setValue(symbol, values[symbol] + delta)
        moveColumn(by: delta)
    }

    /// Moves every basic symbol of the column at hand.
    ///
    /// - Parameter mayBreakBound: What the method of that name says.
    mutating func moveColumn(by delta: Double, mayBreakBound: Bool = true) {
        movesSinceRefresh += 1
        if isJournaling { journalColumn() }
        outlineColumn()
        var peak = peak
        var index: Int32 = 0
        let count = Int32(column.entries.count)
        charge(Int(count))
        while index < count {
            let entry = column.entries[index]
            // A sum is rounded at where the value comes from as well as at where it goes.
            let farthest = values.modify(entry.symbol) { value in
                let before = value.magnitude
                value += entry.value * delta
                return max(before, value.magnitude)
            }
            if farthest > peak { peak = farthest }
            index &+= 1
        }
        self.peak = peak
        for index in column.outline.variables.indices {
            let variables = column.outline.variables[index]
            touched.insert(variables.members, inWord: variables.word)
        }
        crossKinks(mayBreakBound: mayBreakBound)
    }

    @inline(__always)
    mutating func outlineColumn() {
        if !column.outline.isKnown { column.outline.find(column.entries, kinks: kinks) }
    }

    /// Notes the values of the column at hand, which is about to move.
    private mutating func journalColumn() {
        for index in column.entries.indices {
            let symbol = column.entries[index].symbol
            journal.append(.value(symbol, values[symbol]))
        }
    }

    @inline(__always)
    mutating func setValue(_ symbol: Int32, _ value: Double) {
        let old = values[symbol]
        if isJournaling { journal.append(.value(symbol, old)) }
        values[symbol] = value
        // As in `moveColumn`, for most new values are sums of old ones.
        peak = max(peak, max(old.magnitude, value.magnitude))
        touch(symbol)
    }

    @inline(__always)
    mutating func touch(_ symbol: Int32) {
        if symbol & 1 == 0 { touched.insert(symbol >> 1) }
    }

    mutating func markUnpriced(_ symbol: Int32) {
        guard !symbols[symbol].queues.contains(.unpriced) else { return }
        symbols[symbol].queues.insert(.unpriced)
        unpriced.append(symbol)
    }

    /// Exchanges a basic and a parametric symbol: the pivot of section 2.4 of the paper, objective
    /// included.
    ///
    /// - Parameter side: On which side of its kink the entering symbol will be.
    mutating func swap(leaving: Int32, entering: Int32, side: Int8) {
        if isJournaling {
            let leavingSide = symbols[leaving].side
            journal.append(.swap(leaving: leaving, entering: entering, leavingSide: leavingSide))
        }
        hasPivoted = true
        // It may not move, but goes back to where it was before a repair.
        let isFixed = symbols[entering].isFixed
        if isFixed { findRates(of: entering) }
        if handOver(leaving: leaving, entering: entering, side: side) { return }
        loadColumn(entering)
        let isOutside = isOutside(leaving)
        let equation = isOutside ? leaving >> 1 : basis.equationOf[leaving]
        let isPriced = isPriced(leaving: leaving, entering: entering)
        let needsRow = isPriced || basis.spikeReachesOthers(than: equation)
        if needsRow { loadRow(leaving, isWhole: isFixed) } else { basis.multipliers.removeAll() }
        exchangeRoles(leaving: leaving, entering: entering, side: side, isPriced: isPriced)

        var expected = needsRow ? rowCoefficient(of: entering) : 0
        if !isOutside { expected *= -basis.equations[equation].value }
        let pivot = basis.replace(
            leaving: leaving, entering: entering, in: equation, isOutside: isOutside)
        invalidate()
        let disagreement = needsRow ? (pivot - expected).magnitude : 0
        let isShaky = disagreement > Tolerance.pivotAgreement * expected.magnitude
        if isShaky || Tolerance.isSteep(pivot: pivot) {
            isBlurred = true
            factorBasis()
        } else {
            basis.releaseIfOwn(equation)
            if basis.isWorn { factorBasis() }
        }
    }

    /// Whether exchanging two symbols changes the objective.
    mutating func isPriced(leaving: Int32, entering: Int32) -> Bool {
        symbols[leaving].charged != 0 || objective.matrix.count(ofColumn: entering) > 0
    }

    /// The part of an exchange that concerns the symbols and the objective. If it is priced, the
    /// leaving one's row has to be at hand.
    mutating func exchangeRoles(leaving: Int32, entering: Int32, side: Int8, isPriced: Bool) {
        symbols[leaving].status = .parametric
        symbols[entering].status = .basic
        symbols[entering].side = side
        if isPriced {
            substituteIntoObjective(leaving: leaving, entering: entering)
        } else if symbols[entering].gradient != 0 {
            markUncharged(entering)
        }
        symbols[leaving].charged = 0
        markUnpriced(leaving)
    }

    /// Writes the objective in terms of `leaving`, whose row is at hand, instead of `entering`, and
    /// takes the price of the one out and that of the other in.
    private mutating func substituteIntoObjective(leaving: Int32, entering: Int32) {
        let alpha = rowCoefficient(of: entering)
        let charge = symbols[entering].gradient
        let chargedLevel = symbols[entering].level(of: charge)
        var isCharged = charge == 0
        var next = objective.matrix.head(ofColumn: entering)
        while next >= 0 {
            let cell = objective.matrix.cells[next]
            next = cell.nextInColumn
            var factor = cell.value
            if cell.row == chargedLevel {
                factor += charge
                isCharged = true
            }
            addEnteringRow(factor / alpha, leaving: leaving, entering: entering, level: cell.row)
        }
        if !isCharged {
            addEnteringRow(
                charge / alpha, leaving: leaving, entering: entering, level: chargedLevel)
        }
        symbols[entering].charged = charge
        objective.removeRates(of: entering)
        let charged = symbols[leaving].charged
        if charged != 0 {
            objective.add(-charged, to: leaving, level: symbols[leaving].level(of: charged))
        }
        markUnpriced(leaving)
    }

    /// Adds a multiple of the entering symbol's new row, `(leaving - other terms) / alpha`, to a
    /// level.
    private mutating func addEnteringRow(
        _ factor: Double, leaving: Int32, entering: Int32, level: Int32
    ) {
        guard factor != 0 else { return }
        if !symbols[leaving].isFixed { objective.add(factor, to: leaving, level: level) }
        var index = 0
        while index < row.entries.count {
            let entry = row.entries[index]
            if entry.symbol != entering, !symbols[entry.symbol].isFixed {
                objective.add(-factor * entry.value, to: entry.symbol, level: level)
                markUnpriced(entry.symbol)
            }
            index &+= 1
        }
        charge(index)
    }
}
