/// Turns changed frames into a frame body, and remembers selections as every receiver does.
///
/// Views with equal deltas form a group; a group whose selection is remembered cites its slot, and
/// one that is made up of remembered selections cites those. Views that change alone become rows,
/// of deltas or of new values, whichever is shorter; one that does so tick after tick is remembered
/// too. One encoder serves all receivers that are in step. Its tables are kept from tick to tick,
/// so a steady state takes memory only for what it returns.
public struct FrameEncoder: Sendable {
    /// What the receivers remember.
    public private(set) var ring = SelectionRing()
    private var sorted = ChangeGroups()
    /// By a view's number: the tick, counted from the first, in which it was a row last, and four
    /// bits of its mask then.
    private var rowMarks: [UInt32] = []
    private var rowTick: UInt32 = 1
    /// By a view's number: the slot of a selection of this view alone, and one; 0 where there is
    /// none.
    private var singleSlots: [UInt8] = []
    private var cited = CitedSelections()
    /// One bit for each number of a group that is not covered yet; all 0 between groups.
    private var marks: [UInt64] = []
    private var rest: [UInt32] = []

    /// Makes an encoder whose receivers remember nothing.
    public init() {}

    /// Forgets all selections; goes with a snapshot to every receiver.
    public mutating func reset() {
        ring.clear()
        rowMarks.removeAll(keepingCapacity: true)
        singleSlots.removeAll(keepingCapacity: true)
    }

    /// Gives back the memory that serves from tick to tick, for a while without any; what is
    /// remembered stays.
    public mutating func releaseTables() {
        sorted = ChangeGroups()
        marks = []
        rest = []
    }

    /// Encodes the changes of one tick.
    ///
    /// - Parameter changes: Ascending by number, each number once. A change that changes nothing is
    ///   left out.
    /// - Complexity: O(changes), besides a look at the remembered selections of its mask for each
    ///   group.
    public mutating func encode(_ changes: [FrameChange]) -> FrameBody {
        var body = FrameBody()
        write(changes, usesRing: true, allowsAbsolute: true, to: &body)
        return body
    }

    /// The same into a body whose memory is used again.
    public mutating func encode(_ changes: [FrameChange], into body: inout FrameBody) {
        write(changes, usesRing: true, allowsAbsolute: true, to: &body)
    }

    /// Encodes changes for one receiver that is not in step: nothing is cited and nothing stored.
    public mutating func encodeMerged(_ changes: [FrameChange]) -> FrameBody {
        var body = FrameBody()
        write(changes, usesRing: false, allowsAbsolute: true, to: &body)
        return body
    }

    /// Encodes the whole way of an animation, which has to be told in deltas.
    public mutating func encodeAnimation(_ changes: [FrameChange]) -> FrameBody {
        var body = FrameBody()
        write(changes, usesRing: true, allowsAbsolute: false, to: &body)
        return body
    }

    private mutating func write(
        _ changes: [FrameChange], usesRing: Bool, allowsAbsolute: Bool, to body: inout FrameBody
    ) {
        sorted.sort(changes)
        if !body.groups.isEmpty { body.groups.removeAll(keepingCapacity: true) }
        if !body.rows.isEmpty { body.rows.removeAll(keepingCapacity: true) }
        if !body.absoluteRows.isEmpty { body.absoluteRows.removeAll(keepingCapacity: true) }
        body.citesDifferences = false
        cited.removeAll()
        if usesRing, let last = changes.last, last.number.rawValue >= rowMarks.count {
            makeRoom(for: last.number.rawValue)
        }
        var numbers: [UInt32] = []
        sorted.swapNumbers(&numbers)
        addAlone(
            changes.span, numbers.span.extracting(sorted.alone), allowsAbsolute: allowsAbsolute,
            usesRing: usesRing, to: &body)
        if sorted.hasTogether {
            for index in 0..<sorted.groupCount where sorted.groups[index].end >= 0 {
                let group = sorted.groups[index]
                addGroup(
                    group, numbers.span.extracting(group.range), usesRing: usesRing, to: &body)
            }
        }
        sorted.swapNumbers(&numbers)
        if !cited.isEmpty {
            cited.write(to: &body, &ring.lastDeltas)
        } else if !body.citations.isEmpty {
            body.citations.removeAll(keepingCapacity: true)
        }
        // A reader takes citations before new selections, so none may cite what this body stores;
        // see `store`.
        for group in body.groups where group.stores {
            ring.store(group.selection, deltas: group.deltas)
        }
    }

    // MARK: Groups

    @inline(never)
    private mutating func makeRoom(for number: UInt32) {
        let missing = Int(number) + 1 - rowMarks.count
        if missing > 0 { rowMarks.append(contentsOf: repeatElement(0, count: missing)) }
        let missingSlots = Int(number) + 1 - singleSlots.count
        if missingSlots > 0 {
            singleSlots.append(contentsOf: repeatElement(0, count: missingSlots))
        }
    }

    @inline(__always)
    private mutating func addGroup(
        _ group: ChangeGroups.Group, _ numbers: Span<UInt32>, usesRing: Bool,
        to body: inout FrameBody
    ) {
        let mask = FieldMask(ofNonzero: group.delta)
        let deltas = FieldDeltas(nonzeroOf: group.delta, mask)
        guard usesRing else {
            rest.removeAll(keepingCapacity: true)
            Self.append(numbers, to: &rest)
            let selection = Selection(mask: mask, numbers: rest)
            body.groups.append(FrameBody.Group(selection, stores: false, deltas: deltas))
            return
        }
        if let slot = ring.slot(mask: mask, numbers: numbers) {
            return cited.cite(slot, deltas)
        }
        var chosen = cover(numbers, mask, deltas)
        while chosen != 0 {
            cited.cite(chosen.trailingZeroBitCount, deltas)
            chosen &= chosen &- 1
        }
        guard !rest.isEmpty else { return }
        store(Selection(mask: mask, numbers: rest), deltas, in: &body)
    }

    /// Tells a selection for the first time. It goes to the ring when the whole body is made, as
    /// with every receiver.
    private mutating func store(
        _ selection: Selection, _ deltas: FieldDeltas, in body: inout FrameBody
    ) {
        body.groups.append(FrameBody.Group(selection, stores: true, deltas: deltas))
    }

    /// Remembered selections that make up a group, largest first, and what they leave over, into
    /// `rest`; none where naming the whole set anew is shorter.
    ///
    /// Rounding lets groups fall apart and together again from tick to tick; their parts stay the
    /// same.
    ///
    /// - Returns: One bit for each slot that is to be cited.
    /// - Complexity: O(64 × numbers) at worst; mostly a set is told from others by its first
    ///   number.
    private mutating func cover(
        _ numbers: Span<UInt32>, _ mask: FieldMask, _ deltas: FieldDeltas
    ) -> UInt64 {
        if !rest.isEmpty { rest.removeAll(keepingCapacity: true) }
        let last = numbers[numbers.count - 1]
        let candidates = ring.slots(
            mask: mask, from: numbers[0], to: last, countMaximum: numbers.count)
        var chosen: UInt64 = 0
        if candidates != 0 {
            let words = Int(last / 64) + 1
            if marks.count < words {
                marks.append(contentsOf: repeatElement(0, count: words - marks.count))
            }
            chosen = Self.cover(numbers, candidates, of: ring, &marks, leaving: &rest)
        }
        if chosen != 0 {
            let citations = chosen.nonzeroBitCount * FieldBits.citation(deltas)
            // A head and three bytes of numbers at least: mostly there is nothing to count.
            if rest.isEmpty, citations < 32 { return chosen }
            var parts = citations
            if !rest.isEmpty { parts += 8 + 8 * NumberSet.byteCount(rest.span) }
            if parts < 8 + 8 * NumberSet.byteCount(numbers) { return chosen }
        }
        rest.removeAll(keepingCapacity: true)
        Self.append(numbers, to: &rest)
        return 0
    }

    /// - Parameter marks: All 0, before and after.
    private static func cover(
        _ numbers: Span<UInt32>, _ candidates: UInt64, of ring: SelectionRing,
        _ marks: inout [UInt64], leaving rest: inout [UInt32]
    ) -> UInt64 {
        var bits = marks.mutableSpan
        for index in numbers.indices {
            bits[Int(numbers[index] / 64)] |= 1 &<< UInt64(numbers[index])
        }
        let parts = ring.takeParts(candidates, from: &bits)
        guard parts.count < numbers.count else { return parts.slots }
        for index in numbers.indices
        where bits[Int(numbers[index] / 64)] & 1 &<< UInt64(numbers[index]) != 0 {
            rest.append(numbers[index])
        }
        for number in rest { bits[Int(number / 64)] = 0 }
        return parts.slots
    }

    private static func append(_ numbers: Span<UInt32>, to list: inout [UInt32]) {
        list.append(addingCapacity: numbers.count) { output in
            for index in numbers.indices { output.append(numbers[index]) }
        }
    }

    // MARK: Views alone

    /// Views that a remembered selection names, or that moved alone in the last tick too, are
    /// cited; the others become rows.
    ///
    /// - Parameter places: Those of the changes of such views.
    private mutating func addAlone(
        _ changes: Span<FrameChange>, _ places: Span<UInt32>, allowsAbsolute: Bool, usesRing: Bool,
        to body: inout FrameBody
    ) {
        if usesRing { rowTick &+= 1 }
        guard !places.isEmpty else { return }
        body.rows.reserveCapacity(places.count)
        // Taken out, so that the loops need not ask at every view whether they are shared.
        var rows: [FrameBody.Row] = []
        var marks: [UInt32] = []
        swap(&rows, &body.rows)
        swap(&marks, &rowMarks)
        var lastRows = marks.mutableSpan
        let (mark, lastMark) = (rowTick << 4, (rowTick &- 1) << 4)
        var saved = 0
        var absoluteCount = 0
        for index in places.indices {
            let change = changes[Int(places[index])]
            let delta = change.delta
            let mask = FieldMask(ofNonzero: delta)
            let number = change.number.rawValue
            if usesRing {
                let view = Int(number)
                let wasRow = lastRows[view] == lastMark | UInt32(mask.rawValue)
                let known = Int(singleSlots[view]) &- 1
                if wasRow || known >= 0,
                    citesAlone(number, mask, delta, known, wasRow: wasRow, in: &body)
                {
                    continue
                }
                lastRows[view] = mark | UInt32(mask.rawValue)
            }
            rows.append(FrameBody.Row(number: number, mask: mask, values: delta))
            guard allowsAbsolute else { continue }
            let difference = FieldBits.saved(delta, change.new.vector)
            if difference > 0 {
                saved += difference
                absoluteCount += 1
            }
        }
        swap(&rows, &body.rows)
        swap(&marks, &rowMarks)
        // A second section takes a count, two more parameters, and numbers that are further apart.
        if saved > FieldBits.section + 2 * absoluteCount { splitRows(changes, &body) }
    }

    /// Cites a view that a remembered selection names alone, or remembers one that was a row in the
    /// last tick too.
    ///
    /// - Parameter known: The slot of the selection; −1 where there is none.
    @inline(__always)
    private mutating func citesAlone(
        _ number: UInt32, _ mask: FieldMask, _ delta: SIMD4<Int32>, _ known: Int, wasRow: Bool,
        in body: inout FrameBody
    ) -> Bool {
        // The ring may have gone round since.
        if known >= 0, ring.holds(number, alone: mask, at: known) {
            cited.cite(known, FieldDeltas(nonzeroOf: delta, mask))
            return true
        }
        if wasRow { rememberAlone(number, mask, delta, in: &body) }
        return wasRow
    }

    /// Not inlined, as it is rare: the loop over views alone keeps the processor's registers for
    /// the others.
    @inline(never)
    private mutating func rememberAlone(
        _ number: UInt32, _ mask: FieldMask, _ delta: SIMD4<Int32>, in body: inout FrameBody
    ) {
        let slot = (ring.next + body.groups.count) % SelectionRing.slotCount
        singleSlots[Int(number)] = UInt8(truncatingIfNeeded: slot + 1)
        store(
            Selection(mask: mask, numbers: [number]), FieldDeltas(nonzeroOf: delta, mask), in: &body
        )
    }

    /// Moves the rows whose new values are shorter than their deltas to a section of their own.
    private func splitRows(_ changes: Span<FrameChange>, _ body: inout FrameBody) {
        var place = 0
        var kept = 0
        for index in body.rows.indices {
            let row = body.rows[index]
            while changes[place].number.rawValue != row.number { place += 1 }
            let change = changes[place]
            if FieldBits.saved(change.delta, change.new.vector) > 0 {
                body.absoluteRows.append(
                    FrameBody.Row(
                        number: row.number, mask: row.mask,
                        values: row.mask.chosen(change.new.vector)))
            } else {
                body.rows[kept] = row
                kept += 1
            }
        }
        body.rows.removeLast(body.rows.count - kept)
    }
}
