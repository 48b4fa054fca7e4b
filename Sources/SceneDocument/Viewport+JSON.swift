import ConstraintLanguage
public import JSON
import LayoutValues

extension ViewportPatch {
    /// Reads what a device has, from JSON of a client's.
    ///
    /// - Throws: `DocumentError` naming the key that is wrong.
    public static func device(_ value: JSONValue) throws(DocumentError) -> ViewportPatch {
        var fields = try JSONCursor(value, path: "viewport").object()
        let patch = try ViewportPatch(device: &fields)
        try fields.finish()
        return patch
    }

    init(_ fields: inout JSONFields) throws(DocumentError) {
        width = try fields.take("width")?.number(in: 0...Limits.viewportMaximum)
        height = try fields.take("height")?.number(in: 0...Limits.viewportMaximum)
        try takeRest(&fields)
        unsatisfiable = try fields.take("unsatisfiable")?.choice(UnsatisfiablePolicy.self)
    }

    /// Reads what a device has. Unlike a viewport it has an area, and no say in what is accepted.
    init(device fields: inout JSONFields) throws(DocumentError) {
        width = try fields.take("width")?.number(in: 1...Limits.viewportMaximum)
        height = try fields.take("height")?.number(in: 1...Limits.viewportMaximum)
        try takeRest(&fields)
    }

    private mutating func takeRest(_ fields: inout JSONFields) throws(DocumentError) {
        scale = try fields.take("scale")?.number(in: Limits.scaleRange)
        direction = try fields.take("direction")?.choice(LayoutDirection.self)
        rounding = try fields.take("rounding")?.choice(Rounding.self)
        if let numbers = try fields.take("cell")?.numbers(2, "[width, height]", in: 1...1000) {
            cell = Size(width: numbers[0], height: numbers[1])
        }
        if let node = fields.take("safeArea") { safeArea = try Self.safeArea(node) }
        keyboard = try fields.take("keyboard")?.number(in: 0...Limits.viewportMaximum)
        if let node = fields.take("margins") { margins = try RootMargins(node) }
        horizontalSizeClass = try fields.take("horizontalSizeClass")?.choice(SizeClass.self)
        verticalSizeClass = try fields.take("verticalSizeClass")?.choice(SizeClass.self)
        contentSizeCategory = try fields.take("contentSizeCategory")?
            .choice(ContentSizeCategory.self)
        userInterfaceStyle = try fields.take("userInterfaceStyle")?
            .choice(UserInterfaceStyle.self)
        idiom = try fields.take("idiom")?.choice(UserInterfaceIdiom.self)
        typography = try fields.take("typography")?.choice(Typography.self)
        accessibilityContrast = try fields.take("accessibilityContrast")?
            .choice(AccessibilityContrast.self)
    }

    /// `{"top": 47, "bottom": 34}`, edges that are left out being 0; or a list, as views have it.
    private static func safeArea(_ node: JSONCursor) throws(DocumentError) -> EdgeInsets {
        if case .array = node.value.kind {
            let numbers = try node.numbers(
                4, "[top, leading, bottom, trailing]", in: 0...Limits.viewportMaximum)
            return EdgeInsets(
                top: numbers[0], leading: numbers[1], bottom: numbers[2], trailing: numbers[3])
        }
        var fields = try node.object()
        func edge(_ name: String) throws(DocumentError) -> Double {
            try fields.take(name)?.number(in: 0...Limits.viewportMaximum) ?? 0
        }
        let insets = EdgeInsets(
            top: try edge("top"), leading: try edge("leading"), bottom: try edge("bottom"),
            trailing: try edge("trailing"))
        try fields.finish()
        return insets
    }

    private static func json(_ insets: EdgeInsets) -> JSONValue {
        var list = JSONMembers()
        for (name, length) in [
            ("top", insets.top), ("leading", insets.leading), ("bottom", insets.bottom),
            ("trailing", insets.trailing),
        ] where length != 0 { list.add(name, length) }
        return list.json
    }

    func write(to list: inout JSONMembers) {
        list.add("width", width)
        list.add("height", height)
        list.add("scale", scale)
        list.add("direction", direction?.rawValue)
        list.add("rounding", rounding?.rawValue)
        list.add("unsatisfiable", unsatisfiable?.rawValue)
        list.add("cell", cell.map { .numbers($0.width, $0.height) })
        list.add("safeArea", safeArea.map(Self.json))
        list.add("keyboard", keyboard)
        list.add("margins", margins?.json)
        list.add("horizontalSizeClass", horizontalSizeClass?.rawValue)
        list.add("verticalSizeClass", verticalSizeClass?.rawValue)
        list.add("contentSizeCategory", contentSizeCategory?.rawValue)
        list.add("userInterfaceStyle", userInterfaceStyle?.rawValue)
        list.add("idiom", idiom?.rawValue)
        list.add("typography", typography?.rawValue)
        list.add("accessibilityContrast", accessibilityContrast?.rawValue)
    }
}

extension Viewport {
    init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        let patch = try ViewportPatch(&fields)
        try fields.finish()
        guard let width = patch.width else {
            throw fields.node.error(.badOp, "the key \"width\" is missing")
        }
        guard let height = patch.height else {
            throw fields.node.error(.badOp, "the key \"height\" is missing")
        }
        self.init(width: width, height: height)
        apply(patch)
    }

    var json: JSONValue {
        let defaults = Viewport(width: width, height: height)
        var patch = ViewportPatch()
        patch.width = width
        patch.height = height
        patch.scale = scale == defaults.scale ? nil : scale
        patch.direction = direction == defaults.direction ? nil : direction
        patch.rounding = rounding == defaults.rounding ? nil : rounding
        patch.unsatisfiable = unsatisfiable == defaults.unsatisfiable ? nil : unsatisfiable
        patch.cell = cell == defaults.cell ? nil : cell
        patch.safeArea = safeArea == defaults.safeArea ? nil : safeArea
        patch.keyboard = keyboard == defaults.keyboard ? nil : keyboard
        patch.margins = margins
        patch.horizontalSizeClass =
            horizontalSizeClass == .unspecified ? nil : horizontalSizeClass
        patch.verticalSizeClass = verticalSizeClass == .unspecified ? nil : verticalSizeClass
        patch.contentSizeCategory =
            contentSizeCategory == .unspecified ? nil : contentSizeCategory
        patch.userInterfaceStyle = userInterfaceStyle == .unspecified ? nil : userInterfaceStyle
        patch.idiom = idiom == .unspecified ? nil : idiom
        patch.typography = typography == .unspecified ? nil : typography
        patch.accessibilityContrast =
            accessibilityContrast == .unspecified ? nil : accessibilityContrast
        var list = JSONMembers()
        patch.write(to: &list)
        return list.json
    }
}

extension DeviceSpec {
    /// The devices that a document may name.
    static let maximum = 64
    /// Devices of one scene that may be strict. Each costs a scene, watched or not.
    static let strictMaximum = 4

    /// Reads the devices of a document, by name.
    static func list(_ node: JSONCursor) throws(DocumentError) -> [DeviceSpec] {
        let members = try node.members()
        guard members.count <= maximum else {
            throw node.error(.limit, "\(members.count) devices, the most are \(maximum)")
        }
        var names: Set<String> = []
        var result: [DeviceSpec] = []
        for (id, cursor) in members {
            var cursor = cursor
            cursor.id = id
            guard Identifier.isValid(id) else {
                throw cursor.error(
                    .badValue, "\"\(id.prefix(80))\" is not a name",
                    expected: "a letter or _, then letters, digits, _ and -, at most 64 bytes")
            }
            guard names.insert(id).inserted else {
                throw cursor.error(.duplicateID, "the name \"\(id)\" is taken")
            }
            var fields = try cursor.object()
            let patch = try ViewportPatch(device: &fields)
            let isStrict = try fields.take("strict")?.bool() ?? false
            try fields.finish()
            result.append(DeviceSpec(id: id, viewport: patch, isStrict: isStrict))
        }
        let strictCount = result.count(where: { $0.isStrict })
        guard strictCount <= strictMaximum else {
            throw node.error(
                .limit, "\(strictCount) strict devices, the most are \(strictMaximum)")
        }
        return result
    }

    /// The device as JSON, without its name.
    var json: JSONValue {
        var list = JSONMembers()
        viewport.write(to: &list)
        if isStrict { list.add("strict", true) }
        return list.json
    }
}
