/// How one hierarchy becomes another, as changes that a mirror can apply in order.
///
/// Lists of subviews are noted for the views where they may differ; all others are taken to be as
/// they were.
package struct TreeDiff {
    private let root: ViewNumber
    /// The subviews as they are after the changes so far, of the views that were noted or touched.
    private var lists: [ViewNumber: [ViewNumber]] = [:]
    /// The superviews of the views in those lists.
    private var parents: [ViewNumber: ViewNumber] = [:]
    /// Views that are new, or went and come back, and were not added yet.
    private var added: Set<ViewNumber>
    private var result: [TreeChange] = []

    /// Starts from a hierarchy of which nothing is noted.
    ///
    /// - Parameter added: Views that were not there, and those that went and come back.
    package init(root: ViewNumber, added: some Sequence<ViewNumber>) {
        self.root = root
        self.added = Set(added)
    }

    /// Notes the subviews that a view had: of each whose list may differ, of each that is gone,
    /// and, if any is, of the root.
    package mutating func note(_ number: ViewNumber, children: [ViewNumber]) {
        lists[number] = children
        for child in children { parents[child] = number }
    }

    /// The superview that a view had, where it was noted.
    package func parent(of number: ViewNumber) -> ViewNumber? { parents[number] }

    /// Works the changes out.
    ///
    /// - Parameters:
    ///   - removed: The views that are gone, in the order in which they are to be told; one that
    ///     goes with its superview is passed over.
    ///   - isGone: Whether a view is gone, of those below.
    ///   - order: The views as they are to be that were noted or added, in preorder; others are
    ///     passed over.
    ///   - children: The subviews as they are to be.
    ///   - record: What is to be told of a new view.
    /// - Complexity: O(views in `order` + noted subviews).
    package consuming func changes(
        removing removed: [ViewNumber], isGone: (ViewNumber) -> Bool, order: [ViewNumber],
        children: (ViewNumber) -> [ViewNumber], record: (ViewNumber) -> ViewRecord?
    ) -> [TreeChange] {
        for number in removed {
            // One without a superview went with it.
            guard let parent = parents[number] else { continue }
            rescue(below: number, isGone)
            lists[parent]?.removeAll { $0 == number }
            forget(number)
            result.append(.remove(number))
        }
        for number in order where lists[number] != nil || added.contains(number) {
            place(children(number), in: number, record)
        }
        return result
    }

    /// Takes views that stay out of a subtree that goes, to the end of the root for the moment: a
    /// removal takes all that is below with it.
    private mutating func rescue(below number: ViewNumber, _ isGone: (ViewNumber) -> Bool) {
        var stack = Array((lists[number] ?? []).reversed())
        while let child = stack.popLast() {
            guard !isGone(child) else {
                stack.append(contentsOf: (lists[child] ?? []).reversed())
                continue
            }
            if let parent = parents[child] { lists[parent]?.removeAll { $0 == child } }
            let place = lists[root]?.count ?? 0
            lists[root, default: []].append(child)
            parents[child] = root
            result.append(.move(child, parent: root, index: UInt32(clamping: place)))
        }
    }

    /// Forgets a view that goes, with all that is left below it.
    private mutating func forget(_ number: ViewNumber) {
        var stack = [number]
        while let next = stack.popLast() {
            parents[next] = nil
            stack.append(contentsOf: lists.removeValue(forKey: next) ?? [])
        }
    }

    /// Brings the list of a view's subviews to the one that is wanted. As few as possible are
    /// moved: the others are in order already. Those that are to be elsewhere are left where they
    /// are, and go when their place is reached.
    ///
    /// - Complexity: O(n log n) for n subviews, and O(n) for each that is moved.
    private mutating func place(
        _ wanted: [ViewNumber], in parent: ViewNumber, _ record: (ViewNumber) -> ViewRecord?
    ) {
        var list = lists[parent] ?? []
        guard list != wanted else { return }
        let staying = Self.longestInOrder(of: wanted, in: list)
        var place = 0
        for child in wanted {
            if staying.contains(child) {
                while place < list.count, list[place] != child { place += 1 }
                place += 1
                continue
            }
            if added.remove(child) != nil {
                // A view that went and comes back, as one does that leaves a watched subtree for a
                // while, comes back empty: what it held before went with it.
                lists[child] = []
                guard let record = record(child) else { continue }
                result.append(.add(record, index: UInt32(clamping: place)))
            } else {
                if let old = parents[child], old != parent {
                    lists[old]?.removeAll { $0 == child }
                } else if let old = list.firstIndex(of: child) {
                    list.remove(at: old)
                    if old < place { place -= 1 }
                }
                result.append(.move(child, parent: parent, index: UInt32(clamping: place)))
            }
            parents[child] = parent
            list.insert(child, at: place)
            place += 1
        }
        lists[parent] = list
    }

    /// The largest set of wanted views that a list has in the order wanted: a longest increasing
    /// subsequence of their places, found by patience sorting.
    private static func longestInOrder(
        of wanted: [ViewNumber], in list: [ViewNumber]
    ) -> Set<ViewNumber> {
        var places: [ViewNumber: Int] = [:]
        for (place, number) in list.enumerated() { places[number] = place }
        // Of each length, the sequence that ends earliest: the view that it ends with, and where
        // that is in the list.
        var ends: [(number: ViewNumber, place: Int)] = []
        var before: [ViewNumber: ViewNumber] = [:]
        for number in wanted {
            guard let place = places[number] else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].place < place { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[number] = ends[low - 1].number }
            if low == ends.count {
                ends.append((number, place))
            } else {
                ends[low] = (number, place)
            }
        }
        var result: Set<ViewNumber> = []
        var next = ends.last?.number
        while let number = next {
            result.insert(number)
            next = before[number]
        }
        return result
    }
}
