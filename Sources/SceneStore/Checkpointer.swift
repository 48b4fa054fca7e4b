private import Dispatch
private import Essentials
import SQLite
import Synchronization

/// Moves commits from the write-ahead log into the database, over its own connection and thread, so
/// that the writer does not wait.
final class Checkpointer: Sendable {
    /// Bytes of commits after which the log is emptied. Few, since commits wait while what was
    /// moved is synced.
    private static let bytesMaximum = 4 << 20
    /// Bytes of the log beyond which it must restart, even if the writer waits briefly.
    private static let logMaximum = 40 << 20
    /// The maximum number of attempts to catch up with the writer, each with less to move than the
    /// one before.
    private static let attemptMaximum = 2

    private let database: Mutex<Connection>
    private let logPath: String
    private let worker = DispatchQueue(label: "SceneSync checkpoints", qos: .utility)
    private let bytes = Mutex<Int>(0)

    /// Milliseconds for which a checkpoint waits for readers, and so the writer for the checkpoint.
    /// It is repeated.
    private static let patience: Int32 = 50

    /// - Throws: The database's error if it cannot be opened.
    init(path: String) throws(SQLiteError) {
        database = Mutex(
            try Connection(path: path, access: .writing, patience: Self.patience))
        logPath = path + "-wal"
    }

    /// Registers committed bytes.
    func note(_ count: Int) {
        let isDue = bytes.withLock { bytes in
            bytes += count
            guard bytes >= Self.bytesMaximum else { return false }
            bytes = 0
            return true
        }
        guard isDue else { return }
        worker.async { [self] in run() }
    }

    private func run() {
        // A failed checkpoint leaves everything in the log, where it is safe; the next one moves
        // it.
        for _ in 0..<Self.attemptMaximum {
            // After a complete checkpoint, the next commit restarts the log, and no writer has
            // waited.
            if (try? checkpoint(.passive)) ?? true { return }
        }
        if logByteCount > Self.logMaximum { _ = try? checkpoint(.restart) }
    }

    /// The behaviour of a checkpoint when other connections are active.
    private enum Mode: String {
        /// Moves as much as possible without waiting.
        case passive = "PRAGMA wal_checkpoint(PASSIVE)"
        /// Waits for readers, so that the log restarts.
        case restart = "PRAGMA wal_checkpoint(RESTART)"
        /// The same, and truncates the log's file.
        case truncate = "PRAGMA wal_checkpoint(TRUNCATE)"
    }

    /// - Returns: Whether all of the log is in the database.
    private func checkpoint(_ mode: Mode) throws(SQLiteError) -> Bool {
        let rows = try database.withLock { database throws(SQLiteError) in
            try database.rows(mode.rawValue)
        }
        // Whether another connection was active, the pages of the log, and the number of moved
        // pages.
        guard let row = rows.first, row.count == 3 else { return false }
        return row[1] == row[2]
    }

    /// Begins to truncate the log's file if that is long, without waiting for readers or the disk.
    ///
    /// - Returns: Whether the file was short already.
    func rest() -> Bool {
        guard logByteCount > Self.bytesMaximum else { return true }
        worker.async { [self] in
            // The writer waits during the second checkpoint, which has nothing left to move.
            guard (try? checkpoint(.passive)) == true else { return }
            _ = try? checkpoint(.truncate)
        }
        return false
    }

    private var logByteCount: Int { FileSize.bytes(atPath: logPath) ?? 0 }

    /// Waits for work in progress, and moves the whole log into the database: this module's
    /// checksums detect damage there, while SQLite's own would silently end the log.
    func finish() {
        worker.sync {
            // A failed checkpoint leaves everything in the log.
            _ = try? checkpoint(.truncate)
        }
    }
}
