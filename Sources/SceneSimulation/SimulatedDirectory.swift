import Bytes
import FoundationEssentials
import SQLite
import SceneDocument
import SceneWire
import SceneSession
import SceneStore
import SeededRandom

/// A data directory with the store and the lock that ship, and what happens to it while no server
/// runs: the journal is damaged, and repaired.
final class SimulatedDirectory {
    private static let room = "sim"

    private let path: String
    private var store: SQLiteStore?
    /// Each group has a time of its own.
    private var time: Int64 = 0
    /// The groups that were written since the room was made.
    private var groupCount = 0

    init() {
        // Nothing here has to outlast the machine.
        let memory = "/dev/shm"
        let base =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = "\(base)/scenesync-simulation-\(UInt64.random(in: 0...(.max)))"
    }

    deinit {
        store = nil
        try? FileManager.default.removeItem(atPath: path)
    }

    // MARK: The server

    /// A server starts, and reads all of the room's journal.
    ///
    /// - Throws: `StoreError`; the server has the directory all the same where the room alone
    ///   cannot be read.
    func open() throws(StoreError) -> [JournalRecord] {
        if store == nil { store = try SQLiteStore(directory: path) }
        return try records()
    }

    /// All records that can be read; empty while no server runs.
    func records() throws(StoreError) -> [JournalRecord] {
        try store?.records(of: Self.room, from: 0) ?? []
    }

    /// Writes groups, each whole or not at all.
    func write(_ groups: [[JournalRecord]]) throws(StoreError) {
        for group in groups {
            time += 1
            groupCount += 1
            try store?.append(
                group.map { RoomRecord(room: Self.room, record: $0) }, time: time)
        }
    }

    func truncate(after sequence: UInt64) throws(StoreError) {
        try store?.truncate(Self.room, after: sequence)
    }

    /// The server dies.
    func close() { store = nil }

    // MARK: Other processes

    /// Another process wants to write to the directory.
    ///
    /// - Parameter ignoresLock: Whether it takes a lock of its own, as one that finds none does.
    /// - Returns: Whether it is refused because the directory is in use.
    func refusesAnother(ignoresLock: Bool) throws -> Bool {
        if ignoresLock {
            try FileManager.default.removeItem(atPath: DirectoryLock.path(in: path))
        }
        do throws(StoreError) {
            _ = try SQLiteStore(directory: path)
            return false
        } catch {
            if case .inUse = error { return true }
            throw error
        }
    }

    /// A lock that outlasts its process, as no kernel leaves one.
    func leaveLock() throws -> DirectoryLock { try DirectoryLock(path) }

    // MARK: Damage

    /// All that a reader gets while no server runs.
    func readAlone() throws(StoreError) -> [JournalRecord] {
        try SQLiteStore(directory: path, isReadOnly: true).records(of: Self.room, from: 0)
    }

    /// Damages a group that is not the last, while no server runs.
    ///
    /// - Returns: Whether there was one.
    func damage(_ random: inout SplitMix64) throws -> Bool {
        let database = try Connection(path: path + "/journal.sqlite", access: .writing)
        let groups = try database.rows("SELECT id, data FROM groups ORDER BY id")
        guard groups.count > 1 else { return false }
        try harm(groups[random.below(groups.count - 1)], in: database, &random)
        return true
    }

    /// Has the last group, which was under way when the server died, end early: from some byte on
    /// it is gone, or zero. Not that with which the room was made: of a room that has nothing left,
    /// not even that it was never acknowledged is known.
    ///
    /// - Returns: Whether it did.
    func tearLast(_ random: inout SplitMix64) throws -> Bool {
        let database = try Connection(path: path + "/journal.sqlite", access: .writing)
        let groups = try database.rows("SELECT id, data FROM groups ORDER BY id DESC LIMIT 2")
        guard groupCount > 1, groups.count == 2, let id = groups[0][0].integer,
            var bytes = groups[0][1].blob, !bytes.isEmpty
        else { return false }
        let lost = bytes.count - random.below(bytes.count)
        bytes.removeLast(lost)
        if random.chance(1, of: 2) { bytes += [UInt8](repeating: 0, count: lost) }
        try database.run(
            "UPDATE groups SET data = ? WHERE id = ?", .blob(bytes), .integer(id))
        return true
    }

    private func harm(
        _ group: [Value], in database: Connection, _ random: inout SplitMix64
    ) throws {
        guard let id = group[0].integer, var bytes = group[1].blob, !bytes.isEmpty else { return }
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1:
            for index in place..<min(bytes.count, place + 4096) { bytes[index] = 0 }
        default: bytes[place] ^= UInt8(1 << random.below(8))
        }
        try database.run(
            "UPDATE groups SET data = ? WHERE id = ?", .blob(bytes), .integer(id))
    }

    /// The hash of all groups as they stand on disk.
    func digest() throws -> UInt64 {
        let database = try Connection(path: path + "/journal.sqlite", access: .reading)
        var hash = FNV1a()
        for row in try database.rows("SELECT id, data FROM groups ORDER BY id") {
            hash.add(row[1].blob ?? [])
            hash.add(UInt8(truncatingIfNeeded: row[0].integer ?? 0))
        }
        return hash.value
    }

    /// Repairs the journal as `scenesync repair --apply` does.
    ///
    /// - Returns: Whether the scene of before is to come back, and how many records do not fit;
    ///   `nil` where nothing was left of the room, which is deleted.
    func repair() throws(StoreError) -> (isExact: Bool, leftOut: Int)? {
        let store = try SQLiteStore(directory: path)
        let pieces = try store.pieces(of: Self.room)
        let remains = JournalRemains(pieces)
        time += 1
        if let (index, next) = remains.restoration() {
            try store.restore(Self.room, to: pieces[index], then: next, time: time)
        } else {
            try store.delete(Self.room)
            groupCount = 0
        }
        let outcome: (isExact: Bool, leftOut: Int)? =
            switch remains.result {
            case .none: nil
            case .present(_, let scene), .parted(_, _, let scene): (scene.isExact, scene.leftOut)
            }
        try store.removeDamagedGroups()
        return outcome
    }
}
