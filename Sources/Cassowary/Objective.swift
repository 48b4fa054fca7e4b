/// The objective: one sparse row for each strength in use, compared level by level.
///
/// The row of a level holds the reduced costs of the parametric symbols that may move, that is how
/// the violation at that level changes per unit of each; those of required equations' markers are
/// found when they are asked for. Where the paper (section 2.2) weighs strengths into one row, the
/// levels here stay apart, so no weight has to be large enough.
struct Objective: ~Copyable {
    /// A slot for a strength.
    struct Level {
        var strength: Double
        /// Reduced cost that counts as none.
        var tolerance = Tolerance.cost
        var useCount: Int32 = 0
    }

    /// Level slots by symbol.
    private(set) var matrix = SparseMatrix()
    private var levels = Buffer<Level>()
    /// The two slots that were asked for last, of which one most often is the next; -1 for none. A
    /// content's size has two strengths.
    private var latest: Int32 = -1
    private var secondLatest: Int32 = -1
    /// The slots in use, strongest first.
    private(set) var order: ContiguousArray<Int32> = []
    private var freeSlots: ContiguousArray<Int32> = []
    /// Cells touched.
    var meter: UInt64 = 0

    init() {}

    init(copying other: borrowing Objective) {
        matrix = SparseMatrix(copying: other.matrix)
        levels = Buffer(copying: other.levels)
        order = other.order
        freeSlots = other.freeSlots
    }

    mutating func grow(symbols count: Int) { matrix.grow(rows: levels.count, columns: count) }

    /// Makes room for the rates of so many symbols.
    mutating func reserveCapacity(symbols count: Int) {
        matrix.reserveCapacity(rows: 0, columns: count)
    }

    /// Bytes of memory that the rates hold.
    var byteCount: Int { matrix.byteCount }

    /// Gives back memory that is kept for symbols to come.
    mutating func trim() { matrix.trim() }

    /// Forgets all rates, not the levels.
    mutating func removeRates() { matrix.removeAll() }

    /// Forgets the rates of one symbol.
    mutating func removeRates(of symbol: Int32) { matrix.removeColumn(symbol) }

    /// Whether a symbol has a rate at any level.
    @inline(__always)
    func hasRates(of symbol: Int32) -> Bool {
        matrix.cellCount > 0 && matrix.head(ofColumn: symbol) >= 0
    }

    /// Adds to the rate of a symbol at a level.
    @inline(__always)
    mutating func add(_ delta: Double, to symbol: Int32, level: Int32) {
        meter &+= UInt64(UInt32(bitPattern: matrix.count(ofColumn: symbol)))
        let index = matrix.cell(row: level, column: symbol)
        guard index >= 0 else {
            if delta.magnitude > 1e-20 { matrix.insert(row: level, column: symbol, value: delta) }
            return
        }
        let new = Self.sum(matrix.cells[index].value, delta)
        if new == 0 {
            matrix.remove(cell: index)
        } else {
            matrix.setValue(new, ofCell: index)
        }
    }

    /// The sum of two rates; zero where it is no more than what rounding left of them.
    @inline(__always)
    static func sum(_ old: Double, _ delta: Double) -> Double {
        let new = old + delta
        let noise = Tolerance.costCancellation * max(old.magnitude, delta.magnitude)
        return new.magnitude <= max(1e-20, noise) ? 0 : new
    }

    /// Whether there is room for the levels of one more constraint; `SymbolState` has twenty bits
    /// for each, with a sign.
    var hasRoom: Bool { order.count <= 524_000 - 2 }

    /// The strength of a level.
    @inline(__always)
    func strength(of slot: Int32) -> Double { levels[slot].strength }

    /// The reduced cost that counts as none at a level.
    @inline(__always)
    func tolerance(of slot: Int32) -> Double { levels[slot].tolerance }

    /// Finds or makes the level of a strength value and counts one more use of it.
    mutating func retain(_ value: Double, weight: Double) -> Int32 {
        let slot = slot(of: value)
        if slot != latest { (latest, secondLatest) = (slot, latest) }
        levels.modify(slot) { level in
            level.useCount += 1
            level.tolerance = min(level.tolerance, Tolerance.cost * weight)
        }
        return slot
    }

    private mutating func slot(of value: Double) -> Int32 {
        if isUsed(latest, for: value) { return latest }
        if isUsed(secondLatest, for: value) { return secondLatest }
        let position = firstPosition(notStrongerThan: value)
        if position < order.count, strength(of: order[position]) == value { return order[position] }
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            levels[slot] = Level(strength: value)
        } else {
            slot = Int32(levels.count)
            levels.append(Level(strength: value))
            matrix.grow(rows: levels.count, columns: 0)
        }
        order.insert(slot, at: position)
        return slot
    }

    @inline(__always)
    private func isUsed(_ slot: Int32, for value: Double) -> Bool {
        guard slot >= 0 else { return false }
        let level = levels[slot]
        return level.strength == value && level.useCount > 0
    }

    /// Gives back one use of a level; the last one frees the level.
    private mutating func release(_ slot: Int32) {
        levels[slot].useCount -= 1
        guard levels[slot].useCount == 0 else { return }
        matrix.removeRow(slot)
        order.remove(at: firstPosition(notStrongerThan: strength(of: slot)))
        freeSlots.append(slot)
    }

    /// Gives back the uses of a price's levels.
    mutating func release(_ shape: Shape) {
        guard shape.isSoft else { return }
        release(shape.levelBelow)
        if shape.levelAbove != shape.levelBelow { release(shape.levelAbove) }
    }

    private mutating func firstPosition(notStrongerThan value: Double) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if strength(of: order[middle]) > value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The price of moving one column, by level, strongest first.
struct CostVector: ~Copyable {
    struct Entry {
        var strength: Double
        var slot: Int32
        var rate: Double
        var tolerance: Double
    }

    private(set) var entries = Buffer<Entry>()

    /// Forgets the levels and keeps the memory.
    mutating func removeAll() { entries.removeAll() }

    mutating func insert(_ entry: Entry) {
        var position = entries.count
        entries.append(entry)
        while position > 0, entries[position - 1].strength < entry.strength {
            entries[position] = entries[position - 1]
            position -= 1
        }
        entries[position] = entry
    }

    /// Compares two price vectors per unit of the row that they repair: -1, 0 or 1.
    static func compare(
        _ left: borrowing CostVector, per leftUnit: Double, _ right: borrowing CostVector,
        per rightUnit: Double
    ) -> Int {
        var first = 0
        var second = 0
        while first < left.entries.count || second < right.entries.count {
            let leftStrength = first < left.entries.count ? left.entries[first].strength : -1
            let rightStrength = second < right.entries.count ? right.entries[second].strength : -1
            var difference = 0.0
            var tolerance = 0.0
            if leftStrength >= rightStrength {
                let entry = left.entries[first]
                difference += entry.rate / leftUnit
                tolerance = entry.tolerance
                first += 1
            }
            if rightStrength >= leftStrength {
                let entry = right.entries[second]
                difference -= entry.rate / rightUnit
                tolerance = entry.tolerance
                second += 1
            }
            if difference.magnitude > tolerance { return difference < 0 ? -1 : 1 }
        }
        return 0
    }
}
