import AutoLayout
import JSON
import SceneDocument
public import SceneWire

/// The interactions of the scene's views, as protocol values.
///
/// They do not depend on traits, so they are the same on all devices, and need no cycle.
extension SceneModel {
    /// The interaction and accessibility of a view; `nil` for an unknown view or one without any.
    ///
    /// `isEnabled` in it is the view's own; see `isEnabled(_:)`.
    ///
    /// - Complexity: O(bytes of its texts).
    public func interaction(of id: String) -> Interaction? {
        guard let number = nodeIDs[id], let node = nodes[number] else { return nil }
        return interaction(of: node)
    }

    /// Whether a view and all its superviews are enabled. False for an unknown view.
    ///
    /// - Complexity: O(depth).
    public func isEnabled(_ id: String) -> Bool {
        guard let number = nodeIDs[id] else { return false }
        var view = nodes[number]?.view
        while let next = view {
            if let properties = node(of: next)?.sharedProperties.value, properties.hasInteraction,
                properties.interaction.enabled == false
            {
                return false
            }
            view = next.superview
        }
        return true
    }

    /// The interactions of all views that have any, superviews before their subviews.
    ///
    /// - Complexity: O(views).
    public var interactions: [InteractionChange] {
        nodesInOrder.compactMap { node in
            guard let interaction = interaction(of: node) else { return nil }
            var change = InteractionChange()
            change.id = node.id
            change.interaction = interaction
            return change
        }
    }

    /// Removes and returns the views whose interactions may have changed since the last call; at
    /// first, everything.
    ///
    /// - Complexity: O(1) if there are none.
    public func takeInteractionChanges() -> InteractionMarks { interactionLog.take() }

    /// Marks a view that is added or removed, if it has interactions.
    func markInteraction(of node: ViewNode) {
        let properties = node.sharedProperties.value
        guard properties.hasInteraction || node.view is Control else { return }
        interactionLog.mark(node.id)
    }

    private func interaction(of node: ViewNode) -> Interaction? {
        let properties = node.sharedProperties.value
        let control = node.view as? Control
        guard properties.hasInteraction || control != nil else { return nil }
        let given = properties.interaction
        let kind = properties.kind ?? .view
        var told = Interaction()
        told.control = kind.control
        let asked = Set(given.events ?? [])
        told.events = EventKind.asked.filter(asked.contains)
        told.isEnabled = given.enabled ?? true
        told.isFocusable = given.focusable ?? kind.control.takesFocus
        told.isSelected = given.selected ?? false
        told.isContinuous = given.continuous ?? false
        told.scrollsEach = kind == .scroll && given.scrolls == .each
        told.label = given.label ?? ""
        told.role = given.role?.rawValue ?? ""
        told.hint = given.hint ?? ""
        told.value = (control == nil ? given.value : control?.shownValue)?.json ?? .null
        if let range = control as? RangedControl {
            told.minimum = range.minimumValue
            told.maximum = range.maximumValue
        }
        if let slider = control as? Slider { told.step = slider.step }
        if let field = control as? TextField { told.placeholder = field.placeholder }
        if let segmented = control as? SegmentedControl { told.segments = segmented.segments }
        return told.isNone ? nil : told
    }
}

extension ControlKind {
    /// Whether the view takes part in keyboard focus by default: controls that change a value do.
    fileprivate var takesFocus: Bool {
        switch self {
        case .button, .switch, .slider, .textField, .segmented: true
        case .none, .progress: false
        }
    }
}
