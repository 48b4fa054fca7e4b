import LayoutValues
import SceneDocument

/// The properties of a view that its element alone tells: its kind, text, font, colours, content
/// size.
struct ElementContent {
    let reading: SceneReading
    let options: ConversionOptions
    let colors: ColorTable

    private var isStored: Bool { options.contentSizes == .stored }

    /// Element names by the kind that the document has for them.
    static let kinds: [String: ViewKind] = [
        "label": .label, "button": .button, "imageView": .image, "stackView": .stack,
        "scrollView": .scroll, "switch": .switch, "slider": .slider, "textField": .textField,
        "segmentedControl": .segmented, "progressView": .progress, "textView": .label,
    ]

    /// Elements whose content has a size of its own along both axes.
    private static let sized: Set<String> = [
        "label", "button", "switch", "stepper", "segmentedControl", "textField",
        "activityIndicatorView", "pageControl", "datePicker", "colorWell", "pickerView",
    ]
    /// … along the vertical axis.
    private static let tall: Set<String> = [
        "slider", "progressView", "searchBar", "navigationBar", "toolbar", "tabBar",
    ]
    /// Elements that a document measures in faces as UIKit does.
    private static let measured: Set<String> = [
        "label", "button", "switch", "segmentedControl", "textField", "slider", "progressView",
    ]

    /// Elements whose frame is larger than what constraints speak of.
    private static let aligned: Set<String> = ["switch", "slider", "segmentedControl"]

    func apply(_ item: SceneItem, to properties: inout ViewProperties) {
        let element = item.element
        let kind = Self.kinds[item.kind] ?? .view
        if kind != .view { properties.kind = kind }
        applyLook(item, to: &properties)
        applyText(item, kind, to: &properties)
        if let size = contentSize(item, kind, text: properties.text) {
            properties.intrinsic = Size(width: max(-1, size.width), height: max(-1, size.height))
        }
        if item.insets != .zero {
            properties.rare.alignmentInsets = item.insets
        } else if Self.aligned.contains(item.kind) {
            // Since iOS 26 sliders have none; in faces they would be given those of before.
            var traits = TraitValues()
            traits.typography = .grid
            properties.traits = traits
        }
        if kind == .scroll {
            if let behavior = element["contentInsetAdjustmentBehavior"],
                let value = ContentInsetAdjustmentBehavior(rawValue: behavior)
            {
                properties.rare.contentInsetAdjustmentBehavior = value
            }
            if let inset = element.child("inset", key: "contentInset") {
                properties.rare.contentInset = EdgeInsets(
                    top: inset.number("minY") ?? 0, leading: inset.number("minX") ?? 0,
                    bottom: inset.number("maxY") ?? 0, trailing: inset.number("maxX") ?? 0)
            }
        }
    }

    // MARK: Look

    private func applyLook(_ item: SceneItem, to properties: inout ViewProperties) {
        let element = item.element
        properties.background = colors.color(element, "backgroundColor")
        properties.foreground =
            colors.color(element, "textColor")
            ?? element.child("state", key: "normal").flatMap { colors.color($0, "titleColor") }
        if item.isYes("hidden") { properties.hidden = true }
        if let alpha = item.number("alpha"), alpha < 1 { properties.opacity = max(0, alpha) }
        if item.isYes("clipsSubviews") { properties.clips = true }
        if let mode = element["contentMode"].flatMap(ContentMode.init(rawValue:)),
            mode != .scaleToFill
        {
            properties.contentMode = mode
        }
        if element["enabled"] == "NO" { properties.interaction.enabled = false }
        if let label = element.child("accessibility")?["label"] {
            properties.interaction.label = Self.cut(label, 4096)
        }
        let runtime = element.children("userDefinedRuntimeAttributes").flatMap(\.children)
        func number(_ path: String) -> Double {
            let attribute = runtime.first { $0["keyPath"] == path }
            return attribute?.child(key: "value").flatMap {
                $0.number("value") ?? XMLElement.number($0.text)
            } ?? attribute?.number("value") ?? 0
        }
        let isRound = number("layer.cornerRadius") > 0 || number("cornerRadius") > 0
        if number("layer.borderWidth") > 0 || number("borderWidth") > 0 {
            properties.border = isRound ? .rounded : .single
        }
    }

    // MARK: Text

    private func applyText(
        _ item: SceneItem, _ kind: ViewKind, to properties: inout ViewProperties
    ) {
        let element = item.element
        let id = element["id"]
        switch kind {
        case .label, .button:
            let key = kind == .button ? "normalTitle" : "text"
            let text = options.strings?.text(id, key) ?? ElementText.text(of: element)
            if let text, !text.isEmpty { properties.text = Self.cut(text, 65_536) }
            applyFont(ElementFont(element, standardSize: kind == .button ? 15 : 17), &properties)
            if kind == .label { applyLines(item, &properties) }
        case .textField:
            applyFont(ElementFont(element, standardSize: 14), &properties)
            let text = options.strings?.text(id, "text") ?? ElementText.value(element, "text")
            if let text, !text.isEmpty {
                properties.interaction.value = .text(Self.cut(text, 65_536))
            }
            let placeholder =
                options.strings?.text(id, "placeholder")
                ?? ElementText.value(element, "placeholder")
            if let placeholder { properties.interaction.placeholder = Self.cut(placeholder, 4096) }
        case .segmented:
            let titles = ElementText.segments(of: element).prefix(64).enumerated().map {
                Self.cut(options.strings?.text(id, "segmentTitles[\($0)]") ?? $1, 1024)
            }
            if !titles.isEmpty { properties.interaction.segments = titles }
            let selected = element.number("selectedSegmentIndex") ?? 0
            properties.interaction.value = .number(max(0, selected))
        case .switch: properties.interaction.value = .flag(element.isYes("on"))
        case .slider, .progress:
            let value = element.number(kind == .slider ? "value" : "progress") ?? 0
            properties.interaction.value = .number(value)
            if let least = element.number("minValue") { properties.interaction.minimum = least }
            if let most = element.number("maxValue") { properties.interaction.maximum = most }
        case .view, .stack, .scroll, .flow, .image: break
        }
        let alignments = ["textAlignment", "titleAlignment"].compactMap { element[$0] }
        properties.align = alignments.first.flatMap(TextAlignment.init(rawValue:))
        if kind == .label || kind == .button || kind == .textField {
            properties.dynamicType = element.isYes("adjustsFontForContentSizeCategory")
        }
    }

    private func applyFont(_ font: ElementFont, _ properties: inout ViewProperties) {
        properties.rare.textStyle = font.style
        properties.rare.fontSize = font.size
        properties.rare.fontWeight = font.weight
    }

    private func applyLines(_ item: SceneItem, _ properties: inout ViewProperties) {
        let element = item.element
        guard item.kind == "label" else {
            properties.lines = 0
            return
        }
        let lines = Int(item.number("numberOfLines") ?? 1)
        if lines != 1 { properties.lines = max(0, lines) }
        let modes: [String: LineBreakMode] = [
            "wordWrap": .byWordWrapping, "characterWrap": .byCharWrapping, "clip": .byClipping,
            "headTruncation": .byTruncatingHead, "middleTruncation": .byTruncatingMiddle,
        ]
        properties.rare.lineBreakMode = element["lineBreakMode"].flatMap { modes[$0] }
        if let factor = element.number("minimumScaleFactor"), factor > 0, factor < 1 {
            properties.rare.minimumScaleFactor = factor
        } else if let least = element.number("minimumFontSize"), least > 0 {
            let size = ElementFont(element, standardSize: 17).pointSize
            if least < size { properties.rare.minimumScaleFactor = least / size }
        }
    }

    static func cut(_ text: String, _ bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= bytes else { break }
            result.append(character)
        }
        return result
    }

    // MARK: Content sizes

    /// The size of the content in points, −1 along an axis for none; `nil` to have it measured.
    private func contentSize(_ item: SceneItem, _ kind: ViewKind, text: String?) -> Size? {
        let isStored = isStored && item.hasFrame
        let stored = item.hasFrame ? item.aligned.size : Self.standardSize(item.kind)
        var size = knownSize(item, kind, stored, text, isStored: isStored)
        if let width = item.attributes["placeholderIntrinsicWidth"] {
            size = Size(width: XMLElement.number(width) ?? -1, height: size?.height ?? -1)
        }
        if let height = item.attributes["placeholderIntrinsicHeight"] {
            size = Size(width: size?.width ?? -1, height: XMLElement.number(height) ?? -1)
        }
        if size == nil, kind != .view, kind != .stack, kind != .scroll,
            isStored || kind == .image
                || item.kind == "textView"
        {
            return Size(width: -1, height: -1)
        }
        return size
    }

    private func knownSize(
        _ item: SceneItem, _ kind: ViewKind, _ stored: Size, _ text: String?, isStored: Bool
    ) -> Size? {
        if item.kind == "imageView", let image = item.image {
            if !item.isSymbol,
                let size = options.assets.imageSizes[image] ?? reading.file.imageSizes[image]
            {
                return size
            }
            return stored
        }
        if item.kind == "textView" {
            if options.sizedAsStored.contains(item.name) { return stored }
            return item.attributes["scrollEnabled"] == "NO" && isStored ? stored : nil
        }
        if !isStored, Self.measured.contains(item.kind) {
            return item.kind == "button" ? buttonSize(item, stored, text) : nil
        }
        if Self.sized.contains(item.kind) { return stored }
        if Self.tall.contains(item.kind) { return Size(width: -1, height: stored.height) }
        if options.sizedAsStored.contains(item.name) { return stored }
        guard isStored else { return nil }
        if let size = canvasSize(item) { return size.size }
        // A class of the author's own may draw itself in Xcode, and have a size.
        let isCustom =
            item.attributes["customClass"] != nil && item.element.child("subviews") == nil
        return isCustom && item.parent != nil && ["view", "control"].contains(item.kind)
            ? stored : nil
    }

    /// The sizes of UIKit's own controls, for views that Xcode has not laid out.
    private static func standardSize(_ kind: String) -> Size {
        switch kind {
        case "stepper": Size(width: 94, height: 32)
        case "activityIndicatorView": Size(width: 20, height: 20)
        case "pageControl": Size(width: 39, height: 37)
        case "datePicker", "pickerView": Size(width: 320, height: 216)
        case "colorWell": Size(width: 28, height: 28)
        case "searchBar": Size(width: -1, height: 56)
        case "navigationBar", "toolbar": Size(width: -1, height: 44)
        case "tabBar": Size(width: -1, height: 49)
        default: Size(width: -1, height: -1)
        }
    }

    /// The size that Xcode's canvas gives a view without content, which it has nowhere else.
    /// Apple, "Auto Layout Guide": such views are 240 × 128 in a stack.
    func canvasSize(_ item: SceneItem) -> (size: Size, text: String)? {
        guard let parent = item.parent, reading.items[parent].kind == "stackView",
            item.element.child("subviews") == nil, item.attributes["customClass"] == nil
        else { return nil }
        let isImage = item.kind == "imageView" && item.image == nil
        guard isImage || item.kind == "view" || item.kind == "containerView" else { return nil }
        let standard =
            [Size(width: 240, height: 128)] + (isImage ? [Size(width: 50, height: 50)] : [])
        for size in standard {
            let width = item.frame.width == size.width
            let height = item.frame.height == size.height
            guard width || height else { continue }
            let text = "\(width ? "\(Int(size.width)) wide" : "\(Int(size.height)) high")"
            return (
                Size(width: width ? size.width : -1, height: height ? size.height : -1),
                width && height ? "\(Int(size.width)) × \(Int(size.height))" : text
            )
        }
        return nil
    }

    /// A button without a configuration is its title and 12 points in height, at least 30 wide; its
    /// size does not follow the text size that people choose.
    private func buttonSize(_ item: SceneItem, _ stored: Size, _ text: String?) -> Size? {
        let element = item.element
        guard element.child("buttonConfiguration") == nil else { return nil }
        let state = element.child("state", key: "normal")
        guard state?["image"] == nil, state?["backgroundImage"] == nil, let text, !text.isEmpty,
            let measure = options.measureWidth
        else { return stored.width < 0 ? nil : stored }
        let font = ElementFont(element, standardSize: 15)
        let size = font.pointSize
        var width = 0.0
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let weight = font.weight ?? font.style?.weight ?? .regular
            width = max(width, measure(String(line), size, weight))
        }
        var insets = EdgeInsets(top: 6, leading: 0, bottom: 6, trailing: 0)
        if let given = element.child("inset", key: "contentEdgeInsets") {
            insets = EdgeInsets(
                top: given.number("minY") ?? 0, leading: given.number("minX") ?? 0,
                bottom: given.number("maxY") ?? 0, trailing: given.number("maxX") ?? 0)
        }
        let height = (size * 1.2).rounded(.up) * Double(lines.count)
        return Size(
            width: max(30, width.rounded(.up) + insets.leading + insets.trailing),
            height: height + insets.top + insets.bottom)
    }
}
