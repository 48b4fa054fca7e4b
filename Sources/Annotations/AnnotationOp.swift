public import JSON
public import SceneDocument

/// A change of what people say about a scene, rather than of the scene.
public enum AnnotationOp: Sendable, Equatable {
    /// Takes a view and all below it for its sender alone.
    case lock(view: String, note: String, seconds: Int)
    /// Gives a locked view back.
    case unlock(view: String)
    /// Opens a thread with its first comment.
    case addComment(id: String, Anchor, text: String, mentions: [String])
    /// Adds a comment to a thread.
    case replyComment(id: String, text: String, mentions: [String])
    /// Changes the text of one's own comment.
    case editComment(id: String, number: Int, text: String, mentions: [String])
    /// Removes one's own comment; the last one takes the thread with it.
    case removeComment(id: String, number: Int)
    /// Marks a thread as settled.
    case resolveComment(id: String)
    /// Takes that back.
    case reopenComment(id: String)
    /// Adds one's reaction to a comment, or takes it back.
    case reactComment(id: String, number: Int, reaction: String, isRemoved: Bool)
    /// Gives the present scene a name and keeps it.
    case addVersion(name: String, note: String)
    /// Forgets a version.
    case removeVersion(name: String)
    /// Brings the scene of a version back. It stands alone in its message, as a scene that replaces
    /// another does.
    case restoreVersion(name: String)
    /// Opens a suggestion: a branch that begins with the present scene.
    case suggest(id: String, name: String, note: String)
    /// Takes a suggestion's changes in: all of them, or those of some views and constraints, after
    /// which it stays open. It stands alone in its message.
    case acceptSuggestion(id: String, only: [String]?)
    /// Closes a suggestion without its changes.
    case refuseSuggestion(id: String, reason: String)
    /// Opens an accepted or refused suggestion again.
    case reopenSuggestion(id: String)
    /// Forgets a suggestion and its branch.
    case removeSuggestion(id: String)
    /// In a branch: takes in what has changed in its room. It stands alone in its message.
    case updateSuggestion

    /// The names of all ops, as the key `op` has them in JSON.
    public enum Name: String, CaseIterable, Sendable {
        case lock
        case unlock
        case addComment
        case replyComment
        case editComment
        case removeComment
        case resolveComment
        case reopenComment
        case reactComment
        case addVersion
        case removeVersion
        case restoreVersion
        case suggest
        case acceptSuggestion
        case refuseSuggestion
        case reopenSuggestion
        case removeSuggestion
        case updateSuggestion
    }

    /// The thread that it is about, if it is about one that there is already.
    public var existingThread: String? {
        switch self {
        case .replyComment(let id, _, _), .editComment(let id, _, _, _),
            .removeComment(let id, _), .resolveComment(let id), .reopenComment(let id),
            .reactComment(let id, _, _, _):
            id
        case .lock, .unlock, .addComment, .addVersion, .removeVersion, .restoreVersion, .suggest,
            .acceptSuggestion, .refuseSuggestion, .reopenSuggestion, .removeSuggestion,
            .updateSuggestion:
            nil
        }
    }

    /// Whether participants may send it too.
    public var isComment: Bool {
        switch self {
        case .addComment, .replyComment, .editComment, .removeComment, .resolveComment,
            .reopenComment, .reactComment:
            true
        case .lock, .unlock, .addVersion, .removeVersion, .restoreVersion, .suggest,
            .acceptSuggestion, .refuseSuggestion, .reopenSuggestion, .removeSuggestion,
            .updateSuggestion:
            false
        }
    }

    /// Whether it replaces the scene, so that it stands alone in its message.
    public var replacesScene: Bool {
        switch self {
        case .restoreVersion, .acceptSuggestion, .updateSuggestion: true
        case .lock, .unlock, .addComment, .replyComment, .editComment, .removeComment,
            .resolveComment, .reopenComment, .reactComment, .addVersion, .removeVersion, .suggest,
            .refuseSuggestion, .reopenSuggestion, .removeSuggestion:
            false
        }
    }
}

// MARK: Reading

extension AnnotationOp {
    /// Whether a list of ops begins with one of these.
    public static func begins(_ ops: JSONValue) -> Bool {
        guard let list = ops.array, let name = list.first?["op"]?.string
        else { return false }
        return Name(rawValue: name) != nil
    }

    /// Reads one op of a list.
    ///
    /// - Throws: The refusal, with its place in the list.
    public static func parse(_ value: JSONValue, at index: Int) throws(Refusal) -> AnnotationOp {
        do throws(DocumentError) {
            return try AnnotationOp(JSONCursor(value, path: "[\(index)]"))
        } catch {
            throw Refusal(error, opIndex: index)
        }
    }

    /// Reads a list of ops that were accepted.
    ///
    /// - Throws: The refusal of the first that is wrong.
    public static func parse(_ ops: JSONValue) throws(Refusal) -> [AnnotationOp] {
        guard let values = ops.array else {
            throw Refusal(code: .badOp, message: "no list of ops")
        }
        var result: [AnnotationOp] = []
        for value in values { result.append(try parse(value, at: result.count)) }
        return result
    }

    /// Whether an op keeps the scene, which takes far more than others do.
    public static func keepsScene(_ value: JSONValue) -> Bool {
        value["op"] == .string(Name.addVersion.rawValue)
            || value["op"] == .string(Name.suggest.rawValue)
    }

    /// The op that merges the scene with that of another room, if a list of ops is one.
    public static func merge(_ ops: JSONValue) -> AnnotationOp? {
        guard let list = ops.array, list.count == 1, let name = list[0]["op"]?.string,
            name == Name.acceptSuggestion.rawValue || name == Name.updateSuggestion.rawValue
        else { return nil }
        return try? parse(list[0], at: 0)
    }

    /// The op that brings an open suggestion into a state, or any into the open one, as JSON.
    public static func json(of suggestion: Suggestion) -> JSONValue {
        var members: [JSONMember]
        switch suggestion.state {
        case .open: members = [JSONMember("op", .string(Name.reopenSuggestion.rawValue))]
        case .accepted: members = [JSONMember("op", .string(Name.acceptSuggestion.rawValue))]
        case .refused(_, let reason):
            members = [
                JSONMember("op", .string(Name.refuseSuggestion.rawValue)),
                JSONMember("reason", .string(reason)),
            ]
        }
        members.append(JSONMember("id", .string(suggestion.id)))
        return .object(members)
    }

    /// Whether a list of ops is one that brings a version back.
    public static func restoresVersion(_ ops: JSONValue) -> Bool {
        guard let list = ops.array, list.count == 1 else { return false }
        return list[0]["op"] == .string(Name.restoreVersion.rawValue)
    }

    /// The op that gives a view back, as JSON.
    public static func unlockJSON(_ view: String) -> JSONValue {
        .object([
            JSONMember("op", .string(Name.unlock.rawValue)), JSONMember("view", .string(view)),
        ])
    }

    private init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        let nameNode = try fields.require("op")
        let text = try nameNode.text()
        guard let name = Name(rawValue: text) else {
            throw nameNode.error(
                .badOp, "\"\(text.prefix(80))\" beside ops about annotations",
                expected: "one of " + Name.allCases.map { $0.rawValue }.joined(separator: ", "))
        }
        self = try Self.op(named: name, &fields)
        try fields.finish()
    }

    private static func op(
        named name: Name, _ fields: inout JSONFields
    ) throws(DocumentError) -> AnnotationOp {
        switch name {
        case .lock:
            return .lock(
                view: try fields.require("view").identifier(), note: try note(&fields),
                seconds: try fields.take("seconds")?.integer(in: 0...AnnotationLimits.lockSeconds)
                    ?? AnnotationLimits.lockSecondsStandard)
        case .unlock: return .unlock(view: try fields.require("view").identifier())
        case .addComment:
            return .addComment(
                id: try fields.require("id").identifier(), try Anchor(&fields),
                text: try comment(&fields), mentions: try mentions(&fields))
        case .replyComment:
            return .replyComment(
                id: try fields.require("id").identifier(), text: try comment(&fields),
                mentions: try mentions(&fields))
        case .editComment:
            return .editComment(
                id: try fields.require("id").identifier(), number: try number(&fields),
                text: try comment(&fields), mentions: try mentions(&fields))
        case .removeComment:
            return .removeComment(
                id: try fields.require("id").identifier(), number: try number(&fields))
        case .resolveComment:
            return .resolveComment(id: try fields.require("id").identifier())
        case .reopenComment:
            return .reopenComment(id: try fields.require("id").identifier())
        case .reactComment:
            return .reactComment(
                id: try fields.require("id").identifier(), number: try number(&fields),
                reaction: try line(fields.require("reaction"), AnnotationLimits.reactionBytes),
                isRemoved: try fields.take("remove")?.bool() ?? false)
        case .addVersion:
            return .addVersion(name: try versionName(&fields), note: try note(&fields))
        case .removeVersion: return .removeVersion(name: try versionName(&fields))
        case .restoreVersion: return .restoreVersion(name: try versionName(&fields))
        case .suggest:
            return .suggest(
                id: try fields.require("id").identifier(), name: try versionName(&fields),
                note: try note(&fields))
        case .acceptSuggestion:
            return .acceptSuggestion(
                id: try fields.require("id").identifier(), only: try only(&fields))
        case .refuseSuggestion:
            return .refuseSuggestion(
                id: try fields.require("id").identifier(),
                reason: try fields.take("reason").map { (node) throws(DocumentError) in
                    try text(node, AnnotationLimits.textBytes)
                } ?? "")
        case .reopenSuggestion:
            return .reopenSuggestion(id: try fields.require("id").identifier())
        case .removeSuggestion:
            return .removeSuggestion(id: try fields.require("id").identifier())
        case .updateSuggestion: return .updateSuggestion
        }
    }

    /// The names of what is taken of a suggestion; those of constraints without one are their
    /// rules.
    private static func only(_ fields: inout JSONFields) throws(DocumentError) -> [String]? {
        guard let node = fields.take("only") else { return nil }
        let nodes = try node.list()
        guard (1...AnnotationLimits.parts).contains(nodes.count) else {
            throw node.error(
                .limit, "\(nodes.count) names, 1 to \(AnnotationLimits.parts) may be taken")
        }
        var result: [String] = []
        for node in nodes { result.append(try line(node, AnnotationLimits.partBytes)) }
        return result
    }

    private static func number(_ fields: inout JSONFields) throws(DocumentError) -> Int {
        try fields.require("number").integer(in: 1...AnnotationLimits.commentsOfThread)
    }

    private static func versionName(_ fields: inout JSONFields) throws(DocumentError) -> String {
        try line(fields.require("name"), AnnotationLimits.versionNameBytes)
    }

    private static func note(_ fields: inout JSONFields) throws(DocumentError) -> String {
        guard let node = fields.take("note") else { return "" }
        return try text(node, AnnotationLimits.textBytes)
    }

    private static func comment(_ fields: inout JSONFields) throws(DocumentError) -> String {
        let node = try fields.require("text")
        let result = try text(node, AnnotationLimits.textBytes)
        guard result.contains(where: { !$0.isWhitespace }) else {
            throw node.error(.badValue, "a comment without a text")
        }
        return result
    }

    private static func mentions(_ fields: inout JSONFields) throws(DocumentError) -> [String] {
        guard let node = fields.take("mentions") else { return [] }
        let nodes = try node.list()
        guard nodes.count <= AnnotationLimits.mentions else {
            throw node.error(
                .limit, "\(nodes.count) people, at most \(AnnotationLimits.mentions)")
        }
        var result: [String] = []
        for node in nodes { result.append(try line(node, Person.nameByteMaximum)) }
        return result
    }

    /// A text of several lines, without other control characters.
    private static func text(
        _ node: JSONCursor, _ byteMaximum: Int
    ) throws(DocumentError) -> String {
        let result = try node.text(byteMaximum: byteMaximum)
        guard result.unicodeScalars.allSatisfy({ !$0.isControl || $0 == "\n" || $0 == "\t" })
        else {
            throw node.error(.badValue, "a control character", expected: "text, lines and tabs")
        }
        return result
    }

    /// A text of one line that is not empty.
    private static func line(
        _ node: JSONCursor, _ byteMaximum: Int
    ) throws(DocumentError) -> String {
        let result = try node.text(byteMaximum: byteMaximum)
        guard !result.isEmpty, result.unicodeScalars.allSatisfy({ !$0.isControl }) else {
            throw node.error(
                .badValue, "an empty text, or a control character", expected: "one line of text")
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it is one of the 65 control codes; Unicode will have no others. Asking for the
    /// general category takes some hundred times as long.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
