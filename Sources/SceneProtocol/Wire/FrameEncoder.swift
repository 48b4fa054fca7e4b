/// Turns changed frames into a frame body, and remembers selections as every receiver does.
///
/// Views with equal deltas form a group; a group whose selection is remembered cites its slot, and one that is made
/// up of remembered selections cites those. Views that change alone become rows, of deltas or of new values, whichever
/// is shorter; one that does so tick after tick is remembered too. One encoder serves all receivers that are in step.
/// Its tables are kept from tick to tick, so a steady state takes memory only for what it returns.
public struct FrameEncoder: Sendable {
    /// What the receivers remember.
    public private(set) var ring = SelectionRing()
    private var sorted = ChangeGroups()
    /// The views that were rows in the last tick.
    private var lastRows: [UInt32] = []
    /// By a view's number: its mask as a row of the last tick in the low four bits.
    private var rowMasks: [UInt8] = []
    /// By a view's number: the slot of a selection of this view alone, and one; 0 where there is none.
    private var singleSlots: [UInt8] = []
    /// Groups of the present body that are remembered.
    private var citations: [(slot: UInt8, deltas: FieldDeltas)] = []
    /// Groups of the present body that are told for the first time.
    private var newGroups: [FrameBody.Group] = []
    /// One bit for each number of a group that is not covered yet; all 0 between groups.
    private var marks: [UInt64] = []
    private var candidates: [Int] = []
    private var chosen: [Int] = []
    private var rest: [UInt32] = []

    /// Makes an encoder whose receivers remember nothing.
    public init() {}

    /// Forgets all selections; goes with a snapshot to every receiver.
    public mutating func reset() {
        ring.clear()
        forgetRows()
        singleSlots.removeAll(keepingCapacity: true)
    }

    private mutating func forgetRows() {
        for number in lastRows { rowMasks[Int(number)] = 0 }
        lastRows.removeAll(keepingCapacity: true)
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
        sorted.sort(changes)
        var body = FrameBody()
        newGroups.removeAll(keepingCapacity: true)
        citations.removeAll(keepingCapacity: true)
        if usesRing, let last = changes.last { makeRoom(for: last.number.rawValue) }
        for index in sorted.groups.indices {
            let group = sorted.groups[index]
            if group.isTogether {
                addGroups(group, usesRing: usesRing)
            } else if usesRing {
                addKnownViews(group, changes)
            }
        }
        // A reader takes citations before new selections, so none may cite what this body stores; see `store`.
        let count = citations.count + newGroups.count
        if count > 0 { body.groups.reserveCapacity(count) }
        body.citesDifferences = differencesAreShorter()
        for citation in citations {
            var deltas = citation.deltas
            if body.citesDifferences {
                deltas = deltas.subtracting(ring.deltas(slot: Int(citation.slot)))
            }
            ring.setDeltas(citation.deltas, slot: Int(citation.slot))
            body.groups.append(
                FrameBody.Group(source: .cited(slot: citation.slot), deltas: deltas))
        }
        body.groups.append(contentsOf: newGroups)
        for group in newGroups {
            if case .new(let selection, true) = group.source {
                ring.store(selection, deltas: group.deltas)
            }
        }
        addRows(changes, allowsAbsolute: allowsAbsolute, usesRing: usesRing, to: &body)
        return body
    }

    /// Whether citations say in fewer bits how their deltas differ from the last ones than what they are. What moves on
    /// its way does so by nearly as much as in the last tick.
    private func differencesAreShorter() -> Bool {
        var plain: UInt64 = 0
        var differences: UInt64 = 0
        for citation in citations {
            let last = ring.deltas(slot: Int(citation.slot))
            for index in 0..<citation.deltas.count {
                plain += UInt64(BinaryEncoder.zigzag(citation.deltas[index]))
                differences += UInt64(
                    BinaryEncoder.zigzag(citation.deltas[index] &- last[index]))
            }
        }
        // One citation alone has a short form, which takes deltas as they are.
        return citations.count > 1 && differences < plain
    }

    // MARK: Groups

    private mutating func makeRoom(for number: UInt32) {
        let missing = Int(number) + 1 - rowMasks.count
        if missing > 0 { rowMasks.append(contentsOf: repeatElement(0, count: missing)) }
        let missingSlots = Int(number) + 1 - singleSlots.count
        if missingSlots > 0 {
            singleSlots.append(contentsOf: repeatElement(0, count: missingSlots))
        }
    }

    private mutating func addGroups(_ group: ChangeGroups.Group, usesRing: Bool) {
        guard usesRing else {
            let selection = Selection(
                mask: group.mask, numbers: Array(sorted.numbers[group.range]))
            newGroups.append(
                FrameBody.Group(source: .new(selection, stores: false), deltas: group.deltas))
            return
        }
        let all = sorted.numbers
        let numbers = all.span.extracting(group.range)
        if let slot = ring.slot(mask: group.mask, numbers: numbers) {
            return cite(slot, group.deltas)
        }
        cover(group)
        for slot in chosen { cite(slot, group.deltas) }
        guard !rest.isEmpty else { return }
        store(Selection(mask: group.mask, numbers: rest), group.deltas)
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

    /// Remembered selections that make up a group, largest first, into `chosen`, and what they leave over, into `rest`;
    /// none where naming the whole set anew is shorter.
    ///
    /// Rounding lets groups fall apart and together again from tick to tick; their parts stay the same.
    ///
    /// - Complexity: O(64 × numbers) at worst; mostly a set is told from others by its first number.
    private mutating func cover(_ group: ChangeGroups.Group) {
        chosen.removeAll(keepingCapacity: true)
        rest.removeAll(keepingCapacity: true)
        let all = sorted.numbers
        let numbers = all.span.extracting(group.range)
        let last = numbers[numbers.count - 1]
        ring.slots(
            mask: group.mask, within: numbers[0]...last, countMaximum: numbers.count,
            into: &candidates)
        if !candidates.isEmpty {
            let words = Int(last) / 64 + 1
            if marks.count < words {
                marks.append(contentsOf: repeatElement(0, count: words - marks.count))
            }
            for index in numbers.indices {
                marks[Int(numbers[index]) / 64] |= 1 << UInt64(numbers[index] % 64)
            }
            for slot in candidates where ring.isSubset(slot, of: marks) {
                ring.clear(slot, from: &marks)
                chosen.append(slot)
            }
            for index in numbers.indices
            where marks[Int(numbers[index]) / 64] & 1 << UInt64(numbers[index] % 64) != 0 {
                rest.append(numbers[index])
            }
            for number in rest { marks[Int(number) / 64] = 0 }
        }
        if !chosen.isEmpty {
            let whole = 8 + 8 * NumberSet.byteCount(numbers)
            var parts = chosen.count * Self.citationBits(group.deltas)
            if !rest.isEmpty { parts += 8 + 8 * NumberSet.byteCount(rest.span) }
            if parts < whole { return }
        }
        chosen.removeAll(keepingCapacity: true)
        rest.removeAll(keepingCapacity: true)
        for index in numbers.indices { rest.append(numbers[index]) }
    }

    // MARK: Views alone

    /// The views of a key that is no group: those that a remembered selection names, or that moved alone in the last
    /// tick too, are cited; the others stay for the rows.
    private mutating func addKnownViews(_ group: ChangeGroups.Group, _ changes: [FrameChange]) {
        for place in group.range {
            let number = sorted.numbers[place]
            if let slot = singleSlot(number, group.mask) {
                cite(slot, group.deltas)
            } else if rowMasks[Int(number)] == group.mask.rawValue {
                let slot = (ring.next + newGroups.count) % SelectionRing.slotCount
                singleSlots[Int(number)] = UInt8(truncatingIfNeeded: slot + 1)
                store(Selection(mask: group.mask, numbers: [number]), group.deltas)
            } else {
                continue
            }
            sorted.leaveOut(number, changes)
        }
    }

    private func singleSlot(_ number: UInt32, _ mask: FieldMask) -> Int? {
        let slot = Int(singleSlots[Int(number)]) - 1
        // The ring may have gone round since.
        guard slot >= 0, let held = ring[slot], held.mask == mask, held.numbers.count == 1,
            held.numbers[0] == number
        else { return nil }
        return slot
    }

    private mutating func addRows(
        _ changes: [FrameChange], allowsAbsolute: Bool, usesRing: Bool, to body: inout FrameBody
    ) {
        if usesRing { forgetRows() }
        var count = 0
        for group in sorted.groups where !group.isTogether { count += group.count }
        guard count > 0 else { return }
        body.rows.reserveCapacity(count)
        var saved = 0
        var absoluteCount = 0
        for place in changes.indices {
            let index = Int(sorted.groupOfChange[place])
            guard index >= 0, !sorted.groups[index].isTogether else { continue }
            let (mask, deltas) = (sorted.groups[index].mask, sorted.groups[index].deltas)
            let number = changes[place].number.rawValue
            body.rows.append(FrameBody.Row(number: number, mask: mask, deltas: deltas))
            if usesRing {
                lastRows.append(number)
                rowMasks[Int(number)] = mask.rawValue
            }
            guard allowsAbsolute else { continue }
            let difference = Self.bits(deltas) - Self.bits(changes[place].new, mask)
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
            bits += Self.bits(deltas[index])
        }
        return bits
    }

    /// The same for the numbers of a frame that a mask names.
    private static func bits(_ frame: QuantisedFrame, _ mask: FieldMask) -> Int {
        var bits = 0
        if mask.contains(.x) { bits += Self.bits(frame.x) }
        if mask.contains(.y) { bits += Self.bits(frame.y) }
        if mask.contains(.width) { bits += Self.bits(frame.width) }
        if mask.contains(.height) { bits += Self.bits(frame.height) }
        return bits
    }

    private static func bits(_ value: Int32) -> Int {
        UInt32.bitWidth - BinaryEncoder.zigzag(value).leadingZeroBitCount
    }

    /// How many bits a citation takes, about: a slot that is some away from the last, how many deltas, and those.
    private static func citationBits(_ deltas: FieldDeltas) -> Int {
        6 + 2 * deltas.count + bits(deltas)
    }
}
