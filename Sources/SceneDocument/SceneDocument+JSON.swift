import ConstraintLanguage
public import JSON

extension SceneDocument {
    /// Takes a document's keys, so that an op can carry them beside its own.
    init(
        _ fields: inout JSONFields, limits: Limits = .standard
    ) throws(DocumentError) {
        _ = try fields.require("scene").integer(in: 1...1)
        let viewport = try fields.require("viewport")
        let devices = fields.take("devices")
        let faces = fields.take("faces")
        let views = try fields.take("views")?.list() ?? .empty
        let guides = try fields.take("guides")?.list() ?? .empty
        let constraints = try fields.take("constraints")?.list() ?? .empty
        let sets = fields.take("sets")
        try Self.check(views.count + guides.count, limits.viewMaximum, "views", fields.node)
        try Self.check(constraints.count, limits.constraintMaximum, "constraints", fields.node)
        self.init(viewport: try Viewport(viewport))
        if let node = devices { self.devices = try DeviceSpec.list(node) }
        if let node = faces { self.faces = try FaceSpec.list(node) }
        var checks = DocumentChecks(limits: limits)
        checks.reserveCapacity(
            items: views.count + guides.count, constraints: constraints.count)
        self.views.reserveCapacity(views.count)
        self.constraints.reserveCapacity(constraints.count)
        for node in views {
            var members = try node.object()
            let view = try ViewSpec(&members)
            try members.finish()
            try checks.declare(view, members.node)
            self.views.append(view)
        }
        for node in guides {
            let guide = try GuideSpec(node)
            try checks.declare(guide, node)
            self.guides.append(guide)
        }
        try checks.checkTree()
        for (view, node) in zip(self.views, views) { try checks.check(view, node) }
        for node in constraints {
            let constraint = try ConstraintSpec(node)
            try checks.check(constraint, node)
            self.constraints.append(constraint)
        }
        guard let sets else { return }
        var members = try sets.object()
        for (id, node) in members.takeAll() {
            self.sets.append(try Self.set(id, node, &checks))
        }
    }

    private static func check(
        _ count: Int, _ maximum: Int, _ what: String, _ node: JSONCursor
    ) throws(DocumentError) {
        guard count <= maximum else {
            throw node.error(.limit, "\(count) \(what), the most are \(maximum)")
        }
    }

    private static func set(
        _ id: String, _ node: JSONCursor, _ checks: inout DocumentChecks
    ) throws(DocumentError) -> ConstraintSetSpec {
        var node = node
        node.id = id
        guard Identifier.isValid(id) else {
            throw node.error(
                .badValue, "\"\(id.prefix(80))\" is not a name",
                expected: "a letter or _, then letters, digits, _ and -, at most 64 bytes")
        }
        var fields = try node.object()
        var set = ConstraintSetSpec(id: id, constraints: [])
        if let when = fields.take("when") {
            let text = try when.text()
            do throws(LanguageError) { set.when = try Condition.parse(text) } catch {
                throw ConstraintSpec.error(error, in: text, when)
            }
            // What it names may be missing, as after a view's removal: the condition is false then.
            //
            // The canonical text is what an export writes, and it can be longer than the text that
            // was read.
            if let condition = set.when,
                condition.isLonger(than: Limits.standard.textBytesMaximum, readFrom: text)
            {
                throw when.error(
                    .badValue, "a condition of \(condition.description.utf8.count) bytes",
                    expected: "at most \(Limits.standard.textBytesMaximum)")
            }
        }
        for element in try fields.require("constraints").list() {
            let constraint = try ConstraintSpec(element)
            try checks.check(constraint, element)
            set.constraints.append(constraint)
        }
        try fields.finish()
        return set
    }

    /// The document as a JSON value.
    public var json: JSONValue {
        var list = JSONMembers()
        write(to: &list)
        return list.json
    }

    func write(to list: inout JSONMembers) {
        list.add("scene", 1)
        list.add("viewport", viewport.json)
        if !devices.isEmpty {
            list.add("devices", .object(devices.map { JSONMember($0.id, $0.json) }))
        }
        if !faces.isEmpty { list.add("faces", .array(faces.map { $0.json })) }
        list.add(
            "views",
            .array(
                views.map { view in
                    var members = JSONMembers()
                    view.write(to: &members)
                    return members.json
                }))
        if !guides.isEmpty { list.add("guides", .array(guides.map { $0.json })) }
        list.add("constraints", .array(constraints.map { $0.json }))
        guard !sets.isEmpty else { return }
        list.add("sets", .object(sets.map { JSONMember($0.id, $0.json) }))
    }
}

extension GuideSpec {
    init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        id = try fields.require("id").identifier()
        fields.node.id = id
        parent = try fields.take("parent")?.identifier() ?? "root"
        try fields.finish()
    }

    var json: JSONValue {
        var list = JSONMembers()
        list.add("id", id)
        if parent != "root" { list.add("parent", parent) }
        return list.json
    }
}

extension ConstraintSetSpec {
    var json: JSONValue {
        var list = JSONMembers()
        list.add("when", when?.description)
        list.add("constraints", .array(constraints.map { $0.json }))
        return list.json
    }
}
