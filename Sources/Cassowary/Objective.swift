/// The objective: one sparse row for each strength in use, compared level by level.
///
/// The row of a level holds the reduced costs of the parametric symbols, that is how the violation at that
/// level changes per unit of each. Where the paper (section 2.2) weighs strengths into one row, the levels
/// here stay apart, so no weight has to be large enough.
struct Objective: ~Copyable {
    /// Level slots by symbol.
    private(set) var matrix = SparseMatrix()
    private(set) var values: ContiguousArray<Double> = []
    private(set) var useCounts: ContiguousArray<Int32> = []
    private(set) var tolerances: ContiguousArray<Double> = []
    /// The slots in use, strongest first.
    private(set) var order: ContiguousArray<Int32> = []
    private var freeSlots: ContiguousArray<Int32> = []
    /// Cells touched.
    var meter: UInt64 = 0

    init() {}

    init(copying other: borrowing Objective) {
        matrix = SparseMatrix(copying: other.matrix)
        values = other.values
        useCounts = other.useCounts
        tolerances = other.tolerances
        order = other.order
        freeSlots = other.freeSlots
    }

    mutating func grow(symbols count: Int) { matrix.grow(rows: values.count, columns: count) }

    /// Bytes of memory that the rates hold.
    var byteCount: Int { matrix.byteCount }

    /// Gives back memory that is kept for symbols to come.
    mutating func trim() { matrix.trim() }

    /// Forgets all rates, not the levels.
    mutating func removeRates() { matrix.removeAll() }

    /// Forgets the rates of one symbol.
    mutating func removeRates(of symbol: Int32) { matrix.removeColumn(symbol) }

    /// Adds to the rate of a symbol at a level.
    @inline(__always)
    mutating func add(_ delta: Double, to symbol: Int32, level: Int32) {
        meter &+= UInt64(UInt32(bitPattern: matrix.count(ofColumn: symbol)))
        let index = matrix.cell(row: level, column: symbol)
        guard index >= 0 else {
            if delta.magnitude > 1e-20 { matrix.insert(row: level, column: symbol, value: delta) }
            return
        }
        let old = matrix.cells[index].value
        let new = old + delta
        let noise = Tolerance.costCancellation * max(old.magnitude, delta.magnitude)
        if new.magnitude <= max(1e-20, noise) {
            matrix.remove(cell: index)
        } else {
            matrix.setValue(new, ofCell: index)
        }
    }

    /// Finds or makes the level of a strength value and counts one more use of it.
    mutating func retain(_ value: Double, weight: Double) -> Int32 {
        let position = firstPosition(notStrongerThan: value)
        let slot: Int32
        if position < order.count, values[Int(order[position])] == value {
            slot = order[position]
        } else {
            if let free = freeSlots.popLast() {
                slot = free
                values[Int(slot)] = value
                tolerances[Int(slot)] = Tolerance.cost
            } else {
                slot = Int32(values.count)
                values.append(value)
                useCounts.append(0)
                tolerances.append(Tolerance.cost)
                matrix.grow(rows: values.count, columns: 0)
            }
            order.insert(slot, at: position)
        }
        useCounts[Int(slot)] += 1
        tolerances[Int(slot)] = min(tolerances[Int(slot)], Tolerance.cost * weight)
        return slot
    }

    /// Gives back one use of a level; the last one frees the level.
    mutating func release(_ slot: Int32) {
        useCounts[Int(slot)] -= 1
        guard useCounts[Int(slot)] == 0 else { return }
        matrix.removeRow(slot)
        order.remove(at: firstPosition(notStrongerThan: values[Int(slot)]))
        freeSlots.append(slot)
    }

    private mutating func firstPosition(notStrongerThan value: Double) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if values[Int(order[middle])] > value { low = middle + 1 } else { high = middle }
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
