import JSON

extension ViewProperties {
    /// Takes every key of a view that `fields` holds.
    init(_ fields: inout JSONFields) throws(DocumentError) {
        self.init()
        let none = ViewProperties()
        var reader = Reader(fields: fields)
        // Most ops have few keys, so the rest is not looked for once all are found.
        for key in ViewKey.ofViews where !reader.fields.isExhausted {
            try visit(key, besides: none, &reader)
            if key == .frameIn, frame == nil, let node = reader.last {
                throw node.error(.badValue, "a frame's place without the frame", expected: "frame")
            }
        }
        defer { fields = reader.fields }
        guard !reader.fields.isExhausted else { return }
        // Written at once: each change takes memory for another copy.
        var shape = LookProperties()
        for key in ViewKey.ofLook where !reader.fields.isExhausted {
            try shape.visit(key, besides: LookProperties(), &reader)
        }
        look = shape
        guard !reader.fields.isExhausted else { return }
        var people = InteractionProperties()
        for key in ViewKey.ofInteraction where !reader.fields.isExhausted {
            try people.visit(key, besides: InteractionProperties(), &reader)
        }
        interaction = people
    }

    /// Adds the keys that are given, in the order of the documentation.
    func write(to list: inout JSONMembers) {
        var copy = self
        var writer = Writer(list: list)
        for key in Self.keys(self, self) { copy.visit(key, besides: self, &writer) }
        list = writer.list
    }

    private struct Reader: ViewPropertyVisitor {
        var fields: JSONFields
        /// The value of the key that was visited last, if there is one.
        var last: JSONCursor?

        mutating func visit<Value>(
            _ key: ViewKey, _ own: inout Value?, _ other: Value?,
            _ format: @autoclosure () -> PropertyFormat<Value>
        ) throws(DocumentError) {
            last = fields.take(key.rawValue)
            if let last { own = try format().read(last) }
        }
    }

    private struct Writer: ViewPropertyVisitor {
        var list: JSONMembers

        mutating func visit<Value>(
            _ key: ViewKey, _ own: inout Value?, _ other: Value?,
            _ format: @autoclosure () -> PropertyFormat<Value>
        ) throws(Never) {
            if let own { list.add(key.rawValue, format().write(own)) }
        }
    }
}

extension ViewSpec {
    init(_ fields: inout JSONFields) throws(DocumentError) {
        id = try fields.require("id").identifier()
        fields.node.id = id
        parent = try fields.take("parent")?.identifier() ?? "root"
        index = try fields.take("index")?.integer(in: 0...Limits.standard.viewMaximum)
        sharedProperties = Shared(try ViewProperties(&fields))
        guard id != "root" else {
            throw fields.node.error(.duplicateID, "\"root\" always exists and cannot be added")
        }
    }

    func write(to list: inout JSONMembers) {
        list.add("id", id)
        if parent != "root" { list.add("parent", parent) }
        list.add("index", index)
        properties.write(to: &list)
    }
}
