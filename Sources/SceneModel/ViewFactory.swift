import AutoLayout
import SceneProtocol

extension SceneModel {
    /// Makes the view that a description asks for, with all properties that need no other view.
    func makeView(_ id: String, _ properties: ViewProperties) -> View {
        let view: View
        switch properties.kind ?? .view {
        case .label:
            let label = Label(properties.text ?? "", identifier: id)
            label.metrics = textMetrics
            view = label
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
        apply(properties, to: view)
        return view
    }

    var textMetrics: TextMetrics {
        TextMetrics(cell: viewport.cell)
    }

    /// Sets on a view what the properties give; what is left out stays. Members of stacks are named by id and
    /// are set by `applyArrangement` once all views exist; flexible autoresizing once the superview has a size.
    func apply(_ properties: ViewProperties, to view: View) {
        applyLook(properties, to: view)
        applySizes(properties, to: view)
        if let label = view as? Label { apply(properties, toLabel: label) }
        if let stack = view as? StackView { apply(properties, toStack: stack) }
        if let flow = view as? FlowView, let spacing = properties.spacing { flow.spacing = spacing }
        if let scroll = view as? ScrollView, let offset = properties.contentOffset {
            scroll.contentOffset = offset
        }
    }

    private func applyLook(_ properties: ViewProperties, to view: View) {
        if let collapses = properties.collapses {
            view.collapseAxes = Set(
                (collapses.width ? [Axis.horizontal] : [])
                    + (collapses.height ? [.vertical] : []))
        }
        if let hidden = properties.hidden { view.isHidden = hidden }
        if let mode = properties.contentMode {
            view.contentMode = mode
        }
    }

    private func applySizes(_ properties: ViewProperties, to view: View) {
        if let hugging = properties.hugging {
            view.contentHuggingPriority = hugging
        }
        if let compression = properties.compression {
            view.contentCompressionResistancePriority = compression
        }
        if let size = properties.intrinsic {
            view.intrinsicContentSizeOverride = size
        }
        if let baseline = properties.baseline {
            view.baselineOffsetsFromEdges = (baseline.fromTop, baseline.fromBottom)
        }
        if let margins = properties.margins { view.layoutMargins = margins }
        if let safeArea = properties.safeArea { view.safeAreaInsets = safeArea }
        if let frame = properties.frame {
            view.translatesFrame = true
            view.frame = frame
        }
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
        properties.frame = frame
        properties.frameIn = nil
        if let size, size != node.view.superview?.engineFrame.size {
            properties.frameIn = size
        }
        return properties
    }

    private func apply(_ properties: ViewProperties, toLabel label: Label) {
        if let text = properties.text { label.text = text }
        if let lines = properties.lines { label.numberOfLines = lines }
        if let align = properties.align {
            label.textAlignment = align
        }
        if let width = properties.preferredWidth { label.preferredMaxLayoutWidth = width }
    }

    private func apply(_ properties: ViewProperties, toStack stack: StackView) {
        if let axis = properties.axis { stack.axis = axis }
        if let distribution = properties.distribution {
            stack.distribution = distribution
        }
        if let alignment = properties.alignment {
            stack.alignment = alignment
        }
        if let spacing = properties.spacing { stack.spacing = spacing }
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
}
