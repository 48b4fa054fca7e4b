private import Essentials
private import FoundationEssentials
import Glibc
import SQLite

/// The journal's file: opens it with full syncs and the present schema, and translates the
/// database's errors.
final class JournalDatabase {
    private let connection: Connection
    private let checkpointer: Checkpointer?
    private let path: String
    let isReadOnly: Bool

    /// Opens or creates the database `journal.sqlite` in a directory.
    ///
    /// - Parameter isReadOnly: Whether to read an existing journal only, at one moment for as long
    ///   as the database is open; nothing is created or truncated.
    /// - Throws: `StoreError.cannotOpen`, `.tooNew`, or `.notDurable` if full syncs are not
    ///   available.
    init(directory: String, isReadOnly: Bool) throws(StoreError) {
        path = directory + "/journal.sqlite"
        self.isReadOnly = isReadOnly
        do {
            if !isReadOnly {
                Self.keepPrivate(path)
            }
            connection = try Connection(path: path, access: isReadOnly ? .reading : .writing)
            if !isReadOnly {
                // The page size only applies to a new database. Groups are large. NORMAL may lose
                // acknowledged commits at a power failure.
                try connection.execute(
                    """
                    PRAGMA page_size = 16384;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 0;
                    """)
            }
            checkpointer = isReadOnly ? nil : try Checkpointer(path: path)
        } catch {
            throw .cannotOpen(path: path, reason: Self.reason(error))
        }
        if !isReadOnly { try checkDurability() }
        try migrate()
        guard isReadOnly else { return }
        do {
            // Otherwise a compaction or a new index between two reads would look like damage.
            try connection.execute("BEGIN DEFERRED; SELECT COUNT(*) FROM state")
        } catch {
            throw .readFailed(Self.reason(error))
        }
    }

    /// Makes the journal's files readable for their owner only, independent of the directory and
    /// the umask: they contain every scene. SQLite gives its log the mode of the database.
    private static func keepPrivate(_ path: String) {
        // Only for a new file: closing a file that is open elsewhere in the process would release
        // SQLite's locks.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        for file in [path, path + "-wal", path + "-shm"] {
            // The mode of another owner's files cannot be changed; the files can still be used.
            _ = chmod(file, 0o600)
        }
    }

    private func checkDurability() throws(StoreError) {
        let (mode, journal) = try reading { database in
            (
                try database.first("PRAGMA synchronous")?.integer ?? -1,
                try database.first("PRAGMA journal_mode")?.text ?? ""
            )
        }
        guard mode == 2, journal == "wal" else {
            throw .notDurable(
                "synchronous is \(mode) and journal_mode \(journal), expected 2 and wal")
        }
    }

    private func migrate() throws(StoreError) {
        let version: Int
        do {
            version = Int(try connection.first("PRAGMA user_version")?.integer ?? 0)
        } catch {
            throw .cannotOpen(path: path, reason: Self.reason(error))
        }
        guard version <= SQLiteSchema.version else {
            throw .tooNew(version: version, supported: SQLiteSchema.version)
        }
        guard version < SQLiteSchema.version else { return }
        guard !isReadOnly else {
            throw .cannotOpen(
                path: path,
                reason: version == 0
                    ? "it is not a SceneSync journal"
                    : "it has version \(version); run the server on it once to migrate it")
        }
        try writing { database in
            if version == 0 {
                try SQLiteSchema.create(database)
            } else {
                try SQLiteSchema.migrateFromVersion1(
                    database, time: Int64(Date().timeIntervalSince1970))
            }
        }
    }

    // MARK: Use

    /// Reads in one transaction, so all reads see the same moment.
    func reading<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        do {
            // A reader's only transaction began when it opened the database.
            guard !isReadOnly else { return try body(connection) }
            return try connection.transaction(.reading) { try body(connection) }
        } catch {
            throw .readFailed(Self.reason(error))
        }
    }

    /// Writes in one transaction, all or nothing.
    func writing<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        do {
            return try connection.transaction(.writing) { try body(connection) }
        } catch {
            throw .writeFailed(Self.reason(error))
        }
    }

    /// Writes one group, with a part of the index where there is one. After an error it is unknown
    /// whether they were stored.
    func insert(
        group id: Int64, time: Int64, bytes: [UInt8], with slice: IndexSlice?
    ) throws(StoreError) {
        if let slice {
            try writing { database in
                try Self.insert(id, time, bytes, database)
                try slice.write(to: database)
            }
        } else {
            // A single statement is its own transaction.
            do throws(SQLiteError) {
                try Self.insert(id, time, bytes, connection)
            } catch {
                throw .writeFailed(error.description)
            }
        }
        checkpointer?.note(bytes.count)
    }

    private static func insert(
        _ id: Int64, _ time: Int64, _ bytes: [UInt8], _ database: Connection
    ) throws(SQLiteError) {
        try database.run(
            "INSERT INTO groups (id, time, data) VALUES (?, ?, ?)", .integer(id),
            .integer(time), last: bytes)
    }

    /// Writes a part of the index by itself.
    func write(_ slice: IndexSlice) throws(StoreError) {
        try writing { database in try slice.write(to: database) }
    }

    func damageMarks() throws(StoreError) -> DamageMarks {
        try reading { database in try DamageMarks(from: database) }
    }

    func write(_ marks: DamageMarks) throws(StoreError) {
        guard !marks.torn.isEmpty || !marks.lost.isEmpty else { return }
        try writing { database in try marks.write(to: database) }
    }

    /// Moves the write-ahead log into the database.
    func finish() { checkpointer?.finish() }

    /// Truncates the write-ahead log if it is long.
    ///
    /// - Returns: Whether the log is short now.
    func rest() -> Bool { checkpointer?.rest() ?? true }

    private static func reason(_ error: any Error) -> String {
        if let error = error as? SQLiteError { return error.description }
        return FileFailure.reason(of: error)
    }
}
