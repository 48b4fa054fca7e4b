import AutoLayout

extension SceneModel {
    /// The ids of a view and its superviews, up to the root; `nil` for an unknown view.
    ///
    /// - Complexity: O(depth of the view).
    public func path(from id: String) -> [String]? {
        guard let number = nodeIDs[id] else { return nil }
        var path: [String] = []
        var view = nodes[number]?.view
        while let current = view, let node = node(of: current) {
            path.append(node.id)
            view = current.superview
        }
        return path
    }
}
