/// Changed frames sorted into groups of equal deltas, in the order of their first views.
///
/// The tables are kept from tick to tick, and all groups' numbers lie in one array, so that sorting a tick takes no memory
/// and a few tens of instructions a change.
struct ChangeGroups: Sendable {
    /// Views that change by the same deltas.
    struct Group: Sendable {
        var delta: SIMD4<Int32>
        var mask: FieldMask
        var deltas: FieldDeltas
        var start = 0
        var count = 0
        /// Where the group's numbers lie in `numbers`.
        var range: Range<Int> { start..<start + count }
        /// Whether the views are many enough to be told together: a pair as a group takes a head, two counts, the first
        /// number and a gap; as rows, a number each and the deltas twice.
        var isTogether: Bool { count > 2 || count == 2 && mask.count > 1 }

        init(_ delta: SIMD4<Int32>) {
            self.delta = delta
            mask = FieldMask(
                rawValue: (delta[0] != 0 ? 1 : 0) | (delta[1] != 0 ? 2 : 0)
                    | (delta[2] != 0 ? 4 : 0) | (delta[3] != 0 ? 8 : 0))
            deltas = FieldDeltas()
            for side in 0..<4 where delta[side] != 0 { deltas.append(delta[side]) }
        }
    }

    private(set) var groups: [Group] = []
    /// The views' numbers, those of a group one after the other and ascending.
    private(set) var numbers: [UInt32] = []
    /// For each change the index of its group; −1 for one that changes nothing.
    private(set) var groupOfChange: [Int32] = []
    /// Open addressing, with indices of groups.
    private var table: [Int32] = []

    /// - Parameter changes: Ascending by number.
    /// - Complexity: O(changes).
    mutating func sort(_ changes: [FrameChange]) {
        var size = 16
        while size < changes.count * 2 { size *= 2 }
        if table.count < size { table = Array(repeating: -1, count: size) }
        groups.removeAll(keepingCapacity: true)
        let missing = changes.count - groupOfChange.count
        if missing > 0 {
            groupOfChange.append(contentsOf: repeatElement(0, count: missing))
            numbers.append(contentsOf: repeatElement(0, count: missing))
        }
        // Taken out, for a view into one member would keep the others from being written to.
        var slots = table
        var groupOf = groupOfChange
        table = []
        groupOfChange = []
        findGroups(changes, slotMask: size - 1, &slots, &groupOf)
        table = slots
        groupOfChange = groupOf
        var start = 0
        for index in groups.indices {
            groups[index].start = start
            start += groups[index].count
            groups[index].count = 0
        }
        fill(changes)
    }

    private mutating func findGroups(
        _ changes: [FrameChange], slotMask: Int, _ table: inout [Int32],
        _ groupOfChange: inout [Int32]
    ) {
        var slots = table.mutableSpan
        for slot in 0...slotMask { slots[slot] = -1 }
        var groupOf = groupOfChange.mutableSpan
        var previous = SIMD4<Int32>.zero
        var current = -1
        // How many of the present run of equal changes are not counted yet.
        var run = 0
        for place in changes.indices {
            let change = changes[place]
            let delta = change.new.vector &- change.old.vector
            // Neighbours mostly move together.
            if delta != previous {
                if current >= 0 { groups[current].count += run }
                run = 0
                previous = delta
                current = delta == .zero ? -1 : Self.index(of: delta, &slots, slotMask, &groups)
            }
            run += 1
            groupOf[place] = Int32(truncatingIfNeeded: current)
        }
        if current >= 0 { groups[current].count += run }
    }

    private static func index(
        of delta: SIMD4<Int32>, _ slots: inout MutableSpan<Int32>, _ slotMask: Int,
        _ groups: inout [Group]
    ) -> Int {
        var slot = Int(truncatingIfNeeded: hash(delta)) & slotMask
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if groups[index].delta == delta { return index }
            slot = (slot + 1) & slotMask
        }
        slots[slot] = Int32(truncatingIfNeeded: groups.count)
        groups.append(Group(delta))
        return groups.count - 1
    }

    private mutating func fill(_ changes: [FrameChange]) {
        var numbers = numbers
        self.numbers = []
        var span = numbers.mutableSpan
        for place in changes.indices {
            let index = Int(groupOfChange[place])
            guard index >= 0 else { continue }
            let end = groups[index].start &+ groups[index].count
            span[end] = changes[place].number.rawValue
            groups[index].count &+= 1
        }
        self.numbers = numbers
    }

    /// Takes a change away from its group's rest. Complexity: O(log changes).
    mutating func leaveOut(_ number: UInt32, _ changes: [FrameChange]) {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].number.rawValue < number { low = middle + 1 } else { high = middle }
        }
        groupOfChange[low] = -1
    }

    /// Spreads four numbers over 64 bits, the same in every process.
    private static func hash(_ delta: SIMD4<Int32>) -> UInt64 {
        let low = UInt64(UInt32(bitPattern: delta[0])) | UInt64(UInt32(bitPattern: delta[1])) << 32
        let high = UInt64(UInt32(bitPattern: delta[2])) | UInt64(UInt32(bitPattern: delta[3])) << 32
        var hash = low &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 29 ^ high) &* 0xBF58_476D_1CE4_E5B9
        return hash ^ hash >> 32
    }
}
