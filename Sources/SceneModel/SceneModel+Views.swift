import AutoLayout
import SceneDocument

extension SceneModel {
    /// Makes the view of a description, with all properties that need no other view.
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
        case .image:
            let image = ImageView(identifier: id)
            image.metrics = textMetrics
            view = image
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

    /// Makes a view measure its text on the viewport's grid.
    private func onGrid(_ view: TextContentView) -> View {
        view.metrics = textMetrics
        view.adjustsFontForContentSizeCategory = true
        return view
    }

    var textMetrics: TextMetrics {
        TextMetrics(cell: shownViewport.cell)
    }

    /// Makes an explicit frame follow the superview's size, once the superview is known.
    func applyAutoresizing(_ properties: ViewProperties, to view: View) {
        if let mask = properties.autoresizing {
            view.autoresizingMask = mask
        }
        if let frame = properties.frame, let size = properties.frameIn {
            view.handFrame = (frame, size)
        }
    }

    /// A view's present properties: its explicit frame, with the superview size that it refers to
    /// if that differs from the present one.
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

    /// Sets a stack's properties that refer to other views.
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
        // A list replaces the former one entirely.
        if properties.customSpacing != nil { stack.removeCustomSpacings() }
        for spacing in properties.customSpacing ?? [] {
            stack.setCustomSpacing(spacing.value, after: try self.node(spacing.id).view)
        }
    }

    /// The properties without those that refer to views other than children: gaps, and, unless it
    /// is a stack, members. An export could not name such views after they were removed.
    ///
    /// They are dropped rather than refused, since journals contain ops and documents with them.
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
