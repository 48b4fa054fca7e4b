import Foundation
import GRDB
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

    private let database: DatabaseQueue
    private let logPath: String
    private let worker = DispatchQueue(label: "SceneSync checkpoints", qos: .utility)
    private let bytes = Mutex<Int>(0)

    /// - Throws: The database's error when it cannot be opened.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "SceneSync checkpoints"
        configuration.busyMode = .timeout(5)
        database = try DatabaseQueue(path: path, configuration: configuration)
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
            if (try? checkpoint("PASSIVE")) ?? true { return }
        }
        let size =
            (try? FileManager.default.attributesOfItem(atPath: logPath)[.size] as? Int) ?? 0
        if size > Self.logMaximum { _ = try? checkpoint("RESTART") }
    }

    /// - Returns: Whether all of the log is in the database.
    private func checkpoint(_ mode: String) throws -> Bool {
        try database.writeWithoutTransaction { database in
            guard
                let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(\(mode))")
            else { return false }
            let (log, done): (Int, Int) = (row[1], row[2])
            return log == done
        }
    }

    /// Waits for what is under way, and brings all of the log into the database: our checksums find what is damaged
    /// there, where SQLite's own would silently end the log.
    func finish() {
        worker.sync {
            // One that fails leaves everything in the log.
            _ = try? checkpoint("TRUNCATE")
        }
    }
}
