public import SceneProtocol

extension SceneSnapshot {
    /// The snapshot as JSON; `parse` restores an equal value.
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

    /// The limits of a scene in a journal: earlier versions counted views and guides separately.
    private static var limits: Limits {
        var limits = Limits.standard
        limits.viewMaximum *= 2
        return limits
    }

    /// Parses a snapshot.
    ///
    /// - Throws: `DocumentError` with the missing or invalid part.
    public static func parse(_ value: JSONValue) throws(DocumentError) -> SceneSnapshot {
        try parse(value) { (document) throws(DocumentError) in
            try SceneDocument.parse(document.value, path: document.path, limits: limits)
        }
    }

    /// Parses a snapshot that `parse` refuses, without the invalid parts of its document.
    ///
    /// - Returns: The snapshot, and a sentence for each part left out or changed.
    /// - Throws: `DocumentError` if the rest is not a snapshot.
    public static func parseLeniently(
        _ value: JSONValue
    ) throws(DocumentError) -> (snapshot: SceneSnapshot, notes: [String]) {
        var notes: [String] = []
        let snapshot = try parse(value) { (document) throws(DocumentError) in
            let read = try SceneDocument.parseLeniently(
                document.value, path: document.path, limits: limits)
            notes = read.notes
            return read.document
        }
        return (snapshot, notes)
    }

    private static func parse(
        _ value: JSONValue,
        document read: (JSONCursor) throws(DocumentError) -> SceneDocument
    ) throws(DocumentError) -> SceneSnapshot {
        let snapshot = JSONCursor(value)
        var numbers: [String: ViewNumber] = [:]
        for (name, cursor) in try snapshot.member("numbers")?.members() ?? [] {
            numbers[name] = ViewNumber(try cursor.wholeNumber())
        }
        var overrides: [SetOverride] = []
        for (id, cursor) in try snapshot.member("overrides")?.members() ?? [] {
            overrides.append(SetOverride(id: id, isActive: try cursor.bool()))
        }
        let document = try snapshot.require("document")
        let tick = try snapshot.require("tick")
        let ticks: Int = try tick.wholeNumber()
        guard ticks >= 0 else {
            throw tick.error(.badValue, "a tick below zero", expected: "0 or more")
        }
        let nextNumber: UInt64 = try snapshot.require("nextNumber").wholeNumber()
        return SceneSnapshot(
            document: try read(document), tick: ticks,
            overrides: overrides, numbers: numbers, nextNumber: UInt32(clamping: nextNumber))
    }
}
