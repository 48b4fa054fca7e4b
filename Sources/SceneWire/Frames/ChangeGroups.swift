/// Changed frames sorted: views that change by the same deltas together, in the order of their
/// first views, and views that change alone.
///
/// The tables are kept from tick to tick, and all groups' numbers lie in one array, so that sorting
/// a tick takes no memory and a few tens of instructions a change.
struct ChangeGroups: Sendable {
    /// Views that change by the same deltas.
    struct Group: Sendable {
        var delta = SIMD4<Int32>.zero
        var count: Int32 = 0
        /// Where the group's numbers end in `numbers`, and while they are put in their places,
        /// where the next one goes; −1 where its views are encoded one by one.
        var end: Int32 = -1

        /// Whether the views are many enough to be told together: a pair as a group takes a head,
        /// two counts, the first number and a gap; as rows, a number each and the deltas twice.
        var isTogether: Bool {
            @inline(__always) get {
                count > 2 || count == 2 && FieldMask(ofNonzero: delta).count > 1
            }
        }
        /// Where the group's numbers lie in `numbers`.
        var range: Range<Int> { Int(end &- count)..<Int(end) }
    }

    /// Changes next to each other that are of one group; they end where the next run begins.
    private struct Run {
        /// −1 where nothing changes.
        var group: Int32 = -1
        var first: Int32 = 0
    }

    /// The groups found so far; what is beyond `groupCount` is of earlier ticks.
    private(set) var groups: [Group] = []
    /// How many of `groups` are of this tick.
    private(set) var groupCount = 0
    /// Whether there are groups whose views are told together.
    private(set) var hasTogether = false
    /// The views' numbers, those of a group that are told together one after the other and
    /// ascending; behind them the places of the changes that are told alone, ascending.
    private(set) var numbers: [UInt32] = []
    /// Where in `numbers` the places of changes that are told alone lie.
    private(set) var alone = 0..<0
    private var runs: [Run] = []
    /// Open addressing: the generation in the high half, so that a table need not be emptied, and
    /// the index of a group.
    private var table: [UInt64] = []
    private var generation: UInt64 = 0

    /// - Parameter changes: Ascending by number.
    /// - Complexity: O(changes).
    mutating func sort(_ changes: [FrameChange]) {
        if groups.count < changes.count { makeRoom(for: changes.count) }
        generation &+= 1
        if table.isEmpty || table.count < changes.count * 2 || generation >> 32 != 0 {
            makeTable(for: changes.count)
        }
        (groupCount, alone) = Self.sort(
            changes.span, &table, generation << 32, &groups, &runs, &numbers)
        hasTogether = alone.lowerBound > 0
    }

    /// Takes the numbers out, or puts them back: lent like that, they need not be counted as shared
    /// while the encoder that owns them changes.
    mutating func swapNumbers(_ other: inout [UInt32]) { swap(&numbers, &other) }

    /// - Parameter tag: The present generation in the table.
    private static func sort(
        _ changes: Span<FrameChange>, _ table: inout [UInt64], _ tag: UInt64,
        _ groups: inout [Group], _ runs: inout [Run], _ numbers: inout [UInt32]
    ) -> (groupCount: Int, alone: Range<Int>) {
        // Each array is asked once whether it is shared.
        var slots = table.mutableSpan
        var groups = groups.mutableSpan
        var runs = runs.mutableSpan
        var numbers = numbers.mutableSpan
        let (groupCount, runCount) = findGroups(changes, &slots, tag, &groups, &runs)
        if groupCount == changes.count {
            for place in 0..<groupCount { numbers[place] = UInt32(truncatingIfNeeded: place) }
            return (groupCount, 0..<groupCount)
        }
        runs[runCount] = Run(first: Int32(truncatingIfNeeded: changes.count))
        // As long as they are, so that places in them need not be checked.
        let found = runs.span.extracting(0..<(runCount &+ 1))
        let together = placeGroups(&groups, groupCount, found)
        let end = fill(changes, found, &groups, &numbers, after: together)
        return (groupCount, together..<end)
    }

    @inline(never)
    private mutating func makeRoom(for count: Int) {
        let missing = count - groups.count
        // One more, for the end.
        runs.append(contentsOf: repeatElement(Run(), count: missing + (runs.isEmpty ? 1 : 0)))
        numbers.append(contentsOf: repeatElement(0, count: missing))
        groups.append(contentsOf: repeatElement(Group(), count: missing))
    }

    /// The table's least size: large enough that the few groups of most ticks rarely meet in it.
    private static let tableSizeMinimum = 256

    @inline(never)
    private mutating func makeTable(for count: Int) {
        var size = Self.tableSizeMinimum
        while size < count * 2 { size *= 2 }
        table = Array(repeating: 0, count: size)
        generation = 1
    }

    /// - Returns: How many groups and runs there are.
    @inline(__always)
    private static func findGroups(
        _ changes: Span<FrameChange>, _ slots: inout MutableSpan<UInt64>, _ tag: UInt64,
        _ groups: inout MutableSpan<Group>, _ runs: inout MutableSpan<Run>
    ) -> (groupCount: Int, runCount: Int) {
        let slotMask = slots.count - 1
        var groupCount = 0
        var runCount = 0
        guard !changes.isEmpty else { return (0, 0) }
        // The first change is no neighbour's.
        var previous = Words(changes[0].delta).other
        for place in changes.indices {
            let delta = changes[place].delta
            let words = Words(delta)
            // Neighbours mostly move together.
            if words == previous { continue }
            previous = words
            var run = Run(first: Int32(truncatingIfNeeded: place))
            if !words.isZero {
                var slot = words.hash & slotMask
                // Beyond the count are the groups of other generations, whose tags are not ours.
                var index = slots[slot] &- tag
                while index < groupCount,
                    Words(groups[Int(truncatingIfNeeded: index)].delta) != words
                {
                    slot = (slot &+ 1) & slotMask
                    index = slots[slot] &- tag
                }
                if index >= groupCount {
                    index = UInt64(truncatingIfNeeded: groupCount)
                    slots[slot] = tag | index
                    groups[groupCount] = Group(delta: delta)
                    groupCount &+= 1
                }
                run.group = Int32(truncatingIfNeeded: index)
            }
            runs[runCount] = run
            runCount &+= 1
        }
        return (groupCount, runCount)
    }

    /// Counts the groups, and gives each one that is told together its part of `numbers`, in the
    /// order of the first views.
    ///
    /// - Returns: Where the last one's part ends.
    @inline(__always)
    private static func placeGroups(
        _ groups: inout MutableSpan<Group>, _ groupCount: Int, _ runs: Span<Run>
    ) -> Int {
        var index = 0
        while index < runs.count - 1 {
            let run = runs[index]
            index &+= 1
            if run.group >= 0 { groups[Int(run.group)].count &+= runs[index].first &- run.first }
        }
        var end: Int32 = 0
        for index in 0..<groupCount where groups[index].isTogether {
            groups[index].end = end
            end &+= groups[index].count
        }
        return Int(end)
    }

    /// Puts numbers and places where they belong.
    ///
    /// - Parameter together: Where the numbers of the groups end.
    /// - Returns: Where the places of the views that are told alone end.
    @inline(__always)
    private static func fill(
        _ changes: Span<FrameChange>, _ runs: Span<Run>, _ groups: inout MutableSpan<Group>,
        _ numbers: inout MutableSpan<UInt32>, after together: Int
    ) -> Int {
        var aloneEnd = together
        var index = 0
        while index < runs.count - 1 {
            let run = runs[index]
            index &+= 1
            if run.group < 0 { continue }
            let group = Int(run.group)
            let first = run.first
            let next = runs[index].first
            var end = Int(groups[group].end)
            if end >= 0 {
                // Most runs are of one change; a loop begins by asking whether it is long enough
                // for vectors.
                numbers[end] = changes[Int(first)].number.rawValue
                end &+= 1
                if next &- first > 1 {
                    for place in Int(first &+ 1)..<Int(next) {
                        numbers[end] = changes[place].number.rawValue
                        end &+= 1
                    }
                }
                groups[group].end = Int32(truncatingIfNeeded: end)
            } else {
                // There are two at most.
                numbers[aloneEnd] = UInt32(bitPattern: first)
                aloneEnd &+= 1
                if next &- first > 1 {
                    numbers[aloneEnd] = UInt32(bitPattern: first &+ 1)
                    aloneEnd &+= 1
                }
            }
        }
        return aloneEnd
    }

    /// Deltas as two words, which every processor compares at once.
    private struct Words: Equatable {
        let low: UInt64
        let high: UInt64

        @inline(__always)
        init(_ delta: SIMD4<Int32>) {
            let words = SIMD4<UInt32>(truncatingIfNeeded: delta).words
            (low, high) = (words[0], words[1])
        }

        private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

        /// Words that these are not.
        var other: Words { Words(low: ~low, high: high) }

        @inline(__always)
        var isZero: Bool { low | high == 0 }

        @inline(__always)
        static func == (left: Self, right: Self) -> Bool {
            (left.low ^ right.low) | (left.high ^ right.high) == 0
        }

        /// A number that other deltas mostly do not have, the same in every process: the products'
        /// high bits depend on all bits of the deltas.
        @inline(__always)
        var hash: Int {
            let sum = low &* 0x9E37_79B9_7F4A_7C15 &+ high &* 0xBF58_476D_1CE4_E5B9
            return Int(truncatingIfNeeded: sum &>> 32)
        }
    }
}
