import SceneProtocol

/// How one hierarchy becomes another, as changes that a mirror can apply in order.
///
/// Lists of subviews are given for the views where they may differ; all others are taken to be as they were.
struct TreeDiff {
    /// The subviews that views had, for all whose lists may differ and for all that are gone.
    var lists: [UInt32: [UInt32]]
    /// Views that were not there, or went and came back.
    var added: Set<UInt32>
    /// Views that are gone, or went and came back.
    var removed: Set<UInt32>
    private var parents: [UInt32: UInt32] = [:]

    init(lists: [UInt32: [UInt32]], added: Set<UInt32>, removed: Set<UInt32>) {
        self.lists = lists
        self.added = added
        self.removed = removed
        // Every view has one superview, so the order of the table decides nothing.
        for (parent, children) in lists {
            for child in children { parents[child] = parent }
        }
    }

    /// - Parameters:
    ///   - order: The views as they are to be, in preorder.
    ///   - children: The subviews as they are to be.
    ///   - record: What is to be told of a new view.
    mutating func changes(
        root: UInt32, order: [UInt32], children: (UInt32) -> [UInt32],
        record: (UInt32) -> ViewRecord?
    ) -> [TreeChange] {
        var result: [TreeChange] = []
        // Views that are known to have been in the root's list are appended to it for the moment.
        if lists[root] == nil { lists[root] = children(root) }
        for number in removed.sorted() {
            guard let parent = parents[number], !removed.contains(parent) else { continue }
            rescue(below: number, root, &result)
            lists[parent]?.removeAll { $0 == number }
            result.append(.remove(ViewNumber(number)))
        }
        for number in order {
            guard lists[number] != nil || added.contains(number) else { continue }
            place(children(number), in: number, record, &result)
        }
        return result
    }

    /// Takes views that stay out of a subtree that goes, to the end of the root.
    private mutating func rescue(
        below number: UInt32, _ root: UInt32, _ result: inout [TreeChange]
    ) {
        for child in lists[number] ?? [] {
            guard !removed.contains(child) else {
                rescue(below: child, root, &result)
                continue
            }
            let place = lists[root]?.count ?? 0
            lists[number]?.removeAll { $0 == child }
            lists[root, default: []].append(child)
            parents[child] = root
            result.append(
                .move(ViewNumber(child), parent: ViewNumber(root), index: UInt32(place)))
        }
    }

    private mutating func place(
        _ wanted: [UInt32], in parent: UInt32, _ record: (UInt32) -> ViewRecord?,
        _ result: inout [TreeChange]
    ) {
        for (index, child) in wanted.enumerated() {
            let list = lists[parent] ?? []
            if index < list.count, list[index] == child { continue }
            if added.contains(child) {
                added.remove(child)
                // A view that went and came back, as one does that leaves a watched subtree for a while, comes back empty:
                // what it held before went with it.
                lists[child] = []
                guard let record = record(child) else { continue }
                result.append(.add(record, index: UInt32(index)))
            } else {
                if let old = parents[child] { lists[old]?.removeAll { $0 == child } }
                result.append(
                    .move(ViewNumber(child), parent: ViewNumber(parent), index: UInt32(index)))
            }
            parents[child] = parent
            var siblings = lists[parent] ?? []
            siblings.insert(child, at: min(index, siblings.count))
            lists[parent] = siblings
        }
    }
}
