import SceneModel
import SceneProtocol

/// How the ledger is kept in the journal's snapshots. Tables are written in the order of their keys.
extension UndoLedger {
    var json: JSONValue {
        let writers = authors.map { ($0.key.key, $0.value) }.sorted { $0.0 < $1.0 }
        let names = people.keys.sorted()
        return .object([
            JSONMember("steps", .number(Double(stepMaximum))),
            JSONMember(
                "authors",
                .object(writers.map { JSONMember($0.0, Self.json($0.1)) })),
            JSONMember(
                "people",
                .object(
                    names.compactMap { name in
                        people[name].map { person in
                            JSONMember(
                                name,
                                .object([
                                    JSONMember("undo", .array(person.undo.map(\.json))),
                                    JSONMember("redo", .array(person.redo.map(\.json))),
                                ]))
                        }
                    })),
        ])
    }

    fileprivate static func json(_ table: [String: String]) -> JSONValue {
        .object(
            table.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) })
    }

    /// Reads what `json` made.
    ///
    /// - Parameter stepMaximum: How many steps were kept, where a journal of an earlier version does not say so; a replay
    ///   that kept more or fewer would take others back.
    /// - Throws: `DocumentError` for anything else.
    init(_ value: JSONValue, stepMaximum: Int) throws(DocumentError) {
        var authors: [EditObject: [String: String]] = [:]
        for member in try Reading.members(value["authors"]) {
            authors[try Reading.object(member.key)] = try Reading.table(member.value)
        }
        var people: [String: Person] = [:]
        for member in try Reading.members(value["people"]) {
            var person = Person()
            for step in try Reading.list(member.value["undo"]) {
                person.undo.append(try Step(step))
            }
            for step in try Reading.list(member.value["redo"]) {
                person.redo.append(try Step(step))
            }
            people[member.key] = person
        }
        let steps = try value["steps"].map { value throws(DocumentError) -> Int in
            try Reading.number(value)
        }
        self.init(stepMaximum: steps ?? stepMaximum, authors: authors, people: people)
    }
}

extension UndoLedger.Step {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("group", .number(Double(group))),
            JSONMember("parts", .array(parts.map(\.json))),
        ])
    }

    fileprivate init(_ value: JSONValue) throws(DocumentError) {
        self.init(group: try Reading.number(value["group"]), parts: [])
        for part in try Reading.list(value["parts"]) { parts.append(try UndoLedger.Part(part)) }
    }
}

extension UndoLedger.Part {
    fileprivate var json: JSONValue {
        var members: [JSONMember] = []
        switch kind {
        case .wrote(let object, let property):
            members = [
                JSONMember("wrote", .string(object.key)),
                JSONMember("property", .string(property)),
            ]
        case .added(let objects):
            members = [JSONMember("added", .array(objects.map { .string($0.key) }))]
        case .removed(let objects):
            members = [JSONMember("removed", .array(objects.map { .string($0.key) }))]
        }
        members.append(JSONMember("inverse", .array(inverse.map(\.json))))
        members.append(JSONMember("before", .array(before.map(\.json))))
        if let expected { members.append(JSONMember("expected", .string(expected))) }
        return .object(members)
    }

    fileprivate init(_ value: JSONValue) throws(DocumentError) {
        let kind: Edit.Kind
        if let object = value["wrote"] {
            kind = .wrote(
                try Reading.object(try Reading.text(object)),
                property: try Reading.text(value["property"]))
        } else {
            var objects: [EditObject] = []
            for object in try Reading.list(value["added"] ?? value["removed"]) {
                objects.append(try Reading.object(try Reading.text(object)))
            }
            kind = value["added"] == nil ? .removed(objects) : .added(objects)
        }
        guard let ops = value["inverse"] else { throw Reading.fault("an edit has no inverse") }
        var before: [UndoLedger.Before] = []
        for entry in try Reading.list(value["before"]) {
            before.append(try UndoLedger.Before(entry))
        }
        self.init(
            kind: kind, inverse: try Op.parseArray(ops, path: "inverse"), before: before,
            expected: try value["expected"].map { value throws(DocumentError) in
                try Reading.text(value)
            })
    }
}

extension UndoLedger.Before {
    fileprivate var json: JSONValue {
        switch self {
        case .property(let object, let name, let author):
            var members = [
                JSONMember("object", .string(object.key)), JSONMember("property", .string(name)),
            ]
            if let author { members.append(JSONMember("author", .string(author))) }
            return .object(members)
        case .object(let object, let authors):
            return .object([
                JSONMember("object", .string(object.key)),
                JSONMember("authors", UndoLedger.json(authors)),
            ])
        }
    }

    fileprivate init(_ value: JSONValue) throws(DocumentError) {
        let object = try Reading.object(try Reading.text(value["object"]))
        if let name = value["property"] {
            self = .property(
                object, try Reading.text(name),
                author: try value["author"].map { value throws(DocumentError) in
                    try Reading.text(value)
                })
        } else {
            self = .object(object, authors: try Reading.table(value["authors"]))
        }
    }
}

/// Reading the journal's own JSON.
enum Reading {
    static func fault(_ message: String) -> DocumentError {
        DocumentError(code: .badOp, message: message)
    }

    static func members(_ value: JSONValue?) throws(DocumentError) -> [JSONMember] {
        guard case .object(let members) = value?.kind else { throw fault("not an object") }
        return members
    }

    static func list(_ value: JSONValue?) throws(DocumentError) -> [JSONValue] {
        guard case .array(let list) = value?.kind else { throw fault("not a list") }
        return list
    }

    static func text(_ value: JSONValue?) throws(DocumentError) -> String {
        guard case .string(let text) = value?.kind else { throw fault("not a text") }
        return text
    }

    /// Numbers beyond what a double holds exactly are written as texts.
    static func number<Number: FixedWidthInteger>(
        _ value: JSONValue?
    ) throws(DocumentError) -> Number {
        switch value?.kind {
        case .number(let number):
            if let whole = Number(exactly: number) { return whole }
        case .string(let text):
            if let whole = Number(text) { return whole }
        default: break
        }
        throw fault("not a whole number")
    }

    static func object(_ key: String) throws(DocumentError) -> EditObject {
        guard let object = EditObject(key: key) else { throw fault("\"\(key)\" is no object") }
        return object
    }

    static func table(_ value: JSONValue?) throws(DocumentError) -> [String: String] {
        var table: [String: String] = [:]
        for member in try members(value) { table[member.key] = try text(member.value) }
        return table
    }
}
