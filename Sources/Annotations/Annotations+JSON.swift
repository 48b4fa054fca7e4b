import Bytes
public import JSON
public import SceneDocument

/// Annotations as JSON: in messages one by one, in journals all together.
extension Annotations {
    /// Everything, in an order of its own.
    public var keys: [AnnotationKey] {
        var keys: [AnnotationKey] = []
        for id in threads.keys.sorted() {
            keys.append(.thread(id))
            keys += (threads[id]?.comments ?? []).map { .comment(id, $0.number) }
        }
        keys += locks.keys.sorted().map { .lock($0) }
        keys += versions.map { .version($0.name) }
        keys += suggestions.keys.sorted().map { .suggestion($0) }
        return keys
    }

    /// What messages say of one thing; `null` where it is gone.
    public func value(of key: AnnotationKey) -> JSONValue {
        switch key {
        case .thread(let id): threads[id]?.json ?? .null
        case .comment(let id, let number):
            threads[id]?.comments.first { $0.number == number }?.json ?? .null
        case .lock(let view): locks[view]?.json ?? .null
        case .version(let name): version(name)?.json ?? .null
        case .suggestion(let id): suggestions[id]?.json ?? .null
        }
    }

    /// All of it, as a journal keeps it.
    public var json: JSONValue {
        let threads = threads.keys.sorted().compactMap { self.threads[$0] }.map { thread in
            JSONValue.object([
                JSONMember("id", .string(thread.id)), JSONMember("thread", thread.json),
                JSONMember("next", .number(Double(thread.nextNumber))),
                JSONMember("comments", .array(thread.comments.map(\.json))),
            ])
        }
        var members = [
            JSONMember("threads", .array(threads)),
            JSONMember("locks", .array(locks.keys.sorted().compactMap { locks[$0]?.json })),
            JSONMember("versions", .array(versions.map(\.journalJSON))),
        ]
        // Journals of rooms without suggestions are as they were.
        if !suggestions.isEmpty {
            let list = suggestions.keys.sorted().compactMap { suggestions[$0]?.journalJSON }
            members.append(JSONMember("suggestions", .array(list)))
        }
        return .object(members)
    }

    /// Reads what `json` wrote.
    ///
    /// - Throws: `DocumentError`.
    public init(_ value: JSONValue) throws(DocumentError) {
        let cursor = JSONCursor(value)
        for node in try cursor.require("threads").list() { add(try CommentThread(node)) }
        for node in try cursor.require("locks").list() { set(try ViewLock(node)) }
        for node in try cursor.require("versions").list() { add(try SceneVersion(node)) }
        for node in try cursor.member("suggestions")?.list() ?? .empty {
            set(try Suggestion(node))
        }
        changes.removeAll()
    }
}

extension Annotations.Stamp {
    /// The stamp as a journal has it.
    public var json: JSONValue {
        .object([
            JSONMember("by", person.json), JSONMember("time", .number(Double(time))),
            JSONMember("tick", .string(String(tick))),
        ])
    }

    /// Reads what `json` wrote.
    ///
    /// - Throws: `DocumentError`.
    package init(_ cursor: JSONCursor) throws(DocumentError) {
        self.init(
            person: try Person(cursor.require("by")),
            time: try cursor.require("time").wholeNumber(),
            tick: try cursor.require("tick").wholeNumber())
    }
}

extension Person {
    var json: JSONValue {
        var members = [
            JSONMember("person", .string(String(key))), JSONMember("name", .string(name)),
        ]
        if !subject.isEmpty { members.append(JSONMember("subject", .string(subject))) }
        return .object(members)
    }

    init(_ cursor: JSONCursor) throws(DocumentError) {
        let node = try cursor.require("person")
        self.init(
            key: try node.wholeNumber(), name: try cursor.require("name").text(),
            subject: try cursor.member("subject")?.text() ?? "")
    }
}

extension CommentThread {
    fileprivate var json: JSONValue {
        var members = anchor.members
        members.append(JSONMember("resolved", .bool(resolvedBy != nil)))
        if let resolvedBy { members.append(JSONMember("resolvedBy", resolvedBy.json)) }
        return .object(members)
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        id = try cursor.require("id").text()
        let node = try cursor.require("thread")
        var fields = try node.object()
        anchor = try Anchor(&fields)
        if let person = fields.take("resolvedBy") { resolvedBy = try Person(person) }
        nextNumber = try cursor.require("next").wholeNumber()
        for comment in try cursor.require("comments").list() {
            comments.append(try Comment(comment))
        }
    }
}

extension Comment {
    fileprivate var json: JSONValue {
        var members = [
            JSONMember("number", .number(Double(number))), JSONMember("author", author.json),
            JSONMember("time", .number(Double(time))), JSONMember("text", .string(text)),
        ]
        if let editTime { members.append(JSONMember("edited", .number(Double(editTime)))) }
        if !mentions.isEmpty {
            members.append(JSONMember("mentions", .array(mentions.map { .string($0) })))
        }
        if !reactions.isEmpty {
            let list = reactions.map { entry in
                JSONValue.object([
                    JSONMember("reaction", .string(entry.reaction)),
                    JSONMember("people", .array(entry.people.map(\.json))),
                ])
            }
            members.append(JSONMember("reactions", .array(list)))
        }
        return .object(members)
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        number = try cursor.require("number").wholeNumber()
        author = try Person(cursor.require("author"))
        time = try cursor.require("time").wholeNumber()
        text = try cursor.require("text").text()
        editTime = try cursor.member("edited")?.wholeNumber()
        mentions = []
        for name in try cursor.member("mentions")?.list() ?? .empty {
            mentions.append(try name.text())
        }
        for entry in try cursor.member("reactions")?.list() ?? .empty {
            var people: [Person] = []
            for person in try entry.require("people").list() { people.append(try Person(person)) }
            reactions.append((try entry.require("reaction").text(), people))
        }
    }
}

extension ViewLock {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("view", .string(view)), JSONMember("holder", holder.json),
            JSONMember("note", .string(note)), JSONMember("time", .number(Double(time))),
            JSONMember("seconds", .number(Double(seconds))),
        ])
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        view = try cursor.require("view").text()
        holder = try Person(cursor.require("holder"))
        note = try cursor.require("note").text()
        time = try cursor.require("time").wholeNumber()
        seconds = try cursor.require("seconds").wholeNumber()
    }
}

extension SceneVersion {
    fileprivate var json: JSONValue { .object(members) }

    private var members: [JSONMember] {
        [
            JSONMember("name", .string(name)), JSONMember("note", .string(note)),
            JSONMember("author", author.json), JSONMember("time", .number(Double(time))),
            JSONMember("tick", .string(String(tick))),
        ]
    }

    fileprivate var journalJSON: JSONValue {
        .object(
            members + scene.members)
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        name = try cursor.require("name").text()
        note = try cursor.require("note").text()
        author = try Person(cursor.require("author"))
        time = try cursor.require("time").wholeNumber()
        tick = try cursor.require("tick").wholeNumber()
        scene = try PackedDocument(cursor)
    }
}
