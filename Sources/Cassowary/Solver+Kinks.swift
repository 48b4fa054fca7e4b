/// What a move comes to where prices have kinks: a required bound that is crossed is to be
/// repaired, another symbol has its other slope from now on.
extension Solver {
    /// Looks for kinks that the symbols of the column at hand, whose outline is known, have
    /// crossed.
    ///
    /// Apart from the loop that moves them, which so has no calls, after which everything would
    /// have to be loaded again.
    mutating func crossKinks(mayBreakBound: Bool) {
        if mayBreakBound {
            for index in column.outline.bounded.indices {
                checkBound(of: column.entries[column.outline.bounded[index]].symbol)
            }
        }
        for index in column.outline.priced.indices {
            let symbol = column.entries[column.outline.priced[index]].symbol
            if let side = sideCrossedTo(by: symbol) { flip(symbol, to: side) }
        }
    }

    /// Whether moving the column at hand takes a symbol over a bound that must hold, which may have
    /// to be taken back.
    mutating func mayBreakBound(movingBy delta: Double) -> Bool {
        guard column.isBounded else { return false }
        guard !isBlurred else { return true }
        outlineColumn()
        for index in column.outline.bounded.indices {
            let entry = column.entries[column.outline.bounded[index]]
            let value = values[entry.symbol] + entry.value * delta
            if symbols[entry.symbol].isInfeasible(at: value, kink: kink(of: entry.symbol)) {
                return true
            }
        }
        return false
    }

    /// Notices that a basic symbol has crossed its kink.
    mutating func crossKink(_ symbol: Int32) {
        switch kinks[symbol] {
        case 0: break
        case 1: if let side = sideCrossedTo(by: symbol) { flip(symbol, to: side) }
        default: checkBound(of: symbol)
        }
    }

    /// Has a required symbol repaired if it is beyond its bound.
    @inline(__always)
    private mutating func checkBound(of symbol: Int32) {
        let state = symbols[symbol]
        guard state.isInfeasible(at: values[symbol], kink: kink(of: symbol)),
            !state.queues.contains(.suspects)
        else { return }
        symbols[symbol].queues.insert(.suspects)
        suspects.append(symbol)
    }

    /// The side of its kink that a symbol has got to, if it has crossed it.
    @inline(__always)
    private mutating func sideCrossedTo(by symbol: Int32) -> Int8? {
        let kink = kink(of: symbol)
        let side = symbols[symbol].side
        let distance = side > 0 ? kink - values[symbol] : values[symbol] - kink
        return distance > 0 && distance > Tolerance.around(kink) ? -side : nil
    }

    /// Prices a basic symbol by the slope on the other side of its kink, which it is about to
    /// cross.
    mutating func pass(_ symbol: Int32) {
        flip(symbol, to: -symbols[symbol].side)
    }

    private mutating func flip(_ symbol: Int32, to side: Int8) {
        if isJournaling { journal.append(.side(symbol, symbols[symbol].side)) }
        setSide(symbol, side)
    }

    /// Sets the slope of a basic symbol without noting it in the journal.
    mutating func setSide(_ symbol: Int32, _ side: Int8) {
        symbols[symbol].side = side
        markUncharged(symbol)
    }
}
