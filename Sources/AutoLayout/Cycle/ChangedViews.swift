import Cassowary

/// The views that a solve has moved, in memory that is used again.
struct ChangedViews: ~Copyable {
    /// The views; guides too, and some twice, before `sort`.
    var items = Buffer<LayoutItemReference>()

    /// How many words of `members` a view is worth: to look through these takes as long as to sort
    /// the view by comparison.
    private static let wordsPerView = 16

    /// Leaves out guides and what is there twice, and sorts the rest by preorder, whose numbers
    /// have to be up to date.
    ///
    /// - Complexity: O(n) where they stand in preorder, as those of a first layout mostly do, or
    ///   lie close; else O(n log n).
    mutating func sort() {
        guard let span = keepViews() else { return }
        let wordCount = Int(span.last >> 6 - span.first >> 6) + 1
        items =
            wordCount <= Self.wordsPerView * items.count
            ? sortedByRank(from: span.first >> 6, wordCount) : sortedByComparison()
    }

    /// Puts an item before the others, if it is among them.
    mutating func putFirst(_ item: LayoutItemReference) {
        guard let place = items.indices.first(where: { items[$0] == item }) else { return }
        items[place] = items[0]
        items[0] = item
    }

    /// Keeps what is a view, and once where it follows itself.
    ///
    /// - Returns: The first and the last preorder number; `nil` if all stand in preorder.
    private mutating func keepViews() -> (first: Int32, last: Int32)? {
        var previous: Int32 = -1
        var isSorted = true
        var (first, last) = (Int32.max, Int32(0))
        items.removeAll { item in
            // What has no number is no view.
            let number = item.use { $0.preorderIndex }
            guard number >= 0, number != previous else { return true }
            isSorted = isSorted && number > previous
            first = min(first, number)
            last = max(last, number)
            previous = number
            return false
        }
        return isSorted ? nil : (first, last)
    }

    /// Puts each view where as many come before it as have a lower number; in one place what is
    /// there twice.
    private func sortedByRank(
        from firstWord: Int32, _ wordCount: Int
    ) -> Buffer<LayoutItemReference> {
        // One bit for each number between the first and the last, set for those of the views.
        var members = Buffer<UInt64>()
        members.grow(to: wordCount, filling: 0)
        for index in items.indices {
            let number = items[index].use { $0.preorderIndex }
            members[number >> 6 - firstWord] |= 1 << UInt64(number & 63)
        }
        // How many views come before each 64 of the numbers.
        var ranks = Buffer<Int32>()
        var count: Int32 = 0
        for word in members.indices {
            ranks.append(count)
            count += Int32(members[word].nonzeroBitCount)
        }
        var sorted = Buffer<LayoutItemReference>()
        sorted.grow(to: Int(count), filling: items[0])
        for index in items.indices {
            let item = items[index]
            let number = item.use { $0.preorderIndex }
            let word = number >> 6 - firstWord
            let lower = members[word] & (1 << UInt64(number & 63) - 1)
            sorted[ranks[word] + Int32(lower.nonzeroBitCount)] = item
        }
        return sorted
    }

    private func sortedByComparison() -> Buffer<LayoutItemReference> {
        // Preorder number and place in the list, in one number each.
        var order = Buffer<UInt64>()
        for index in items.indices {
            let number = items[index].use { $0.preorderIndex }
            order.append(UInt64(number) << 32 | UInt64(index))
        }
        order.sort()
        var sorted = Buffer<LayoutItemReference>()
        var previous = UInt64.max
        for index in order.indices {
            let place = order[index]
            guard place >> 32 != previous else { continue }
            previous = place >> 32
            sorted.append(items[Int(place & 0xFFFF_FFFF)])
        }
        return sorted
    }

    /// Forgets the views, and gives back the memory of a first layout.
    mutating func removeAll() {
        items.removeAll()
        items.release(beyond: LayoutEngine.spareMaximum)
    }
}
