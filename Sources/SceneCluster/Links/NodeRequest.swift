/// An administrator's request that one node receives and another one carries out, over a link of
/// its own that is named after the room, or after none where all rooms are meant.
///
///     offset  size  meaning
///     0       1     kind, as below
///     1       8     connection; 0 where the kind has none
///     9       4     bytes that follow, then these; none where the kind has none
///
/// | kind | request | bytes |
/// |---|---|---|
/// | 1 | `exportScene` | |
/// | 2 | `replaceScene` | the document as JSON |
/// | 3 | `deleteRoom` | |
/// | 4 | `members` | |
/// | 5 | `release` | |
/// | 6 | `remove` | |
/// | 7 | `exclude` | the person |
/// | 8 | `expel` | |
/// | 9 | `rooms` | |
/// | 10 | `exportRoom` | |
/// | 11 | `importRoom` | the record of an exported room |
///
/// Numbers are little-endian. An example is in `NodeRequestTests`.
public enum NodeRequest: Equatable, Sendable {
    /// Of the room's owner: the scene as a document.
    case exportScene
    /// Of the room's owner: replaces the scene, or makes the room.
    case replaceScene([UInt8])
    /// Of the room's owner: ends the room and removes its journal.
    case deleteRoom
    /// Of any node: the members of the room that are connected to it.
    case members
    /// Of any node: lets the room be opened again that it has put aside.
    case release
    /// Of any node: ends one connection of a member of the room and all others of that person.
    case remove(connection: UInt64)
    /// Of any node: ends the connections of a person to the room, and keeps the person out for a
    /// while.
    case exclude(person: [UInt8])
    /// Of any node: ends the connections of all members of the room, which was deleted.
    case expel
    /// Of any node: the rooms in its memory, those that it has put aside, and the numbers of
    /// members that are connected to it.
    case rooms

    /// Of the room's owner: the room as the first record of another one's journal.
    case exportRoom
    /// Of the room's owner: makes the room of an exported one, where there is none.
    case importRoom([UInt8])

    /// Whether the request changes something, so that it is not to be sent again where its outcome
    /// is unknown.
    public var changesSomething: Bool {
        switch self {
        case .exportScene, .members, .rooms, .exportRoom: false
        case .importRoom, .replaceScene, .deleteRoom, .release, .remove, .exclude, .expel: true
        }
    }

    /// The bytes that come with the request.
    public var byteCount: Int {
        switch self {
        case .replaceScene(let bytes), .exclude(let bytes), .importRoom(let bytes): bytes.count
        case .exportScene, .deleteRoom, .members, .release, .remove, .expel, .rooms, .exportRoom: 0
        }
    }

    /// The request's bytes.
    ///
    /// - Throws: `RecordError.tooLong` for a body that does not fit.
    /// - Complexity: O(bytes).
    public func encoded() throws(RecordError) -> [UInt8] {
        let (kind, connection, bytes): (UInt8, UInt64, [UInt8]) =
            switch self {
            case .exportScene: (1, 0, [])
            case .replaceScene(let document): (2, 0, document)
            case .deleteRoom: (3, 0, [])
            case .members: (4, 0, [])
            case .release: (5, 0, [])
            case .remove(let connection): (6, connection, [])
            case .exclude(let person): (7, 0, person)
            case .expel: (8, 0, [])
            case .rooms: (9, 0, [])
            case .exportRoom: (10, 0, [])
            case .importRoom(let record): (11, 0, record)
            }
        var writer = RecordWriter()
        writer.number(kind)
        writer.number(connection)
        try writer.block(bytes)
        return writer.bytes
    }

    /// Reads a request.
    ///
    /// - Throws: `PacketError.unreadable` for bytes that are none, or one of a kind that this
    ///   version does not know.
    /// - Complexity: O(bytes).
    public static func decode(_ bytes: [UInt8]) throws(PacketError) -> NodeRequest {
        do throws(RecordError) {
            var reader = RecordReader(bytes, in: 0..<bytes.count)
            let kind = try reader.number(UInt8.self)
            let connection = try reader.number(UInt64.self)
            let body = try reader.block()
            try reader.finish()
            switch kind {
            case 1: return .exportScene
            case 2: return .replaceScene(body)
            case 3: return .deleteRoom
            case 4: return .members
            case 5: return .release
            case 6: return .remove(connection: connection)
            case 7: return .exclude(person: body)
            case 8: return .expel
            case 9: return .rooms
            case 10: return .exportRoom
            case 11: return .importRoom(body)
            default: throw .invalidValue(offset: 0, expected: "1 to 11")
            }
        } catch {
            throw .unreadable(error)
        }
    }
}

/// The outcome of a `NodeRequest`.
///
///     offset  size  meaning
///     0       1     0 for an answer, 1 if the node does not own the room, 2 for an unknown request
///     1       2     status of an answer, as of HTTP; otherwise 0
///     3       1     1 if the answer is JSON, otherwise 0
///     4       4     bytes of the answer, then these
///
/// Numbers are little-endian. An example is in `NodeRequestTests`.
public enum NodeReply: Equatable, Sendable {
    /// The request was carried out, or refused, with the status of an HTTP response and its body:
    /// JSON, or else text.
    case answer(status: UInt16, isJSON: Bool, [UInt8])
    /// The request was not carried out, for the node does not own the room.
    case notOwner
    /// The request was not carried out, for the node's version does not know it.
    case notUnderstood

    /// The reply's bytes.
    ///
    /// - Throws: `RecordError.tooLong` for a body that does not fit.
    /// - Complexity: O(bytes).
    public func encoded() throws(RecordError) -> [UInt8] {
        let (kind, status, isJSON, body): (UInt8, UInt16, Bool, [UInt8]) =
            switch self {
            case .answer(let status, let isJSON, let body): (0, status, isJSON, body)
            case .notOwner: (1, 0, false, [])
            case .notUnderstood: (2, 0, false, [])
            }
        var writer = RecordWriter()
        writer.number(kind)
        writer.number(status)
        writer.number(UInt8(isJSON ? 1 : 0))
        try writer.block(body)
        return writer.bytes
    }

    /// Reads a reply.
    ///
    /// - Throws: `PacketError.unreadable` for bytes that are none.
    /// - Complexity: O(bytes).
    public static func decode(_ bytes: [UInt8]) throws(PacketError) -> NodeReply {
        do throws(RecordError) {
            var reader = RecordReader(bytes, in: 0..<bytes.count)
            let kind = try reader.number(UInt8.self)
            let status = try reader.number(UInt16.self)
            let isJSON = try reader.flag()
            let body = try reader.block()
            try reader.finish()
            switch kind {
            case 0 where 200...599 ~= status: return .answer(status: status, isJSON: isJSON, body)
            case 0: throw .invalidValue(offset: 1, expected: "a status of 200 to 599")
            case 1: return .notOwner
            case 2: return .notUnderstood
            default: throw .invalidValue(offset: 0, expected: "0, 1 or 2")
            }
        } catch {
            throw .unreadable(error)
        }
    }
}
