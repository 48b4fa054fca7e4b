import AutoLayout
import SceneProtocol

/// What the model keeps for one view besides the view itself.
final class ViewNode {
    let id: String
    let view: View
    /// Its number on the wire, until the next renumbering.
    var number: ViewNumber
    /// All properties given so far, merged; what an export writes.
    var properties: ViewProperties

    /// The record that was last handed out; `nil` while the view is new to the outside.
    var sent: ViewRecord?
    /// The view's solved corner in the root's coordinates when its frame was last rounded.
    var sentOrigin = Point.zero
    /// The same without animations, for those who animate by themselves.
    var settledFrame = QuantisedFrame.zero
    var settledOrigin = Point.zero
    var frameIsDirty = false
    var contentIsDirty = false

    init(id: String, view: View, number: ViewNumber, properties: ViewProperties) {
        self.id = id
        self.view = view
        self.number = number
        self.properties = properties
    }
}

/// The views about which the outside is to be told, each once, in the order in which they came up.
struct PendingChanges {
    var frames: [ViewNode] = []
    var contents: [ViewNode] = []
    var added: [ViewNode] = []
    var removed: [ViewNumber] = []
    /// Views whose list of subviews changed in members or order.
    var reordered: [ViewNode] = []
    /// What was drawn anew, with the part, in the order of drawing.
    var displayed: [(node: ViewNode, rect: Rect)] = []
    /// What blocks began to animate, in order.
    var animations: [(node: ViewNode, animation: FrameAnimation)] = []
    /// Whether everything that was under way has ended at once.
    var endsAnimations = false
    /// Whether the unit of frames changed, so that everything is to be sent anew.
    var everything = false

    var isEmpty: Bool {
        frames.isEmpty && contents.isEmpty && added.isEmpty && removed.isEmpty && reordered.isEmpty
            && !everything && !endsAnimations
    }

    mutating func add(_ node: ViewNode) {
        added.append(node)
        markFrame(node)
        markContent(node)
    }

    mutating func markFrame(_ node: ViewNode) {
        guard !node.frameIsDirty else { return }
        node.frameIsDirty = true
        frames.append(node)
    }

    mutating func markContent(_ node: ViewNode) {
        guard !node.contentIsDirty else { return }
        node.contentIsDirty = true
        contents.append(node)
    }

    mutating func reorder(_ node: ViewNode) {
        guard !reordered.contains(where: { $0 === node }) else { return }
        reordered.append(node)
    }
}
