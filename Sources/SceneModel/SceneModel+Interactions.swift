import AutoLayout
public import SceneProtocol

/// What people can do with the scene's views, in the terms of the wire.
///
/// None of it follows traits, so it is the same on all devices, and it needs no cycle.
extension SceneModel {
    /// What people can do with a view and what is said of it; `nil` where there is no such view or nothing to tell.
    ///
    /// Whether it is enabled is the view's own; see `isEnabled(_:)`.
    ///
    /// - Complexity: O(bytes of its texts).
    public func interaction(of id: String) -> Interaction? {
        guard let number = nodeIDs[id], let node = nodes[number] else { return nil }
        return interaction(of: node)
    }

    /// Whether people can use a view: it and all its superviews are enabled. False where there is no such view.
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

    /// All that there is to tell, superviews before their subviews.
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

    /// Hands out of which views there may be something new to tell since the last call: of everything at first.
    ///
    /// - Complexity: O(1) where there is nothing.
    public func takeInteractionChanges() -> InteractionMarks { interactionLog.take() }

    /// Notes that a view came or goes, if there is something to tell of it.
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
    /// Whether the keyboard's focus stops here unless the document says otherwise: at what people change.
    fileprivate var takesFocus: Bool {
        switch self {
        case .button, .switch, .slider, .textField, .segmented: true
        case .none, .progress: false
        }
    }
}
