/// A vector of mostly zeros that is used again and again: dense storage, and a list of the places in use.
///
/// Clearing costs the number of places in use. A place whose addends cancel counts as zero.
struct SparseVector: ~Copyable {
    struct Slot {
        var value = 0.0
        /// The largest magnitude among the addends, to tell cancellation from a small number; negative while the place
        /// is not in use.
        var scale = -1.0
    }

    private var slots = Buffer<Slot>()
    /// The places in use, in the order of their first use.
    private(set) var places = Buffer<Int32>()

    mutating func grow(to count: Int) { slots.grow(to: count, filling: Slot()) }

    /// Bytes of memory that it holds.
    var byteCount: Int { slots.byteCount + places.byteCount }

    /// Gives back memory that is kept for places to come.
    mutating func trim() {
        slots.trim()
        places.trim()
    }

    mutating func removeAll() {
        var index = 0
        while index < places.count {
            slots[places[index]] = Slot()
            index &+= 1
        }
        places.removeAll()
    }

    /// The value at a place; zero where the addends cancelled, or there were none.
    @inline(__always)
    subscript(place: Int32) -> Double {
        let slot = slots[place]
        return slot.value.magnitude > Tolerance.cancellation * slot.scale ? slot.value : 0
    }

    @inline(__always)
    mutating func add(_ value: Double, at place: Int32) {
        let isFirst = slots.modify(place) { slot in
            let isFirst = slot.scale < 0
            slot.value += value
            slot.scale = max(slot.scale, value.magnitude)
            return isFirst
        }
        if isFirst { places.append(place) }
    }

    @inline(__always)
    func isUsed(_ place: Int32) -> Bool { slots[place].scale >= 0 }

    /// Replaces the value at a used place.
    @inline(__always)
    mutating func set(_ value: Double, at place: Int32) {
        slots[place] = Slot(value: value, scale: value.magnitude)
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
    /// Whether a symbol of the list has a bound that must hold.
    var isBounded = false
    /// What it took to solve for the contents: cells, and operations of the basis.
    var price = Price()
    /// Whether the contents are those of an earlier `solve()`: to use them takes as much, in the books, as to solve for them again.
    var isCarried = false

    struct Price {
        var cells: UInt64 = 0
        var wear = 0
    }

    mutating func begin(_ symbol: Int32) {
        entries.removeAll()
        owner = symbol
        isBounded = false
        isCarried = false
    }

    @inline(__always)
    mutating func append(_ symbol: Int32, _ value: Double) {
        entries.append(Entry(symbol: symbol, value: value))
    }
}
