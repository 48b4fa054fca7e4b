import AutoLayout
import SceneDocument
import SceneWire

/// The model's state of one view.
final class ViewNode {
    let id: String
    let view: View
    /// Its number on the wire, until the next renumbering.
    var number: ViewNumber
    /// All explicit properties, merged; written by an export. Shared between scenes made from one
    /// another.
    var sharedProperties: Shared<ViewProperties>
    var properties: ViewProperties {
        get { sharedProperties.value }
        set { sharedProperties.value = newValue }
    }

    /// The merged properties of the active variations; nil for a view without variations.
    var variation: ViewProperties? {
        get { sharedVariation?.value }
        set { sharedVariation = newValue.map { Shared($0) } }
    }
    /// Allocated separately, since it is large and few views have one.
    private var sharedVariation: Shared<ViewProperties>?
    /// The constraints that speak of the view, or a guide of its, first and vary by its traits.
    var variedConstraints: [ConstraintEntry] = []
    /// The view's `updateProperties` code, if a scenario has any.
    var code: (() -> Void)?

    /// The registration for traits that its colours follow, if any do.
    var colorRegistration: TraitChangeRegistration?
    /// The tint that was told last to the views below.
    var tint: DynamicColor?

    /// Whether the view is already marked.
    var frameIsDirty = false
    var contentIsDirty = false
    /// How far the view's corner was from whole pixels when its frame was marked last; nil before
    /// the first time.
    var pixelOffset: Point?
    /// The comparison that charged for the view last.
    var comparison: UInt32 = 0

    init(id: String, view: View, number: ViewNumber, properties: Shared<ViewProperties>) {
        self.id = id
        self.view = view
        self.number = number
        sharedProperties = properties
    }
}
