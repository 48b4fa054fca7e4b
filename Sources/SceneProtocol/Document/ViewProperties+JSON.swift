extension ViewProperties {
    /// Takes every key of a view that `fields` holds.
    init(_ fields: inout Fields) throws(DocumentError) {
        kind = try fields.take("kind")?.choice(ViewKind.self)
        text = try fields.take("text")?.text()
        lines = try fields.take("lines")?.integer(in: 0...1_000_000)
        align = try fields.take("align")?.choice(TextAlignment.self)
        preferredWidth = try fields.take("preferredWidth")?.number(in: 0...Limits.numberMaximum)
        background = try fields.take("background")?.color()
        foreground = try fields.take("foreground")?.color()
        border = try fields.take("border")?.choice(BorderStyle.self)
        opacity = try fields.take("opacity")?.number(in: 0...1)
        hidden = try fields.take("hidden")?.bool()
        clips = try fields.take("clips")?.bool()
        contentMode = try fields.take("contentMode")?.choice(ContentMode.self)
        collapses = try fields.take("collapses").map(Self.collapse)
        intrinsic = try fields.take("intrinsic").map(Self.intrinsicSize)
        hugging = try fields.take("hugging")?.priorities()
        compression = try fields.take("compression")?.priorities()
        if let numbers = try fields.take("baseline")?.numbers(2, "[fromTop, fromBottom]") {
            baseline = BaselineOffsets(fromTop: numbers[0], fromBottom: numbers[1])
        }
        margins = try fields.take("margins")?.insets()
        safeArea = try fields.take("safeArea")?.insets()
        frame = try fields.take("frame").map(Self.placedFrame)
        if let node = fields.take("frameIn") {
            guard frame != nil else {
                throw node.error(.badValue, "a frame's place without the frame", expected: "frame")
            }
            frameIn = try Self.superviewSize(node)
        }
        autoresizing = try fields.take("autoresizing").map(Self.autoresizingMask)
        axis = try fields.take("axis")?.choice(Axis.self)
        distribution = try fields.take("distribution")?.choice(StackDistribution.self)
        alignment = try fields.take("alignment")?.choice(StackAlignment.self)
        spacing = try fields.take("spacing")?.number()
        customSpacing = try fields.take("customSpacing").map(Self.customSpacings)
        arranged = try fields.take("arranged")?.identifiers()
        contentOffset = try fields.take("contentOffset")?.point()
    }

    private static func collapse(_ node: Node) throws(DocumentError) -> Collapse {
        switch node.value.kind {
        case .bool(let both): return Collapse(width: both, height: both)
        case .string("width"): return Collapse(width: true, height: false)
        case .string("height"): return Collapse(width: false, height: true)
        case .string(let text):
            throw node.error(
                .badValue, "unknown value \"\(text.prefix(80))\"",
                expected: "width, height, true or false")
        default:
            throw node.error(
                .badOp, "found \(node.value.kindName)", expected: "width, height, true or false")
        }
    }

    private static func intrinsicSize(_ node: Node) throws(DocumentError) -> Size {
        let numbers = try node.numbers(2, "[width, height]", in: -1...Limits.numberMaximum)
        guard numbers.allSatisfy({ $0 == -1 || $0 >= 0 }) else {
            throw node.error(.badValue, "a size below zero", expected: "−1 for none")
        }
        return Size(width: numbers[0], height: numbers[1])
    }

    private static func placedFrame(_ node: Node) throws(DocumentError) -> Rect {
        let rect = try node.rect()
        guard rect.width >= 0, rect.height >= 0 else {
            throw node.error(.badValue, "a size below zero", expected: "[x, y, width, height]")
        }
        return rect
    }

    private static func superviewSize(_ node: Node) throws(DocumentError) -> Size {
        let numbers = try node.numbers(2, "[width, height]", in: 0...Limits.numberMaximum)
        return Size(width: numbers[0], height: numbers[1])
    }

    private static func autoresizingMask(_ node: Node) throws(DocumentError) -> AutoresizingMask {
        var mask: AutoresizingMask = []
        for element in try node.list() {
            let name = try element.text()
            guard let match = AutoresizingMask.all.first(where: { $0.name == name }) else {
                let names = AutoresizingMask.all.map(\.name).joined(separator: ", ")
                throw element.error(
                    .badValue, "unknown flag \"\(name.prefix(80))\"", expected: "one of \(names)")
            }
            mask.insert(match.flag)
        }
        return mask
    }

    private static func customSpacings(_ node: Node) throws(DocumentError) -> [CustomSpacing] {
        var fields = try node.object()
        var result: [CustomSpacing] = []
        for (id, value) in fields.takeAll() {
            result.append(CustomSpacing(id: id, value: try value.number()))
        }
        return result
    }

    /// Adds the keys that are given, in the order of the documentation.
    func write(to list: inout MemberList) {
        list.add("kind", kind?.rawValue)
        list.add("text", text)
        list.add("lines", lines)
        list.add("align", align?.rawValue)
        list.add("preferredWidth", preferredWidth)
        list.add("background", background?.text)
        list.add("foreground", foreground?.text)
        list.add("border", border?.rawValue)
        list.add("opacity", opacity)
        list.add("hidden", hidden)
        list.add("clips", clips)
        list.add("contentMode", contentMode?.rawValue)
        list.add("collapses", collapses.map(Self.json))
        list.add("intrinsic", intrinsic.map { .numbers($0.width, $0.height) })
        list.add("hugging", hugging.map { .of($0) })
        list.add("compression", compression.map { .of($0) })
        list.add("baseline", baseline.map { .numbers($0.fromTop, $0.fromBottom) })
        list.add("margins", margins.map(Self.json))
        list.add("safeArea", safeArea.map(Self.json))
        list.add("frame", frame.map { .of($0) })
        list.add("frameIn", frameIn.map { .numbers($0.width, $0.height) })
        list.add("autoresizing", autoresizing.map { .strings($0.names) })
        list.add("axis", axis?.rawValue)
        list.add("distribution", distribution?.rawValue)
        list.add("alignment", alignment?.rawValue)
        list.add("spacing", spacing)
        list.add(
            "customSpacing",
            customSpacing.map { spacings in
                .object(spacings.map { JSONMember($0.id, .number($0.value)) })
            })
        list.add("arranged", arranged.map { .strings($0) })
        list.add("contentOffset", contentOffset.map { .of($0) })
    }

    private static func json(_ collapse: Collapse) -> JSONValue {
        collapse.width == collapse.height
            ? .bool(collapse.width) : .string(collapse.width ? "width" : "height")
    }

    private static func json(_ insets: EdgeInsets) -> JSONValue {
        .numbers(insets.top, insets.leading, insets.bottom, insets.trailing)
    }
}

extension ViewSpec {
    init(_ fields: inout Fields) throws(DocumentError) {
        id = try fields.require("id").identifier()
        fields.node.id = id
        parent = try fields.take("parent")?.identifier() ?? "root"
        index = try fields.take("index")?.integer(in: 0...Limits.standard.viewMaximum)
        properties = try ViewProperties(&fields)
        guard id != "root" else {
            throw fields.node.error(.duplicateID, "\"root\" always exists and cannot be added")
        }
    }

    func write(to list: inout MemberList) {
        list.add("id", id)
        if parent != "root" { list.add("parent", parent) }
        list.add("index", index)
        properties.write(to: &list)
    }
}
