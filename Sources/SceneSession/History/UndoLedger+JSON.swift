import Annotations
import JSON
import SceneDocument
import SceneModel

/// The form of the ledger in the journal's snapshots. Tables are written in the order of their
/// keys.
extension UndoLedger {
    var json: JSONValue {
        let writers = authors.map { ($0.key.key, $0.value) }.sorted { $0.0 < $1.0 }
        let names = people.keys.sorted()
        var members = [JSONMember("steps", .number(Double(stepMaximum)))]
        if byteMaximum < .max { members.append(JSONMember("bytes", .number(Double(byteMaximum)))) }
        return .object(
            members + [
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

    /// Parses the result of `json`.
    ///
    /// - Parameter stepMaximum: The number of steps to keep if a journal of an earlier version does
    ///   not say so; with another number, a replay would undo other steps.
    /// - Throws: `DocumentError` for anything else.
    init(_ value: JSONValue, stepMaximum: Int) throws(DocumentError) {
        let ledger = JSONCursor(value, path: "ledger")
        var authors: [EditObject: [String: String]] = [:]
        for (key, names) in try ledger.require("authors").members() {
            authors[try names.editObject(named: key)] = try names.texts()
        }
        var people: [String: Person] = [:]
        for (name, steps) in try ledger.require("people").members() {
            var person = Person()
            for step in try steps.require("undo").list() { person.undo.append(try Step(step)) }
            for step in try steps.require("redo").list() { person.redo.append(try Step(step)) }
            people[name] = person
        }
        let steps: Int? = try ledger.member("steps")?.wholeNumber()
        self.init(stepMaximum: steps ?? stepMaximum, authors: authors, people: people)
        // Journals of earlier versions had no maximum.
        byteMaximum = try ledger.member("bytes")?.wholeNumber() ?? .max
    }
}

extension UndoLedger.Step {
    fileprivate var json: JSONValue {
        .object(
            [
                JSONMember("group", .number(Double(group))),
                JSONMember("parts", .array(parts.map(\.json))),
            ] + (scene?.members ?? []))
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        guard cursor.member("scene") == nil else {
            self.init(scene: try PackedDocument(cursor))
            return
        }
        var parts: [UndoLedger.Part] = []
        for part in try cursor.require("parts").list() { parts.append(try UndoLedger.Part(part)) }
        self.init(group: try cursor.require("group").wholeNumber(), parts: parts)
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

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        let kind: Edit.Kind
        if let object = cursor.member("wrote") {
            kind = .wrote(
                try object.editObject(),
                property: try cursor.require("property").journalText())
        } else {
            let isAdded = cursor.member("added") != nil
            var objects: [EditObject] = []
            for object in try cursor.require(isAdded ? "added" : "removed").list() {
                objects.append(try object.editObject())
            }
            kind = isAdded ? .added(objects) : .removed(objects)
        }
        let ops = try cursor.require("inverse")
        var before: [UndoLedger.Before] = []
        for entry in try cursor.require("before").list() {
            before.append(try UndoLedger.Before(entry))
        }
        self.init(
            kind: kind, inverse: try Op.parseArray(ops.value, path: ops.path, maximum: .max),
            before: before,
            expected: try cursor.member("expected")?.journalText())
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

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        let object = try cursor.require("object").editObject()
        if let name = cursor.member("property") {
            self = .property(
                object, try name.journalText(),
                author: try cursor.member("author")?.journalText())
        } else {
            self = .object(object, authors: try cursor.require("authors").texts())
        }
    }
}

extension JSONCursor {
    /// A text of any length: the journal's texts were accepted once and must be readable.
    func journalText() throws(DocumentError) -> String { try text(byteMaximum: .max) }

    /// The object of an edit.
    fileprivate func editObject() throws(DocumentError) -> EditObject {
        try editObject(named: try journalText())
    }

    fileprivate func editObject(named key: String) throws(DocumentError) -> EditObject {
        guard let object = EditObject(key: key) else {
            throw error(.badOp, "\"\(key.prefix(80))\" is not the object of an edit")
        }
        return object
    }

    /// Texts by name.
    fileprivate func texts() throws(DocumentError) -> [String: String] {
        var table: [String: String] = [:]
        for (key, cursor) in try members() { table[key] = try cursor.journalText() }
        return table
    }
}
