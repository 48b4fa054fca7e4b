public import SceneProtocol

/// The journal of rooms: what was appended is read back in order, and what was reported as appended is never lost.
///
/// A store knows records and rooms, no scenes; what a payload means is the session's. Calls block until they are
/// done and come from one thread at a time.
public protocol SceneStore: AnyObject {
    /// Writes records of any number of rooms, all or none, and returns once they are on disk.
    ///
    /// - Throws: `StoreError`; nothing of the group was kept then.
    func append(_ group: [RoomRecord]) throws(StoreError)

    /// A room's records from its last snapshot on, oldest first; empty for a room that does not exist.
    ///
    /// - Throws: `StoreError`. A torn or flipped tail is cut at the last good record and reported by `damage`.
    func records(of room: String) throws(StoreError) -> [JournalRecord]

    /// The rooms that have records, by name.
    func rooms() throws(StoreError) -> [String]

    /// Removes what comes before a room's last snapshot.
    ///
    /// - Returns: How many records went.
    @discardableResult
    func compact(_ room: String) throws(StoreError) -> Int

    /// Removes a room and all of its records.
    func delete(_ room: String) throws(StoreError)

    /// Finds out whether records can be written, without keeping any.
    func probe() throws(StoreError)

    /// What was found broken while reading, for people; empty when all was well.
    var damage: [String] { get }
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

/// What can go wrong with a store.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The database cannot be opened, or is not ours.
    case cannotOpen(path: String, reason: String)
    /// It was written by a later version.
    case tooNew(version: Int, supported: Int)
    /// A write failed; nothing of it was kept.
    case writeFailed(String)
    /// A read failed.
    case readFailed(String)
    /// The database does not keep its promise of durability.
    case notDurable(String)

    /// What people read.
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
