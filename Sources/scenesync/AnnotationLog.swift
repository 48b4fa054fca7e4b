import FoundationEssentials
import JSON
import SceneWire

/// Annotations as lists: threads with their comments, locks and versions.
struct AnnotationLog {
    private struct Thread {
        let id: String
        let value: JSONValue
        let comments: [JSONValue]

        var isResolved: Bool { value["resolved"] == .bool(true) }

        /// Whether a person wrote one of the comments or is mentioned in one.
        func isWith(_ name: String) -> Bool {
            comments.contains { comment in
                let author = comment["author"]
                if [author?["name"], author?["subject"]].contains(.string(name)) { return true }
                guard let mentions = comment["mentions"]?.array else { return false }
                return mentions.contains(.string(name))
            }
        }
    }

    private let threads: [Thread]
    private let locks: [(id: String, value: JSONValue)]
    private let versions: [(id: String, value: JSONValue)]
    private let suggestions: [(id: String, value: JSONValue)]

    /// Sorts what is said: open threads first, each group, locks and versions by their times.
    ///
    /// - Parameters:
    ///   - isOpen: Whether to leave out resolved threads.
    ///   - name: A person's name or subject, to leave out threads of others.
    init(_ table: AnnotationTable, isOpen: Bool = false, with name: String? = nil) {
        var comments: [String: [JSONValue]] = [:]
        for (id, value) in table.all(.comment) {
            comments[id.split(separator: ".").dropLast().joined(separator: "."), default: []]
                .append(value)
        }
        threads = table.all(.thread).map { id, value in
            Thread(
                id: id, value: value,
                comments: (comments[id] ?? []).sorted { Self.place(of: $0) < Self.place(of: $1) })
        }.filter { (!isOpen || !$0.isResolved) && (name.map($0.isWith) ?? true) }.sorted {
            ($0.isResolved ? 1 : 0, Self.time($0.comments.first), $0.id)
                < ($1.isResolved ? 1 : 0, Self.time($1.comments.first), $1.id)
        }
        locks = Self.inOrder(table.all(.lock))
        versions = Self.inOrder(table.all(.version))
        suggestions = Self.inOrder(table.all(.suggestion))
    }

    private static func inOrder(_ values: [String: JSONValue]) -> [(id: String, value: JSONValue)] {
        values.sorted { (time($0.value), $0.key) < (time($1.value), $1.key) }
            .map { ($0.key, $0.value) }
    }

    /// The number of a comment in its thread.
    private static func place(of comment: JSONValue) -> Int {
        comment["number"]?.number.flatMap(Int.init(exactly:)) ?? 0
    }

    private static func time(_ value: JSONValue?) -> Double { value?["time"]?.number ?? 0 }

    /// The text of a member; empty where there is none.
    private static func text(_ value: JSONValue?, _ key: String) -> String {
        value?[key]?.string ?? ""
    }

    // MARK: Text

    /// The text for people.
    var text: String {
        var lines: [String] = []
        let open = threads.count { !$0.isResolved }
        lines.append(
            "comments: \(threads.count) thread\(threads.count == 1 ? "" : "s"), \(open) open")
        for thread in threads {
            lines.append(
                "  \(thread.id) \(Self.subject(of: thread.value))" + Self.state(of: thread.value))
            for comment in thread.comments { lines += Self.lines(of: comment) }
        }
        lines.append("locks: \(locks.count)")
        for (id, lock) in locks {
            let note = Self.text(lock, "note")
            lines.append(
                "  \(id): \(Self.name(lock["holder"])), since \(Self.moment(lock))"
                    + (note.isEmpty ? "" : ", \(note)"))
        }
        lines.append("versions: \(versions.count)")
        for (id, version) in versions {
            let note = Self.text(version, "note")
            lines.append(
                "  \(id): \(Self.name(version["author"])), \(Self.moment(version)), "
                    + "tick \(Self.text(version, "tick"))"
                    + (note.isEmpty ? "" : ", \(note)"))
        }
        if !suggestions.isEmpty { lines.append(suggestionText) }
        return lines.joined(separator: "\n")
    }

    /// The suggestions, for people.
    var suggestionText: String {
        let open = suggestions.count { Self.text($0.value, "state") == "open" }
        var lines = ["suggestions: \(suggestions.count), \(open) open"]
        for (id, suggestion) in suggestions {
            let note = Self.text(suggestion, "note")
            lines.append(
                "  \(id): \(Self.text(suggestion, "name")), \(Self.name(suggestion["author"])), "
                    + "\(Self.moment(suggestion)), \(Self.decision(on: suggestion))"
                    + (note.isEmpty ? "" : ", \(note)"))
            for conflict in suggestion["conflicts"]?.array?.compactMap(\.string) ?? [] {
                lines.append("    conflict: \(conflict)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// What became of a suggestion.
    private static func decision(on suggestion: JSONValue) -> String {
        let state = text(suggestion, "state")
        guard let decided = suggestion["decided"] else { return state }
        let reason = text(suggestion, "reason")
        return "\(state) by \(name(decided["by"]))" + (reason.isEmpty ? "" : ": \(reason)")
    }

    private static func lines(of comment: JSONValue) -> [String] {
        var reactions = ""
        if let list = comment["reactions"]?.array {
            for each in list {
                guard let people = each["people"]?.array else { continue }
                reactions += "  \(text(each, "reaction")) \(people.count)"
            }
        }
        let edited = comment["edited"] == nil ? "" : ", edited"
        let head =
            "    \(place(of: comment)) \(name(comment["author"])), \(moment(comment))"
            + "\(edited)\(reactions)"
        // A thread's comments may have several lines each.
        let body = text(comment, "text").split(
            separator: "\n", omittingEmptySubsequences: false)
        return [head] + body.map { "      \($0)" }
    }

    private static func subject(of thread: JSONValue) -> String {
        for (key, words) in [("view", "on"), ("constraint", "on the constraint")]
        where thread[key] != nil {
            return "\(words) \(text(thread, key))"
        }
        guard let point = thread["point"]?.array, point.count == 2,
            let x = point[0].number, let y = point[1].number
        else { return "" }
        return "at \(JSONValue.number(x).text()), \(JSONValue.number(y).text())"
            + (thread["device"] == nil ? "" : " of \(text(thread, "device"))")
    }

    private static func state(of thread: JSONValue) -> String {
        guard thread["resolved"] == .bool(true) else { return "" }
        return ", resolved by \(name(thread["resolvedBy"]))"
    }

    private static func name(_ person: JSONValue?) -> String {
        ["name", "subject"].map { text(person, $0) }.first { !$0.isEmpty } ?? "somebody"
    }

    /// The time in UTC, as ISO 8601 writes it.
    private static func moment(_ value: JSONValue) -> String {
        Date(timeIntervalSince1970: time(value) / 1000).formatted(.iso8601)
    }

    // MARK: JSON

    /// The threads with their comments, the locks and the versions.
    var json: JSONValue {
        func list(_ values: [(id: String, value: JSONValue)]) -> JSONValue {
            .array(values.map { Self.object($0.id, $0.value) })
        }
        return .object([
            JSONMember(
                "threads",
                .array(
                    threads.map { thread in
                        Self.object(
                            thread.id, thread.value,
                            [JSONMember("comments", .array(thread.comments))])
                    })),
            JSONMember("locks", list(locks)), JSONMember("versions", list(versions)),
            JSONMember("suggestions", list(suggestions)),
        ])
    }

    /// The suggestions.
    var suggestionJSON: JSONValue {
        .array(suggestions.map { Self.object($0.id, $0.value) })
    }

    private static func object(
        _ id: String, _ value: JSONValue, _ more: [JSONMember] = []
    ) -> JSONValue {
        guard let members = value.members else { return value }
        return .object([JSONMember("id", .string(id))] + members + more)
    }

    // MARK: Changes

    /// What leads from one table to another, as objects with `kind`, `id` and `value`.
    static func changes(from old: AnnotationTable, to new: AnnotationTable) -> [JSONValue] {
        AnnotationKind.allCases.flatMap { kind -> [JSONValue] in
            let (before, after) = (old.all(kind), new.all(kind))
            return Set(before.keys).union(after.keys).sorted()
                .filter { before[$0] != after[$0] }
                .map { id in
                    .object([
                        JSONMember("kind", .string(kind.rawValue)), JSONMember("id", .string(id)),
                        JSONMember("value", after[id] ?? .null),
                    ])
                }
        }
    }
}
