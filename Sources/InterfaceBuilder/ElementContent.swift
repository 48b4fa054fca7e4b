import LayoutValues
import SceneDocument

/// The properties of a view that its element alone tells: its kind, text, font, colours, content
/// size.
struct ElementContent {
    let reading: SceneReading
    let options: ConversionOptions
    let colors: ColorTable

    var isStored: Bool { options.contentSizes == .stored }

    /// Element names by the kind that the document has for them.
    static let kinds: [String: ViewKind] = [
        "label": .label, "button": .button, "imageView": .image, "stackView": .stack,
        "scrollView": .scroll, "switch": .switch, "slider": .slider, "textField": .textField,
        "segmentedControl": .segmented, "progressView": .progress, "textView": .label,
    ]

    /// Elements whose frame is larger than what constraints speak of.
    private static let aligned: Set<String> = ["switch", "slider", "segmentedControl"]

    func apply(_ item: SceneItem, to properties: inout ViewProperties) {
        let element = item.element
        let kind = item.hasRows ? .scroll : Self.kinds[item.kind] ?? .view
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
        if let symbol = item.symbol {
            properties.look.symbol = symbol
            properties.look.tint = colors.color(element, "tintColor")
        }
        let radius = max(number("layer.cornerRadius"), number("cornerRadius"))
        if radius > 0 { properties.look.cornerRadius = min(radius, Limits.numberMaximum) }
        let width = max(number("layer.borderWidth"), number("borderWidth"))
        if width > 0 { properties.look.borderWidth = min(width, Limits.numberMaximum) }
    }

    // MARK: Text

    /// The title of a section as UIKit shows it in the style of the system: small and grey, as long
    /// as it is, and in the text size that people choose.
    func title(_ title: SectionTitle, of item: SceneItem) -> ViewProperties {
        var properties = ViewProperties()
        properties.kind = .label
        let text = options.strings?.text(item.element["id"], title.key.rawValue) ?? title.text
        properties.text = Self.cut(text, 65_536)
        properties.lines = 0
        properties.rare.textStyle = .footnote
        properties.dynamicType = true
        properties.foreground = .system(.secondaryLabel)
        return properties
    }

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
}
