import AutoLayout
import LayoutValues
import SceneDocument
import SceneWire

/// Looks of views, and colours that follow the traits and the tint of a view.
extension SceneModel {
    /// A colour under the traits of a view.
    ///
    /// - Complexity: O(depth) for system colours.
    func color(_ color: DynamicColor, of node: ViewNode) -> Color {
        guard case .system(let system) = color else { return color.plain }
        if system == .tint, let given = givenTint(of: node.view) { return given }
        return system.color(of: node.view)
    }

    /// The tint of the nearest view from this one up that has one; nil where none has.
    private func givenTint(of view: View) -> Color? {
        guard hasTints else { return nil }
        var current: View? = view
        while let view = current {
            defer { current = view.superview }
            guard let tint = node(of: view)?.tint else { continue }
            switch tint {
            case .literal(let color): return color
            // The superview's tint, as where the view had none.
            case .system(.tint): continue
            case .system(let system): return system.color(of: view)
            }
        }
        return nil
    }

    /// What renderers draw of a view besides its content; nil for most views.
    func look(of node: ViewNode, _ properties: ViewProperties) -> ViewLook? {
        let isControl = hasTints && properties.kind.map { $0.control != .none } == true
        guard properties.hasLook || isControl else { return nil }
        var result = ViewLook()
        let look = properties.look
        result.cornerRadius = look.cornerRadius ?? 0
        result.maskedCorners = look.maskedCorners ?? .all
        result.borderWidth = look.borderWidth ?? 0
        if result.borderWidth > 0 {
            result.borderColor = color(
                look.borderColor ?? .literal(Color(r: 0, g: 0, b: 0)), of: node)
        }
        if isControl { result.tint = givenTint(of: node.view) }
        if let shadow = look.shadow, shadow.opacity > 0 {
            var drawn = LookShadow()
            drawn.color = color(shadow.color, of: node).faded(to: shadow.opacity)
            drawn.offset = shadow.offset
            drawn.radius = shadow.radius
            result.shadow = drawn
        }
        if let gradient = look.gradient {
            var drawn = LookGradient()
            drawn.start = gradient.startPoint
            drawn.end = gradient.endPoint
            drawn.stops = gradient.colors.indices.map { index in
                LookStop(
                    location: gradient.location(of: index),
                    color: color(gradient.colors[index], of: node))
            }
            result.gradient = drawn
        }
        if let transform = look.transform, transform != TransformSpec() {
            var drawn = LookTransform()
            drawn.rotation = transform.rotation
            drawn.scale = transform.scale
            drawn.translation = transform.translation
            result.transform = drawn
        }
        if properties.kind == .image, let image = look.image, image.size != nil {
            var drawn = LookImage()
            drawn.hash = image.hash
            drawn.width = UInt32(clamping: image.width)
            drawn.height = UInt32(clamping: image.height)
            drawn.scale = image.scale
            drawn.mode = properties.contentMode ?? .scaleToFill
            result.image = drawn
        }
        if let name = look.symbol, result.image == nil, let extent = symbolExtent(of: node) {
            var drawn = LookSymbol()
            drawn.name = name.text
            drawn.side = extent.side
            // A button's content mode says nothing of what stands in it.
            let isImage = properties.kind == .image
            drawn.mode = isImage ? properties.contentMode ?? .scaleToFill : .center
            result.symbol = drawn
            result.tint = color(.system(.tint), of: node)
        }
        result.chart = look.chart.map { chart in
            var drawn = LookChart()
            drawn.style = chart.style
            drawn.lineWidth = chart.lineWidth
            drawn.gridLines = UInt32(clamping: chart.gridLines)
            drawn.color = color(chart.color ?? .system(.tint), of: node)
            drawn.heights = chart.heights.map { height in
                UInt32(nearest: (height * Double(LookChart.whole)).rounded())
            }
            return drawn
        }
        return result == ViewLook() ? nil : result
    }

    /// The extent of the symbol that a view shows; nil where it shows none.
    private func symbolExtent(of node: ViewNode) -> SymbolExtent? {
        (node.view as? ImageView)?.symbol ?? (node.view as? Button)?.symbol
    }

    /// Has a view's colours follow its traits, or not any more, and what is below follow its tint.
    func followLook(_ node: ViewNode) {
        let shown = node.shown
        let follows = shown.hasSystemColor
        if follows, node.colorRegistration == nil {
            let model = Unowned(self)
            node.colorRegistration = node.view.registerForTraitChanges(
                [.userInterfaceStyle, .accessibilityContrast]
            ) { view, _ in
                let model = model.object
                guard let node = model.node(of: view) else { return }
                model.pending.markContent(node)
                if node.tint?.isSystem == true { model.tintDidChange(below: node) }
            }
        } else if !follows, let registration = node.colorRegistration {
            node.view.unregisterForTraitChanges(registration)
            node.colorRegistration = nil
        }
        let tint = shown.hasLook ? shown.look.tint : nil
        guard tint != node.tint else { return }
        node.tint = tint
        hasTints = true
        tintDidChange(below: node)
    }

    /// Marks what may be drawn in the tint of a view.
    ///
    /// - Complexity: O(views below).
    func tintDidChange(below node: ViewNode) {
        let views = node.view.preorder
        countIn(Price.record * UInt64(views.count))
        for view in views {
            if let node = self.node(of: view) { pending.markContent(node) }
        }
    }
}

extension SystemColor {
    /// The colour under the traits of a view.
    fileprivate func color(of view: View) -> Color {
        let traits = view.traitCollection
        return color(traits.userInterfaceStyle, traits.accessibilityContrast)
    }
}

extension Color {
    /// The colour with its opacity times a share, 0...1.
    fileprivate func faded(to share: Double) -> Color {
        Color(r: r, g: g, b: b, a: UInt8(nearest: (Double(a) * share).rounded()))
    }
}
