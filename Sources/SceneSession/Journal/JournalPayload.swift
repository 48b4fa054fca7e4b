public import Annotations
public import JSON
public import SceneDocument
public import SceneModel
public import SceneWire

/// The payload of a room's journal record.
public enum JournalPayload: Sendable, Equatable {
    /// A whole scene with the session's own state.
    case snapshot(SnapshotPayload)
    /// Applied ops.
    case batch(BatchPayload)

    /// The bytes of the payload.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        switch self {
        case .snapshot(let snapshot): snapshot.json.append(to: &output)
        case .batch(let batch): batch.json.append(to: &output)
        }
        return output
    }

    /// Reads the payload of a record.
    ///
    /// - Throws: `DocumentError` for a payload that is not of this version's format.
    public init(_ record: JournalRecord) throws(DocumentError) {
        let value = try Self.value(record.payload)
        switch record.kind {
        case .snapshot: self = .snapshot(try SnapshotPayload(value))
        case .batch: self = .batch(try BatchPayload(value))
        }
    }

    static func value(_ bytes: [UInt8]) throws(DocumentError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(bytes, depthMaximum: JSONReader.journalDepthMaximum)
        } catch {
            throw DocumentError(error)
        }
    }
}

/// A whole scene; the live scene was rebuilt from it when it was written.
public struct SnapshotPayload: Sendable, Equatable {
    /// The scene.
    public var scene: SceneSnapshot
    /// Ticks in a second.
    public var tickRate: Int
    /// The client whose op replaced the scene; empty for none.
    public var author: String
    /// The sequence of that op.
    public var clientSequence: UInt64
    /// Every client's state; empty in an exported room.
    var clients: [ClientRecord]
    /// The steps that people can undo, as JSON.
    var ledger: JSONValue?
    /// What people said about the scene.
    public var annotations = Annotations()
    /// The version of the rules by which the scene was laid out.
    var layoutRules = LayoutRules.current

    var json: JSONValue {
        var members = [
            JSONMember("author", .string(author)),
            JSONMember("clientSequence", .string(String(clientSequence))),
            JSONMember("tickRate", .number(Double(tickRate))),
            JSONMember("snapshot", scene.json),
            JSONMember("clients", .array(clients.map(\.json))),
        ]
        if let ledger { members.append(JSONMember("ledger", ledger)) }
        if !annotations.isEmpty { members.append(JSONMember("annotations", annotations.json)) }
        members.append(JSONMember("layoutRules", .number(Double(layoutRules))))
        return .object(members)
    }

    init(
        scene: SceneSnapshot, tickRate: Int, author: String, clientSequence: UInt64,
        clients: [ClientRecord], ledger: JSONValue?
    ) {
        self.scene = scene
        self.tickRate = tickRate
        self.author = author
        self.clientSequence = clientSequence
        self.clients = clients
        self.ledger = ledger
    }

    /// A payload with its ledger read, and the units of work that parsing it takes.
    typealias Read = (payload: SnapshotPayload, ledger: UndoLedger?, readingWork: UInt64)

    /// Parses the parts of a snapshot that a room needs to open.
    ///
    /// - Parameter undoMaximum: The number of steps for a ledger that does not say how many it
    ///   keeps; `nil` skips the ledger.
    /// - Throws: `DocumentError`.
    static func read(
        _ bytes: [UInt8], undoMaximum: Int?
    ) throws(DocumentError) -> Read {
        let value = try JournalPayload.value(bytes)
        let work = JournalPayload.readingWork(of: value)
        let payload = try SnapshotPayload(value)
        guard let undoMaximum else { return (payload, nil, work) }
        guard let ledger = payload.ledger else {
            return (payload, UndoLedger(stepMaximum: undoMaximum), work)
        }
        return (payload, try UndoLedger(ledger, stepMaximum: undoMaximum), work)
    }

    /// Parses a snapshot of an earlier version: unreadable parts of its scene are left out, and an
    /// unreadable ledger is replaced with an empty one.
    ///
    /// - Returns: The payload, and a sentence for each part left out.
    /// - Throws: `DocumentError` if the rest is not a snapshot.
    static func readLeniently(
        _ bytes: [UInt8], undoMaximum: Int?
    ) throws(DocumentError) -> (Read, notes: [String]) {
        var notes: [String] = []
        let value = try JournalPayload.value(bytes)
        let work = JournalPayload.readingWork(of: value)
        let payload = try SnapshotPayload(value) {
            (scene) throws(DocumentError) in
            let read = try SceneSnapshot.parseLeniently(scene)
            notes = read.notes
            return read.snapshot
        }
        guard let undoMaximum else { return ((payload, nil, work), notes) }
        var ledger = UndoLedger(stepMaximum: undoMaximum)
        do throws(DocumentError) {
            if let value = payload.ledger {
                ledger = try UndoLedger(value, stepMaximum: undoMaximum)
            }
        } catch {
            notes.append("the steps to undo were dropped: \(error.description)")
        }
        return ((payload, ledger, work), notes)
    }

    init(
        _ value: JSONValue,
        scene read: (JSONValue) throws(DocumentError) -> SceneSnapshot = {
            (scene) throws(DocumentError) in try SceneSnapshot.parse(scene)
        }
    ) throws(DocumentError) {
        let record = JSONCursor(value)
        let scene = try record.require("snapshot")
        let rateCursor = try record.require("tickRate")
        let rate: Int = try rateCursor.wholeNumber()
        guard (1...1000).contains(rate) else {
            throw rateCursor.error(.badValue, "a tick rate of \(rate)", expected: "1...1000")
        }
        var clients: [ClientRecord] = []
        for client in try record.require("clients").list() { clients.append(try .init(client)) }
        self.init(
            scene: try read(scene.value), tickRate: rate,
            author: try record.require("author").journalText(),
            clientSequence: try record.require("clientSequence").wholeNumber(),
            clients: clients, ledger: value["ledger"])
        // Those of a later version are its own business: the scene is laid out by the present ones.
        layoutRules = try record.member("layoutRules")?.wholeNumber() ?? 1
        if let value = value["annotations"] { annotations = try Annotations(value) }
    }
}

/// The journal's state of one client.
struct ClientRecord: Sendable, Equatable {
    var name: String
    var tokenDigest: String
    var lastSequence: UInt64
    var committed: [UInt64]
    /// The same as ranges and from further back; empty unless the journal lies in a cluster, whose
    /// next node may have to answer for more than the latest.
    var kept = SequenceRanges()

    var json: JSONValue {
        var members = [
            JSONMember("name", .string(name)),
            JSONMember("token", .string(tokenDigest)),
            JSONMember("last", .string(String(lastSequence))),
            JSONMember("committed", .array(committed.map { .string(String($0)) })),
        ]
        if !kept.ranges.isEmpty {
            let bounds = kept.ranges.flatMap { [$0.lowerBound, $0.upperBound] }
            members.append(JSONMember("kept", .array(bounds.map { .string(String($0)) })))
        }
        return .object(members)
    }

    init(name: String, tokenDigest: String, lastSequence: UInt64, committed: [UInt64]) {
        self.name = name
        self.tokenDigest = tokenDigest
        self.lastSequence = lastSequence
        self.committed = committed
    }

    init(_ cursor: JSONCursor) throws(DocumentError) {
        name = try cursor.require("name").journalText()
        tokenDigest = try cursor.require("token").journalText()
        lastSequence = try cursor.require("last").wholeNumber()
        committed = []
        for sequence in try cursor.require("committed").list() {
            committed.append(try sequence.wholeNumber())
        }
        var bounds: [UInt64] = []
        for bound in try cursor.member("kept")?.list() ?? .empty {
            bounds.append(try bound.wholeNumber())
        }
        for index in stride(from: 0, to: bounds.count - bounds.count % 2, by: 2)
        where bounds[index] <= bounds[index + 1] {
            kept.insert(bounds[index]...bounds[index + 1])
        }
    }
}

/// Ops that were applied together.
public struct BatchPayload: Sendable, Equatable {
    /// The purpose of a batch.
    enum Purpose: String, Sendable {
        /// Ops of a client's message.
        case ops
        /// A step was undone.
        case undo
        /// A step was redone.
        case redo
        /// A step that cannot be undone was dropped; no ops.
        case dropUndo
        /// A step that cannot be redone was dropped; no ops.
        case dropRedo
        /// Ops about annotations.
        case annotate
        /// The pending changes were laid out, so that the following animation block would not move
        /// them; no ops.
        case layOut
    }

    /// The client.
    public var author: String
    /// The sequence of its message.
    public var clientSequence: UInt64
    /// Whether one refused op would have caused the refusal of all.
    public var isAtomic: Bool
    /// The undo group; messages with the same number are undone together.
    public var undoGroup: UInt32
    /// The digest of the client's resume token, if the journal does not have it yet.
    var tokenDigest: String?
    var purpose: Purpose
    /// The ops as a JSON list, for `Op.parseArray` or `AnnotationOp.parse`.
    public var ops: JSONValue
    /// Who sent ops about annotations, and when.
    var stamp: Annotations.Stamp?
    /// The lengths of words that no record before it has, for `MeasuredText`.
    var measuredText: JSONValue?

    init(
        author: String, clientSequence: UInt64, isAtomic: Bool, undoGroup: UInt32 = 0,
        tokenDigest: String? = nil, purpose: Purpose = .ops, ops: JSONValue
    ) {
        self.author = author
        self.clientSequence = clientSequence
        self.isAtomic = isAtomic
        self.undoGroup = undoGroup
        self.tokenDigest = tokenDigest
        self.purpose = purpose
        self.ops = ops
    }

    var json: JSONValue {
        var members = [
            JSONMember("author", .string(author)),
            JSONMember("clientSequence", .string(String(clientSequence))),
        ]
        if isAtomic { members.append(JSONMember("atomic", .bool(true))) }
        if undoGroup != 0 { members.append(JSONMember("group", .number(Double(undoGroup)))) }
        if let tokenDigest { members.append(JSONMember("token", .string(tokenDigest))) }
        if purpose != .ops { members.append(JSONMember("purpose", .string(purpose.rawValue))) }
        members.append(JSONMember("ops", ops))
        if let stamp { members.append(JSONMember("stamp", stamp.json)) }
        if let measuredText { members.append(JSONMember("text", measuredText)) }
        return .object(members)
    }

    init(_ value: JSONValue) throws(DocumentError) {
        let record = JSONCursor(value)
        if let node = record.member("stamp") { stamp = try Annotations.Stamp(node) }
        author = try record.require("author").journalText()
        clientSequence = try record.require("clientSequence").wholeNumber()
        isAtomic = value["atomic"]?.kind == .bool(true)
        undoGroup = try record.member("group")?.wholeNumber() ?? 0
        tokenDigest = try record.member("token")?.journalText()
        purpose = .ops
        if let text = record.member("purpose") {
            let name = try text.journalText()
            guard let known = Purpose(rawValue: name) else {
                throw text.error(
                    .badValue, "a batch for an unknown purpose, \"\(name.prefix(80))\"")
            }
            purpose = known
        }
        ops = try record.require("ops").value
        measuredText = value["text"]
    }
}
