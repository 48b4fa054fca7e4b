/// A vector of mostly zeros that is used again and again: a list of the places in use, and for each
/// place where it stands in the list.
///
/// Clearing costs the number of places in use. A place whose addends cancel counts as zero. A
/// solver has three of these as long as itself and seldom uses more than a few places, so that one
/// out of use takes no more than an index.
struct SparseVector: ~Copyable {
    struct Sum {
        var place: Int32
        var value: Double
        /// The largest magnitude among the addends, to tell cancellation from a small number.
        var scale: Double
    }

    /// The places in use, in the order of their first use, and what was added there.
    private var sums = Buffer<Sum>()
    /// Where a place stands among those in use; -1 while it is not.
    private var positions = IndexTable()

    mutating func grow(to count: Int) { positions.grow(to: count) }

    /// Makes room for so many places.
    mutating func reserveCapacity(places count: Int) { positions.reserveCapacity(count) }

    /// Bytes of memory that it holds.
    var byteCount: Int { sums.byteCount + positions.byteCount }

    /// Gives back memory that is kept for places to come.
    mutating func trim() {
        sums.trim()
        positions.trim()
    }

    mutating func removeAll() {
        var index = 0
        while index < sums.count {
            positions[sums[index].place] = -1
            index &+= 1
        }
        sums.removeAll()
    }

    /// How many places are in use.
    @inline(__always)
    var count: Int { sums.count }

    /// One of the places in use, in the order of their first use.
    @inline(__always)
    func place(at position: Int) -> Int32 { sums[position].place }

    /// The value at one of the places in use.
    @inline(__always)
    func value(at position: Int) -> Double {
        let sum = sums[position]
        return sum.value.magnitude > Tolerance.cancellation * sum.scale ? sum.value : 0
    }

    /// The value at a place; zero where the addends cancelled, or there were none.
    @inline(__always)
    subscript(place: Int32) -> Double {
        let position = positions[place]
        return position < 0 ? 0 : value(at: Int(position))
    }

    @inline(__always)
    mutating func add(_ value: Double, at place: Int32) {
        let count = Int32(truncatingIfNeeded: sums.count)
        let position = positions.index(of: place, orInsert: count)
        guard position < 0 else {
            sums.modify(position) { sum in
                sum.value += value
                sum.scale = max(sum.scale, value.magnitude)
            }
            return
        }
        // Zero and a negative zero are zero.
        sums.append(Sum(place: place, value: 0 + value, scale: value.magnitude))
    }

    @inline(__always)
    func isUsed(_ place: Int32) -> Bool { positions[place] >= 0 }

    /// Puts a place's value, divided, in the place of what it was summed from.
    ///
    /// - Returns: The quotient.
    @inline(__always)
    mutating func divide(_ place: Int32, by divisor: Double) -> Double {
        let position = positions[place]
        guard position >= 0 else { return 0 }
        let quotient = value(at: Int(position)).divided(by: divisor)
        sums[position] = Sum(place: place, value: quotient, scale: quotient.magnitude)
        return quotient
    }
}

extension Double {
    /// The quotient by a coefficient. Most of a layout's are one, and a division takes as long as
    /// the rest of a solver's step.
    @inline(__always)
    func divided(by coefficient: Double) -> Double {
        coefficient == 1 ? self : coefficient == -1 ? -self : self / coefficient
    }
}

/// Pairs of a symbol and a coefficient, kept as a buffer that is used again.
struct SparseList: ~Copyable {
    struct Entry {
        var symbol: Int32
        var value: Double
    }

    var entries = Buffer<Entry>()
    /// The symbol whose row or column this is, or -1 when the contents are out of date.
    var owner: Int32 = -1
    /// Whether a row has the symbols, too, that never move.
    var isWhole = false
    /// Whether a symbol of the list has a bound that must hold.
    var isBounded = false
    /// What is known of the symbols besides, as of a column that moves.
    var outline = ColumnOutline()
    /// The search of the basis that a column was solved with; what it marked is marked while none
    /// comes after it.
    var visit: UInt32 = 0
    /// What it took to solve for the contents: cells, and operations of the basis.
    var price = Price()
    /// Whether the contents are those of an earlier change or `solve()`: to use them takes as much,
    /// in the books, as to solve for them again.
    var isCarried = false

    struct Price {
        var cells: UInt64 = 0
        var wear = 0
    }

    mutating func begin(_ symbol: Int32) {
        entries.removeAll()
        owner = symbol
        isWhole = false
        isBounded = false
        outline.isKnown = false
        isCarried = false
    }

    /// The coefficient of a symbol, which is looked for from the end.
    func value(of symbol: Int32) -> Double? {
        var index = entries.count
        while index > 0 {
            index &-= 1
            if entries[index].symbol == symbol { return entries[index].value }
        }
        return nil
    }

    @inline(__always)
    mutating func append(_ symbol: Int32, _ value: Double) {
        entries.append(Entry(symbol: symbol, value: value))
    }

    /// Adds a symbol to a column.
    ///
    /// - Parameter kinks: `Shape.kinkClass` of each symbol.
    @inline(__always)
    mutating func append(_ symbol: Int32, _ value: Double, _ kinks: borrowing Buffer<UInt8>) {
        append(symbol, value)
        if kinks[symbol] == 2 { isBounded = true }
    }
}
