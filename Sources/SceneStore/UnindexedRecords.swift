import SceneProtocol

/// Where the records of the last groups are, which no segment of the database covers yet.
///
/// One flat list, oldest first: appending to it costs far less than keeping one for each room.
struct UnindexedRecords {
    private struct Entry {
        var room: Int64
        var group: Int64
        var sequence: UInt64
        var tick: UInt64
        var isSnapshot: Bool
    }

    private var entries: [Entry] = []
    /// Groups that the list covers, those without a readable record too.
    private(set) var groupCount = 0

    /// How many records there are.
    var count: Int { entries.count }

    mutating func note(_ record: JournalRecord, room: Int64, group: Int64) {
        entries.append(
            Entry(
                room: room, group: group, sequence: record.sequence, tick: record.tick,
                isSnapshot: record.kind == .snapshot))
    }

    /// Counts a group whose records have all been noted.
    mutating func noteGroup() { groupCount += 1 }

    /// Forgets the records beyond the first `count`, of a group that was not written.
    mutating func removeRecords(beyond count: Int) { entries.removeSubrange(count...) }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        groupCount = 0
    }

    /// The records of each room.
    func indices() -> [Int64: RoomIndex] {
        var indices: [Int64: RoomIndex] = [:]
        for entry in entries { Self.note(entry, in: &indices[entry.room, default: RoomIndex()]) }
        return indices
    }

    /// Adds a room's records to what the segments say of it.
    func extend(_ index: inout RoomIndex, of room: Int64) {
        // Another connection may have written the segments since the list was read.
        let known = index.entries.last?.last ?? 0
        for entry in entries where entry.room == room && entry.sequence > known {
            Self.note(entry, in: &index)
        }
    }

    private static func note(_ entry: Entry, in index: inout RoomIndex) {
        index.note(
            sequence: entry.sequence, tick: entry.tick, isSnapshot: entry.isSnapshot,
            group: entry.group)
    }
}
