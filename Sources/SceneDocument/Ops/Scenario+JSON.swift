public import JSON

extension Scenario {
    /// Reads a scenario.
    ///
    /// - Throws: `DocumentError` for the first fault, the scene's and the ops' included.
    public static func parse(_ utf8: [UInt8]) throws(DocumentError) -> Scenario {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(utf8) } catch {
            throw DocumentError(error)
        }
        return try parse(value)
    }

    /// The same for a value that was read already.
    ///
    /// - Throws: `DocumentError` for the first fault, the scene's and the ops' included.
    public static func parse(
        _ value: JSONValue, path: String = ""
    ) throws(DocumentError) -> Scenario {
        var fields = try JSONCursor(value, path: path).object()
        let name = try fields.require("name").text()
        let statement = try fields.take("statement")?.text()
        let note = try fields.take("note")?.text()
        let sceneNode = try fields.require("scene")
        let scene = try SceneDocument.parse(sceneNode.value, path: sceneNode.path)
        let settle = try fields.take("settle")?.bool() ?? true
        let watch = try fields.take("watch")?.identifiers()
        var hooks: [Hook] = []
        if var views = try fields.take("hooks")?.object() {
            for (view, node) in views.takeAll() { hooks.append(try hook(view, node)) }
        }
        var steps: [Step] = []
        for node in try fields.require("steps").list() { steps.append(try step(node)) }
        try fields.finish(allowsNotes: true)
        return Scenario(
            name: name, statement: statement, note: note, scene: scene, settle: settle,
            watch: watch, hooks: hooks, steps: steps)
    }

    private static func hook(_ view: String, _ node: JSONCursor) throws(DocumentError) -> Hook {
        var fields = try node.object()
        var hook = Hook(view: view)
        if let ops = fields.take("updateProperties") {
            hook.updateProperties = try Op.parseArray(ops.value, path: ops.path)
        }
        if let ops = fields.take("updateConstraints") {
            hook.updateConstraints = try Op.parseArray(ops.value, path: ops.path)
        }
        if let ops = fields.take("layoutSubviews") {
            hook.layoutSubviews = try Op.parseArray(ops.value, path: ops.path)
        }
        try fields.finish()
        return hook
    }

    private static func step(_ node: JSONCursor) throws(DocumentError) -> Step {
        var fields = try node.object()
        let step: Step
        if let apply = fields.take("apply") {
            // Wrong ops stay: a scenario may show that they are refused.
            _ = try Op.parseEach(apply.value, path: apply.path)
            step = .apply(apply.value, atomic: try fields.take("atomic")?.bool() ?? false)
        } else if let tick = fields.take("tick") {
            step = .tick(try tick.integer(in: 1...1_000_000))
        } else if let expect = fields.take("expect") {
            step = .expect(try Expectation(expect))
        } else {
            throw node.error(.badOp, "an unknown step", expected: "apply, tick or expect")
        }
        try fields.finish()
        return step
    }

    /// The scenario as a JSON value; `parse` reads it back as an equal scenario.
    public var json: JSONValue {
        var list = JSONMembers()
        list.add("name", name)
        list.add("statement", statement)
        list.add("note", note)
        list.add("scene", scene.json)
        if !settle { list.add("settle", false) }
        list.add("watch", watch.map { .strings($0) })
        if !hooks.isEmpty {
            list.add("hooks", .object(hooks.map { JSONMember($0.view, Self.json($0)) }))
        }
        list.add("steps", .array(steps.map(Self.json)))
        return list.json
    }

    private static func json(_ hook: Hook) -> JSONValue {
        var list = JSONMembers()
        if !hook.updateProperties.isEmpty {
            list.add("updateProperties", .array(hook.updateProperties.map { $0.json }))
        }
        if !hook.updateConstraints.isEmpty {
            list.add("updateConstraints", .array(hook.updateConstraints.map { $0.json }))
        }
        if !hook.layoutSubviews.isEmpty {
            list.add("layoutSubviews", .array(hook.layoutSubviews.map { $0.json }))
        }
        return list.json
    }

    private static func json(_ step: Step) -> JSONValue {
        var list = JSONMembers()
        switch step {
        case .apply(let ops, let atomic):
            list.add("apply", ops)
            if atomic { list.add("atomic", true) }
        case .tick(let count): list.add("tick", count)
        case .expect(let expectation): list.add("expect", expectation.json)
        }
        return list.json
    }
}

extension Expectation {
    init(_ node: JSONCursor) throws(DocumentError) {
        self.init()
        var fields = try node.object()
        device = try fields.take("device")?.identifier()
        frames = try fields.take("frames").map(Self.rects)
        presentation = try fields.take("presentation").map(Self.rects)
        lines = try fields.take("lines").map(Self.lines)
        trace = try fields.take("trace").map(Self.texts)
        displayed = try fields.take("displayed")?.identifiers()
        if let code = fields.take("refused") {
            refused =
                code.value.kind == .null ? Refused.none : .code(try code.choice(RefusalCode.self))
        }
        broken = try fields.take("broken").map(Self.texts)
        ambiguous = try fields.take("ambiguous")?.identifiers()
        hash = try fields.take("hash")?.text()
        try fields.finish()
    }

    private static func rects(_ node: JSONCursor) throws(DocumentError) -> [NamedRect] {
        var fields = try node.object()
        var result: [NamedRect] = []
        for (id, value) in fields.takeAll() {
            result.append(NamedRect(id: id, rect: try value.rect()))
        }
        return result
    }

    private static func lines(_ node: JSONCursor) throws(DocumentError) -> [NamedLines] {
        var fields = try node.object()
        var result: [NamedLines] = []
        for (id, value) in fields.takeAll() {
            result.append(NamedLines(id: id, texts: try texts(value)))
        }
        return result
    }

    private static func texts(_ node: JSONCursor) throws(DocumentError) -> [String] {
        var result: [String] = []
        for element in try node.list() { result.append(try element.text()) }
        return result
    }

    var json: JSONValue {
        var list = JSONMembers()
        list.add("device", device)
        list.add("frames", frames.map(Self.json))
        list.add("presentation", presentation.map(Self.json))
        list.add(
            "lines", lines.map { .object($0.map { JSONMember($0.id, .strings($0.texts)) }) })
        list.add("trace", trace.map { .strings($0) })
        list.add("displayed", displayed.map { .strings($0) })
        switch refused {
        case .absent: break
        case .none: list.add("refused", .null)
        case .code(let code): list.add("refused", code.rawValue)
        }
        list.add("broken", broken.map { .strings($0) })
        list.add("ambiguous", ambiguous.map { .strings($0) })
        list.add("hash", hash)
        return list.json
    }

    private static func json(_ rects: [NamedRect]) -> JSONValue {
        .object(rects.map { JSONMember($0.id, .of($0.rect)) })
    }
}
