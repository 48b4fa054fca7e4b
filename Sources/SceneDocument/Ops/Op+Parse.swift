public import JSON

extension Op {
    /// Reads one op. An object with the key `scene` and without `op` is a document and counts as
    /// `setScene`.
    ///
    /// - Parameter path: Where the value stands, for errors.
    /// - Throws: `DocumentError`; its code is the one that the op is to be refused with.
    public static func parse(
        _ value: JSONValue, path: String = ""
    ) throws(DocumentError) -> Op {
        let node = JSONCursor(value, path: path)
        var fields = try node.object()
        guard let nameNode = fields.take("op") else {
            if value["scene"] != nil {
                return .setScene(try SceneDocument.parse(value, path: path))
            }
            throw node.error(.badOp, "the key \"op\" is missing")
        }
        let text = try nameNode.text()
        guard let name = Name(rawValue: text) else {
            throw nameNode.error(
                .badOp, "unknown op \"\(text.prefix(80))\"",
                expected: "one of " + Name.allCases.map { $0.rawValue }.joined(separator: ", "))
        }
        let op = try op(named: name, &fields)
        try fields.finish()
        return op
    }

    private static func op(
        named name: Name, _ fields: inout JSONFields
    ) throws(DocumentError) -> Op {
        switch name {
        case .setScene: return .setScene(try SceneDocument(&fields))
        case .addView: return .addView(try ViewSpec(&fields))
        case .removeView: return .removeView(id: try requireID(&fields))
        case .moveView: return try moveView(&fields)
        case .setView:
            let id = try requireID(&fields)
            return .setView(id: id, try ViewProperties(&fields))
        case .resetView: return try resetView(&fields)
        case .addGuide:
            let id = try requireID(&fields)
            let parent = try fields.take("parent")?.identifier() ?? "root"
            return .addGuide(GuideSpec(id: id, parent: parent))
        case .addConstraint:
            let set = try fields.take("set")?.identifier()
            return .addConstraint(try ConstraintSpec(&fields), set: set)
        case .removeConstraint:
            return .removeConstraint(id: try fields.require("id").constraintID())
        case .setConstraint: return try setConstraint(&fields)
        case .activateSet:
            let id = try requireID(&fields)
            return .activateSet(id: id, auto: try fields.take("auto")?.bool() ?? false)
        case .deactivateSet: return .deactivateSet(id: try requireID(&fields))
        case .setViewport: return .setViewport(try ViewportPatch(&fields))
        case .setContentOffset:
            let id = try requireID(&fields)
            return .setContentOffset(id: id, try fields.require("offset").point())
        case .setNeedsUpdateConstraints:
            return .setNeedsUpdateConstraints(id: try takeID(&fields))
        case .updateConstraintsIfNeeded:
            return .updateConstraintsIfNeeded(id: try takeID(&fields))
        case .setNeedsLayout: return .setNeedsLayout(id: try takeID(&fields))
        case .layoutIfNeeded: return .layoutIfNeeded(id: try takeID(&fields))
        case .setNeedsDisplay:
            let id = try takeID(&fields)
            return .setNeedsDisplay(id: id, try fields.take("rect")?.rect())
        case .sizeToFit: return .sizeToFit(id: try requireID(&fields))
        case .animate: return .animate(try animation(&fields))
        case .setNeedsUpdateProperties:
            return .setNeedsUpdateProperties(id: try takeID(&fields))
        case .updatePropertiesIfNeeded:
            return .updatePropertiesIfNeeded(id: try takeID(&fields))
        }
    }

    private static func requireID(_ fields: inout JSONFields) throws(DocumentError) -> String {
        let id = try fields.require("id").identifier()
        fields.node.id = id
        return id
    }

    private static func takeID(_ fields: inout JSONFields) throws(DocumentError) -> String {
        guard let id = try fields.take("id")?.identifier() else { return "root" }
        fields.node.id = id
        return id
    }

    private static func resetView(_ fields: inout JSONFields) throws(DocumentError) -> Op {
        let id = try requireID(&fields)
        var keys: [ViewKey] = []
        for node in try fields.require("keys").list() {
            let text = try node.text()
            guard let key = ViewKey(rawValue: text), key != .kind else {
                throw node.error(
                    .badValue, "\"\(text.prefix(80))\" cannot be put back",
                    expected: "a key of a view other than its kind")
            }
            keys.append(key)
        }
        return .resetView(id: id, keys: keys)
    }

    private static func moveView(_ fields: inout JSONFields) throws(DocumentError) -> Op {
        let id = try requireID(&fields)
        let parent = try fields.take("parent")?.identifier()
        let index = try fields.take("index")?.integer(in: 0...Limits.standard.viewMaximum)
        guard parent != nil || index != nil else {
            throw fields.node.error(.badOp, "the key \"parent\" or \"index\" is missing")
        }
        return .moveView(id: id, parent: parent, index: index)
    }

    private static func setConstraint(_ fields: inout JSONFields) throws(DocumentError) -> Op {
        let id = try fields.require("id").constraintID()
        fields.node.id = id
        let constant = try fields.take("constant")?.number()
        let priority = try fields.take("priority")?.number(in: 1...1000)
        let multiplier = try fields.take("multiplier")?.number()
        let active = try fields.take("active")?.bool()
        guard constant != nil || priority != nil || multiplier != nil || active != nil else {
            throw fields.node.error(
                .badOp, "nothing to set", expected: "constant, priority, multiplier or active")
        }
        return .setConstraint(
            id: id, constant: constant, priority: priority, multiplier: multiplier, active: active)
    }

    private static func animation(_ fields: inout JSONFields) throws(DocumentError) -> Animation {
        let seconds = 0...Limits.secondsMaximum
        let duration = try fields.require("duration").number(in: seconds)
        let delay = try fields.take("delay")?.number(in: seconds) ?? 0
        let curve = try fields.take("curve")?.choice(AnimationCurve.self) ?? .easeInOut
        let flushes = try fields.take("flushUpdates")?.bool() ?? false
        let opsNode = try fields.require("ops")
        let ops = try parseArray(opsNode.value, path: opsNode.path)
        for case .setScene in ops {
            throw opsNode.error(.badOp, "an animation cannot replace the scene")
        }
        return Animation(
            duration: duration, delay: delay, curve: curve, flushesUpdates: flushes, ops: ops)
    }

    /// Reads a list of ops, all or none.
    ///
    /// - Parameter maximum: How many there may be; the most that a message may bring by default.
    ///   What a journal holds was accepted once, and what takes one op back may be many.
    /// - Throws: `DocumentError` when the value is no list, is too long a one, or for the first op
    ///   that is wrong.
    public static func parseArray(
        _ value: JSONValue, path: String = "", maximum: Int = Limits.standard.opMaximum
    ) throws(DocumentError) -> [Op] {
        let nodes = try JSONCursor(value, path: path).list()
        guard nodes.count <= maximum else {
            throw JSONCursor(value, path: path).error(
                .limit, "\(nodes.count) ops, the most are \(maximum)")
        }
        var ops: [Op] = []
        for node in nodes { ops.append(try parse(node.value, path: node.path)) }
        return ops
    }

    /// Reads a list of ops of which a wrong one is refused alone: its place holds the error.
    ///
    /// - Throws: `DocumentError` when the value is no list, or too long a one.
    public static func parseEach(
        _ value: JSONValue, path: String = ""
    ) throws(DocumentError) -> [Result<Op, DocumentError>] {
        let nodes = try JSONCursor(value, path: path).list()
        guard nodes.count <= Limits.standard.opMaximum else {
            throw JSONCursor(value, path: path).error(
                .limit, "\(nodes.count) ops, the most are \(Limits.standard.opMaximum)")
        }
        return nodes.map { node in
            Result { () throws(DocumentError) in try parse(node.value, path: node.path) }
        }
    }

    /// Reads an op, a document, a list of ops, or NDJSON of these: a batch for each line.
    ///
    /// - Throws: `DocumentError` for the first fault: JSON, or an op that is wrong.
    public static func parseBatches(_ utf8: [UInt8]) throws(DocumentError) -> [[Op]] {
        let values: [JSONValue]
        do throws(JSONError) { values = try JSONReader.readLines(utf8) } catch {
            throw DocumentError(error)
        }
        var batches: [[Op]] = []
        for value in values {
            if case .array = value.kind {
                batches.append(try parseArray(value))
            } else {
                batches.append([try parse(value)])
            }
        }
        return batches
    }

    /// The ops of `parseBatches`, one after another.
    ///
    /// - Throws: `DocumentError` for the first fault: JSON, or an op that is wrong.
    public static func parseList(_ utf8: [UInt8]) throws(DocumentError) -> [Op] {
        try parseBatches(utf8).flatMap { $0 }
    }
}
