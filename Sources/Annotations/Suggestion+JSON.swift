import JSON
import SceneDocument

/// Suggestions as JSON: in messages without scenes, in journals with them.
extension Suggestion {
    /// What messages say of it.
    var json: JSONValue { .object(members) }

    /// All of it, as a journal keeps it.
    var journalJSON: JSONValue {
        var all = [JSONMember("id", .string(id))] + members
        all += base.scene.members
        if isOwn { all.append(JSONMember("own", .bool(true))) }
        if let former {
            all.append(JSONMember("formerScene", .object(former.scene.members)))
            all.append(JSONMember("formerBase", former.base.json))
        }
        return .object(all)
    }

    private var members: [JSONMember] {
        var members = [
            JSONMember("name", .string(name)), JSONMember("note", .string(note)),
            JSONMember("author", author.json), JSONMember("time", .number(Double(time))),
            JSONMember("tick", .string(String(base.tick))),
        ]
        switch state {
        case .open: members.append(JSONMember("state", .string("open")))
        case .accepted(let decision):
            members.append(JSONMember("state", .string("accepted")))
            members.append(JSONMember("decided", decision.json))
        case .refused(let decision, let reason):
            members.append(JSONMember("state", .string("refused")))
            members.append(JSONMember("decided", decision.json))
            members.append(JSONMember("reason", .string(reason)))
        }
        if !conflicts.isEmpty {
            members.append(JSONMember("conflicts", .array(conflicts.map { .string($0) })))
        }
        return members
    }

    /// Reads what `journalJSON` wrote.
    ///
    /// - Throws: `DocumentError`.
    init(_ cursor: JSONCursor) throws(DocumentError) {
        self.init(
            id: try cursor.require("id").text(), name: try cursor.require("name").text(),
            note: try cursor.require("note").text(), author: try Person(cursor.require("author")),
            time: try cursor.require("time").wholeNumber(), base: try Base(cursor))
        let node = try cursor.require("state")
        switch try node.text() {
        case "open": state = .open
        case "accepted": state = .accepted(try Decision(cursor.require("decided")))
        case "refused":
            state = .refused(
                try Decision(cursor.require("decided")),
                reason: try cursor.require("reason").text())
        default: throw node.error(.badValue, "no state of a suggestion")
        }
        for node in try cursor.member("conflicts")?.list() ?? .empty {
            conflicts.append(try node.text())
        }
        isOwn = try cursor.member("own")?.bool() ?? false
        if let scene = cursor.member("formerScene") {
            former = Former(
                scene: try PackedDocument(scene), base: try Base(cursor.require("formerBase")))
        }
    }
}

extension Suggestion.Base {
    fileprivate var json: JSONValue {
        .object([JSONMember("tick", .string(String(tick)))] + scene.members)
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        self.init(
            scene: try PackedDocument(cursor), tick: try cursor.require("tick").wholeNumber())
    }
}

extension Suggestion.Decision {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("by", person.json), JSONMember("time", .number(Double(time))),
            JSONMember("tick", .string(String(tick))),
        ])
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        self.init(
            person: try Person(cursor.require("by")),
            time: try cursor.require("time").wholeNumber(),
            tick: try cursor.require("tick").wholeNumber())
    }
}
