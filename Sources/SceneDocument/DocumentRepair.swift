package import JSON

/// Reads a document of a journal that the strict reader refuses, as older versions could leave one
/// behind: whatever part of it cannot be read is left out and named, and frames beyond what a
/// document can say end where it can.
///
/// The same text always gives the same document, so that every replay of a journal begins alike.
/// What gives views their place in the tree is never left out; a document in which that cannot be
/// read is refused as before.
struct DocumentRepair {
    /// References that are left out one by one, each after reading the whole document.
    private static let referenceMaximum = 256

    /// What was left out or changed, as sentences for people.
    private(set) var notes: [String] = []
    private let path: String
    private let limits: Limits

    init(path: String, limits: Limits) {
        self.path = path
        self.limits = limits
    }

    /// - Throws: The first error that is not about a part that can be left out.
    mutating func read(_ value: JSONValue) throws(DocumentError) -> SceneDocument {
        var value = value
        value.change("views") { views in
            views.changeElements { view, index in
                repairView(&view, "\(path).views[\(index)]")
                return true
            }
        }
        value.change("constraints") { keepReadable(&$0, "\(path).constraints") }
        value.change("sets") { sets in
            sets.changeMembers { set, name in
                set.change("constraints") {
                    keepReadable(&$0, "\(path).sets.\(name).constraints")
                }
            }
        }
        for _ in 0..<Self.referenceMaximum {
            do throws(DocumentError) {
                return try SceneDocument.parse(value, path: path, limits: limits)
            } catch {
                guard remove(error, from: &value) else { throw error }
                notes.append(error.description)
            }
        }
        return try SceneDocument.parse(value, path: path, limits: limits)
    }

    // MARK: Parts that are wrong by themselves

    private mutating func repairView(_ view: inout JSONValue, _ path: String) {
        for _ in ViewKey.allCases {
            do throws(DocumentError) {
                var fields = try JSONCursor(view, path: path).object()
                _ = try ViewSpec(&fields)
                return
            } catch {
                guard let key = Self.key(error.path, below: path) else { return }
                notes.append(error.description)
                if key == .frame, let frame = Self.clamped(view[key.rawValue]),
                    frame != view[key.rawValue]
                {
                    view.change(key.rawValue) { $0 = frame }
                } else {
                    view.removeMember(key.rawValue)
                }
            }
        }
    }

    /// The key of a view in the path of an error, such as `frame` in `views[3].frame[2]`.
    private static func key(_ path: String, below outer: String) -> ViewKey? {
        guard path.hasPrefix(outer + ".") else { return nil }
        return ViewKey(
            rawValue: String(path.dropFirst(outer.count + 1).prefix { $0 != "." && $0 != "[" }))
    }

    /// A frame whose numbers are brought into their range; `nil` for what is none.
    private static func clamped(_ value: JSONValue?) -> JSONValue? {
        guard let elements = value?.array, elements.count == 4 else { return nil }
        var numbers: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            guard let number = element.number else { return nil }
            let least = index < 2 ? -Limits.numberMaximum : 0
            numbers.append(.number(min(max(number, least), Limits.numberMaximum)))
        }
        return .array(numbers)
    }

    private mutating func keepReadable(_ list: inout JSONValue, _ path: String) {
        list.changeElements { constraint, index in
            do throws(DocumentError) {
                _ = try ConstraintSpec(JSONCursor(constraint, path: "\(path)[\(index)]"))
                return true
            } catch {
                notes.append(error.description)
                return false
            }
        }
    }

    // MARK: Parts that do not fit the others

    /// Takes the part of an error out: a property of a view, a guide, a constraint, or a set's
    /// condition.
    private func remove(_ error: DocumentError, from value: inout JSONValue) -> Bool {
        guard error.path.hasPrefix(path + ".") else { return false }
        let steps = error.path.dropFirst(path.count + 1).split(
            whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }
        ).map(String.init)
        switch steps.first {
        case "views" where steps.count > 2:
            guard let key = ViewKey(rawValue: steps[2]) else { return false }
            return value.changeElement("views", steps[1]) { $0.removeMember(key.rawValue) }
        case "guides" where steps.count > 1, "constraints" where steps.count > 1:
            return value.removeElement(steps[0], steps[1])
        case "sets" where steps.count > 2:
            var isDone = false
            value.change("sets") { sets in
                sets.change(steps[1]) { set in
                    if steps[2] == "when" {
                        isDone = set.removeMember("when")
                    } else if steps[2] == "constraints", steps.count > 3 {
                        isDone = set.removeElement("constraints", steps[3])
                    }
                }
            }
            return isDone
        default: return false
        }
    }
}

extension SceneDocument {
    /// Reads what a journal holds, leaving out what cannot be read.
    ///
    /// - Returns: The document, and what was left out or changed as sentences for people; none if
    ///   nothing was.
    /// - Throws: `DocumentError` if what remains is no document.
    package static func parseLeniently(
        _ value: JSONValue, path: String, limits: Limits
    ) throws(DocumentError) -> (document: SceneDocument, notes: [String]) {
        var repair = DocumentRepair(path: path, limits: limits)
        let document = try repair.read(value)
        return (document, repair.notes)
    }
}

extension JSONValue {
    /// Changes a member of an object in its place, if it is there.
    fileprivate mutating func change(_ key: String, _ body: (inout JSONValue) -> Void) {
        guard case .object(var members) = kind,
            let index = members.firstIndex(where: { $0.key == key })
        else { return }
        body(&members[index].value)
        kind = .object(members)
    }

    fileprivate mutating func changeMembers(_ body: (inout JSONValue, String) -> Void) {
        guard case .object(var members) = kind else { return }
        for index in members.indices { body(&members[index].value, members[index].key) }
        kind = .object(members)
    }

    /// - Parameter body: Changes an element and says whether it stays; its index is that before any
    ///   went.
    fileprivate mutating func changeElements(_ body: (inout JSONValue, Int) -> Bool) {
        guard case .array(let elements) = kind else { return }
        var kept: [JSONValue] = []
        kept.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            var element = element
            if body(&element, index) { kept.append(element) }
        }
        kind = .array(kept)
    }

    @discardableResult
    fileprivate mutating func removeMember(_ key: String) -> Bool {
        guard case .object(var members) = kind,
            let index = members.firstIndex(where: { $0.key == key })
        else { return false }
        members.remove(at: index)
        kind = .object(members)
        return true
    }

    /// Changes an element of a member that is a list.
    fileprivate mutating func changeElement(
        _ key: String, _ place: String, _ body: (inout JSONValue) -> Bool
    ) -> Bool {
        var isDone = false
        change(key) { list in
            guard var elements = list.array, let index = Int(place),
                elements.indices.contains(index)
            else { return }
            isDone = body(&elements[index])
            list.kind = .array(elements)
        }
        return isDone
    }

    fileprivate mutating func removeElement(_ key: String, _ place: String) -> Bool {
        var isDone = false
        change(key) { list in
            guard var elements = list.array, let index = Int(place),
                elements.indices.contains(index)
            else { return }
            elements.remove(at: index)
            list.kind = .array(elements)
            isDone = true
        }
        return isDone
    }
}
