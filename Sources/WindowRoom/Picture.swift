import AutoLayout
import SceneClient

/// What a window shows at one moment: its views as views of a scene, with frames in place of
/// constraints.
struct Picture: Sendable, Equatable {
    /// One view. Superviews come before their subviews, siblings in their order.
    struct Entry: Sendable, Equatable {
        var id: String
        var parent: String
        var properties: ViewProperties
    }

    /// The window's size, in points.
    var size = Size(width: 0, height: 0)
    /// The cell of the grid on which text was measured, in points.
    var cell = TextMetrics.standard.cell
    /// All views but the window itself.
    var entries: [Entry] = []

    /// The whole of it.
    var document: SceneDocument {
        var viewport = Viewport(width: size.width, height: size.height)
        viewport.cell = cell
        return SceneDocument(
            viewport: viewport,
            views: entries.map { ViewSpec(id: $0.id, parent: $0.parent, properties: $0.properties) }
        )
    }

    /// The ops that lead from this picture to another; nil where a view is of another kind under
    /// the same name, so that only the whole of it does.
    ///
    /// - Complexity: O(views), and for each superview whose subviews are in another order the
    ///   square of their number.
    func ops(to next: Picture) -> [Op]? {
        var ops: [Op] = []
        if size != next.size {
            var patch = ViewportPatch()
            (patch.width, patch.height) = (next.size.width, next.size.height)
            ops.append(.setViewport(patch))
        }
        let before = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
        let after = Set(next.entries.map(\.id))
        var children = Dictionary(grouping: entries, by: \.parent).mapValues { $0.map(\.id) }
        // Superviews before their subviews: where a view goes has its own place already, so that
        // nothing comes to lie in itself on the way.
        for entry in next.entries {
            if let known = before[entry.id] {
                guard known.parent != entry.parent else { continue }
                ops.append(.moveView(id: entry.id, parent: entry.parent))
                children[known.parent]?.removeAll { $0 == entry.id }
            } else {
                ops.append(
                    .addView(
                        ViewSpec(id: entry.id, parent: entry.parent, properties: entry.properties)))
            }
            children[entry.parent, default: []].append(entry.id)
        }
        for entry in entries where !after.contains(entry.id) {
            children[entry.parent]?.removeAll { $0 == entry.id }
            // With its superview it has gone already.
            if entry.parent == "root" || after.contains(entry.parent) {
                ops.append(.removeView(id: entry.id))
            }
        }
        for (parent, wanted) in next.childLists {
            guard var present = children[parent], present != wanted else { continue }
            for (index, id) in wanted.enumerated() where present[index] != id {
                present.removeAll { $0 == id }
                present.insert(id, at: index)
                ops.append(.moveView(id: id, index: index))
            }
        }
        for entry in next.entries {
            guard let known = before[entry.id], known.properties != entry.properties else {
                continue
            }
            guard known.properties.kind == entry.properties.kind else { return nil }
            ops += Self.change(of: entry.id, from: known.properties, to: entry.properties)
        }
        return ops
    }

    /// The subviews of each superview, in the order in which superviews come.
    private var childLists: [(parent: String, children: [String])] {
        let lists = Dictionary(grouping: entries, by: \.parent)
        return (["root"] + entries.map(\.id)).compactMap { parent in
            lists[parent].map { (parent, $0.map(\.id)) }
        }
    }

    private static func change(
        of id: String, from before: ViewProperties, to after: ViewProperties
    ) -> [Op] {
        let changed = after.givenKeys.filter { before.only([$0]) != after.only([$0]) }
        let gone = before.givenKeys.filter { after.only([$0]).isEmpty }
        return (changed.isEmpty ? [] : [.setView(id: id, after.only(changed))])
            + (gone.isEmpty ? [] : [.resetView(id: id, keys: gone)])
    }
}
