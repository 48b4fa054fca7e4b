import SceneProtocol

/// The locations of the last groups' records, which no segment of the database covers yet.
///
/// One flat list, oldest first: appending to it costs far less than to one for each room.
struct UnindexedRecords {
    private struct Entry {
        var room: Int64
        var group: Int64
        var sequence: UInt64
        var tick: UInt64
        var isSnapshot: Bool
    }

    private var entries: [Entry] = []
    /// The number of groups in the list, including those without a readable record.
    private(set) var groupCount = 0

    /// The number of records.
    var count: Int { entries.count }

    mutating func note(_ record: JournalRecord, room: Int64, group: Int64) {
        entries.append(
            Entry(
                room: room, group: group, sequence: record.sequence, tick: record.tick,
                isSnapshot: record.kind == .snapshot))
    }

    /// Counts a group after all its records were added.
    mutating func noteGroup() { groupCount += 1 }

    /// Removes the records after the first `count`, of a group that was not written.
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

    /// Adds a room's records to its entries from the segments.
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
