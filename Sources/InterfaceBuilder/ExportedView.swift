import ConstraintLanguage
import LayoutValues
import SceneDocument

/// The elements of a view in an exported file, but its subviews and constraints.
struct ExportedView {
    private(set) var notes: [String] = []
    private let id: String
    private let properties: ViewProperties
    private let isGuide: Bool
    private let frame: Rect
    private let isTop: Bool
    private let parentKind: ViewKind?

    init(id: String, spec: ViewSpec?, frame: Rect, isTop: Bool, parentKind: ViewKind?) {
        self.id = id
        properties = spec?.properties ?? ViewProperties()
        isGuide = spec == nil && id != "root"
        self.frame = frame
        self.isTop = isTop
        self.parentKind = parentKind
        if properties.variations?.isEmpty == false {
            notes.append("\(id): its variations are not in the file")
        }
        if properties.kind == .flow {
            notes.append("\(id): a flow view is a plain view in the file")
        }
    }

    /// An id of the file for a name. Names that began with a digit in a file got a line before it.
    static func fileID(_ id: String) -> String {
        if id.hasPrefix("_"), let next = id.dropFirst().first, next.isNumber || next == "-" {
            return String(id.dropFirst())
        }
        return id
    }

    func start(_ xml: inout XMLWriter) {
        xml.start(elementName, attributes)
        xml.element(
            "rect",
            [
                ("key", "frame"), ("x", XMLWriter.number(frame.minX)),
                ("y", XMLWriter.number(frame.minY)), ("width", XMLWriter.number(frame.width)),
                ("height", XMLWriter.number(frame.height)),
            ])
        if isTop || properties.frame != nil { writeMask(&xml) }
        writeFont(&xml)
        writeInsets(&xml)
        if properties.kind == .button {
            xml.element(
                "state", [("key", "normal"), ("title", properties.text ?? "")] + symbolAttributes)
        }
        if properties.kind == .segmented {
            xml.start("segments")
            for title in properties.interaction.segments ?? [] {
                xml.element("segment", [("title", title)])
            }
            xml.end()
        }
    }

    private var symbolAttributes: [(String, String)] {
        properties.look.symbol.map { [("image", $0.text), ("catalog", "system")] } ?? []
    }

    private var elementName: String {
        switch properties.kind ?? .view {
        case .view, .flow: "view"
        case .label: "label"
        case .stack: "stackView"
        case .scroll: "scrollView"
        case .image: "imageView"
        case .button: "button"
        case .switch: "switch"
        case .slider: "slider"
        case .textField: "textField"
        case .segmented: "segmentedControl"
        case .progress: "progressView"
        }
    }

    /// The parts of a mask, and the attributes for them.
    static let maskNames: [(AutoresizingMask, String)] = [
        (.flexibleLeftMargin, "flexibleMinX"), (.flexibleWidth, "widthSizable"),
        (.flexibleRightMargin, "flexibleMaxX"), (.flexibleTopMargin, "flexibleMinY"),
        (.flexibleHeight, "heightSizable"), (.flexibleBottomMargin, "flexibleMaxY"),
    ]

    private func writeMask(_ xml: inout XMLWriter) {
        let mask = isTop ? [.flexibleWidth, .flexibleHeight] : properties.autoresizing ?? []
        let set = Self.maskNames.filter { mask.contains($0.0) }.map { ($0.1, "YES") }
        xml.element("autoresizingMask", [("key", "autoresizingMask")] + set)
    }

    private func writeFont(_ xml: inout XMLWriter) {
        guard properties.text != nil || properties.kind == .label else { return }
        if let size = properties.rare.fontSize {
            var attributes = [("key", "fontDescription"), ("type", "system")]
            if let weight = properties.rare.fontWeight, weight != .regular {
                attributes.append(("weight", weight.rawValue))
            }
            xml.element("fontDescription", attributes + [("pointSize", XMLWriter.number(size))])
        } else {
            let name = ElementFont.name(of: properties.rare.textStyle ?? .body)
            xml.element("fontDescription", [("key", "fontDescription"), ("style", name)])
        }
    }

    private func writeInsets(_ xml: inout XMLWriter) {
        guard let margins = properties.margins else { return }
        xml.element(
            "directionalEdgeInsets",
            [
                ("key", "directionalLayoutMargins"), ("top", XMLWriter.number(margins.top)),
                ("leading", XMLWriter.number(margins.leading)),
                ("bottom", XMLWriter.number(margins.bottom)),
                ("trailing", XMLWriter.number(margins.trailing)),
            ])
    }

    // MARK: Attributes

    private var attributes: [(String, String)] {
        var list: [(String, String)] = []
        func add(_ key: String, _ value: String?) { if let value { list.append((key, value)) } }
        func flag(_ key: String, _ value: Bool?, unless standard: Bool) {
            if let value, value != standard { list.append((key, value ? "YES" : "NO")) }
        }
        flag("hidden", isGuide ? true : properties.hidden, unless: false)
        flag("clipsSubviews", properties.clips, unless: false)
        add("contentMode", (properties.contentMode ?? .scaleToFill).rawValue)
        addPriorities(&list)
        addText(&list)
        if properties.kind == .stack { addStack(&list) }
        flag(
            "preservesSuperviewLayoutMargins", properties.preservesSuperviewLayoutMargins,
            unless: false)
        flag(
            "insetsLayoutMarginsFromSafeArea", properties.insetsLayoutMarginsFromSafeArea,
            unless: true)
        flag(
            "layoutMarginsFollowReadableWidth", properties.rare.layoutMarginsFollowReadableWidth,
            unless: false)
        add(
            "contentInsetAdjustmentBehavior",
            properties.rare.contentInsetAdjustmentBehavior?.rawValue)
        add("alpha", properties.opacity.map(XMLWriter.number))
        if let size = properties.intrinsic {
            if size.width >= 0 { add("placeholderIntrinsicWidth", XMLWriter.number(size.width)) }
            if size.height >= 0 { add("placeholderIntrinsicHeight", XMLWriter.number(size.height)) }
        }
        if properties.frame != nil {
            add("fixedFrame", properties.autoresizing == nil ? "YES" : nil)
        } else if !isTop {
            add("translatesAutoresizingMaskIntoConstraints", "NO")
        }
        add("id", Self.fileID(id))
        // The name of a document is the author's word.
        if Self.fileID(id) == id { add("userLabel", id) }
        return list
    }

    private func addPriorities(_ list: inout [(String, String)]) {
        func add(_ key: String, _ value: LayoutPriority?, _ standard: Double) {
            guard let value, value.rawValue != standard else { return }
            list.append((key, XMLWriter.number(value.rawValue)))
        }
        let standard: PriorityByAxis? =
            properties.hugging ?? (properties.kind == .label ? PriorityByAxis(251, 251) : nil)
        add("horizontalHuggingPriority", standard?.horizontal, 250)
        add("verticalHuggingPriority", standard?.vertical, 250)
        add("horizontalCompressionResistancePriority", properties.compression?.horizontal, 750)
        add("verticalCompressionResistancePriority", properties.compression?.vertical, 750)
    }

    private func addText(_ list: inout [(String, String)]) {
        switch properties.kind ?? .view {
        case .label:
            list.append(("text", properties.text ?? ""))
            list.append(("textAlignment", (properties.align ?? .natural).rawValue))
            if let lines = properties.lines, lines != 1 {
                list.append(("numberOfLines", String(lines)))
            }
            if properties.dynamicType != false {
                list.append(("adjustsFontForContentSizeCategory", "YES"))
            }
            list.append(("adjustsFontSizeToFit", "NO"))
        case .textField:
            if case .text(let text)? = properties.interaction.value { list.append(("text", text)) }
            if let placeholder = properties.interaction.placeholder {
                list.append(("placeholder", placeholder))
            }
            list.append(("borderStyle", "roundedRect"))
        case .switch:
            list.append(("on", properties.interaction.value == .flag(true) ? "YES" : "NO"))
        case .slider, .progress:
            let isSlider = properties.kind == .slider
            if case .number(let value)? = properties.interaction.value {
                list.append((isSlider ? "value" : "progress", XMLWriter.number(value)))
            }
            if isSlider {
                list.append(("minValue", XMLWriter.number(properties.interaction.minimum ?? 0)))
                list.append(("maxValue", XMLWriter.number(properties.interaction.maximum ?? 1)))
            }
        case .button: list.append(("buttonType", "system"))
        case .image: list += symbolAttributes
        case .view, .stack, .scroll, .flow, .segmented: break
        }
    }

    private func addStack(_ list: inout [(String, String)]) {
        if properties.axis == .vertical { list.append(("axis", "vertical")) }
        if let value = properties.distribution, value != .fill {
            list.append(("distribution", value.rawValue))
        }
        if let value = properties.alignment, value != .fill {
            list.append(("alignment", value.rawValue))
        }
        if let spacing = properties.spacing, spacing != 0 {
            list.append(("spacing", XMLWriter.number(spacing)))
        }
        if properties.rare.baselineRelativeArrangement == true {
            list.append(("baselineRelativeArrangement", "YES"))
        }
    }
}

/// A constraint in an exported file.
struct ExportedConstraint {
    var id: String
    var rule: Rule
    /// The view that holds it.
    var owner: String
    var isActive: Bool
    var isPlaceholder: Bool

    /// The attributes, in Xcode's order.
    ///
    /// - Parameters:
    ///   - id: The id in the file.
    ///   - name: The id in the file of a view or of one of its guides; margins are attributes.
    func attributes(id: String, _ name: (ItemReference) -> String) -> [(String, String)] {
        func item(_ anchor: AnchorReference) -> String {
            let isMargin = anchor.item.guide == .margins
            return name(isMargin ? ItemReference(id: anchor.item.id) : anchor.item)
        }
        var list: [(String, String)] = []
        if rule.first.item != ItemReference(id: owner) {
            list.append(("firstItem", item(rule.first)))
        }
        list.append(("firstAttribute", Self.attribute(rule.first)))
        switch rule.relation {
        case .equal: break
        case .lessThanOrEqual: list.append(("relation", "lessThanOrEqual"))
        case .greaterThanOrEqual: list.append(("relation", "greaterThanOrEqual"))
        }
        if let second = rule.second {
            list.append(("secondItem", item(second)))
            list.append(("secondAttribute", Self.attribute(second)))
        }
        if rule.multiplier != 1 {
            list.append(("multiplier", XMLWriter.number(rule.multiplier)))
        }
        if rule.priority != 1000 { list.append(("priority", XMLWriter.number(rule.priority))) }
        if rule.constant != 0 || rule.second == nil {
            list.append(("constant", XMLWriter.number(rule.constant)))
        }
        if isPlaceholder { list.append(("placeholder", "YES")) }
        list.append(("id", id))
        return list
    }

    /// The id of a constraint; `#3` of a document has a letter before it.
    static func fileID(_ id: String) -> String {
        ExportedView.fileID(id.replacing("#", with: "c").replacing(".", with: "-"))
    }

    /// The id of a view or of one of its guides.
    static func fileID(_ item: ItemReference) -> String {
        guard let guide = item.guide else { return ExportedView.fileID(item.id) }
        return "\(ExportedView.fileID(item.id))-\(guide.rawValue)"
    }

    private static func attribute(_ anchor: AnchorReference) -> String {
        guard anchor.item.guide == .margins else {
            return anchor.attribute == .lastBaseline ? "baseline" : anchor.attribute.rawValue
        }
        return switch anchor.attribute {
        case .centerX: "centerXWithinMargins"
        case .centerY: "centerYWithinMargins"
        case .width, .height, .firstBaseline, .lastBaseline: anchor.attribute.rawValue
        case .left, .right, .top, .bottom, .leading, .trailing: anchor.attribute.rawValue + "Margin"
        }
    }
}
