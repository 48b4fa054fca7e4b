import SQLite
public import SceneProtocol

/// The journal in one SQLite database.
///
/// Each group commit is one row with all its records. The index of each room's records is kept in memory, written to
/// the database once for many groups, some rooms' with each commit, and rebuilt from the last groups on opening: an index
/// row for every room in every commit would dirty a page for every room, which is too slow with a thousand rooms. The
/// write-ahead log is synced in full at each commit, and emptied by another connection.
public final class SQLiteStore: SceneStore {
    /// The largest number of a group, so that sums do not overflow; larger numbers are damage.
    private static let groupMaximum = Int64(1) << 62

    let database: JournalDatabase
    private let directory: String
    /// The numbers of the rooms.
    var roomNumbers: [String: Int64] = [:]
    private var unindexed = UnindexedRecords()

    /// Memory in which groups are built, reused for each.
    private var buffer: [UInt8] = []
    private static let bufferMaximum = 4 << 20
    private var lastGroup: Int64 = 0
    private var found: [String] = []

    /// Damage found while reading.
    public var damage: [String] { found }

    /// Moves the write-ahead log into the database.
    public func finish() { database.finish() }

    /// Opens or creates the database `journal.sqlite` in a directory, which is created if missing.
    ///
    /// - Parameter isReadOnly: Whether to read an existing journal only; nothing is created or truncated.
    /// - Throws: `StoreError.cannotOpen`, `.tooNew`, or `.notDurable` if full syncs are not available.
    public init(directory: String, isReadOnly: Bool = false) throws(StoreError) {
        self.directory = directory
        database = try JournalDatabase(directory: directory, isReadOnly: isReadOnly)
        try readIndex()
    }

    /// Finds the rooms, and the groups that the segments do not cover. Damage is recorded and skipped, so that the
    /// other rooms can be opened.
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
                continue
            }
            roomNumbers[name] = number
        }
        lastGroup = max(last, indexed)
        for row in groups {
            let group = row[0].integer ?? 0
            let (entries, isWhole) = GroupBlob.entries(of: row[1].blob ?? [])
            if !isWhole { found.append("group \(group) is damaged") }
            for entry in entries {
                guard let record = try? JournalRecord.decode(Array(entry.bytes)) else { continue }
                unindexed.note(record, room: entry.room, group: group)
            }
            unindexed.noteGroup()
        }
    }

    /// The last group that the segments cover. If the database does not have it, the last one that a segment names.
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
            // It is unknown whether the group was stored; another attempt must not reuse its number.
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

    // MARK: Reading

    /// The locations of all of a room's records.
    func index(of room: Int64) throws(StoreError) -> RoomIndex {
        let segments = try database.reading { database in
            try database.column(
                "SELECT data FROM segments WHERE room = ? ORDER BY first", .integer(room))
        }
        var index = RoomIndex()
        for segment in segments {
            let bytes = segment.blob ?? []
            guard !bytes.isEmpty, let part = RoomIndex(bytes), index.isFollowed(by: part) else {
                throw .readFailed("the index of room \(room) is damaged")
            }
            index.entries += part.entries
        }
        unindexed.extend(&index, of: room)
        return index
    }

    /// A room's records from a snapshot on; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64?
    ) throws(StoreError) -> [JournalRecord] {
        let known = found.count
        let (good, start) = try wholeRecords(of: room, from: tick)
        if found.count > known, !database.isReadOnly {
            try truncate(room, after: good.last?.sequence ?? start &- 1)
        }
        return good
    }

    /// A room's records that lead to a tick, and some after it; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord] {
        try wholeRecords(of: room, from: tick, beyondByBytes: bytes).records
    }

    /// Opens the database again, for reading only.
    public var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? {
        let directory = directory
        return { () throws(StoreError) in try SQLiteStore(directory: directory, isReadOnly: true) }
    }

    /// The records up to the first that is missing, damaged, or does not follow its predecessor; and the sequence at
    /// which they start. Faults are recorded as damage.
    func wholeRecords(
        of room: String, from tick: UInt64?, beyondByBytes bytes: Int = .max
    ) throws(StoreError) -> (records: [JournalRecord], start: UInt64) {
        guard let number = roomNumbers[room] else { return ([], 1) }
        let index = try index(of: number)
        guard let start = index.start(for: tick) ?? index.entries.first?.first else {
            return ([], 1)
        }
        let places = index.entries.filter { $0.last >= start }
        var good: [JournalRecord] = []
        var excess = 0
        places: for place in places {
            guard excess < bytes else { break }
            let group = try groupBytes(place.group)
            var expected = max(place.first, start)
            for entry in GroupBlob.entries(of: group).entries
            where entry.room == number {
                guard let record = try? JournalRecord.decode(Array(entry.bytes)) else {
                    found.append(
                        "room \(room): the record after \(expected &- 1) is damaged in group "
                            + "\(place.group)")
                    break places
                }
                guard record.sequence >= expected, record.sequence <= place.last else { continue }
                if let last = good.last,
                    record.sequence != last.sequence &+ 1 || record.previous != last.checksum
                {
                    found.append(
                        "room \(room): record \(record.sequence) does not follow \(last.sequence)")
                    break places
                }
                good.append(record)
                if record.tick > tick ?? .max { excess += record.payload.count }
                expected = record.sequence &+ 1
                if record.sequence == place.last { break }
            }
            guard good.last?.sequence == place.last else {
                found.append(
                    "room \(room): record \(expected) is missing from group \(place.group)")
                break
            }
        }
        return (good, start)
    }

    /// The bytes of a group; none if it does not exist or has another type.
    func groupBytes(_ id: Int64) throws(StoreError) -> [UInt8] {
        let value = try database.reading { database in
            try database.first("SELECT data FROM groups WHERE id = ?", .integer(id))
        }
        return value?.blob ?? []
    }

    /// The rooms with records, by name.
    public func rooms() throws(StoreError) -> [String] {
        var names: [String] = []
        for (name, number) in roomNumbers {
            // A room with a damaged index has records, even if they are unreadable.
            let isEmpty = (try? index(of: number).entries.isEmpty) ?? false
            if !isEmpty { names.append(name) }
        }
        return names.sorted()
    }
}
