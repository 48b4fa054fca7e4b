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
    /// - Precondition: All changes were taken (`takeChanges`), since these speak of the old numbers.
    /// - Returns: The old numbers in preorder, as a keyframe tells them.
    /// - Complexity: O(views).
    public func renumber() -> [UInt32] {
        let order = nodesInOrder
        let old = order.map(\.number.rawValue)
        var places: [UInt32: UInt32] = [:]
        for (place, number) in old.enumerated() { places[number] = UInt32(place) }
        nodes.removeAll(keepingCapacity: true)
        for (place, node) in order.enumerated() {
            let number = UInt32(place)
            node.number = ViewNumber(number)
            node.view.tag = place
            nodes[number] = node
            nodeIDs[node.id] = number
            node.sent?.number = node.number
            if let parent = node.sent?.parent, let place = places[parent.rawValue] {
                node.sent?.parent = ViewNumber(place)
            }
        }
        var children: [UInt32: [UInt32]] = [:]
        for (parent, list) in sentChildren {
            if let place = places[parent] { children[place] = list.compactMap { places[$0] } }
        }
        sentChildren = children
        var parents: [UInt32: UInt32] = [:]
        for (child, parent) in sentParent {
            if let child = places[child], let parent = places[parent] { parents[child] = parent }
        }
        sentParent = parents
        nextNumber = UInt32(order.count)
        return old
    }
}
