import JSON

/// One thing in the three versions of a merge.
struct Versions<Value> {
    var base: Value
    var ours: Value
    var theirs: Value

    func map<Other>(_ transform: (Value) -> Other) -> Versions<Other> {
        Versions<Other>(base: transform(base), ours: transform(ours), theirs: transform(theirs))
    }
}

/// The values that a merge takes, and the conflicts that it has met.
struct ConflictLog {
    private(set) var conflicts: [DocumentMerge.Conflict] = []

    mutating func note(_ subject: String, _ id: String, _ text: String) {
        conflicts.append(DocumentMerge.Conflict(subject: subject, id: id, text: text))
    }

    /// The value of the version that changed it; ours if both did, which is a conflict unless they
    /// agree.
    ///
    /// - Parameter name: What the value is, in words.
    mutating func value<Value: Equatable>(
        _ subject: String, _ id: String, _ name: String, _ versions: Versions<Value>,
        text: (Value) -> String
    ) -> Value {
        if versions.ours == versions.theirs || versions.theirs == versions.base {
            return versions.ours
        }
        if versions.ours == versions.base { return versions.theirs }
        let (before, mine, other) = (
            text(versions.base), text(versions.ours), text(versions.theirs)
        )
        note(subject, id, "\(name) was \(before) and is \(mine) here and \(other) there")
        return versions.ours
    }

    mutating func value(
        _ subject: String, _ id: String, _ name: String, _ versions: Versions<JSONValue?>
    ) -> JSONValue? {
        value(subject, id, name, versions) { $0.map { $0.text() } ?? "none" }
    }

    /// The members of an object, merged one by one, in our order, then theirs.
    ///
    /// - Parameter path: What stands before a key in words.
    mutating func members(
        _ subject: String, _ id: String, path: String = "", _ versions: Versions<[JSONMember]>,
        leavingOut left: Set<String> = []
    ) -> [JSONMember] {
        let keys = uniqued(versions.ours.map(\.key) + versions.theirs.map(\.key))
        let values = versions.map { list in
            Dictionary(list.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        let whole = id.isEmpty ? "the \(subject)" : "\(subject) \"\(id)\""
        return keys.compactMap { key in
            guard !left.contains(key) else { return nil }
            let of = values.map { $0[key] }
            if Self.isTable(key), let ours = of.ours?.members, let theirs = of.theirs?.members {
                let merged = members(
                    subject, id, path: "\(path)\(key).",
                    Versions(base: of.base?.members ?? [], ours: ours, theirs: theirs))
                return JSONMember(key, .object(merged))
            }
            return value(subject, id, "\(path)\(key) of \(whole)", of).map {
                JSONMember(key, $0)
            }
        }
    }

    /// Whether a key's value is a table of things that do not depend on one another.
    private static func isTable(_ key: String) -> Bool { key == "customSpacing" || key == "traits" }

    /// Named objects, each merged member by member.
    mutating func objects(_ subject: String, _ versions: Versions<[JSONMember]>) -> [JSONMember] {
        let ids = uniqued(versions.ours.map(\.key) + versions.theirs.map(\.key))
        let values = versions.map { list in
            Dictionary(list.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        return ids.compactMap { id in
            let of = values.map { $0[id] }
            guard keeps(subject, id, of) else { return nil }
            guard let ours = of.ours?.members, let theirs = of.theirs?.members else {
                return (of.ours ?? of.theirs).map { JSONMember(id, $0) }
            }
            let merged = members(
                subject, id,
                Versions(base: of.base?.members ?? [], ours: ours, theirs: theirs))
            return JSONMember(id, .object(merged))
        }
    }

    /// Whether the merged document has a named thing: one that a version removed goes, unless ours
    /// changed it.
    mutating func keeps<Value: Equatable>(
        _ subject: String, _ id: String, _ versions: Versions<Value?>
    ) -> Bool {
        guard let base = versions.base else { return true }
        switch (versions.ours, versions.theirs) {
        case (.some, .some): return true
        case (.none, .none): return false
        case (.some(let ours), .none):
            guard ours != base else { return false }
            note(subject, id, "\(subject) \"\(id)\" is changed here and removed there")
            return true
        case (.none, .some(let theirs)):
            if theirs != base {
                note(subject, id, "\(subject) \"\(id)\" is removed here and changed there")
            }
            return false
        }
    }
}

extension ConflictLog {
    /// The order of names that both versions have, from the version that changed it, with the names
    /// of one version alone behind the name that they follow there.
    ///
    /// - Parameter onConflict: Called where both changed the order, each otherwise; ours counts.
    static func order(_ versions: Versions<[String]>, onConflict: () -> Void) -> [String] {
        let (mine, other) = (versions.ours, versions.theirs)
        let common = Set(mine).intersection(other)
        let (inMine, inOther) = (mine.filter(common.contains), other.filter(common.contains))
        var merged = mine
        if inMine != inOther {
            let before = versions.base.filter(common.contains)
            let known = Set(before)
            if inMine.filter(known.contains) == before {
                var next = inOther.makeIterator()
                merged = mine.map { common.contains($0) ? next.next() ?? $0 : $0 }
            } else if inOther.filter(known.contains) != before {
                onConflict()
            }
        }
        return inserting(other, into: merged)
    }

    /// A list with the names of another that it lacks, each behind the name that it follows there.
    static func inserting(_ other: [String], into list: [String]) -> [String] {
        let present = Set(list)
        var followers: [String: [String]] = [:]
        var first: [String] = []
        var last: String?
        for name in other {
            if present.contains(name) {
                last = name
            } else if let last {
                followers[last, default: []].append(name)
            } else {
                first.append(name)
            }
        }
        return first + list.flatMap { [$0] + (followers[$0] ?? []) }
    }
}

/// A list with each name once, where it comes first.
func uniqued(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
}
