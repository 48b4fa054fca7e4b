public import SceneWire

/// The journal of rooms: records are read in the order in which they were appended, and no record
/// reported as appended is ever lost.
///
/// A store knows records and rooms, but not scenes: only the session parses payloads. It has no
/// clock: its driver passes the time, in seconds since 1970. Calls block until they are done and
/// come from one thread at a time.
public protocol SceneStore: AnyObject {
    /// Writes records of any number of rooms, all or none, and returns once they are on disk.
    ///
    /// - Parameter time: The present time; never earlier than in the call before.
    /// - Throws: `StoreError`; then `truncate` must remove what may have been stored of the group.
    func append(_ group: [RoomRecord], time: Int64) throws(StoreError)

    /// A room's records from a snapshot on, oldest first; empty for a room that does not exist.
    ///
    /// - Parameter tick: A tick that the records must lead to: they start with the last snapshot at
    ///   or before it, or with the oldest one if all are later. `nil` starts with the last
    ///   snapshot.
    /// - Throws: `StoreError`; `.damaged` if acknowledged records cannot be read. Only a torn tail,
    ///   the remains of an interrupted last write, is cut and reported by `damage`.
    func records(of room: String, from tick: UInt64?) throws(StoreError) -> [JournalRecord]

    /// The same with a limit: records end a number of bytes after those that lead to the tick.
    ///
    /// - Parameter bytes: Bytes of payloads after the records that lead to the tick.
    func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord]

    /// Opens another, read-only store on the same records, for use on the calling thread; `nil` if
    /// the store does not support it.
    var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? { get }

    /// The rooms with records, by name.
    func rooms() throws(StoreError) -> [String]

    /// Removes a room's records after a sequence, such as those of a write reported as failed.
    func truncate(_ room: String, after sequence: UInt64) throws(StoreError)

    /// Removes the records before each room's last snapshot at a time.
    ///
    /// What was written after a younger record is as young, however old its time is: the clock was
    /// wrong. It was, too, where a time is still to come; one that is further ahead of the present
    /// than `time` is behind says nothing.
    ///
    /// - Parameter now: The present time.
    /// - Returns: The number of removed records.
    @discardableResult
    func compact(before time: Int64, now: Int64) throws(StoreError) -> Int

    /// Removes a room and all of its records.
    func delete(_ room: String) throws(StoreError)

    /// Gives a room another name, with all of its records: whole or not at all, and on disk when
    /// this returns.
    ///
    /// - Throws: `StoreError`; the room keeps its name then.
    func rename(_ room: String, to name: String) throws(StoreError) -> RenameOutcome

    /// Checks whether records can be written, without storing any.
    func probe() throws(StoreError)

    /// Moves all written data to its final place, before the store is closed.
    func finish()

    /// Returns disk space that a busy time needed, while there is nothing to write.
    ///
    /// - Returns: Whether all of it was returned; if not, a later call may succeed.
    func rest() -> Bool

    /// Bytes of memory for the records; 0 for a store on disk.
    var memoryByteCount: Int { get }

    /// Damage found while reading, as sentences; empty if there is none.
    var damage: [String] { get }
}

extension SceneStore {
    /// A room's records from its last snapshot on.
    public func records(of room: String) throws(StoreError) -> [JournalRecord] {
        try records(of: room, from: nil)
    }

    /// All of them, for a store that has its records in memory.
    public func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord] {
        try records(of: room, from: tick)
    }

    /// 0: the records are on disk.
    public var memoryByteCount: Int { 0 }

    /// Nothing to return.
    public func rest() -> Bool { true }

    /// None.
    public var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? { nil }
}

/// The outcome of renaming a room in a store.
public enum RenameOutcome: Sendable, Equatable {
    /// The room has its new name.
    case renamed
    /// There is no such room.
    case noSuchRoom
    /// Another room has that name.
    case nameTaken
}

/// A failure of a store.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process writes to the directory.
    case inUse(directory: String, DirectoryLock.Holder)
    /// Acknowledged records of a room are missing or cannot be read.
    case damaged(RoomDamage)
    /// The database cannot be opened, or is not a journal.
    case cannotOpen(path: String, reason: String)
    /// It was written by a later version.
    case tooNew(version: Int, supported: Int)
    /// A write failed.
    case writeFailed(String)
    /// A read failed.
    case readFailed(String)
    /// The database is not configured for durability.
    case notDurable(String)

    /// The text for people.
    public var description: String {
        switch self {
        case .inUse(let directory, let holder):
            "the directory \(directory) is in use by \(holder)"
        case .damaged(let damage): damage.description
        case .cannotOpen(let path, let reason): "cannot open the journal \(path): \(reason)"
        case .tooNew(let version, let supported):
            "the journal has version \(version), this program supports versions up to \(supported)"
        case .writeFailed(let reason): "the journal cannot be written: \(reason)"
        case .readFailed(let reason): "the journal cannot be read: \(reason)"
        case .notDurable(let reason): "the journal is not durable: \(reason)"
        }
    }
}

extension SceneStore {
    /// The times of records that are not removed.
    static func youngTimes(from time: Int64, now: Int64) -> ClosedRange<Int64> {
        let (age, isTooOld) = now.subtractingReportingOverflow(time)
        let (end, isTooLate) = now.addingReportingOverflow(age)
        return time...max(time, isTooOld || isTooLate ? .max : end)
    }

    /// Removes the records before each room's last snapshot at a time, which lies behind all times
    /// of records that say anything.
    @discardableResult
    public func compact(before time: Int64) throws(StoreError) -> Int {
        try compact(before: time, now: .max)
    }
}
