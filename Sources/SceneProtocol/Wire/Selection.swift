/// Which of a frame's four numbers change.
public struct FieldMask: OptionSet, Hashable, Sendable {
    /// The bits; 1...15 on the wire.
    public let rawValue: UInt8

    /// Makes a mask from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The left edge.
    public static let x = FieldMask(rawValue: 1)
    /// The top edge.
    public static let y = FieldMask(rawValue: 2)
    /// The horizontal extent.
    public static let width = FieldMask(rawValue: 4)
    /// The vertical extent.
    public static let height = FieldMask(rawValue: 8)

    /// How many numbers change.
    public var count: Int { rawValue.nonzeroBitCount }
}

/// Views that change together, and which of their numbers do.
public struct Selection: Hashable, Sendable {
    /// What changes; never empty.
    public var mask: FieldMask
    /// The views' numbers, strictly ascending; never empty.
    public var numbers: [UInt32]

    /// Makes a selection.
    public init(mask: FieldMask, numbers: [UInt32]) {
        self.mask = mask
        self.numbers = numbers
    }

    /// Whether the mask and the numbers keep their rules.
    public var isWellFormed: Bool {
        guard (1...15).contains(mask.rawValue), let last = numbers.last,
            last < UInt32(Limits.viewNumberMaximum)
        else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}

/// The 64 selections that both ends remember, so that a later frame can cite one by its slot.
public struct SelectionRing: Sendable, Equatable {
    /// How many are remembered.
    public static let slotCount = 64

    private var slots: [Selection?] = Array(repeating: nil, count: slotCount)
    private var hashes: [UInt64] = Array(repeating: 0, count: slotCount)
    /// The slot that the next selection goes to.
    public private(set) var next = 0

    /// Makes an empty ring.
    public init() {}

    /// The selection of a slot; nil for an empty slot, or none.
    public subscript(slot: Int) -> Selection? {
        slots.indices.contains(slot) ? slots[slot] : nil
    }

    /// Puts a selection into the next slot, in place of the oldest.
    public mutating func store(_ selection: Selection) {
        store(selection, at: next)
    }

    /// Puts a selection into a slot; the next one goes to the slot after it.
    public mutating func store(_ selection: Selection, at slot: Int) {
        guard slots.indices.contains(slot) else { return }
        slots[slot] = selection
        hashes[slot] = Self.hash(selection.mask, selection.numbers)
        next = (slot + 1) % Self.slotCount
    }

    /// The slot that holds the selection.
    ///
    /// - Complexity: O(64) and one comparison of the numbers.
    public func slot(of selection: Selection) -> Int? {
        slot(mask: selection.mask, numbers: selection.numbers)
    }

    func slot(mask: FieldMask, numbers: [UInt32]) -> Int? {
        let hash = Self.hash(mask, numbers)
        for slot in slots.indices where hashes[slot] == hash {
            if let held = slots[slot], held.mask == mask, held.numbers == numbers { return slot }
        }
        return nil
    }

    /// The slots of selections with that mask whose numbers may all lie in a set, the largest first.
    func slots(
        mask: FieldMask, within range: ClosedRange<UInt32>, countMaximum: Int
    ) -> [Int] {
        var found: [Int] = []
        for slot in slots.indices {
            guard let held = slots[slot], held.mask == mask, held.numbers.count <= countMaximum,
                let first = held.numbers.first, let last = held.numbers.last,
                range.contains(first), range.contains(last)
            else { continue }
            found.append(slot)
        }
        // Equal counts in the order of their slots, so that every process chooses alike.
        return found.sorted {
            let (left, right) = (count(of: $0), count(of: $1))
            return left != right ? left > right : $0 < $1
        }
    }

    private func count(of slot: Int) -> Int { slots[slot]?.numbers.count ?? 0 }

    /// Whether all numbers of a slot have their bits set. Mostly the first one that has not ends the search.
    func isSubset(_ slot: Int, of bits: [UInt64]) -> Bool {
        guard let numbers = slots[slot]?.numbers else { return false }
        for number in numbers where bits[Int(number) / 64] & 1 << UInt64(number % 64) == 0 {
            return false
        }
        return true
    }

    /// Clears the bits of a slot's numbers.
    func clear(_ slot: Int, from bits: inout [UInt64]) {
        guard let numbers = slots[slot]?.numbers else { return }
        for number in numbers { bits[Int(number) / 64] &= ~(1 << UInt64(number % 64)) }
    }

    /// Every remembered selection with its slot, the oldest first, so that storing them in this order gives an
    /// equal ring.
    public var entries: [(slot: Int, selection: Selection)] {
        (0..<Self.slotCount).compactMap { step in
            let slot = (next + step) % Self.slotCount
            return slots[slot].map { (slot, $0) }
        }
    }

    /// Forgets everything, as each snapshot does.
    public mutating func clear() {
        self = SelectionRing()
    }

    private static func hash(_ mask: FieldMask, _ numbers: [UInt32]) -> UInt64 {
        var hash = UInt64(mask.rawValue) &+ 0x9E37_79B9_7F4A_7C15
        for number in numbers {
            hash = (hash ^ UInt64(number)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}
