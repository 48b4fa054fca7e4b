import SQLite
import SceneWire

/// Compaction, deletion and checks of the journal.
extension SQLiteStore {
    /// The number of groups in one transaction of a compaction, so that writers do not wait long.
    private static let compactionStep: Int64 = 64

    /// Removes a room's records after a sequence; see `SceneStore`.
    public func truncate(_ room: String, after sequence: UInt64) throws(StoreError) {
        guard let number = roomNumbers[room] else { return }
        // An index kept in memory only would be rebuilt from the groups on the next opening.
        try writeIndex()
        guard var index = try index(of: number) else { throw Self.damagedIndex(room) }
        index.truncate(after: sequence)
        try replace(number, index)
    }

    private static func damagedIndex(_ room: String) -> StoreError {
        .damaged(
            RoomDamage(
                room: room, sequence: 1, fault: "cannot be found: the room's index is damaged"))
    }

    func replace(_ room: Int64, _ index: RoomIndex) throws(StoreError) {
        try database.writing { database in
            try database.run("DELETE FROM segments WHERE room = ?", .integer(room))
            guard let first = index.entries.first else { return }
            try database.run(
                "INSERT INTO segments (room, first, data) VALUES (?, ?, ?)", .integer(room),
                .integer(Int64(clamping: first.first)), last: index.encoded())
        }
    }

    /// Removes the records before each room's last snapshot at a time; see `SceneStore`.
    ///
    /// A group is removed when no room needs it; one that some rooms need is rewritten without the
    /// rest.
    public func compact(before time: Int64, now: Int64) throws(StoreError) -> Int {
        try writeIndex()
        let last = try database.reading { database in
            let times = Self.youngTimes(from: time, now: now)
            // By their numbers, not by the index of times: few are older than the first young one.
            let young = try database.first(
                """
                SELECT id FROM groups WHERE +time >= ?1 AND +time <= ?2 ORDER BY id LIMIT 1
                """, .integer(times.lowerBound), .integer(times.upperBound))
            if let young = young?.integer { return young - 1 }
            return try database.first("SELECT MAX(id) FROM groups")?.integer ?? 0
        }
        guard last > 0 else { return 0 }
        // Whose they are is unknown, so all of their records stay.
        var floors: [Int64: UInt64] = [:]
        for number in namelessRooms { floors[number] = 0 }
        for name in roomNumbers.keys.sorted() {
            guard let number = roomNumbers[name] else { continue }
            guard var index = try index(of: number) else {
                // A room with a damaged index keeps all of its records for examination.
                floors[number] = 0
                continue
            }
            guard let floor = try lastSnapshot(of: number, index, through: last) else {
                floors[number] = 0
                continue
            }
            floors[number] = floor
            let before = index
            index.drop(before: floor)
            if index != before { try replace(number, index) }
        }
        var removed = 0
        var start: Int64 = 0
        while start < last {
            let (count, next) = try compactGroups(after: start, through: last, floors)
            removed += count
            guard let next else { break }
            start = next
        }
        return removed
    }

    /// The last snapshot that can be read in groups up to one: the records after it can be replayed
    /// without those before.
    private func lastSnapshot(
        of room: Int64, _ index: RoomIndex, through last: Int64
    ) throws(StoreError) -> UInt64? {
        for entry in index.entries.reversed() where entry.group <= last {
            guard !entry.snapshots.isEmpty else { continue }
            let blob = GroupBlob(try groupBytes(entry.group))
            for snapshot in entry.snapshots.reversed() {
                let isWhole = blob.entries.contains { candidate in
                    candidate.room == room
                        && (try? JournalRecord.decode(Array(candidate.bytes)))?.sequence
                            == snapshot.sequence
                }
                if isWhole { return snapshot.sequence }
            }
        }
        return nil
    }

    /// - Returns: The number of removed records, and the last group visited.
    private func compactGroups(
        after start: Int64, through last: Int64, _ floors: [Int64: UInt64]
    ) throws(StoreError) -> (removed: Int, last: Int64?) {
        try database.writing { database in
            let rows = try database.rows(
                "SELECT id, data FROM groups WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
                .integer(start), .integer(last), .integer(Self.compactionStep))
            var removed = 0
            for row in rows {
                let blob = GroupBlob(row[1].blob ?? [])
                // Damaged groups are kept for examination.
                guard blob.isWhole, let id = row[0].integer else { continue }
                let entries = blob.entries
                let kept = entries.filter { entry in
                    guard let floor = floors[entry.room],
                        let record = try? JournalRecord.decode(Array(entry.bytes))
                    else { return false }
                    return record.sequence >= floor
                }
                guard kept.count < entries.count else { continue }
                removed += entries.count - kept.count
                try Self.keep(kept, ofGroup: id, in: database)
            }
            return (removed, rows.last?[0].integer)
        }
    }

    /// Leaves a group some of its entries, or removes it if there are none.
    static func keep(
        _ entries: [GroupBlob.Entry], ofGroup id: Int64, in database: Connection
    ) throws {
        guard !entries.isEmpty else {
            return try database.run("DELETE FROM groups WHERE id = ?", .integer(id))
        }
        try database.run(
            "UPDATE groups SET data = ?2 WHERE id = ?1", .integer(id),
            last: GroupBlob.encode(entries))
    }

    /// Removes a room. Its records become unreadable at once; the next compaction removes them.
    public func delete(_ room: String) throws(StoreError) {
        guard let number = roomNumbers[room] else { return }
        try writeIndex()
        try database.writing { database in
            try database.run("DELETE FROM segments WHERE room = ?", .integer(number))
            try database.run("DELETE FROM rooms WHERE id = ?", .integer(number))
            try DamageMarks.remove(lossOf: number, from: database)
        }
        marks.forgetLoss(of: number)
        roomNumbers[room] = nil
    }

    /// Gives a room another name; see `SceneStore`. Records name their room by its number, so one
    /// row changes.
    public func rename(_ room: String, to name: String) throws(StoreError) -> RenameOutcome {
        guard let number = roomNumbers[room], try !records(of: room).isEmpty else {
            return .noSuchRoom
        }
        if roomNumbers[name] != nil {
            guard try records(of: name).isEmpty else { return .nameTaken }
            // Nothing was ever written under it.
            try delete(name)
        }
        try database.writing { database in
            try database.run(
                "UPDATE rooms SET name = ?2 WHERE id = ?1", .integer(number), .text(name))
        }
        roomNumbers[room] = nil
        roomNumbers[name] = number
        return .renamed
    }

    /// Checks whether records can be written.
    public func probe() throws(StoreError) {
        try database.writing { database in
            try database.run("INSERT INTO groups (time, data) VALUES (0, zeroblob(65536))")
            try database.run("DELETE FROM groups WHERE id = ?", .integer(database.lastRowID))
        }
    }

    /// Checks everything: the database's own structure, every group, every record, every room's
    /// chain.
    ///
    /// - Returns: The faults as sentences; empty if there are none.
    public func verify() throws(StoreError) -> [String] {
        var faults = try database.reading { database in
            try database.column("PRAGMA integrity_check").compactMap(\.text).filter { $0 != "ok" }
        }
        let ids = try database.reading { database in
            try database.column("SELECT id FROM groups ORDER BY id").compactMap(\.integer)
        }
        for id in ids {
            let blob = GroupBlob(try groupBytes(id))
            if !blob.isWhole { faults.append("group \(id) is damaged") }
            for entry in blob.entries where (try? JournalRecord.decode(Array(entry.bytes))) == nil {
                faults.append("group \(id): a record of room \(entry.room) is damaged")
            }
        }
        for room in try rooms() {
            if let damage = try damage(of: room) { faults.append(damage.description) }
        }
        return faults
    }
}
