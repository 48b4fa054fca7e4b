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
        /// Where the group's numbers begin in `numbers`.
        var start = -1
        /// Where its next number goes, while they are put in their places; −1 where its views are told one by one.
        var next = -1

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
        makeRoom(for: changes.count)
        // Taken out, for a view into one member would keep the others from being written to.
        var groupOf: [Int32] = []
        var groups: [Group] = []
        var alone: [Int32] = []
        swap(&groupOf, &groupOfChange)
        swap(&groups, &self.groups)
        swap(&alone, &self.alone)
        together.removeAll(keepingCapacity: true)
        let areAllAlone = findGroups(
            changes.span, groupOf.mutableSpan, groups.mutableSpan, alone.mutableSpan)
        if areAllAlone {
            aloneCount = groupCount
        } else {
            var numbers: [UInt32] = []
            swap(&numbers, &self.numbers)
            placeGroups(groups.mutableSpan)
            fill(
                changes.span, groupOf.span, groups.mutableSpan, numbers.mutableSpan,
                alone.mutableSpan)
            swap(&numbers, &self.numbers)
        }
        swap(&groupOf, &groupOfChange)
        swap(&groups, &self.groups)
        swap(&alone, &self.alone)
    }

    private mutating func makeRoom(for count: Int) {
        let missing = count - groups.count
        guard missing > 0 else { return }
        groupOfChange.append(contentsOf: repeatElement(0, count: missing))
        numbers.append(contentsOf: repeatElement(0, count: missing))
        alone.append(contentsOf: repeatElement(0, count: missing))
        groups.append(contentsOf: repeatElement(Group(), count: missing))
    }

    /// How many changes are compared with each other where one word does not tell them apart already; for more there is a
    /// table.
    private static let comparedMaximum = 64

    /// - Parameter firsts: Takes the place of each group's first change.
    /// - Returns: Whether no two changes are equal.
    private mutating func findGroups(
        _ changes: Span<FrameChange>, _ groupOf: consuming MutableSpan<Int32>,
        _ groups: consuming MutableSpan<Group>, _ firsts: consuming MutableSpan<Int32>
    ) -> Bool {
        let isFew = changes.count <= Self.comparedMaximum
        if !isFew { beginTable(for: changes.count) }
        let slotMask = table.count - 1
        let tag = generation << 32
        var slots = table.mutableSpan
        // Of few changes, one bit for each of 64 hashes that occurred.
        var seen: UInt64 = 0
        var count = 0
        var areAllAlone = true
        var previous = Words(.zero)
        var current = -1
        // How many of the present run of equal changes are not counted yet: counting them in memory would make each wait
        // for the one before.
        var run = 0
        for place in changes.indices {
            let delta = changes[place].delta
            let words = Words(delta)
            // Neighbours mostly move together.
            if words == previous {
                run &+= 1
            } else {
                if run > 0, current >= 0 {
                    groups[current].count &+= run
                    areAllAlone = false
                }
                run = 0
                previous = words
                current = -1
                if !words.isZero {
                    let hash = words.hash
                    var slot = Int(truncatingIfNeeded: hash) & slotMask
                    if isFew {
                        let bit = 1 &<< (hash &>> 58)
                        if seen & bit != 0 {
                            var index = 0
                            while index < count, Words(groups[index].delta) != words {
                                index &+= 1
                            }
                            if index < count { current = index }
                        }
                        seen |= bit
                    } else {
                        while slots[slot] & ~0xFFFF_FFFF == tag {
                            let index = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF)
                            if Words(groups[index].delta) == words {
                                current = index
                                break
                            }
                            slot = (slot &+ 1) & slotMask
                        }
                    }
                    if current >= 0 {
                        run = 1
                    } else {
                        current = count
                        if !isFew { slots[slot] = tag | UInt64(truncatingIfNeeded: count) }
                        groups[count] = Group(delta: delta, count: 1)
                        firsts[count] = Int32(truncatingIfNeeded: place)
                        count &+= 1
                    }
                }
            }
            groupOf[place] = Int32(truncatingIfNeeded: current)
        }
        if run > 0, current >= 0 {
            groups[current].count &+= run
            areAllAlone = false
        }
        groupCount = count
        return areAllAlone
    }

    private mutating func beginTable(for count: Int) {
        var size = 16
        while size < count * 2 { size *= 2 }
        generation &+= 1
        if table.count < size || generation >> 32 != 0 {
            table = Array(repeating: 0, count: size)
            generation = 1
        }
    }

    private mutating func placeGroups(_ groups: consuming MutableSpan<Group>) {
        var start = 0
        for index in 0..<groupCount where groups[index].count > 1 && groups[index].isTogether {
            groups[index].start = start
            groups[index].next = start
            start &+= groups[index].count
            together.append(groups[index])
        }
    }

    private mutating func fill(
        _ changes: Span<FrameChange>, _ groupOf: Span<Int32>,
        _ groups: consuming MutableSpan<Group>, _ numbers: consuming MutableSpan<UInt32>,
        _ alone: consuming MutableSpan<Int32>
    ) {
        var count = 0
        var current = -1
        // Where the next number of the group at hand goes; a run of them need not wait for memory.
        var next = -1
        for place in changes.indices {
            let index = Int(groupOf[place])
            if index != current {
                if next >= 0 { groups[current].next = next }
                current = index
                next = index >= 0 ? groups[index].next : -1
            }
            if next >= 0 {
                numbers[next] = changes[place].number.rawValue
                next &+= 1
            } else if index >= 0 {
                alone[count] = Int32(truncatingIfNeeded: place)
                count &+= 1
            }
        }
        aloneCount = count
    }

    /// Deltas as two words, which every processor compares at once.
    private struct Words: Equatable {
        let low: UInt64
        let high: UInt64

        @inline(__always)
        init(_ delta: SIMD4<Int32>) {
            let words = unsafe unsafeBitCast(delta, to: SIMD2<UInt64>.self)
            (low, high) = (words[0], words[1])
        }

        @inline(__always)
        var isZero: Bool { low | high == 0 }

        @inline(__always)
        static func == (left: Self, right: Self) -> Bool {
            (left.low ^ right.low) | (left.high ^ right.high) == 0
        }

        /// The numbers spread over 64 bits, the same in every process.
        @inline(__always)
        var hash: UInt64 {
            var hash = low &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 29 ^ high) &* 0xBF58_476D_1CE4_E5B9
            return hash ^ hash >> 32
        }
    }
}
