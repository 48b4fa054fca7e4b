/// How one hierarchy becomes another, as changes that a mirror can apply in order.
///
/// Lists of subviews are noted for the views where they may differ; all others are taken to be as they were.
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

    /// Notes the subviews that a view had: of each whose list may differ, of each that is gone, and of the root.
    package mutating func note(_ number: ViewNumber, children: [ViewNumber]) {
        lists[number] = children
        for child in children { parents[child] = number }
    }

    /// The superview that a view had, where it was noted.
    package func parent(of number: ViewNumber) -> ViewNumber? { parents[number] }

    /// Works the changes out.
    ///
    /// - Parameters:
    ///   - removed: The views that are gone, in the order in which they are to be told; one that goes with its superview
    ///     is passed over.
    ///   - isGone: Whether a view is gone, of those below.
    ///   - order: The views as they are to be, in preorder.
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

    /// Takes views that stay out of a subtree that goes, to the end of the root for the moment: a removal takes all that
    /// is below with it.
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

    /// Brings the list of a view's subviews to the one that is wanted, from the back.
    private mutating func place(
        _ wanted: [ViewNumber], in parent: ViewNumber, _ record: (ViewNumber) -> ViewRecord?
    ) {
        for (index, child) in wanted.enumerated() {
            let list = lists[parent] ?? []
            if index < list.count, list[index] == child { continue }
            if added.remove(child) != nil {
                // A view that went and comes back, as one does that leaves a watched subtree for a while, comes back empty:
                // what it held before went with it.
                lists[child] = []
                guard let record = record(child) else { continue }
                result.append(.add(record, index: UInt32(clamping: index)))
            } else {
                if let old = parents[child] { lists[old]?.removeAll { $0 == child } }
                result.append(.move(child, parent: parent, index: UInt32(clamping: index)))
            }
            parents[child] = parent
            let count = lists[parent]?.count ?? 0
            lists[parent, default: []].insert(child, at: min(index, count))
        }
    }
}
