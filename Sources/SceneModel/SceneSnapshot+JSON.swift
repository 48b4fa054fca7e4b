public import SceneProtocol

extension SceneSnapshot {
    /// The snapshot as JSON; `parse` reads it back as an equal value.
    public var json: JSONValue {
        var names = document.views.map(\.id)
        names.insert("root", at: 0)
        return .object([
            JSONMember("tick", .number(Double(tick))),
            JSONMember("nextNumber", .number(Double(nextNumber))),
            JSONMember(
                "overrides",
                .object(overrides.map { JSONMember($0.id, .bool($0.isActive)) })),
            JSONMember(
                "numbers",
                .object(
                    names.compactMap { name in
                        numbers[name].map { JSONMember(name, .number(Double($0.rawValue))) }
                    })),
            JSONMember("document", document.json),
        ])
    }

    /// Reads a snapshot.
    ///
    /// - Throws: `DocumentError` naming what is missing or wrong.
    public static func parse(_ value: JSONValue) throws(DocumentError) -> SceneSnapshot {
        guard let document = value["document"] else {
            throw DocumentError(code: .badOp, message: "the snapshot has no document")
        }
        func integer(_ value: JSONValue?, _ path: String) throws(DocumentError) -> Int {
            guard case .number(let number) = value?.kind, let integer = Int(exactly: number),
                integer >= 0
            else {
                throw DocumentError(
                    code: .badOp, message: "not a whole number", path: path,
                    expected: "0 or more")
            }
            return integer
        }
        func members(_ key: String) -> [JSONMember] {
            if case .object(let members) = value[key]?.kind { members } else { [] }
        }
        var numbers: [String: ViewNumber] = [:]
        for member in members("numbers") {
            let number = try integer(member.value, "numbers.\(member.key)")
            guard let small = UInt32(exactly: number) else {
                throw DocumentError(
                    code: .badValue, message: "too large", path: "numbers.\(member.key)")
            }
            numbers[member.key] = ViewNumber(small)
        }
        var overrides: [SetOverride] = []
        for member in members("overrides") {
            guard case .bool(let isActive) = member.value.kind else {
                throw DocumentError(
                    code: .badOp, message: "not a truth value", path: "overrides.\(member.key)")
            }
            overrides.append(SetOverride(id: member.key, isActive: isActive))
        }
        return SceneSnapshot(
            document: try SceneDocument.parse(document, path: "document"),
            tick: try integer(value["tick"], "tick"), overrides: overrides, numbers: numbers,
            nextNumber: UInt32(clamping: try integer(value["nextNumber"], "nextNumber")))
    }
}
