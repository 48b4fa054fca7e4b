/// A vector of mostly zeros that is used again and again: dense storage, and a list of the places in use.
///
/// Clearing costs the number of places in use. A place whose addends cancel counts as zero.
struct SparseVector: ~Copyable {
    struct Slot {
        var value = 0.0
        /// The largest magnitude among the addends, to tell cancellation from a small number.
        var scale = 0.0
        var isUsed = false
    }

    private var slots = Buffer<Slot>()
    /// The places in use, in the order of their first use.
    private(set) var places = Buffer<Int32>()

    mutating func grow(to count: Int) { slots.grow(to: count, filling: Slot()) }

    mutating func removeAll() {
        var index = 0
        while index < places.count {
            slots[places[index]] = Slot()
            index &+= 1
        }
        places.removeAll()
    }

    /// The value at a place; zero where the addends cancelled.
    @inline(__always)
    subscript(place: Int32) -> Double {
        let slot = slots[place]
        return slot.value.magnitude > Tolerance.cancellation * slot.scale ? slot.value : 0
    }

    @inline(__always)
    mutating func add(_ value: Double, at place: Int32) {
        if !slots[place].isUsed {
            slots[place] = Slot(value: value, scale: value.magnitude, isUsed: true)
            places.append(place)
        } else {
            slots[place].value += value
            slots[place].scale = max(slots[place].scale, value.magnitude)
        }
    }

    /// Makes a place count as used.
    @inline(__always)
    mutating func touch(_ place: Int32) {
        if !slots[place].isUsed {
            slots[place].isUsed = true
            places.append(place)
        }
    }

    @inline(__always)
    func isUsed(_ place: Int32) -> Bool { slots[place].isUsed }

    /// Replaces the value at a used place.
    @inline(__always)
    mutating func set(_ value: Double, at place: Int32) {
        slots[place].value = value
        slots[place].scale = value.magnitude
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

    mutating func begin(_ symbol: Int32) {
        entries.removeAll()
        owner = symbol
        isBounded = false
    }

    @inline(__always)
    mutating func append(_ symbol: Int32, _ value: Double) {
        entries.append(Entry(symbol: symbol, value: value))
    }
}
