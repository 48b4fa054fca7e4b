import AutoLayout
import SceneProtocol

extension SceneModel {
    /// The lowest view number that was never used since the last renumbering.
    public var numbersUsed: Int { Int(nextNumber) }

    /// How many views there are, `root` included.
    public var viewCount: Int { nodes.count }

    /// Whether a renumbering would put neighbours together again: most numbers belong to views that are gone.
    public var isFragmented: Bool { numbersUsed > 2 * viewCount + 64 }

    /// Gives every view its place in preorder as its number.
    ///
    /// - Precondition: All marks were taken, since they speak of the old numbers.
    /// - Returns: The old numbers in preorder, as a keyframe tells them.
    /// - Complexity: O(views).
    public func renumber() -> [UInt32] {
        let order = nodesInOrder
        let old = order.map(\.number.rawValue)
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
