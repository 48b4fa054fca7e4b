import Bytes
import SQLite
import SceneWire

/// The tables of the journal, and their migration from earlier versions.
///
///     groups    one row for each group commit: when, and all its records as one blob
///     rooms     each room's number and name
///     segments  for each room where its records are; written for many groups at once
///     state     `indexed`: the last group that the segments cover
enum SQLiteSchema {
    /// The present version.
    static let version = 2

    static func create(_ database: Connection) throws {
        try database.execute(
            """
            CREATE TABLE groups (
                id INTEGER PRIMARY KEY, time INTEGER NOT NULL, data BLOB NOT NULL);
            CREATE INDEX groupsByTime ON groups (time);
            CREATE TABLE rooms (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
            CREATE TABLE segments (
                room INTEGER NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL,
                PRIMARY KEY (room, first)) WITHOUT ROWID;
            CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO state VALUES ('indexed', 0);
            PRAGMA user_version = 2;
            """)
    }

    /// Version 1 stored room names in its blobs and had an index row for each room in each commit.
    ///
    /// - Parameter time: The time for the migrated groups; the old tables had none.
    static func migrateFromVersion1(_ database: Connection, time: Int64) throws {
        try create(database)
        var rooms: [String: Int64] = [:]
        try database.forEach("SELECT id, data FROM commits ORDER BY id") { row in
            // A damaged commit is skipped, so that the intact ones are migrated.
            guard let number = row[0].integer else { return }
            var group: [(room: Int64, record: JournalRecord)] = []
            for (name, record) in version1Records(row[1].blob ?? []) {
                if rooms[name] == nil {
                    try database.run("INSERT INTO rooms (name) VALUES (?)", .text(name))
                    rooms[name] = database.lastRowID
                }
                // Records that version 1 had truncated have no row in its index.
                let isIndexed =
                    try database.first(
                        """
                        SELECT EXISTS (SELECT 1 FROM ranges WHERE room = ?1 AND commitID = ?2
                            AND first <= ?3 AND last >= ?3)
                        """,
                        .text(name), .integer(number), .integer(Int64(clamping: record.sequence)))
                    == 1
                if isIndexed, let room = rooms[name] { group.append((room, record)) }
            }
            guard !group.isEmpty else { return }
            try database.run(
                "INSERT INTO groups (id, time, data) VALUES (?, ?, ?)", .integer(number),
                .integer(time), last: GroupBlob.encode(group))
        }
        try database.execute("DROP TABLE ranges; DROP TABLE commits;")
    }

    /// Pairs of a name and a record, each after its length in 32 bits.
    private static func version1Records(
        _ bytes: [UInt8]
    ) -> [(room: String, record: JournalRecord)] {
        var result: [(room: String, record: JournalRecord)] = []
        var offset = 0
        func take() -> ArraySlice<UInt8>? {
            guard bytes.count - offset >= 4 else { return nil }
            let count = Int(LittleEndian.number(bytes[offset..<offset + 4]) as UInt32)
            guard bytes.count - offset - 4 >= count else { return nil }
            defer { offset += 4 + count }
            return bytes[(offset + 4)..<(offset + 4 + count)]
        }
        while let name = take(), let data = take() {
            guard let room = String(validating: name, as: UTF8.self),
                let record = try? JournalRecord.decode(Array(data))
            else { break }
            result.append((room, record))
        }
        return result
    }
}
