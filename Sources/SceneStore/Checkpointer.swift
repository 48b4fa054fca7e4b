private import Dispatch
private import FoundationEssentials
import SQLite
import Synchronization

/// Moves commits from the write-ahead log into the database, over a connection and on a thread of its own, so that the
/// writer does not wait for it.
final class Checkpointer: Sendable {
    /// Bytes of commits after which the log is emptied.
    private static let bytesMaximum = 32 << 20
    /// Bytes of the log beyond which it has to begin anew, though a writer may wait a moment for it.
    private static let logMaximum = 40 << 20
    /// Attempts to catch up with the writer, each over less than the one before.
    private static let attemptMaximum = 2

    private let database: Mutex<Connection>
    private let logPath: String
    private let worker = DispatchQueue(label: "SceneSync checkpoints", qos: .utility)
    private let bytes = Mutex<Int>(0)

    /// - Throws: The database's error when it cannot be opened.
    init(path: String) throws(SQLiteError) {
        database = Mutex(try Connection(path: path, access: .writing))
        logPath = path + "-wal"
    }

    /// Notes that bytes were committed.
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
        // A checkpoint that fails leaves everything in the log, where it is safe; the next one takes it along.
        for _ in 0..<Self.attemptMaximum {
            // Once nothing is left, the next commit begins the log anew by itself, and no writer has waited.
            if (try? checkpoint(.passive)) ?? true { return }
        }
        let size =
            (try? FileManager.default.attributesOfItem(atPath: logPath)[.size] as? Int) ?? 0
        if size > Self.logMaximum { _ = try? checkpoint(.restart) }
    }

    /// What a checkpoint does where others are in its way.
    private enum Mode: String {
        /// Moves what it can without waiting.
        case passive = "PRAGMA wal_checkpoint(PASSIVE)"
        /// Waits for readers, so that the log begins anew.
        case restart = "PRAGMA wal_checkpoint(RESTART)"
        /// The same, and cuts the log's file off.
        case truncate = "PRAGMA wal_checkpoint(TRUNCATE)"
    }

    /// - Returns: Whether all of the log is in the database.
    private func checkpoint(_ mode: Mode) throws(SQLiteError) -> Bool {
        let rows = try database.withLock { database throws(SQLiteError) in
            try database.rows(mode.rawValue)
        }
        // Whether another connection was in the way, the pages of the log, and those of them that were moved.
        guard let row = rows.first, row.count == 3 else { return false }
        return row[1] == row[2]
    }

    /// Waits for what is under way, and brings all of the log into the database: our checksums find what is damaged
    /// there, where SQLite's own would silently end the log.
    func finish() {
        worker.sync {
            // One that fails leaves everything in the log.
            _ = try? checkpoint(.truncate)
        }
    }
}
