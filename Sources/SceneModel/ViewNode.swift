import AutoLayout
import SceneProtocol

/// What the model keeps for one view besides the view itself.
final class ViewNode {
    let id: String
    let view: View
    /// Its number on the wire, until the next renumbering.
    var number: ViewNumber
    /// All properties given so far, merged; what an export writes. Scenes made from one another have them in common.
    var sharedProperties: Shared<ViewProperties>
    var properties: ViewProperties {
        get { sharedProperties.value }
        set { sharedProperties.value = newValue }
    }

    /// What the variations that apply at present come to; nil for a view that has none.
    var variation: ViewProperties? {
        get { sharedVariation?.value }
        set { sharedVariation = newValue.map { Shared($0) } }
    }
    /// In memory of its own, because it is large and few views have one.
    private var sharedVariation: Shared<ViewProperties>?
    /// The view's own code in `updateProperties`, if a scenario gives it some.
    var code: (() -> Void)?

    /// Whether the view is among the marks already.
    var frameIsDirty = false
    var contentIsDirty = false

    init(id: String, view: View, number: ViewNumber, properties: Shared<ViewProperties>) {
        self.id = id
        self.view = view
        self.number = number
        sharedProperties = properties
    }
}
