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
        try take(ViewportKey.allCases, from: &fields)
    }

    /// Reads what a device has. Unlike a viewport it has an area, and no say in what is accepted.
    init(device fields: inout JSONFields) throws(DocumentError) {
        let width = try fields.take("width")?.number(in: 1...Limits.viewportMaximum)
        let height = try fields.take("height")?.number(in: 1...Limits.viewportMaximum)
        try take(ViewportKey.ofDevices, from: &fields)
        (self.width, self.height) = (width, height)
    }

    private mutating func take(
        _ keys: [ViewportKey], from fields: inout JSONFields
    ) throws(DocumentError) {
        var (viewport, reader) = (Viewport(width: 0, height: 0), Reader(fields: fields))
        try reader.visit(keys, of: &viewport, &self)
        fields = reader.fields
    }

    /// Adds the keys that are given, in the order of the documentation.
    func write(to list: inout JSONMembers) {
        var (copy, viewport) = (self, Viewport(width: 0, height: 0))
        var writer = Writer(list: list)
        writer.visit(of: &viewport, &copy)
        list = writer.list
    }

    private struct Reader: ViewportVisitor {
        var fields: JSONFields

        mutating func visit<Value: Equatable>(
            _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
            _ format: @autoclosure () -> PropertyFormat<Value>
        ) throws(DocumentError) {
            if let node = fields.take(key.rawValue) { given = try format().read(node) }
        }
    }

    private struct Writer: ViewportVisitor {
        var list: JSONMembers

        mutating func visit<Value: Equatable>(
            _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
            _ format: @autoclosure () -> PropertyFormat<Value>
        ) throws(Never) {
            if let given { list.add(key.rawValue, format().write(given)) }
        }
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

    /// The size, and whatever is no default.
    var json: JSONValue {
        var (defaults, patch) = (Viewport(width: width, height: height), ViewportPatch())
        var differing = Differing()
        differing.visit(of: &defaults, &patch, besides: self.patch(of: ViewportKey.allCases))
        (patch.width, patch.height) = (width, height)
        var list = JSONMembers()
        patch.write(to: &list)
        return list.json
    }

    /// Gives what differs from the viewport.
    private struct Differing: ViewportVisitor {
        mutating func visit<Value: Equatable>(
            _ key: ViewportKey, _ value: inout Value, _ given: inout Value?, _ other: Value?,
            _ format: @autoclosure () -> PropertyFormat<Value>
        ) throws(Never) {
            if other != value { given = other }
        }
    }
}

extension PropertyFormat<Size> {
    /// The cell of the grid of text.
    static var cell: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let numbers = try node.numbers(2, "[width, height]", in: 1...1000)
                return Size(width: numbers[0], height: numbers[1])
            }, { .numbers($0.width, $0.height) })
    }
}

extension PropertyFormat<RootMargins> {
    static var rootMargins: PropertyFormat {
        PropertyFormat({ (node) throws(DocumentError) in try RootMargins(node) }, { $0.json })
    }
}

extension PropertyFormat<EdgeInsets> {
    /// `{"top": 47, "bottom": 34}`, edges that are left out being 0; or a list, as views have it.
    static var safeArea: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                if case .array = node.value.kind {
                    let numbers = try node.numbers(
                        4, "[top, leading, bottom, trailing]", in: 0...Limits.viewportMaximum)
                    return EdgeInsets(
                        top: numbers[0], leading: numbers[1], bottom: numbers[2],
                        trailing: numbers[3])
                }
                var fields = try node.object()
                func edge(_ name: String) throws(DocumentError) -> Double {
                    try fields.take(name)?.number(in: 0...Limits.viewportMaximum) ?? 0
                }
                let insets = EdgeInsets(
                    top: try edge("top"), leading: try edge("leading"),
                    bottom: try edge("bottom"), trailing: try edge("trailing"))
                try fields.finish()
                return insets
            },
            { insets in
                var list = JSONMembers()
                for (name, length) in [
                    ("top", insets.top), ("leading", insets.leading), ("bottom", insets.bottom),
                    ("trailing", insets.trailing),
                ] where length != 0 { list.add(name, length) }
                return list.json
            })
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
