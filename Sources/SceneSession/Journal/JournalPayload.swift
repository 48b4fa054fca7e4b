public import SceneModel
public import SceneProtocol

/// What is in the payloads of a room's journal records.
public enum JournalPayload: Sendable, Equatable {
    /// A whole scene and what the session knows besides.
    case snapshot(SnapshotPayload)
    /// Ops as they were applied.
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
    /// - Throws: `DocumentError` for a payload that this version did not write.
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

/// A whole scene, at which the live one was rebuilt as well.
public struct SnapshotPayload: Sendable, Equatable {
    /// The scene.
    public var scene: SceneSnapshot
    /// Ticks in a second.
    public var tickRate: Int
    /// The client whose op brought it about; empty for none.
    public var author: String
    /// The sequence of that op.
    public var clientSequence: UInt64
    /// Every client's state, as JSON; nothing in a room that was exported.
    var clients: [ClientRecord]
    /// What people can take back, as JSON.
    var ledger: JSONValue?

    var json: JSONValue {
        var members = [
            JSONMember("author", .string(author)),
            JSONMember("clientSequence", .string(String(clientSequence))),
            JSONMember("tickRate", .number(Double(tickRate))),
            JSONMember("snapshot", scene.json),
            JSONMember("clients", .array(clients.map(\.json))),
        ]
        if let ledger { members.append(JSONMember("ledger", ledger)) }
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

    /// A payload with its ledger read.
    typealias WithLedger = (payload: SnapshotPayload, ledger: UndoLedger?)

    /// Reads all that a room which opens needs of a snapshot.
    ///
    /// - Parameter undoMaximum: How many steps a ledger keeps that does not say so; `nil` reads no ledger.
    /// - Throws: `DocumentError`.
    static func read(
        _ bytes: [UInt8], undoMaximum: Int?
    ) throws(DocumentError) -> WithLedger {
        let payload = try SnapshotPayload(try JournalPayload.value(bytes))
        guard let undoMaximum else { return (payload, nil) }
        guard let ledger = payload.ledger else {
            return (payload, UndoLedger(stepMaximum: undoMaximum))
        }
        return (payload, try UndoLedger(ledger, stepMaximum: undoMaximum))
    }

    /// Reads a snapshot that an older version left behind: what cannot be read of its scene is left out, and a ledger that
    /// cannot be read is empty.
    ///
    /// - Returns: The payload, and what is missing of it, as sentences for people.
    /// - Throws: `DocumentError` if what remains is no snapshot.
    static func readLeniently(
        _ bytes: [UInt8], undoMaximum: Int?
    ) throws(DocumentError) -> (WithLedger, notes: [String]) {
        var notes: [String] = []
        let payload = try SnapshotPayload(try JournalPayload.value(bytes)) {
            (scene) throws(DocumentError) in
            let read = try SceneSnapshot.parseLeniently(scene)
            notes = read.notes
            return read.snapshot
        }
        guard let undoMaximum else { return ((payload, nil), notes) }
        var ledger = UndoLedger(stepMaximum: undoMaximum)
        do throws(DocumentError) {
            if let value = payload.ledger {
                ledger = try UndoLedger(value, stepMaximum: undoMaximum)
            }
        } catch {
            notes.append("what people could undo is forgotten: \(error.description)")
        }
        return ((payload, ledger), notes)
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
    }
}

/// What the journal knows of one client.
struct ClientRecord: Sendable, Equatable {
    var name: String
    var tokenDigest: String
    var lastSequence: UInt64
    var committed: [UInt64]

    var json: JSONValue {
        .object([
            JSONMember("name", .string(name)),
            JSONMember("token", .string(tokenDigest)),
            JSONMember("last", .string(String(lastSequence))),
            JSONMember("committed", .array(committed.map { .string(String($0)) })),
        ])
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
    }
}

/// Ops that were applied in one go.
public struct BatchPayload: Sendable, Equatable {
    /// What a batch is.
    enum Purpose: String, Sendable {
        /// What a client asked for.
        case ops
        /// A step taken back.
        case undo
        /// A step done again.
        case redo
        /// A step that cannot be taken back any more, and was dropped; no ops.
        case dropUndo
        /// The same of one that cannot be done again.
        case dropRedo
        /// What was changed so far was laid out, so that an animation block that came next would not move it; no ops.
        case layOut
    }

    /// The client.
    public var author: String
    /// The sequence of its message.
    public var clientSequence: UInt64
    /// Whether one refused op would have refused all.
    public var isAtomic: Bool
    /// Messages of one number are undone together.
    public var undoGroup: UInt32
    /// The digest of the client's secret, where the journal does not know it yet.
    var tokenDigest: String?
    var purpose: Purpose
    /// The ops as a JSON list, for `Op.parseArray`.
    public var ops: JSONValue

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
        return .object(members)
    }

    init(_ value: JSONValue) throws(DocumentError) {
        let record = JSONCursor(value)
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
    }
}
