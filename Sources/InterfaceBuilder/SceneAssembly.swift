import ConstraintLanguage
import LayoutValues
import SceneDocument

/// Puts a document together from what was read of a scene.
struct SceneAssembly {
    private(set) var conversion: InterfaceConversion
    private let reading: SceneReading
    private let geometry: SceneGeometry
    private let options: ConversionOptions
    private let baselines: CanvasBaselines?
    private let content: ElementContent
    private var insets: RootInsets

    private var scene: InterfaceScene { reading.scene }
    private var isStored: Bool { options.contentSizes == .stored }

    init(_ scene: InterfaceScene, _ options: ConversionOptions) throws(InterfaceError) {
        let reading = SceneReading(
            scene, isResolved: options.contentSizes == .stored, hasContents: options.hasContents)
        let size = reading.items[0].frame.size
        guard size.width > 0, size.height > 0 else {
            throw InterfaceError(line: scene.root.line, "the view has no size in the file")
        }
        guard size.width <= Limits.viewportMaximum, size.height <= Limits.viewportMaximum else {
            throw InterfaceError(
                line: scene.root.line,
                "the view is larger than \(Int(Limits.viewportMaximum)) points")
        }
        let limits = Limits.standard
        guard reading.items.count < limits.viewMaximum,
            reading.ties.count + 16 + 8 * reading.items.count(where: \.isPlacedByTable)
                < limits.constraintMaximum
        else {
            throw InterfaceError(
                line: scene.root.line,
                "the scene has more than \(limits.viewMaximum) views or \(limits.constraintMaximum) constraints"
            )
        }
        self.reading = reading
        self.options = options
        geometry = SceneGeometry(reading.items, reading.ties)
        baselines = options.contentSizes == .stored ? CanvasBaselines(reading, geometry) : nil
        content = ElementContent(
            reading: reading, options: options,
            colors: ColorTable(scene.file.tree.root, catalog: options.assets.colors))
        insets = RootInsets(reading, geometry)
        var viewport = Viewport(width: size.width, height: size.height)
        let device = scene.file.device
        viewport.scale = device.scale > 0 ? device.scale : Self.scale(of: reading.items)
        viewport.unsatisfiable = .break
        viewport.safeArea = insets.safeArea
        viewport.typography = .faces
        viewport.horizontalSizeClass = device.horizontalSizeClass
        viewport.verticalSizeClass = device.verticalSizeClass
        conversion = InterfaceConversion(
            scene: scene, document: SceneDocument(viewport: viewport), rootID: reading.items[0].name
        )
        addViews()
        conversion.notes = reading.notes
        addConstraints()
        addDevices()
        conversion.dangling = reading.dangling
        noteElements()
    }

    /// Pixels per point of a canvas without a device: the fewest on which all stored edges lie.
    private static func scale(of items: [SceneItem]) -> Double {
        var scale = 1.0
        for item in items {
            for value in [item.frame.minX, item.frame.minY, item.frame.width, item.frame.height] {
                let part = (value - value.rounded(.down))
                if part > 0.01, part < 0.99 {
                    scale = (part - 0.5).magnitude < 0.01 ? max(scale, 2) : 3
                }
            }
        }
        return scale
    }

    // MARK: Views

    private mutating func addViews() {
        var isHidden = [Bool](repeating: false, count: reading.items.count)
        for (index, item) in reading.items.enumerated() {
            if let title = item.sectionTitle {
                addTitle(title, item)
                continue
            }
            var properties = ViewProperties()
            content.apply(item, to: &properties)
            let width = item.number("horizontalHuggingPriority") ?? 250
            let height = item.number("verticalHuggingPriority") ?? 250
            properties.hugging = PriorityByAxis(LayoutPriority(width), LayoutPriority(height))
            properties.compression = PriorityByAxis(
                LayoutPriority(item.number("horizontalCompressionResistancePriority") ?? 750),
                LayoutPriority(item.number("verticalCompressionResistancePriority") ?? 750))
            properties.baseline = baselines?.baselines(of: index)
            addMargins(index, item, &properties)
            if item.kind == "stackView" { addStack(item, &properties) }
            addFrame(index, item, &properties)
            if !isStored { addVariations(item, &properties) }
            let parent = item.parent.map { reading.items[$0].name } ?? "root"
            conversion.document.views.append(
                ViewSpec(id: item.name, parent: parent, properties: properties))
            conversion.views[item.name] = .init(
                element: item.element, name: scene.file.authorName(item.element))
            if let parent = item.parent {
                conversion.storedFrames[item.name] = item.frame
                isHidden[index] =
                    isHidden[parent]
                    || item.isYes("hidden") && reading.items[parent].kind == "stackView"
            }
            if isHidden[index] { conversion.hidden.insert(item.name) }
            if geometry.isByFrame[index] { conversion.placedByFrame.insert(item.name) }
            if item.parent != nil,
                properties.intrinsic.map({ $0.width < 0 && $0.height < 0 }) ?? true
            {
                conversion.unsizedViews.insert(item.name)
            }
            for mark in ["misplaced", "ambiguous"] where item.isYes(mark) {
                conversion.marks[mark, default: []].insert(item.name)
            }
            if item.isSymbol { conversion.hasSymbols = true }
            if let size = content.canvasSize(item) { conversion.canvasSized[item.name] = size.text }
        }
    }

    /// Adds the title of a section: a label that the file has in a section's attribute alone.
    private mutating func addTitle(_ title: SectionTitle, _ item: SceneItem) {
        guard let parent = item.parent else { return }
        conversion.document.views.append(
            ViewSpec(
                id: item.name, parent: reading.items[parent].name,
                properties: content.title(title, of: item)))
        conversion.unsizedViews.insert(item.name)
    }

    private mutating func addMargins(
        _ index: Int, _ item: SceneItem, _ properties: inout ViewProperties
    ) {
        properties.margins = ElementInsets.margins(of: item.element)
        if item.isYes("preservesSuperviewLayoutMargins"), index != 0, !item.isInList {
            properties.preservesSuperviewLayoutMargins = true
        }
        if item.attributes["insetsLayoutMarginsFromSafeArea"] == "NO" || item.isInList {
            properties.insetsLayoutMarginsFromSafeArea = false
        }
        if item.isYes("layoutMarginsFollowReadableWidth") {
            properties.rare.layoutMarginsFollowReadableWidth = true
        }
        if index == 0 {
            addRootMargins(item, &properties)
        } else if properties.margins == nil, item.fillsSuperview {
            properties.margins = RootInsets.standard(item.element, width: item.frame.width)
        }
        switch item.attributes["semanticContentAttribute"] {
        case "forceLeftToRight": properties.traits = Self.traits(properties, .leftToRight)
        case "forceRightToLeft": properties.traits = Self.traits(properties, .rightToLeft)
        default: break
        }
    }

    /// On the canvas the margins are those that were found; elsewhere a controller's are the
    /// device's, which the document's root has.
    private mutating func addRootMargins(_ item: SceneItem, _ properties: inout ViewProperties) {
        let isDevices =
            !isStored && scene.kind == .controller && properties.margins == nil
            && insets.followsSafeArea
        guard isDevices else {
            properties.margins = insets.margins
            if !insets.followsSafeArea { properties.insetsLayoutMarginsFromSafeArea = false }
            return
        }
        conversion.document.viewport.margins = .controller
        properties.margins = .zero
        properties.preservesSuperviewLayoutMargins = true
    }

    private static func traits(
        _ properties: ViewProperties, _ direction: LayoutDirection
    ) -> TraitValues {
        var traits = properties.traits ?? TraitValues()
        traits.layoutDirection = direction
        return traits
    }

    private func addStack(_ item: SceneItem, _ properties: inout ViewProperties) {
        StackAttributes.apply(item.attributes, to: &properties)
        // Interface Builder arranges within margins where a stack has some of its own.
        if ElementInsets.margins(of: item.element) != nil {
            properties.layoutMarginsRelativeArrangement = true
        }
        if item.isYes("baselineRelativeArrangement") {
            properties.rare.baselineRelativeArrangement = true
        }
    }

    private func addFrame(_ index: Int, _ item: SceneItem, _ properties: inout ViewProperties) {
        guard geometry.isByFrame[index], let parent = item.parent else { return }
        properties.frame = item.frame
        properties.frameIn = reading.items[parent].frame.size
        let mask = item.element.child("autoresizingMask")
        if item.fillsSuperview {
            properties.autoresizing = [.flexibleWidth, .flexibleHeight]
        } else if item.isRow {
            properties.autoresizing = [.flexibleWidth, .flexibleBottomMargin]
        } else if let mask, !item.isYes("fixedFrame"), !(geometry.isLoose[index] && isStored) {
            let flags: [String: AutoresizingMask] = [
                "flexibleMinX": .flexibleLeftMargin, "widthSizable": .flexibleWidth,
                "flexibleMaxX": .flexibleRightMargin, "flexibleMinY": .flexibleTopMargin,
                "heightSizable": .flexibleHeight, "flexibleMaxY": .flexibleBottomMargin,
            ]
            var found: AutoresizingMask = []
            for attribute in mask.attributes where attribute.value == "YES" {
                if let flag = flags[attribute.name] { found.formUnion(flag) }
            }
            properties.autoresizing = found
        } else if item.element["key"] == "contentView" {
            properties.autoresizing = [.flexibleWidth, .flexibleHeight]
        }
    }

    private mutating func addVariations(_ item: SceneItem, _ properties: inout ViewProperties) {
        var variations: [Variation] = []
        for (key, element) in item.variations {
            var varied = ViewProperties()
            VariedAttributes.apply(element, item, to: &varied)
            if !varied.isEmpty {
                variations.append(Variation(when: key.condition, properties: varied))
            }
        }
        if !item.installation.base { properties.installed = false }
        for (key, isInstalled) in item.installation.changes {
            var varied = ViewProperties()
            varied.installed = isInstalled
            variations.append(Variation(when: key.condition, properties: varied))
        }
        if !variations.isEmpty { properties.variations = Array(variations.prefix(64)) }
    }

    // MARK: Constraints

    private mutating func addConstraints() {
        var assembly = ConstraintAssembly(reading, geometry, isStored: isStored)
        assembly.addPins()
        assembly.addRows()
        assembly.addTies()
        conversion.document.constraints = assembly.constraints
        conversion.document.guides = assembly.guides
        conversion.constraints = assembly.origins
        conversion.notes += assembly.notes
    }

    // MARK: Devices

    private mutating func addDevices() {
        guard options.addsDevices, !isStored else { return }
        let bars = scene.bars
        for device in StandardDevice.all {
            for isLandscape in device.turns ? [false, true] : [false] {
                conversion.document.devices.append(
                    scene.device(device, isLandscape: isLandscape, bars: bars))
            }
        }
    }

    private mutating func noteElements() {
        for item in reading.items {
            let embedded = item.element["id"].flatMap { scene.file.origins.embedded[$0] }
            if let embedded, !options.hasContents {
                note(item, "holds the scene \(embedded), which is a scene of its own")
            }
            if ["tableView", "collectionView"].contains(item.kind), !options.hasContents {
                note(item, "is shown without its cells, which are scenes of their own")
            }
            if let name = item.attributes["customClass"], item.parent != nil {
                note(item, "is a \(name), shown as what it derives from")
            }
        }
    }

    private mutating func note(_ item: SceneItem, _ text: String) {
        conversion.notes.append(
            ConversionNote(
                line: item.element.line, text: "\(scene.file.authorName(item.element)) \(text)"))
    }
}
