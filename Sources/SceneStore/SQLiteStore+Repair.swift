private import FoundationEssentials
import SQLite
public import SceneWire

/// Looks for the remains of damaged rooms, and puts rooms together again.
extension SQLiteStore {
    /// The rooms whose journals cannot be read from their beginning to their end, by name.
    ///
    /// - Complexity: O(bytes of the journal).
    public func damagedRooms() throws(StoreError) -> [RoomDamage] {
        var damaged: [RoomDamage] = []
        for room in try rooms() {
            if let damage = try damage(of: room) { damaged.append(damage) }
        }
        return damaged
    }

    /// The numbers of the groups with bytes that are not as they were written.
    ///
    /// - Complexity: O(bytes of the journal).
    public func damagedGroups() throws(StoreError) -> [Int64] {
        var damaged: [Int64] = []
        for id in try groupNumbers() where Self.isDamaged(GroupBlob(try groupBytes(id))) {
            damaged.append(id)
        }
        return damaged
    }

    private func groupNumbers() throws(StoreError) -> [Int64] {
        try database.reading { database in
            try database.column("SELECT id FROM groups ORDER BY id").compactMap(\.integer)
        }
    }

    private static func isDamaged(_ blob: GroupBlob) -> Bool {
        !blob.isWhole
            || blob.entries.contains { (try? JournalRecord.decode(Array($0.bytes))) == nil }
    }

    /// All that can be read of a room, in parts that each follow without a gap; one part for a
    /// whole journal.
    ///
    /// - Complexity: O(bytes of the room's groups), or of all groups if its index is damaged.
    public func pieces(of room: String) throws(StoreError) -> [JournalPiece] {
        guard let number = roomNumbers[room] else { return [] }
        let index = try certainIndex(of: number)
        let repetitions = Set(
            index.entries.flatMap { $0.snapshots.filter(\.repeatsScene).map(\.sequence) })
        var pieces: [JournalPiece] = []
        for place in index.entries {
            for entry in GroupBlob(try groupBytes(place.group)).entries
            where entry.room == number {
                guard let record = try? JournalRecord.decode(Array(entry.bytes)),
                    (place.first...place.last).contains(record.sequence)
                else { continue }
                let last = pieces.last?.records.last
                if let last, record.sequence <= last.sequence { continue }
                if let last, record.follows(last) {
                    pieces[pieces.count - 1].records.append(record)
                } else {
                    let gap = last.map { $0.sequence + 1 }
                    let isRepetition =
                        gap.map { $0 + 1 == record.sequence && repetitions.contains($0) } ?? false
                    pieces.append(
                        JournalPiece(records: [record], lostSnapshot: isRepetition ? gap : nil))
                }
            }
        }
        if let last = pieces.last?.records.last {
            pieces[pieces.count - 1].lacksEnd = lacksEnd(index, of: number, after: last.sequence)
        }
        return pieces
    }

    /// Whether a room may have lost something other than a repeated scene behind its last readable
    /// record: records that its index names, or some of a damaged group that is not indexed.
    private func lacksEnd(_ index: RoomIndex, of room: Int64, after last: UInt64) -> Bool {
        guard let end = index.entries.last else { return false }
        if let group = marks.loss(of: room), group >= end.group { return true }
        let isRepetition =
            end.last == last + 1
            && end.snapshots.contains { $0.sequence == end.last && $0.repeatsScene }
        return end.last > last && !isRepetition
    }

    private func certainIndex(of room: Int64) throws(StoreError) -> RoomIndex {
        if let index = try index(of: room) { return index }
        return try searchedIndex(of: room)
    }

    /// The index of a room as its groups tell it. Of records with one sequence the latest counts:
    /// earlier ones were cut off.
    private func searchedIndex(of room: Int64) throws(StoreError) -> RoomIndex {
        var index = RoomIndex()
        for id in try groupNumbers() {
            for entry in GroupBlob(try groupBytes(id)).entries where entry.room == room {
                guard let record = try? JournalRecord.decode(Array(entry.bytes)) else { continue }
                index.truncate(after: record.sequence &- 1)
                index.note(
                    sequence: record.sequence, snapshot: RoomIndex.Snapshot(record), group: id)
            }
        }
        return index
    }

    /// Copies the journal's file into a new directory beside it.
    ///
    /// - Parameter name: The directory's name.
    /// - Returns: Its path.
    /// - Throws: `StoreError.writeFailed`, such as for want of space.
    public func copyJournal(into name: String) throws(StoreError) -> String {
        finish()
        let path = directory + "/" + name
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            for file in ["journal.sqlite", "journal.sqlite-wal"]
            where FileManager.default.fileExists(atPath: directory + "/" + file) {
                try FileManager.default.copyItem(
                    atPath: directory + "/" + file, toPath: path + "/" + file)
            }
        } catch {
            throw .writeFailed("the copy \(path) cannot be made: \(error)")
        }
        return path
    }

    /// Makes a room's journal consist of one part of it, from its first snapshot on, and of records
    /// that follow.
    ///
    /// - Parameters:
    ///   - piece: One of `pieces(of:)`, which contains a snapshot.
    ///   - next: Continue the piece; none if it ends the journal already.
    ///   - time: The present time.
    public func restore(
        _ room: String, to piece: JournalPiece, then next: [JournalRecord], time: Int64
    ) throws(StoreError) {
        guard let number = roomNumbers[room], let last = piece.records.last,
            let first = piece.records.first(where: { $0.kind == .snapshot })
        else { throw .writeFailed("room \(room) has no snapshot to begin with") }
        try writeIndex()
        var index = try certainIndex(of: number)
        index.truncate(after: last.sequence)
        index.drop(before: first.sequence)
        try replace(number, index)
        try database.writing { database in try DamageMarks.remove(lossOf: number, from: database) }
        marks.forgetLoss(of: number)
        guard !next.isEmpty else { return }
        try append(next.map { RoomRecord(room: room, record: $0) }, time: time)
    }

    /// Removes from damaged groups all that no room refers to, so that checks find no faults any
    /// more. A room that is still damaged keeps its groups as they are.
    ///
    /// - Complexity: O(bytes of the journal).
    public func removeDamagedGroups() throws(StoreError) {
        guard try damagedRooms().isEmpty, namelessRooms.isEmpty else { return }
        try writeIndex()
        var valid: [Int64: [Int64: ClosedRange<UInt64>]] = [:]
        for number in roomNumbers.values {
            for place in try index(of: number)?.entries ?? [] {
                valid[place.group, default: [:]][number] = place.first...place.last
            }
        }
        for id in try damagedGroups() {
            let blob = GroupBlob(try groupBytes(id))
            let kept = blob.entries.filter { entry in
                guard let record = try? JournalRecord.decode(Array(entry.bytes)) else {
                    return false
                }
                return valid[id]?[entry.room]?.contains(record.sequence) ?? false
            }
            try database.writing { database in
                try Self.keep(kept, ofGroup: id, in: database)
            }
        }
    }
}
