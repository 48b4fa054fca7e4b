import SQLite
public import SceneWire

/// The journal in one SQLite database.
///
/// Each group commit is one row with all its records. The index of each room's records is kept in
/// memory, written to the database once for many groups, some rooms' with each commit, and rebuilt
/// from the last groups on opening: an index row for every room in every commit would dirty a page
/// for every room, which is too slow with a thousand rooms. The write-ahead log is synced in full
/// at each commit, and emptied by another connection.
public final class SQLiteStore: SceneStore {
    /// The largest number of a group, so that sums do not overflow; larger numbers are damage.
    private static let groupMaximum = Int64(1) << 62

    let database: JournalDatabase
    let directory: String
    /// Held while the journal may be written; `nil` for a reader.
    private let lock: DirectoryLock?
    /// The numbers of the rooms.
    var roomNumbers: [String: Int64] = [:]
    /// The numbers of rooms whose names are damaged; their records are kept.
    private(set) var namelessRooms: Set<Int64> = []
    /// Damage that is not in a room's index.
    var marks = DamageMarks()
    private(set) var unindexed = UnindexedRecords()

    /// Memory in which groups are built, reused for each.
    private var buffer: [UInt8] = []
    private static let bufferMaximum = 4 << 20
    private var lastGroup: Int64 = 0
    private var found: [String] = []

    /// Registers damage that was found while reading.
    func note(damage text: String) { found.append(text) }

    /// Damage found while reading.
    public var damage: [String] { found }

    /// Moves the write-ahead log into the database.
    public func finish() { database.finish() }

    /// Truncates the write-ahead log, which keeps its greatest length otherwise.
    public func rest() -> Bool { database.rest() }

    /// Opens or creates the database `journal.sqlite` in a directory, which is created if missing.
    ///
    /// - Parameter isReadOnly: Whether to read an existing journal only: its state at the time of
    ///   opening, whatever a server writes meanwhile. Nothing is created or truncated.
    /// - Throws: `StoreError.inUse` if another process writes there; `.cannotOpen`, `.tooNew`, or
    ///   `.notDurable` if full syncs are not available.
    public convenience init(directory: String, isReadOnly: Bool = false) throws(StoreError) {
        try self.init(directory, isReadOnly ? nil : try DirectoryLock(directory))
    }

    /// Opens or creates the database in a directory that this process has locked.
    ///
    /// - Throws: The same, but for `.inUse`.
    public convenience init(lock: DirectoryLock) throws(StoreError) {
        try self.init(lock.directory, lock)
    }

    private init(_ directory: String, _ lock: DirectoryLock?) throws(StoreError) {
        self.directory = directory
        self.lock = lock
        database = try JournalDatabase(directory: directory, isReadOnly: lock == nil)
        try readIndex()
        if lock != nil { try database.write(marks) }
    }

    /// Finds the rooms, and the groups that the segments do not cover. Damage is recorded and
    /// skipped, so that the other rooms can be opened.
    private func readIndex() throws(StoreError) {
        let indexed = try indexedGroup()
        let (rooms, groups, last, strays) = try database.reading { database in
            (
                try database.rows("SELECT id, name FROM rooms"),
                try database.rows(
                    "SELECT id, data FROM groups WHERE id > ? AND id <= ? ORDER BY id",
                    .integer(indexed), .integer(Self.groupMaximum)),
                try database.first(
                    "SELECT MAX(id) FROM groups WHERE id <= ?", .integer(Self.groupMaximum))?
                    .integer ?? 0,
                try database.first(
                    "SELECT COUNT(*) FROM groups WHERE id > ? OR id < 1",
                    .integer(Self.groupMaximum))?.integer ?? 0
            )
        }
        if strays > 0 { found.append("\(strays) groups have numbers out of range") }
        for row in rooms {
            guard let number = row[0].integer else { continue }
            guard let name = row[1].text else {
                found.append("the name of room \(number) is damaged")
                namelessRooms.insert(number)
                continue
            }
            roomNumbers[name] = number
        }
        lastGroup = max(last, indexed)
        marks = try database.damageMarks()
        if last > 0, last <= indexed {
            let blob = GroupBlob(try groupBytes(last))
            if !blob.isWhole { marks.noteTorn(last, readable: blob.readableCount) }
        }
        for row in groups {
            let group = row[0].integer ?? 0
            let blob = GroupBlob(row[1].blob ?? [])
            var lost: Set<Int64> = []
            for entry in blob.entries {
                if let record = try? JournalRecord.decode(Array(entry.bytes)) {
                    unindexed.note(record, room: entry.room, group: group)
                    marks.noteRecord(of: entry.room)
                } else {
                    lost.insert(entry.room)
                }
            }
            unindexed.noteGroup()
            guard !blob.isWhole else { continue }
            found.append("group \(group) is damaged")
            if group == last {
                marks.noteTorn(group, readable: blob.readableCount)
            } else {
                marks.noteLoss(
                    of: blob.isFramed ? lost : Set(roomNumbers.values), in: group)
            }
        }
    }

    /// The last group that the segments cover. If the database does not have it, the last one that
    /// a segment names.
    private func indexedGroup() throws(StoreError) -> Int64 {
        let (value, segments) = try database.reading { database in
            let value = try database.first("SELECT value FROM state WHERE key = 'indexed'")
            if let group = value?.integer, (0...Self.groupMaximum).contains(group) {
                return (group as Int64?, [Value]())
            }
            return (nil, try database.column("SELECT data FROM segments"))
        }
        if let value { return value }
        found.append(
            "the number of the last indexed group is damaged; it is reconstructed from the segments"
        )
        return segments.compactMap { RoomIndex($0.blob ?? [])?.entries.last?.group }
            .filter { (0...Self.groupMaximum).contains($0) }.max() ?? 0
    }

    // MARK: Writing

    /// Writes records, all or none; see `SceneStore`.
    public func append(_ group: [RoomRecord], time: Int64) throws(StoreError) {
        guard !group.isEmpty else { return }
        guard !database.isReadOnly else { throw .writeFailed("the journal was opened for reading") }
        guard lastGroup < Self.groupMaximum else {
            throw .writeFailed("all group numbers are used")
        }
        var rooms = group.map { roomNumbers[$0.room] }
        if rooms.contains(nil) {
            try addRooms(of: group)
            rooms = group.map { roomNumbers[$0.room] }
        }
        let id = lastGroup + 1
        var memory: [UInt8] = []
        swap(&memory, &buffer)
        var writer = GroupBlob.Writer(
            capacity: group.reduce(16) { $0 + $1.record.payload.count + 64 },
            reusing: memory)
        let known = unindexed.count
        for (entry, room) in zip(group, rooms) {
            guard let room else { continue }
            writer.append(entry.record, room: room)
            unindexed.note(entry.record, room: room, group: id)
        }
        let bytes = writer.finish()
        let slice = unindexed.nextSlice()
        do {
            try database.insert(group: id, time: time, bytes: bytes, with: slice)
        } catch {
            // It is unknown whether the group was stored; another attempt must not reuse its
            // number.
            lastGroup += 1
            unindexed.removeRecords(beyond: known)
            throw error
        }
        lastGroup = id
        unindexed.noteGroup()
        if let slice { unindexed.didWrite(slice) }
        if bytes.capacity <= Self.bufferMaximum { buffer = bytes }
        if unindexed.isOverdue {
            try writeIndex()
        } else {
            unindexed.sweepIfDue(through: id)
        }
    }

    private func addRooms(of group: [RoomRecord]) throws(StoreError) {
        var new: [String] = []
        for entry in group where roomNumbers[entry.room] == nil && !new.contains(entry.room) {
            new.append(entry.room)
        }
        let numbers = try database.writing { database in
            try new.map { name in
                try database.run("INSERT INTO rooms (name) VALUES (?)", .text(name))
                return database.lastRowID
            }
        }
        for (name, number) in zip(new, numbers) { roomNumbers[name] = number }
    }

    /// Writes the index entries that are in memory only to the database, all at once.
    func writeIndex() throws(StoreError) {
        try database.write(unindexed.all(through: lastGroup))
        unindexed.removeAll()
    }
}
