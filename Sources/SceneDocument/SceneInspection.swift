import Bytes
public import JSON

/// What stands behind a scene's frames: the answer to `inspect`, whose JSON the SPEC's section 6.28
/// describes.
public struct SceneInspection: Sendable, Equatable {
    /// The tick of which it tells.
    public var tick: UInt64
    /// The state hash after that tick, of what the asking member is shown; `nil` where it is not
    /// told.
    public var stateHash: UInt64?
    /// The whole scene, every constraint with its name, if it was asked for.
    public var document: SceneDocument?
    /// The constraint sets, in their order.
    public var sets: [SetState] = []
    /// The views asked for, in the order asked; those that are not there are left out.
    public var views: [ViewState] = []
    /// The constraints that were given up.
    public var broken: [BrokenConstraint] = []
    /// The sizes asked for, in the order asked; those of views that are not there are left out.
    public var fittings: [Fitting] = []

    /// The size that fits a view.
    public struct Fitting: Sendable, Equatable {
        /// The view's name.
        public var id: String
        /// The size in points.
        public var size: Size

        /// Makes one from its parts.
        public init(id: String, size: Size) {
            self.id = id
            self.size = size
        }
    }

    /// A constraint set as it stands.
    public struct SetState: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// Whether its constraints are in force.
        public var isActive: Bool
        /// Whether it was switched by hand, whatever its condition says.
        public var isOverridden: Bool

        /// Makes a state from its parts.
        public init(id: String, isActive: Bool, isOverridden: Bool) {
            self.id = id
            self.isActive = isActive
            self.isOverridden = isOverridden
        }
    }

    /// Why a view is where it is, and what it waits for.
    public struct ViewState: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// Whether another place would do as well.
        public var isAmbiguous = false
        /// Whether the next cycle calls its `updateConstraints`.
        public var needsUpdateConstraints = false
        /// Whether the next cycle calls its `layoutSubviews`.
        public var needsLayout = false
        /// Whether the next cycle draws it.
        public var needsDisplay = false
        /// The constraints of the document that speak of it, in their order.
        public var constraints: [String] = []
        /// What holds its left edge and its width.
        public var horizontal: [Influence] = []
        /// What holds its top edge and its height.
        public var vertical: [Influence] = []

        /// Makes the state of a view of which nothing is known yet.
        public init(id: String) { self.id = id }
    }

    /// One constraint that holds a view.
    public struct Influence: Sendable, Equatable {
        /// The name of a constraint of the document; `nil` for one that the engine or a stack
        /// keeps.
        public var id: String?
        /// What it is there for: `constraint`, `contentSize`, `frame`, `collapse`, `flow`; more may
        /// come.
        public var kind: String
        /// What it asks for, for people: names may be such as no rule could have.
        public var rule: String

        /// Makes an influence from its parts.
        public init(id: String?, kind: String, rule: String) {
            self.id = id
            self.kind = kind
            self.rule = rule
        }
    }

    /// A constraint that was given up.
    public struct BrokenConstraint: Sendable, Equatable {
        /// Its name.
        public var id: String
        /// The constraints that together contradict it, as far as they are the document's.
        public var conflicts: [String]

        /// Makes one from its parts.
        public init(id: String, conflicts: [String]) {
            self.id = id
            self.conflicts = conflicts
        }
    }

    /// Makes an answer that tells of nothing yet.
    public init(tick: UInt64) { self.tick = tick }

    // MARK: JSON

    /// Reads an inspection from its JSON text. Keys that are not known are passed over, as later
    /// versions may have more.
    ///
    /// - Throws: `DocumentError` that says what was wrong where.
    public static func parse(_ text: [UInt8]) throws(DocumentError) -> SceneInspection {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(text) } catch {
            throw DocumentError(error)
        }
        var fields = try JSONCursor(value, path: "").object()
        var result = SceneInspection(
            tick: try fields.require("tick").integer(in: 0...UInt64(1) << 53))
        if let hash = fields.take("hash") {
            let text = try hash.text()
            guard text.utf8.count == 16, !text.hasPrefix("+"),
                let value = UInt64(text, radix: 16)
            else {
                throw hash.error(
                    .badOp, "found \(text.debugDescription)", expected: "16 hexadecimal digits")
            }
            result.stateHash = value
        }
        if let document = fields.take("document") {
            var members = try document.object()
            result.document = try SceneDocument(&members)
        }
        for node in try fields.take("sets")?.list() ?? .empty {
            result.sets.append(try SetState(node))
        }
        for node in try fields.take("views")?.list() ?? .empty {
            result.views.append(try ViewState(node))
        }
        for node in try fields.take("broken")?.list() ?? .empty {
            var members = try node.object()
            result.broken.append(
                BrokenConstraint(
                    id: try members.require("id").text(),
                    conflicts: try members.require("conflicts").texts()))
        }
        for node in try fields.take("fittings")?.list() ?? .empty {
            var members = try node.object()
            let id = try members.require("id").text()
            let size = try members.require("size").numbers(2, "[width, height]")
            result.fittings.append(Fitting(id: id, size: Size(width: size[0], height: size[1])))
        }
        return result
    }

    /// The inspection as a JSON value.
    public var json: JSONValue {
        var list = JSONMembers()
        list.add("tick", .number(Double(tick)))
        if let stateHash { list.add("hash", Hexadecimal.text(stateHash)) }
        list.add("document", document?.json)
        list.add("sets", .array(sets.map { $0.json }))
        list.add("views", .array(views.map { $0.json }))
        list.add(
            "broken",
            .array(
                broken.map { constraint in
                    var members = JSONMembers()
                    members.add("id", constraint.id)
                    members.add("conflicts", .strings(constraint.conflicts))
                    return members.json
                }))
        if !fittings.isEmpty { list.add("fittings", .array(fittings.map { $0.json })) }
        return list.json
    }
}

extension SceneInspection.Fitting {
    fileprivate var json: JSONValue {
        var list = JSONMembers()
        list.add("id", id)
        list.add("size", .array([.number(size.width), .number(size.height)]))
        return list.json
    }
}

extension SceneInspection.SetState {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        id = try fields.require("id").text()
        isActive = try fields.require("active").bool()
        isOverridden = try fields.require("overridden").bool()
    }

    fileprivate var json: JSONValue {
        var list = JSONMembers()
        list.add("id", id)
        list.add("active", isActive)
        list.add("overridden", isOverridden)
        return list.json
    }
}

extension SceneInspection.ViewState {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        id = try fields.require("id").text()
        isAmbiguous = try fields.require("ambiguous").bool()
        needsUpdateConstraints = try fields.require("needsUpdateConstraints").bool()
        needsLayout = try fields.require("needsLayout").bool()
        needsDisplay = try fields.require("needsDisplay").bool()
        constraints = try fields.require("constraints").texts()
        for node in try fields.require("horizontal").list() { horizontal.append(try .init(node)) }
        for node in try fields.require("vertical").list() { vertical.append(try .init(node)) }
    }

    fileprivate var json: JSONValue {
        var list = JSONMembers()
        list.add("id", id)
        list.add("ambiguous", isAmbiguous)
        list.add("needsUpdateConstraints", needsUpdateConstraints)
        list.add("needsLayout", needsLayout)
        list.add("needsDisplay", needsDisplay)
        list.add("constraints", .strings(constraints))
        list.add("horizontal", .array(horizontal.map { $0.json }))
        list.add("vertical", .array(vertical.map { $0.json }))
        return list.json
    }
}

extension SceneInspection.Influence {
    fileprivate init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        id = try fields.take("id")?.text()
        kind = try fields.require("kind").text()
        rule = try fields.require("rule").text()
    }

    fileprivate var json: JSONValue {
        var list = JSONMembers()
        list.add("id", id)
        list.add("kind", kind)
        list.add("rule", rule)
        return list.json
    }
}

extension JSONCursor {
    fileprivate func texts() throws(DocumentError) -> [String] {
        var result: [String] = []
        for element in try list() { result.append(try element.text()) }
        return result
    }
}
