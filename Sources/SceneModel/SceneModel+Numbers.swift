import AutoLayout
import SceneWire

extension SceneModel {
    /// The lowest view number that was not used since the last renumbering.
    public var numbersUsed: Int { Int(nextNumber) }

    /// The number of views, including `root`.
    public var viewCount: Int { nodes.count }

    /// Whether a renumbering is worthwhile: most numbers belong to removed views.
    public var isFragmented: Bool { numbersUsed > 2 * viewCount + 64 }

    /// Numbers the views in preorder.
    ///
    /// - Precondition: All marks were taken, since they contain the old numbers.
    /// - Returns: The old numbers in preorder, as in a keyframe.
    /// - Complexity: O(views).
    public func renumber() -> [UInt32] {
        let order = nodesInOrder
        let old = order.map { $0.number.rawValue }
        nodes.removeAll(keepingCapacity: true)
        for (place, node) in order.enumerated() {
            let number = ViewNumber(UInt32(place))
            node.number = number
            node.view.tag = place
            nodes[number] = node
            nodeIDs[node.id] = number
        }
        nextNumber = UInt32(order.count)
        return old
    }
}
