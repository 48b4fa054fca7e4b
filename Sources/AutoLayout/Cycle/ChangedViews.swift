import Cassowary

/// The views that a solve has moved, in preorder and each once, in memory that is used again.
struct ChangedViews: ~Copyable {
    /// The views; guides too, and some twice, before `sort`.
    var items = Buffer<LayoutItemReference>()
    /// Preorder number and place in the list, in one number each, which sort faster than views.
    private var order = Buffer<UInt64>()
    private var sorted = Buffer<LayoutItemReference>()

    /// Leaves out guides and what is there twice, and sorts the rest by preorder, whose numbers have to be up to date.
    ///
    /// - Complexity: O(n) where they stand in preorder, as those of a first layout mostly do, and the few of a small change; else
    ///   O(n log n).
    mutating func sort() {
        if keepViews() { return }
        for index in items.indices {
            let number = items[index].use { $0.preorderIndex }
            order.append(UInt64(number) << 32 | UInt64(index))
        }
        order.sort()
        var previous = UInt64.max
        for index in order.indices {
            let place = order[index]
            guard place >> 32 != previous else { continue }
            previous = place >> 32
            sorted.append(items[Int(place & 0xFFFF_FFFF)])
        }
        swap(&items, &sorted)
        order.removeAll()
        sorted.removeAll()
    }

    /// Keeps what is a view, and once where it follows itself.
    ///
    /// - Returns: Whether all stand in preorder.
    private mutating func keepViews() -> Bool {
        var previous: Int32 = -1
        var isSorted = true
        items.removeAll { item in
            // What has no number is no view.
            let number = item.use { $0.preorderIndex }
            guard number >= 0, number != previous else { return true }
            isSorted = isSorted && number > previous
            previous = number
            return false
        }
        return isSorted
    }

    /// Forgets the views, and gives back the memory of a first layout.
    mutating func removeAll() {
        items.removeAll()
        items.release(beyond: LayoutEngine.spareMaximum)
        order.release(beyond: LayoutEngine.spareMaximum)
        sorted.release(beyond: LayoutEngine.spareMaximum)
    }
}
