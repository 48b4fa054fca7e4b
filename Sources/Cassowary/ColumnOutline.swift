/// What a column's symbols are, looked up when it first moves: the next move is often along the
/// same one.
struct ColumnOutline: ~Copyable {
    /// Some variables of a column, as a `VariableSet` has them: of the 64 numbers from `64 * word`
    /// on, one bit for each.
    struct Variables {
        var word: Int32
        var members: UInt64
    }

    /// Whether the rest is of the column at hand, as it is now.
    var isKnown = false
    /// Where the symbols stand that have a bound which must hold.
    var bounded = Buffer<Int32>()
    /// Where the symbols stand whose price has a kink.
    var priced = Buffer<Int32>()
    /// The symbols that are variables.
    var variables = Buffer<Variables>()

    /// Looks the symbols up.
    ///
    /// - Parameter kinks: `Shape.kinkClass` of each symbol.
    /// - Complexity: O(length of the column).
    mutating func find(
        _ entries: borrowing Buffer<SparseList.Entry>, kinks: borrowing Buffer<UInt8>
    ) {
        bounded.removeAll()
        priced.removeAll()
        variables.removeAll()
        // As long as they fall into one word.
        var latest = Variables(word: 0, members: 0)
        var index: Int32 = 0
        let count = Int32(entries.count)
        while index < count {
            let symbol = entries[index].symbol
            if symbol & 1 == 0 {
                if symbol >> 7 != latest.word {
                    if latest.members != 0 { variables.append(latest) }
                    latest = Variables(word: symbol >> 7, members: 0)
                }
                latest.members |= 1 << UInt64(symbol >> 1 & 63)
            }
            switch kinks[symbol] {
            case 0: break
            case 1: priced.append(index)
            default: bounded.append(index)
            }
            index &+= 1
        }
        if latest.members != 0 { variables.append(latest) }
        isKnown = true
    }
}
