public import SceneProtocol

/// The journal of rooms: records are read back in the order in which they were appended, and none that was reported as
/// appended is ever lost.
///
/// A store knows records and rooms and no scenes: only the session reads payloads. It has no clock: its driver passes the
/// time in, in seconds since 1970. Calls block until they are done and come from one thread at a time.
public protocol SceneStore: AnyObject {
    /// Writes records of any number of rooms, all or none, and returns once they are on disk.
    ///
    /// - Parameter time: When; never earlier than in the call before.
    /// - Throws: `StoreError`; whether anything of the group was kept is then to be settled by `truncate`.
    func append(_ group: [RoomRecord], time: Int64) throws(StoreError)

    /// A room's records from a snapshot on, oldest first; empty for a room that does not exist.
    ///
    /// - Parameter tick: A tick that the records have to lead to: they begin with the last snapshot at or before it, or
    ///   with the oldest one if all are later. `nil` begins with the last snapshot.
    /// - Throws: `StoreError`. A torn or flipped tail is cut at the last good record and reported by `damage`.
    func records(of room: String, from tick: UInt64?) throws(StoreError) -> [JournalRecord]

    /// The same, but no further than has to be: records end once they lead to the tick and beyond it by so many bytes.
    ///
    /// - Parameter bytes: Bytes of payloads after the records that lead to the tick.
    func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord]

    /// Opens another way to the same records, which only reads and belongs to whichever thread calls; `nil` for a store
    /// that has no other.
    var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? { get }

    /// The rooms that have records, by name.
    func rooms() throws(StoreError) -> [String]

    /// Removes a room's records after a sequence, such as those of a write that was reported as failed.
    func truncate(_ room: String, after sequence: UInt64) throws(StoreError)

    /// Removes the records before the last snapshot that each room had at a time.
    ///
    /// - Returns: How many records went.
    @discardableResult
    func compact(before time: Int64) throws(StoreError) -> Int

    /// Removes a room and all of its records.
    func delete(_ room: String) throws(StoreError)

    /// Finds out whether records can be written, without keeping any.
    func probe() throws(StoreError)

    /// Moves everything written to its final place, before the store is closed.
    func finish()

    /// Bytes of memory that the records take; 0 for a store that keeps them elsewhere.
    var memoryByteCount: Int { get }

    /// Damage found while reading, as sentences for people; empty where there is none.
    var damage: [String] { get }
}

extension SceneStore {
    /// A room's records from its last snapshot on.
    public func records(of room: String) throws(StoreError) -> [JournalRecord] {
        try records(of: room, from: nil)
    }

    /// All of them, in a store whose records are at hand anyway.
    public func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord] {
        try records(of: room, from: tick)
    }

    /// None: they are on disk.
    public var memoryByteCount: Int { 0 }

    /// None.
    public var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? { nil }
}

/// A record and the room that it belongs to.
public struct RoomRecord: Sendable, Equatable {
    /// The room's name.
    public var room: String
    /// The record.
    public var record: JournalRecord

    /// Makes a pair.
    public init(room: String, record: JournalRecord) {
        self.room = room
        self.record = record
    }
}

/// A failure of a store.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The database cannot be opened, or is not ours.
    case cannotOpen(path: String, reason: String)
    /// It was written by a later version.
    case tooNew(version: Int, supported: Int)
    /// A write failed.
    case writeFailed(String)
    /// A read failed.
    case readFailed(String)
    /// The database does not keep its promise of durability.
    case notDurable(String)

    /// The text for people.
    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason): "cannot open the journal \(path): \(reason)"
        case .tooNew(let version, let supported):
            "the journal has version \(version), this program knows up to \(supported)"
        case .writeFailed(let reason): "the journal cannot be written: \(reason)"
        case .readFailed(let reason): "the journal cannot be read: \(reason)"
        case .notDurable(let reason): "the journal is not durable: \(reason)"
        }
    }
}
