import AutoLayout
public import SceneWire

/// The adjusted content insets of scroll views, as protocol values of the scene's device.
extension SceneModel {
    /// The insets of all scroll views.
    ///
    /// - Complexity: O(views).
    public var insets: InsetTable {
        var table = InsetTable()
        table.apply(nodesInOrder.compactMap(insetChange))
        return table
    }

    /// What is to be told after changes to members that know a table.
    ///
    /// - Parameter marks: The views that changed since.
    /// - Complexity: O(marked contents); with removed views also O(table).
    public func insetChanges(_ marks: SceneMarks, since known: InsetTable) -> [InsetChange] {
        var changes: [InsetChange] = []
        for node in marks.contents where nodes[node.number] === node {
            guard let change = insetChange(node), change.inset != known[change.id] else { continue }
            changes.append(change)
        }
        guard !known.isEmpty, !marks.removed.isEmpty else { return changes }
        // A view of the same name may have been added since.
        let gone = known.ids.filter { id in
            guard let number = nodeIDs[id], let node = nodes[number] else { return true }
            return !(node.view is ScrollView)
        }
        return gone.sorted().map { InsetChange(id: $0, inset: .zero) } + changes
    }

    private func insetChange(_ node: ViewNode) -> InsetChange? {
        guard let scroll = node.view as? ScrollView else { return nil }
        let (top, left, bottom, right) = scroll.adjustedContentInsetByEdge
        return InsetChange(
            id: node.id,
            inset: ContentInset(
                top: quantised(top), left: quantised(left), bottom: quantised(bottom),
                right: quantised(right)))
    }
}
