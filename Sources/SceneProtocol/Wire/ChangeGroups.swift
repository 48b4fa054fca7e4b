/// Changed frames sorted: views that change by the same deltas together, in the order of their first views, and views
/// that change alone.
///
/// The tables are kept from tick to tick, and all groups' numbers lie in one array, so that sorting a tick takes no memory
/// and a few tens of instructions a change.
struct ChangeGroups: Sendable {
    /// Views that change by the same deltas.
    struct Group: Sendable {
        var delta = SIMD4<Int32>.zero
        var count = 0
        /// Where the group's numbers begin in `numbers`; −1 where its views are told one by one.
        var start = -1
        /// How many of its numbers are in their place.
        var filled = 0

        /// Whether the views are many enough to be told together: a pair as a group takes a head, two counts, the first
        /// number and a gap; as rows, a number each and the deltas twice.
        var isTogether: Bool { count > 2 || count == 2 && FieldMask(ofNonzero: delta).count > 1 }
        /// Where the group's numbers lie in `numbers`.
        var range: Range<Int> { start..<start + count }
    }

    /// The groups whose views are told together.
    private(set) var together: [Group] = []
    /// The views' numbers, those of a group one after the other and ascending.
    private(set) var numbers: [UInt32] = []
    /// The places of the changes that are told alone, ascending.
    private(set) var alone: [Int32] = []
    /// How many of `alone` are of this tick.
    private(set) var aloneCount = 0
    /// The groups found so far; what is beyond `groupCount` is of earlier ticks.
    private var groups: [Group] = []
    private var groupCount = 0
    /// For each change the index of its group; −1 for one that changes nothing.
    private var groupOfChange: [Int32] = []
    /// Open addressing: the generation in the high half, so that a table need not be emptied, and the index of a group.
    private var table: [UInt64] = []
    private var generation: UInt64 = 0

    /// - Parameter changes: Ascending by number.
    /// - Complexity: O(changes).
    mutating func sort(_ changes: [FrameChange]) {
        var size = 16
        while size < changes.count * 2 { size *= 2 }
        generation &+= 1
        if table.count < size || generation >> 32 != 0 {
            table = Array(repeating: 0, count: size)
            generation = 1
        }
        let missing = changes.count - groups.count
        if missing > 0 {
            groupOfChange.append(contentsOf: repeatElement(0, count: missing))
            numbers.append(contentsOf: repeatElement(0, count: missing))
            alone.append(contentsOf: repeatElement(0, count: missing))
            groups.append(contentsOf: repeatElement(Group(), count: missing))
        }
        // Taken out, for a view into one member would keep the others from being written to.
        var slots: [UInt64] = []
        var groupOf: [Int32] = []
        var groups: [Group] = []
        var numbers: [UInt32] = []
        var alone: [Int32] = []
        swap(&slots, &table)
        swap(&groupOf, &groupOfChange)
        swap(&groups, &self.groups)
        swap(&numbers, &self.numbers)
        swap(&alone, &self.alone)
        findGroups(
            changes, slots.mutableSpan, size - 1, groupOf.mutableSpan, groups.mutableSpan)
        placeGroups(groups.mutableSpan)
        fill(
            changes, groupOf.span, groups.mutableSpan, numbers.mutableSpan, alone.mutableSpan)
        swap(&slots, &table)
        swap(&groupOf, &groupOfChange)
        swap(&groups, &self.groups)
        swap(&numbers, &self.numbers)
        swap(&alone, &self.alone)
    }

    private mutating func findGroups(
        _ changes: [FrameChange], _ slots: consuming MutableSpan<UInt64>, _ slotMask: Int,
        _ groupOf: consuming MutableSpan<Int32>, _ groups: consuming MutableSpan<Group>
    ) {
        var count = 0
        let tag = generation << 32
        var previous = SIMD4<Int32>.zero
        var current = -1
        // How many of the present run of equal changes are not counted yet.
        var run = 0
        for place in changes.indices {
            let delta = changes[place].delta
            // Neighbours mostly move together.
            if delta != previous {
                if current >= 0 { groups[current].count &+= run }
                run = 0
                previous = delta
                current = -1
                if delta != .zero {
                    var slot = Int(truncatingIfNeeded: Self.hash(delta)) & slotMask
                    while slots[slot] & ~0xFFFF_FFFF == tag {
                        let index = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF)
                        if groups[index].delta == delta {
                            current = index
                            break
                        }
                        slot = (slot &+ 1) & slotMask
                    }
                    if current < 0 {
                        current = count
                        slots[slot] = tag | UInt64(truncatingIfNeeded: count)
                        groups[count] = Group(delta: delta)
                        count &+= 1
                    }
                }
            }
            run &+= 1
            groupOf[place] = Int32(truncatingIfNeeded: current)
        }
        if current >= 0 { groups[current].count &+= run }
        groupCount = count
    }

    private mutating func placeGroups(_ groups: consuming MutableSpan<Group>) {
        together.removeAll(keepingCapacity: true)
        var start = 0
        for index in 0..<groupCount where groups[index].count > 1 && groups[index].isTogether {
            groups[index].start = start
            start &+= groups[index].count
            together.append(groups[index])
        }
    }

    private mutating func fill(
        _ changes: [FrameChange], _ groupOf: Span<Int32>, _ groups: consuming MutableSpan<Group>,
        _ numbers: consuming MutableSpan<UInt32>, _ alone: consuming MutableSpan<Int32>
    ) {
        var count = 0
        for place in changes.indices {
            let index = Int(groupOf[place])
            guard index >= 0 else { continue }
            let start = groups[index].start
            guard start >= 0 else {
                alone[count] = Int32(truncatingIfNeeded: place)
                count &+= 1
                continue
            }
            numbers[start &+ groups[index].filled] = changes[place].number.rawValue
            groups[index].filled &+= 1
        }
        aloneCount = count
    }

    /// Spreads four numbers over 64 bits, the same in every process.
    @inline(__always)
    private static func hash(_ delta: SIMD4<Int32>) -> UInt64 {
        let low = UInt64(UInt32(bitPattern: delta[0])) | UInt64(UInt32(bitPattern: delta[1])) << 32
        let high = UInt64(UInt32(bitPattern: delta[2])) | UInt64(UInt32(bitPattern: delta[3])) << 32
        var hash = low &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 29 ^ high) &* 0xBF58_476D_1CE4_E5B9
        return hash ^ hash >> 32
    }
}
