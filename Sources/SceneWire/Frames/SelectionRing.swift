/// The 64 selections that both ends remember, so that a later frame can cite one by its slot.
public struct SelectionRing: Sendable, Equatable {
    /// How many are remembered.
    public static let slotCount = 64

    /// What a search asks of a slot, so that it need not look at the numbers.
    private struct Outline: Sendable, Equatable {
        var first: UInt32 = 0
        var last: UInt32 = 0
        var count: UInt32 = 0
        var mask: FieldMask = []
    }

    /// The deltas that each slot was used with last.
    var lastDeltas = Array(repeating: FieldDeltas(), count: slotCount)
    private var slots: [Selection?] = Array(repeating: nil, count: slotCount)
    private var outlines = Array(repeating: Outline(), count: slotCount)
    /// For each mask one bit for each slot that has it.
    private var slotsOfMask = Array(repeating: UInt64(0), count: 16)
    /// The slot that the next selection goes to.
    public private(set) var next = 0

    /// Makes an empty ring.
    public init() {}

    /// The selection of a slot; nil for an empty slot, or none.
    public subscript(slot: Int) -> Selection? {
        slots.indices.contains(slot) ? slots[slot] : nil
    }

    /// The deltas that a slot was used with last.
    public func deltas(slot: Int) -> FieldDeltas {
        lastDeltas.indices.contains(slot) ? lastDeltas[slot] : FieldDeltas()
    }

    /// Notes the deltas that a slot is used with.
    mutating func setDeltas(_ deltas: FieldDeltas, slot: Int) {
        if lastDeltas.indices.contains(slot) { lastDeltas[slot] = deltas }
    }

    /// Puts a selection, with the deltas it is used with, into the next slot, in place of the
    /// oldest.
    public mutating func store(_ selection: Selection, deltas: FieldDeltas) {
        store(selection, deltas: deltas, at: next)
    }

    /// Puts a selection into a slot; the next one goes to the slot after it.
    public mutating func store(_ selection: Selection, deltas: FieldDeltas, at slot: Int) {
        guard slots.indices.contains(slot) else { return }
        let bit = UInt64(1) << UInt64(slot)
        if let old = slots[slot] { slotsOfMask[Int(old.mask.rawValue & 15)] &= ~bit }
        slotsOfMask[Int(selection.mask.rawValue & 15)] |= bit
        slots[slot] = selection
        lastDeltas[slot] = deltas
        outlines[slot] = Outline(
            first: selection.numbers.first ?? 0, last: selection.numbers.last ?? 0,
            count: UInt32(truncatingIfNeeded: selection.numbers.count), mask: selection.mask)
        next = (slot + 1) % Self.slotCount
    }

    /// The slot that holds the selection.
    ///
    /// - Complexity: O(64) and one comparison of the numbers.
    public func slot(of selection: Selection) -> Int? {
        slot(mask: selection.mask, numbers: selection.numbers.span)
    }

    @inline(__always)
    func slot(mask: FieldMask, numbers: Span<UInt32>) -> Int? {
        guard !numbers.isEmpty else { return nil }
        let first = numbers[0]
        let last = numbers[numbers.count - 1]
        let count = UInt32(truncatingIfNeeded: numbers.count)
        var rest = slotsOfMask[Int(mask.rawValue & 15)]
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            // Mostly the count and the ends tell sets apart.
            let outline = outlines[slot]
            guard outline.count == count, outline.first == first, outline.last == last,
                let held = slots[slot], Self.areEqual(held.numbers.span, numbers)
            else { continue }
            return slot
        }
        return nil
    }

    /// Whether a slot holds a selection of one view alone.
    func holds(_ number: UInt32, alone mask: FieldMask, at slot: Int) -> Bool {
        guard outlines.indices.contains(slot) else { return false }
        let outline = outlines[slot]
        return outline.count == 1 && outline.first == number && outline.mask == mask
    }

    private static func areEqual(_ left: Span<UInt32>, _ right: Span<UInt32>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// One bit for each slot of a selection with that mask whose numbers may all lie in a set.
    func slots(mask: FieldMask, from first: UInt32, to last: UInt32, countMaximum: Int) -> UInt64 {
        var rest = slotsOfMask[Int(mask.rawValue & 15)]
        var found: UInt64 = 0
        let outlines = outlines.span
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            let outline = outlines[slot]
            guard Int(outline.count) <= countMaximum, outline.first >= first, outline.last <= last
            else { continue }
            found |= 1 &<< UInt64(truncatingIfNeeded: slot)
        }
        return found
    }

    /// Remembered selections that lie in a set, largest first; of equal ones the first slot first,
    /// so that every process chooses alike.
    ///
    /// - Parameters:
    ///   - candidates: One bit for each slot that may be chosen.
    ///   - bits: One bit for each number of the set; those of what is chosen are cleared.
    /// - Returns: One bit for each slot that is chosen, and how many numbers those have.
    func takeParts(
        _ candidates: UInt64, from bits: inout MutableSpan<UInt64>
    ) -> (slots: UInt64, count: Int) {
        let (outlines, slots) = (outlines.span, slots.span)
        // Mostly the first number tells that a selection does not lie in the set; then its size
        // need not be compared.
        var rest = candidates
        var candidates: UInt64 = 0
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            let first = outlines[slot].first
            candidates |= (bits[Int(first / 64)] &>> UInt64(first) & 1) &<< UInt64(slot)
        }
        var chosen: UInt64 = 0
        var count = 0
        while candidates != 0 {
            let slot = Self.largest(of: candidates, outlines)
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
            candidates &= ~bit
            guard let selection = slots[slot], Self.take(selection.numbers.span, from: &bits)
            else { continue }
            chosen |= bit
            count &+= selection.numbers.count
        }
        return (chosen, count)
    }

    /// Clears the bits of numbers if all of them are set. Mostly the first one that is not ends the
    /// search.
    @inline(__always)
    private static func take(
        _ numbers: Span<UInt32>, from bits: inout MutableSpan<UInt64>
    ) -> Bool {
        for index in numbers.indices
        where bits[Int(numbers[index] / 64)] & 1 &<< UInt64(numbers[index]) == 0 {
            return false
        }
        // All of them are set.
        for index in numbers.indices {
            bits[Int(numbers[index] / 64)] ^= 1 &<< UInt64(numbers[index])
        }
        return true
    }

    /// - Parameter slots: One bit for each slot; not 0.
    private static func largest(of slots: UInt64, _ outlines: Span<Outline>) -> Int {
        var best = slots.trailingZeroBitCount
        var most = outlines[best].count
        var rest = slots & (slots &- 1)
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            let count = outlines[slot].count
            if count > most { (best, most) = (slot, count) }
        }
        return best
    }

    /// Every remembered selection with its slot, the oldest first, so that storing them in this
    /// order gives an equal ring.
    public var entries: [(slot: Int, selection: Selection, deltas: FieldDeltas)] {
        (0..<Self.slotCount).compactMap { step in
            let slot = (next + step) % Self.slotCount
            return slots[slot].map { (slot, $0, lastDeltas[slot]) }
        }
    }

    /// Forgets everything, as each snapshot does.
    public mutating func clear() {
        self = SelectionRing()
    }
}
