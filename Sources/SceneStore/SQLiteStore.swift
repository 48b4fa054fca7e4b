import Foundation
import GRDB
public import SceneProtocol

/// The journal in one SQLite database, through GRDB.
///
/// Each group commit is one row with all its records, besides one small index row for each room in it: a row for
/// every record dirties a page for every room, and is an order of magnitude slower at a thousand rooms. The
/// write-ahead log is synced in full at each commit.
public final class SQLiteStore: SceneStore {
    /// The version of the schema that this program writes.
    static let schemaVersion = 1

    private let queue: DatabaseQueue
    private let isReadOnly: Bool
    private var found: [String] = []

    /// What was found broken while reading.
    public var damage: [String] { found }

    /// Opens or makes the database `journal.sqlite` in a directory, which is made if it is missing.
    ///
    /// - Parameter isReadOnly: Whether to look only, at a journal that is there; nothing is made, nor cut.
    /// - Throws: `StoreError.cannotOpen`, `.tooNew`, or `.notDurable` when full syncs cannot be had.
    public init(directory: String, isReadOnly: Bool = false) throws(StoreError) {
        let path = directory + "/journal.sqlite"
        self.isReadOnly = isReadOnly
        if isReadOnly {
            do {
                var configuration = Configuration()
                configuration.readonly = true
                configuration.busyMode = .timeout(5)
                queue = try DatabaseQueue(path: path, configuration: configuration)
            } catch {
                throw .cannotOpen(path: path, reason: Self.reason(error))
            }
            try migrate(path)
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            var configuration = Configuration()
            configuration.label = "SceneSync journal"
            configuration.busyMode = .timeout(5)
            configuration.journalMode = .wal
            queue = try DatabaseQueue(path: path, configuration: configuration)
            // GRDB sets NORMAL together with the write-ahead log, after it has run what it was given to prepare the
            // connection; NORMAL may lose acknowledged commits when the power goes.
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
        } catch {
            throw .cannotOpen(path: path, reason: Self.reason(error))
        }
        try checkDurability()
        try migrate(path)
    }

    private func checkDurability() throws(StoreError) {
        let mode: Int
        let journal: String
        do {
            (mode, journal) = try queue.read { database in
                (
                    try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
                    try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
                )
            }
        } catch {
            throw .readFailed(Self.reason(error))
        }
        guard mode == 2, journal == "wal" else {
            throw .notDurable(
                "synchronous is \(mode) and journal_mode \(journal), expected 2 and wal")
        }
    }

    private func migrate(_ path: String) throws(StoreError) {
        let version: Int
        do {
            version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        } catch {
            throw .cannotOpen(path: path, reason: Self.reason(error))
        }
        guard version <= Self.schemaVersion else {
            throw .tooNew(version: version, supported: Self.schemaVersion)
        }
        guard version == 0 else { return }
        guard !isReadOnly else { throw .cannotOpen(path: path, reason: "it is not a journal") }
        do {
            try queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE commits (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
                        CREATE TABLE ranges (
                            room TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
                            snapshot INTEGER, commitID INTEGER NOT NULL REFERENCES commits(id),
                            PRIMARY KEY (room, first)) WITHOUT ROWID;
                        CREATE INDEX rangesByCommit ON ranges (commitID);
                        PRAGMA user_version = 1;
                        """)
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// Writes records, all or none; see `SceneStore`.
    public func append(_ group: [RoomRecord]) throws(StoreError) {
        guard !group.isEmpty else { return }
        let ranges = RoomRange.ranges(of: group)
        let data = Data(CommitBlob.encode(group))
        do {
            try queue.write { database in
                try database.execute(
                    sql: "INSERT INTO commits (data) VALUES (?)", arguments: [data])
                let commit = database.lastInsertedRowID
                for range in ranges {
                    try database.execute(
                        sql: """
                            INSERT INTO ranges (room, first, last, snapshot, commitID)
                            VALUES (?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            range.room, Int64(clamping: range.first), Int64(clamping: range.last),
                            range.snapshot.map { Int64(clamping: $0) }, commit,
                        ])
                }
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// A room's records from its last snapshot on; see `SceneStore`.
    public func records(of room: String) throws(StoreError) -> [JournalRecord] {
        let blobs: [Data]
        do {
            blobs = try queue.read { database in
                try Data.fetchAll(
                    database,
                    sql: """
                        SELECT commits.data FROM ranges JOIN commits ON commits.id = commitID
                        WHERE room = :room AND last >= COALESCE(
                            (SELECT MAX(snapshot) FROM ranges WHERE room = :room), 0)
                        ORDER BY first
                        """,
                    arguments: ["room": room])
            }
        } catch {
            throw .readFailed(Self.reason(error))
        }
        var records: [JournalRecord] = []
        let known = found.count
        for blob in blobs {
            do {
                for entry in try CommitBlob.decode([UInt8](blob)) where entry.room == room {
                    records.append(entry.record)
                }
            } catch {
                found.append(
                    "room \(room): a commit after record \(records.last?.sequence ?? 0): \(error)")
                break
            }
        }
        let good = goodPart(of: records, room: room)
        if found.count > known, !isReadOnly { try cut(room, after: good.last) }
        return good
    }

    /// Removes what cannot be used after a room's last good record, so that the room can go on from there.
    private func cut(_ room: String, after last: JournalRecord?) throws(StoreError) {
        do {
            try queue.write { database in
                try database.execute(
                    sql: "DELETE FROM ranges WHERE room = ? AND first > ?",
                    arguments: [room, Int64(clamping: last?.sequence ?? 0)])
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// The records up to the first that does not follow its predecessor.
    private func goodPart(of records: [JournalRecord], room: String) -> [JournalRecord] {
        let start = records.lastIndex { $0.kind == .snapshot } ?? 0
        var good: [JournalRecord] = []
        for record in records[start...] {
            if let last = good.last,
                record.sequence != last.sequence + 1 || record.previous != last.checksum
            {
                found.append(
                    "room \(room): record \(record.sequence) does not follow \(last.sequence)")
                break
            }
            good.append(record)
        }
        return good
    }

    /// The rooms that have records, by name.
    public func rooms() throws(StoreError) -> [String] {
        do {
            return try queue.read {
                try String.fetchAll($0, sql: "SELECT DISTINCT room FROM ranges ORDER BY room")
            }
        } catch {
            throw .readFailed(Self.reason(error))
        }
    }

    /// Removes what comes before a room's last snapshot.
    public func compact(_ room: String) throws(StoreError) -> Int {
        do {
            return try queue.write { database in
                try database.execute(
                    sql: """
                        DELETE FROM ranges WHERE room = :room AND last < COALESCE(
                            (SELECT MAX(snapshot) FROM ranges WHERE room = :room), 0)
                        """,
                    arguments: ["room": room])
                let count = database.changesCount
                try Self.dropOrphans(database)
                return count
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// Removes a room.
    public func delete(_ room: String) throws(StoreError) {
        do {
            try queue.write { database in
                try database.execute(sql: "DELETE FROM ranges WHERE room = ?", arguments: [room])
                try Self.dropOrphans(database)
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// Finds out whether records can be written.
    public func probe() throws(StoreError) {
        do {
            try queue.write { database in
                try database.execute(
                    sql: "INSERT INTO commits (data) VALUES (zeroblob(4096))")
                try database.execute(
                    sql: "DELETE FROM commits WHERE id = ?", arguments: [database.lastInsertedRowID]
                )
            }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    private static func dropOrphans(_ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM commits WHERE id NOT IN (SELECT commitID FROM ranges)")
    }

    private static func reason(_ error: any Error) -> String {
        if let error = error as? DatabaseError {
            return error.message ?? "SQLite error \(error.resultCode.rawValue)"
        }
        return "\(error)"
    }
}
