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

    /// What the variations that apply at present come to; nil for a view that has none.
    var variation: ViewProperties?
    /// The view's own code in `updateProperties`, if a scenario gives it some.
    var code: (() -> Void)?

    /// Whether the view is among the marks already.
    var frameIsDirty = false
    var contentIsDirty = false

    init(id: String, view: View, number: ViewNumber, properties: ViewProperties) {
        self.id = id
        self.view = view
        self.number = number
        self.properties = properties
    }
}
