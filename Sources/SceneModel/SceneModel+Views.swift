import AutoLayout
import SceneProtocol

extension SceneModel {
    /// Makes the view that a description asks for, with all properties that need no other view.
    func makeView(_ id: String, _ properties: ViewProperties) -> View {
        let view: View
        switch properties.kind ?? .view {
        case .label: view = onGrid(Label(properties.text ?? "", identifier: id))
        case .button: view = onGrid(Button(properties.text ?? "", identifier: id))
        case .switch: view = onGrid(Switch(identifier: id))
        case .slider: view = onGrid(Slider(identifier: id))
        case .textField: view = onGrid(TextField(identifier: id))
        case .segmented: view = onGrid(SegmentedControl(identifier: id))
        case .progress: view = onGrid(ProgressView(identifier: id))
        case .stack: view = StackView(identifier: id)
        case .scroll: view = ScrollView(identifier: id)
        case .flow: view = FlowView(identifier: id)
        case .image: view = ImageView(identifier: id)
        case .view:
            if let frame = properties.frame {
                view = View(frame: frame, identifier: id)
            } else {
                view = View(identifier: id)
            }
        }
        properties.apply(to: view)
        return view
    }

    /// Has a view measure its text on the viewport's grid.
    private func onGrid(_ view: GridTextView) -> View {
        view.metrics = textMetrics
        view.adjustsFontForContentSizeCategory = true
        return view
    }

    var textMetrics: TextMetrics {
        TextMetrics(cell: shownViewport.cell)
    }

    /// Makes a frame set by hand follow the superview's size, once the superview is known.
    func applyAutoresizing(_ properties: ViewProperties, to view: View) {
        if let mask = properties.autoresizing {
            view.autoresizingMask = mask
        }
        if let frame = properties.frame, let size = properties.frameIn {
            view.handFrame = (frame, size)
        }
    }

    /// A view's properties as they are now: its frame is the one set by hand, and says what size of its superview it
    /// belongs to where that is another now.
    func presentProperties(of node: ViewNode) -> ViewProperties {
        var properties = node.properties
        guard properties.frame != nil else { return properties }
        let (frame, size) = node.view.handFrame
        properties.frame = frame.writable
        properties.frameIn = nil
        if let size, size != node.view.superview?.engineFrame.size {
            properties.frameIn = size.writable
        }
        return properties
    }

    /// Sets what a stack's properties say about other views by name.
    func applyArrangement(_ properties: ViewProperties, to node: ViewNode) throws(Refusal) {
        guard let stack = node.view as? StackView else { return }
        if let arranged = properties.arranged {
            var views: [View] = []
            for id in arranged {
                let member = try self.node(id)
                guard member.view.superview === stack else {
                    throw Refusal(
                        code: .badValue,
                        message: "\"\(node.id)\" cannot arrange \"\(id)\", which is not its child")
                }
                views.append(member.view)
            }
            stack.explicitArrangement = views
        }
        // A list replaces the one before it whole.
        if properties.customSpacing != nil { stack.removeCustomSpacings() }
        for spacing in properties.customSpacing ?? [] {
            stack.setCustomSpacing(spacing.value, after: try self.node(spacing.id).view)
        }
    }

    /// The properties without what they say of views that are no children of their view: gaps, and, where it is no
    /// stack, members. An export could not name them once they are gone.
    ///
    /// They are dropped and not refused: journals hold ops and documents that have them.
    func dropStrays(_ properties: ViewProperties, of node: ViewNode) -> ViewProperties {
        func isChild(_ id: String) -> Bool {
            guard let number = nodeIDs[id] else { return false }
            return nodes[number]?.view.superview === node.view
        }
        var properties = properties
        properties.customSpacing?.removeAll { !isChild($0.id) }
        if !(node.view is StackView) { properties.arranged?.removeAll { !isChild($0) } }
        return properties
    }
}
