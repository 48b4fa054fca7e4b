import LayoutValues
import SceneDocument

/// Writes what changed of one view's properties into its element.
struct ViewWriter {
    let element: XMLElement
    /// Whether it is the scene's outermost view.
    let isTop: Bool
    /// Whether its frame and mask place it.
    let isByFrame: Bool
    var edits: ElementEdits

    var kind: ViewKind { ElementContent.kinds[element.name] ?? .view }

    init(_ element: XMLElement, isTop: Bool, isByFrame: Bool, edits: ElementEdits) {
        self.element = element
        self.isTop = isTop
        self.isByFrame = isByFrame
        self.edits = edits
    }

    /// Keys that are of the session, not of the file: where people have scrolled to, what they did
    /// with controls, the sizes that follow from texts, and the frames that follow from the size of
    /// the device.
    static let ofSession: Set<ViewKey> = [.contentOffset, .value, .intrinsic, .frame, .frameIn]

    /// Whether a label says how small its font may be in points, from which the factor follows.
    static func hasLeastFontSize(_ element: XMLElement?) -> Bool {
        element?["minimumFontSize"] != nil && element?["minimumScaleFactor"] == nil
    }

    /// The keys in which two views differ.
    static func differences(_ old: ViewProperties, _ new: ViewProperties) -> [ViewKey] {
        guard old != new else { return [] }
        let (old, new) = (withoutDefaults(old), withoutDefaults(new))
        return ViewKey.allCases.filter { old.only([$0]) != new.only([$0]) }
    }

    /// The same without what files leave out where it has its default.
    private static func withoutDefaults(_ properties: ViewProperties) -> ViewProperties {
        var result = properties
        if result.text?.isEmpty == true { result.text = nil }
        if result.lines == 1 { result.lines = nil }
        if result.opacity == 1 { result.opacity = nil }
        if result.hidden == false { result.hidden = nil }
        if result.clips == false { result.clips = nil }
        if result.installed == true { result.installed = nil }
        if result.contentMode == .scaleToFill { result.contentMode = nil }
        if result.axis == .horizontal { result.axis = nil }
        if result.distribution == .fill { result.distribution = nil }
        if result.alignment == .fill { result.alignment = nil }
        if result.spacing == 0 { result.spacing = nil }
        if result.rare.lineBreakMode == .byTruncatingTail { result.rare.lineBreakMode = nil }
        if result.rare.fontWeight == .regular { result.rare.fontWeight = nil }
        if result.look.cornerRadius == 0 { result.look.cornerRadius = nil }
        if result.look.borderWidth == 0 { result.look.borderWidth = nil }
        if result.interaction.enabled == true { result.interaction.enabled = nil }
        if result.interaction.label?.isEmpty == true { result.interaction.label = nil }
        if result.interaction.placeholder?.isEmpty == true { result.interaction.placeholder = nil }
        return result
    }

    /// Writes all that differs.
    mutating func write(_ old: ViewProperties, _ new: ViewProperties) throws(Unwritable) {
        for key in Self.differences(old, new) where !Self.ofSession.contains(key) {
            try write(key, new)
        }
    }

    private mutating func write(_ key: ViewKey, _ new: ViewProperties) throws(Unwritable) {
        switch key {
        case .text: try writeText(new.text ?? "")
        case .lines:
            try require(element.name == "label", key)
            set("numberOfLines", (new.lines ?? 1) == 1 ? nil : new.lines.map(String.init))
        case .align: try writeAlignment(new.align, key)
        case .background: try writeColor("backgroundColor", new.background, in: element)
        case .foreground: try writeForeground(new.foreground)
        case .opacity: set("alpha", new.opacity.flatMap { $0 == 1 ? nil : XMLWriter.number($0) })
        case .hidden: set("hidden", new.hidden == true ? "YES" : nil)
        case .clips: set("clipsSubviews", new.clips == true ? "YES" : nil)
        case .contentMode: set("contentMode", (new.contentMode ?? .scaleToFill).rawValue)
        case .hugging, .compression: writePriorities(new)
        case .margins: try writeMargins(new.margins)
        case .autoresizing: try writeMask(new.autoresizing)
        case .axis, .distribution, .alignment, .spacing, .baselineRelativeArrangement:
            try writeStack(key, new)
        case .dynamicType:
            try require(kind.showsText, key)
            set("adjustsFontForContentSizeCategory", new.dynamicType != false ? "YES" : nil)
        case .insetsLayoutMarginsFromSafeArea:
            try require(!isTop, key)
            set(
                "insetsLayoutMarginsFromSafeArea",
                new.insetsLayoutMarginsFromSafeArea == false ? "NO" : nil)
        case .preservesSuperviewLayoutMargins:
            try require(!isTop, key)
            set(
                "preservesSuperviewLayoutMargins",
                new.preservesSuperviewLayoutMargins == true ? "YES" : nil)
        case .layoutMarginsFollowReadableWidth:
            let follows = new.rare.layoutMarginsFollowReadableWidth == true
            set("layoutMarginsFollowReadableWidth", follows ? "YES" : nil)
        case .installed: try writeInstalled(new.installed != false)
        case .contentInset, .contentInsetAdjustmentBehavior: try writeScroll(key, new)
        case .textStyle, .fontSize, .fontWeight: try writeFont(new)
        case .lineBreakMode: try writeLineBreakMode(new.rare.lineBreakMode)
        case .minimumScaleFactor: try writeScaleFactor(new)
        case .cornerRadius: try writeLayer("cornerRadius", new.look.cornerRadius)
        case .borderWidth: try writeLayer("borderWidth", new.look.borderWidth)
        case .enabled:
            try require(kind.showsText || kind.isControl, key)
            set("enabled", new.interaction.enabled == false ? "NO" : nil)
        case .label: try writeLabel(new.interaction.label)
        case .minimum, .maximum: try writeRange(key, new.interaction)
        case .placeholder:
            try require(kind == .textField, key)
            try write("placeholder", new.interaction.placeholder, in: element)
        case .segments: try writeSegments(new.interaction.segments ?? [])
        case .value, .contentOffset, .intrinsic, .frame, .frameIn: break
        case .image: throw Unwritable("pictures come from the asset catalogue; choose one in Xcode")
        case .symbol: throw Unwritable("symbols come from SF Symbols; choose one in Xcode")
        case .kind, .preferredWidth, .border, .collapses, .baseline, .safeArea, .customSpacing,
            .arranged, .layoutMarginsRelativeArrangement, .traits, .variations,
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
            .alignmentInsets, .maskedCorners, .borderColor, .shadow, .gradient, .tint, .transform,
            .chart, .events, .focusable, .selected, .continuous, .scrolls, .role, .hint, .step:
            throw Unwritable("Interface Builder's files have no \(key.rawValue)")
        }
    }

    func require(_ condition: Bool, _ key: ViewKey) throws(Unwritable) {
        guard condition else {
            throw Unwritable("a \(element.name) of the file has no \(key.rawValue)")
        }
    }

    /// Gives an attribute a value where the file has it: in the variation for all size classes, or
    /// in the element.
    mutating func set(_ name: String, _ value: String?) {
        let variation = element.children("variation").first {
            $0["key"] == "default" && $0[name] != nil
        }
        edits.set(name, value, of: variation ?? element)
    }

    private mutating func writeLayer(_ name: String, _ value: Double?) throws(Unwritable) {
        let list = element.children("userDefinedRuntimeAttributes").flatMap(\.children)
        let own = list.filter { $0["keyPath"] == "layer.\(name)" || $0["keyPath"] == name }
        guard own.count < 2 else {
            throw Unwritable("the file has two runtime attributes for the view's \(name)")
        }
        guard let value, value > 0 else {
            for attribute in own { edits.remove(attribute) }
            return
        }
        let isWhole = value == value.rounded()
        var new = NewElement(
            "userDefinedRuntimeAttribute",
            [("type", "number"), ("keyPath", own.first?["keyPath"] ?? "layer.\(name)")])
        new.children = [
            NewElement(
                isWhole ? "integer" : "real",
                [("key", "value"), ("value", XMLWriter.number(value))])
        ]
        if let own = own.first {
            edits.replace(own, with: new)
        } else {
            edits.add(new, to: element, in: [NewElement("userDefinedRuntimeAttributes")])
        }
    }

    private mutating func writeLabel(_ label: String?) throws(Unwritable) {
        if let label { try Unwritable.check(label) }
        if let own = element.child("accessibility") {
            edits.set("label", label, of: own)
        } else if let label {
            edits.add(
                NewElement(
                    "accessibility", [("key", "accessibilityConfiguration"), ("label", label)]),
                to: element)
        }
    }

    private mutating func writeRange(
        _ key: ViewKey, _ new: InteractionProperties
    ) throws(Unwritable) {
        try require(kind == .slider, key)
        let value = key == .minimum ? new.minimum ?? 0 : new.maximum ?? 1
        set(key == .minimum ? "minValue" : "maxValue", XMLWriter.number(value))
    }

    private mutating func writeSegments(_ titles: [String]) throws(Unwritable) {
        try require(kind == .segmented, .segments)
        let own = element.child("segments")?.children("segment") ?? []
        guard own.count == titles.count else {
            throw Unwritable("segments are added and removed in Xcode")
        }
        for (segment, title) in zip(own, titles)
        where (ElementText.value(segment, "title") ?? "") != title {
            try write("title", title, in: segment)
        }
    }
}

extension ViewKind {
    /// Whether views of the kind have a text and a font.
    var showsText: Bool { self == .label || self == .button || self == .textField }

    /// Whether people use it.
    var isControl: Bool {
        switch self {
        case .button, .switch, .slider, .textField, .segmented: true
        case .view, .label, .stack, .scroll, .flow, .image, .progress: false
        }
    }
}

extension ElementEdits {
    /// Writes whether something is installed where no size class says otherwise.
    mutating func setInstalled(
        _ isInstalled: Bool, _ id: String, list: String, of owner: XMLElement
    ) {
        let masks = owner.children("variation").filter { $0["key"] == "default" }
            .flatMap { $0.children("mask") }
        let own = masks.flatMap(\.children).filter { $0["reference"] == id }
        for change in own { remove(change) }
        guard !isInstalled else { return }
        add(
            NewElement("exclude", [("reference", id)]), to: owner,
            in: [
                NewElement("variation", [("key", "default")]), NewElement("mask", [("key", list)]),
            ])
    }
}
