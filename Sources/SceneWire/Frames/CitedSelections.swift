/// The remembered selections that one body cites, and the deltas that each is cited with.
struct CitedSelections: Sendable {
    /// One bit for each slot.
    private var slots: UInt64 = 0
    /// By slot of the ring; meaningful where the bit is set. Held in place: an array would be asked
    /// at each citation whether it is shared.
    private var deltas = InlineArray<64, FieldDeltas>(repeating: FieldDeltas())

    var isEmpty: Bool { slots == 0 }

    mutating func removeAll() { slots = 0 }

    mutating func cite(_ slot: Int, _ deltas: FieldDeltas) {
        slots |= 1 &<< UInt64(truncatingIfNeeded: slot)
        self.deltas[slot] = deltas
    }

    /// Puts the citations into a body, in whichever way is shorter, and notes their deltas as the
    /// last ones.
    ///
    /// Mutating, as what is read of a value that may not change is a copy of all its deltas.
    mutating func write(to body: inout FrameBody, _ lastDeltas: inout [FieldDeltas]) {
        let cited = deltas.span
        let citesDifferences = Self.differencesAreShorter(slots, cited, lastDeltas.span)
        body.citesDifferences = citesDifferences
        let count = slots.nonzeroBitCount
        if body.citations.count != count { Self.resize(&body.citations, to: count) }
        var last = lastDeltas.mutableSpan
        var citations = body.citations.mutableSpan
        var rest = slots
        for index in citations.indices {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            let deltas = cited[slot]
            citations[index] = FrameBody.Citation(
                slot: UInt8(truncatingIfNeeded: slot),
                deltas: citesDifferences ? deltas.subtracting(last[slot]) : deltas)
            last[slot] = deltas
        }
    }

    /// Not inlined: from tick to tick there are mostly as many citations, which are written over.
    @inline(never)
    private static func resize(_ citations: inout [FrameBody.Citation], to count: Int) {
        let missing = count - citations.count
        if missing < 0 { return citations.removeLast(-missing) }
        citations.append(
            contentsOf: repeatElement(
                FrameBody.Citation(slot: 0, deltas: FieldDeltas()), count: missing))
    }

    /// Whether citations say in fewer bits how their deltas differ from the last ones than what
    /// they are. What moves on its way does so by nearly as much as in the last tick.
    private static func differencesAreShorter(
        _ slots: UInt64, _ cited: Span<FieldDeltas>, _ last: Span<FieldDeltas>
    ) -> Bool {
        // One citation alone has a short form, which takes deltas as they are.
        var rest = slots
        guard rest & (rest &- 1) != 0 else { return false }
        var plain = SIMD2<UInt64>.zero
        var differences = SIMD2<UInt64>.zero
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            plain &+= cited[slot].zigzag.pairSums
            differences &+= cited[slot].subtracting(last[slot]).zigzag.pairSums
        }
        return differences.wrappedSum() < plain.wrappedSum()
    }
}
