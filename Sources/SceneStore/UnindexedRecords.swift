import SceneWire

/// The locations of the last groups' records, which not all segments of the database cover yet.
///
/// One flat list, oldest first: appending to it costs far less than to one for each room.
struct UnindexedRecords {
    private struct Entry {
        var room: Int64
        var group: Int64
        var sequence: UInt64
        var snapshot: RoomIndex.Snapshot?
    }

    private var entries: [Entry] = []
    /// The number of groups in the list, including those without a readable record.
    private var groupCount = 0
    /// What is done about the oldest of them.
    private var sweep: IndexSweep?

    /// The number of groups that are indexed in memory only before the next commits begin to index
    /// them.
    private static let groupsBeforeSweep = 192
    /// The number of groups that are to be read on opening at most, about: those before a sweep,
    /// and those during it.
    private static let groupsMaximum =
        groupsBeforeSweep + IndexSweep.gatheringCommits + IndexSweep.writingCommits

    /// The number of records.
    var count: Int { entries.count }

    mutating func note(_ record: JournalRecord, room: Int64, group: Int64) {
        entries.append(
            Entry(
                room: room, group: group, sequence: record.sequence,
                snapshot: RoomIndex.Snapshot(record)))
    }

    /// Counts a group after all its records were added.
    mutating func noteGroup() { groupCount += 1 }

    /// Removes the records after the first `count`, of a group that was not written.
    mutating func removeRecords(beyond count: Int) { entries.removeSubrange(count...) }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        groupCount = 0
        sweep = nil
    }

    /// All that no segment has, to be written at once.
    ///
    /// - Parameter lastGroup: The last group in the list.
    func all(through lastGroup: Int64) -> IndexSlice {
        var indices: [Int64: RoomIndex] = [:]
        for entry in entries { Self.note(entry, in: &indices) }
        return IndexSlice(
            segments: indices.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            indexedThrough: lastGroup)
    }

    // MARK: Indexing with each commit

    /// Whether there is more in the list than commits are left to index, as after processes that
    /// all ended in the middle of it.
    var isOverdue: Bool { sweep == nil && groupCount > Self.groupsMaximum }

    /// Begins to index what is in the list where it is long; the commits that follow do it.
    ///
    /// - Parameter lastGroup: The last group in the list.
    mutating func sweepIfDue(through lastGroup: Int64) {
        guard sweep == nil, groupCount >= Self.groupsBeforeSweep else { return }
        sweep = IndexSweep(records: entries.count, groups: groupCount, through: lastGroup)
    }

    /// What the next commit is to write, if anything; it is the same again until `didWrite`.
    mutating func nextSlice() -> IndexSlice? {
        sweep?.next { [entries] record, indices in Self.note(entries[record], in: &indices) }
    }

    /// A slice is in the database.
    mutating func didWrite(_ slice: IndexSlice) {
        guard var sweep else { return }
        if sweep.didWrite(slice) {
            entries.removeSubrange(..<sweep.recordCount)
            groupCount -= sweep.groupCount
            self.sweep = nil
        } else {
            self.sweep = sweep
        }
    }

    /// Adds a room's records to its entries from the segments.
    func extend(_ index: inout RoomIndex, of room: Int64) {
        // Another connection may have written the segments since the list was read.
        let known = index.entries.last?.last ?? 0
        for entry in entries where entry.room == room && entry.sequence > known {
            Self.note(entry, in: &index)
        }
    }

    private static func note(_ entry: Entry, in indices: inout [Int64: RoomIndex]) {
        note(entry, in: &indices[entry.room, default: RoomIndex()])
    }

    private static func note(_ entry: Entry, in index: inout RoomIndex) {
        index.note(sequence: entry.sequence, snapshot: entry.snapshot, group: entry.group)
    }
}
