import AutoLayout
public import JSON
import LayoutValues
public import SceneDocument
import SceneWire

extension SceneSnapshot {
    /// The snapshot as JSON; `parse` restores an equal value.
    public var json: JSONValue {
        var names = document.views.map { $0.id }
        names.insert("root", at: 0)
        var members = [
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
        ]
        if !animations.isEmpty {
            members.append(JSONMember("animations", .array(animations.compactMap { $0.json })))
        }
        if let text = measuredText.json { members.append(JSONMember("text", text)) }
        return .object(members)
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
        var text = MeasuredText()
        if let value = value["text"] { text = try MeasuredText(value) }
        let nextNumber: UInt64 = try snapshot.require("nextNumber").wholeNumber()
        return SceneSnapshot(
            document: try read(document), tick: ticks,
            overrides: overrides, numbers: numbers, nextNumber: UInt32(clamping: nextNumber),
            animations: try animations(snapshot.member("animations")), measuredText: text)
    }

    private static func animations(_ cursor: JSONCursor?) throws(DocumentError) -> [MovingView] {
        guard let cursor else { return [] }
        let elements = try cursor.list()
        guard elements.count <= animationMaximum else {
            throw cursor.error(
                .badValue, "\(elements.count) animations", expected: "\(animationMaximum) at most")
        }
        var animations: [MovingView] = []
        for element in elements { animations.append(try MovingView(element)) }
        return animations
    }
}

extension SceneSnapshot.MovingView {
    /// Far more than any animation lasts or waits; added to a tick it does not overflow.
    private static let tickMaximum = Int(clamping: Int64(1) << 40)

    /// `nil` for what no op can ask for.
    fileprivate var json: JSONValue? {
        let offset = animation.offset
        let lengths = [offset.minX, offset.minY, offset.width, offset.height]
        guard case .curve(let curve) = animation.timing, lengths.allSatisfy({ $0.isFinite }) else {
            return nil
        }
        return .object([
            JSONMember("view", .string(id)),
            JSONMember("offset", .array(lengths.map { .number($0) })),
            JSONMember("start", .number(Double(animation.startTicks))),
            JSONMember("ticks", .number(Double(animation.ticks))),
            JSONMember("curve", .string(curve.rawValue)),
        ])
    }

    fileprivate init(_ cursor: JSONCursor) throws(DocumentError) {
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        let lengths = try cursor.require("offset").numbers(4, "[x, y, width, height]", in: all)
        id = try cursor.require("view").text()
        animation = RunningAnimation(
            offset: Rect(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3]),
            startTicks: try cursor.require("start").integer(
                in: -Self.tickMaximum...Self.tickMaximum),
            ticks: try cursor.require("ticks").integer(in: 1...Self.tickMaximum),
            timing: .curve(try cursor.require("curve").choice(AnimationCurve.self)))
    }
}
