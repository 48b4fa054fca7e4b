/// Turns changed frames into a frame body, and remembers selections as every receiver does.
///
/// Views with equal deltas form a group; a group whose selection is remembered cites its slot, and one that is made
/// up of remembered selections cites those. Views that change alone become rows, of deltas or of new values, whichever
/// is shorter; one that does so tick after tick is remembered too. One encoder serves all receivers that are in step.
/// Its tables are kept from tick to tick, so a steady state takes memory only for what it returns.
public struct FrameEncoder: Sendable {
    /// What the receivers remember.
    public private(set) var ring = SelectionRing()
    private var table: [Int32] = []
    private var keys: [FrameDelta] = []
    private var masks: [FieldMask] = []
    private var keyDeltas: [FieldDeltas] = []
    /// Whether a key's views are many enough to be told together.
    private var isGroup: [Bool] = []
    private var members: [[UInt32]] = []
    /// For each change the index of its key; −1 for one that changes nothing.
    private var keyOfChange: [Int32] = []
    /// The views that were rows in the last tick, and their masks, ascending.
    private var lastRows: [(number: UInt32, mask: FieldMask)] = []
    /// Remembered selections of one view, and their slots.
    private var singles: [(number: UInt32, mask: FieldMask, slot: Int)] = []
    /// Groups of the present body that are remembered.
    private var citations: [(slot: UInt8, deltas: FieldDeltas)] = []
    /// Groups of the present body that are told for the first time.
    private var newGroups: [FrameBody.Group] = []
    /// One bit for each number of a group that is not covered yet; all 0 between groups.
    private var marks: [UInt64] = []

    /// Makes an encoder whose receivers remember nothing.
    public init() {}

    /// Forgets all selections; goes with a snapshot to every receiver.
    public mutating func reset() {
        ring.clear()
        lastRows.removeAll(keepingCapacity: true)
        singles.removeAll(keepingCapacity: true)
    }

    /// Encodes the changes of one tick.
    ///
    /// - Parameter changes: Ascending by number, each number once. A change that changes nothing is left out.
    /// - Complexity: O(changes), besides 64 comparisons of hashes a group.
    public mutating func encode(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: true, allowsAbsolute: true)
    }

    /// Encodes changes for one receiver that is not in step: nothing is cited and nothing stored.
    public mutating func encodeMerged(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: false, allowsAbsolute: true)
    }

    /// Encodes the whole way of an animation, which has to be told in deltas.
    public mutating func encodeAnimation(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: true, allowsAbsolute: false)
    }

    private mutating func body(
        _ changes: [FrameChange], usesRing: Bool, allowsAbsolute: Bool
    ) -> FrameBody {
        group(changes)
        var body = FrameBody()
        newGroups.removeAll(keepingCapacity: true)
        citations.removeAll(keepingCapacity: true)
        for index in keys.indices {
            if isGroup[index] {
                addGroups(index, usesRing: usesRing)
            } else if usesRing {
                addKnownViews(index, changes)
            }
        }
        // A reader takes citations before new selections, so none may cite what this body stores; see `store`.
        body.groups.reserveCapacity(citations.count + newGroups.count)
        for citation in citations {
            body.groups.append(
                FrameBody.Group(source: .cited(slot: citation.slot), deltas: citation.deltas))
        }
        body.groups.append(contentsOf: newGroups)
        for group in newGroups {
            if case .new(let selection, true) = group.source { ring.store(selection) }
        }
        addRows(changes, allowsAbsolute: allowsAbsolute, usesRing: usesRing, to: &body)
        return body
    }

    // MARK: Groups

    private mutating func addGroups(_ index: Int, usesRing: Bool) {
        let mask = masks[index]
        let deltas = keyDeltas[index]
        guard usesRing else {
            let selection = Selection(mask: mask, numbers: members[index])
            newGroups.append(
                FrameBody.Group(source: .new(selection, stores: false), deltas: deltas))
            return
        }
        if let slot = ring.slot(mask: mask, numbers: members[index]) {
            return cite(slot, deltas)
        }
        let (slots, rest) = cover(mask, members[index], citationBits: Self.citationBits(deltas))
        for slot in slots { cite(slot, deltas) }
        guard !rest.isEmpty else { return }
        store(Selection(mask: mask, numbers: rest), deltas)
    }

    /// Keeps citations in the order of their slots.
    private mutating func cite(_ slot: Int, _ deltas: FieldDeltas) {
        let slot = UInt8(truncatingIfNeeded: slot)
        var place = citations.count
        citations.append((slot, deltas))
        while place > 0, citations[place - 1].slot > slot {
            citations[place] = citations[place - 1]
            place -= 1
        }
        citations[place] = (slot, deltas)
    }

    /// Tells a selection for the first time. It goes to the ring when the whole body is made, as with every receiver.
    private mutating func store(_ selection: Selection, _ deltas: FieldDeltas) {
        newGroups.append(FrameBody.Group(source: .new(selection, stores: true), deltas: deltas))
    }

    /// Remembered selections that make up a set, largest first, and what they leave over; none where naming the whole
    /// set anew is shorter.
    ///
    /// Rounding lets groups fall apart and together again from tick to tick; their parts stay the same.
    ///
    /// - Complexity: O(64 × numbers) at worst; mostly a set is told from others by its first number.
    private mutating func cover(
        _ mask: FieldMask, _ numbers: [UInt32], citationBits: Int
    ) -> (slots: [Int], rest: [UInt32]) {
        guard let first = numbers.first, let last = numbers.last else { return ([], numbers) }
        let candidates = ring.slots(mask: mask, within: first...last, countMaximum: numbers.count)
        guard !candidates.isEmpty else { return ([], numbers) }
        let words = Int(last) / 64 + 1
        if marks.count < words {
            marks.append(contentsOf: repeatElement(0, count: words - marks.count))
        }
        for number in numbers { marks[Int(number) / 64] |= 1 << UInt64(number % 64) }
        var chosen: [Int] = []
        for slot in candidates where ring.isSubset(slot, of: marks) {
            ring.clear(slot, from: &marks)
            chosen.append(slot)
        }
        let rest = numbers.filter { marks[Int($0) / 64] & 1 << UInt64($0 % 64) != 0 }
        for number in rest { marks[Int(number) / 64] = 0 }
        guard !chosen.isEmpty else { return ([], numbers) }
        let whole = 8 + 8 * NumberSet.byteCount(numbers)
        var parts = chosen.count * citationBits
        if !rest.isEmpty { parts += 8 + 8 * NumberSet.byteCount(rest) }
        return parts < whole ? (chosen, rest) : ([], numbers)
    }

    // MARK: Views alone

    /// The views of a key that is no group: those that a remembered selection names, or that moved alone in the last
    /// tick too, are cited; the others stay for the rows.
    private mutating func addKnownViews(
        _ index: Int, _ changes: [FrameChange]
    ) {
        guard !singles.isEmpty || !lastRows.isEmpty else { return }
        let mask = masks[index]
        for number in members[index] {
            if let slot = singleSlot(number, mask) {
                cite(slot, keyDeltas[index])
            } else if lastRows.contains(where: { $0.number == number && $0.mask == mask }) {
                let slot = (ring.next + newGroups.count) % SelectionRing.slotCount
                singles.append((number, mask, slot))
                store(Selection(mask: mask, numbers: [number]), keyDeltas[index])
            } else {
                continue
            }
            leaveOut(number, changes)
        }
    }

    private mutating func singleSlot(_ number: UInt32, _ mask: FieldMask) -> Int? {
        guard let place = singles.firstIndex(where: { $0.number == number && $0.mask == mask })
        else { return nil }
        let slot = singles[place].slot
        if let held = ring[slot], held.mask == mask, held.numbers == [number] { return slot }
        // The ring has gone round since.
        singles.remove(at: place)
        return nil
    }

    /// Takes a change away from the rows. Complexity: O(log changes).
    private mutating func leaveOut(_ number: UInt32, _ changes: [FrameChange]) {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].number.rawValue < number { low = middle + 1 } else { high = middle }
        }
        keyOfChange[low] = -1
    }

    private mutating func addRows(
        _ changes: [FrameChange], allowsAbsolute: Bool, usesRing: Bool, to body: inout FrameBody
    ) {
        if usesRing { lastRows.removeAll(keepingCapacity: true) }
        guard keys.indices.contains(where: { !isGroup[$0] }) else { return }
        body.rows.reserveCapacity(changes.count)
        var saved = 0
        var absoluteCount = 0
        for (place, index) in keyOfChange.enumerated() where index >= 0 && !isGroup[Int(index)] {
            let (mask, deltas) = (masks[Int(index)], keyDeltas[Int(index)])
            let number = changes[place].number.rawValue
            body.rows.append(FrameBody.Row(number: number, mask: mask, deltas: deltas))
            if usesRing { lastRows.append((number, mask)) }
            guard allowsAbsolute else { continue }
            let difference = Self.bits(deltas) - Self.bits(changes[place].new.values(mask))
            if difference > 0 {
                saved += difference
                absoluteCount += 1
            }
        }
        // A second section takes a count, two more parameters, and numbers that are further apart.
        if saved > Self.sectionBits + 2 * absoluteCount { splitRows(changes, &body) }
    }

    /// Moves the rows whose new values are shorter than their deltas to a section of their own.
    private func splitRows(_ changes: [FrameChange], _ body: inout FrameBody) {
        var place = 0
        body.rows.removeAll { row in
            while changes[place].number.rawValue != row.number { place += 1 }
            let values = changes[place].new.values(row.mask)
            guard Self.bits(row.deltas) > Self.bits(values) else { return false }
            body.absoluteRows.append(
                FrameBody.Row(number: row.number, mask: row.mask, deltas: values))
            return true
        }
    }

    private static let sectionBits = 24

    /// How many bits numbers take, about.
    private static func bits(_ deltas: FieldDeltas) -> Int {
        var bits = 0
        for index in 0..<deltas.count {
            bits += UInt32.bitWidth - BinaryEncoder.zigzag(deltas[index]).leadingZeroBitCount
        }
        return bits
    }

    /// How many bits a citation takes, about: a slot that is some away from the last, how many deltas, and those.
    private static func citationBits(_ deltas: FieldDeltas) -> Int {
        6 + 2 * deltas.count + bits(deltas)
    }

    // MARK: Grouping

    /// Sorts the changes into `members` by delta, groups in the order of their first views. An open-addressing
    /// table with indices.
    private mutating func group(_ changes: [FrameChange]) {
        for index in keys.indices { members[index].removeAll(keepingCapacity: true) }
        keys.removeAll(keepingCapacity: true)
        keyOfChange.removeAll(keepingCapacity: true)
        var size = 16
        while size < changes.count * 2 { size *= 2 }
        if table.count == size {
            for slot in table.indices { table[slot] = -1 }
        } else {
            table = Array(repeating: -1, count: size)
        }
        let slotMask = size - 1
        var previous = -1
        for change in changes {
            let delta = FrameDelta(from: change.old, to: change.new)
            // Neighbours mostly move together.
            if previous < 0 || keys[previous] != delta {
                if delta.isZero {
                    keyOfChange.append(-1)
                    continue
                }
                previous = index(of: delta, slotMask)
            }
            members[previous].append(change.number.rawValue)
            keyOfChange.append(Int32(truncatingIfNeeded: previous))
        }
        masks.removeAll(keepingCapacity: true)
        keyDeltas.removeAll(keepingCapacity: true)
        isGroup.removeAll(keepingCapacity: true)
        for (index, key) in keys.enumerated() {
            let (mask, count) = (key.mask, members[index].count)
            masks.append(mask)
            keyDeltas.append(key.deltas)
            // A pair as a group takes a head, two counts, the first number and a gap; as rows, a number each and the
            // deltas twice.
            isGroup.append(count > 2 || count == 2 && mask.count > 1)
        }
    }

    private mutating func index(of delta: FrameDelta, _ slotMask: Int) -> Int {
        var slot = Int(truncatingIfNeeded: delta.hash) & slotMask
        while table[slot] >= 0 {
            if keys[Int(table[slot])] == delta { return Int(table[slot]) }
            slot = (slot + 1) & slotMask
        }
        table[slot] = Int32(truncatingIfNeeded: keys.count)
        keys.append(delta)
        if members.count < keys.count { members.append([]) }
        return keys.count - 1
    }
}
