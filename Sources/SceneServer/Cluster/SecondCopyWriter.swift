import SceneStore
import SceneWire

/// Writes the records of a second copy that follow one another. Belongs to one thread.
final class SecondCopyWriter {
    private struct Last {
        var sequence: UInt64
        var checksum: UInt64
    }

    private let store: any SceneStore
    /// The last record of each room in the database, as far as it is known.
    private var last: [String: Last] = [:]

    init(_ store: any SceneStore) { self.store = store }

    /// Writes those records that go after what is there, and snapshots of scenes, behind which a
    /// room goes on.
    ///
    /// - Returns: How many were written.
    func write(_ records: [RoomRecord], time: Int64) throws(StoreError) -> Int {
        var group: [RoomRecord] = []
        var ends = last
        for entry in records {
            let record = entry.record
            let end: Last
            if let known = ends[entry.room] {
                end = known
            } else {
                end = try lastRecord(of: entry.room)
            }
            guard record.sequence != end.sequence || record.checksum != end.checksum else {
                continue
            }
            let follows =
                record.sequence == end.sequence + 1 && record.previous == end.checksum
            guard follows || record.kind == .snapshot else {
                ends[entry.room] = end
                continue
            }
            if !follows, record.sequence <= end.sequence {
                // Another history of the room: what it does not share with this one goes.
                try store.append(group, time: time)
                group = []
                try store.truncate(entry.room, after: record.sequence - 1)
            }
            group.append(entry)
            ends[entry.room] = Last(sequence: record.sequence, checksum: record.checksum)
        }
        try store.append(group, time: time)
        last = ends
        return group.count
    }

    private func lastRecord(of room: String) throws(StoreError) -> Last {
        let end: JournalRecord?
        do throws(StoreError) {
            end = try store.records(of: room).last
        } catch {
            guard case .damaged = error else { throw error }
            // The copy of this room goes on with its next snapshot, and that of the others at once.
            end = nil
        }
        return Last(sequence: end?.sequence ?? 0, checksum: end?.checksum ?? 0)
    }

    /// Removes a room.
    func delete(_ room: String) throws(StoreError) {
        last[room] = nil
        try store.delete(room)
    }

    /// Forgets what is known of rooms whose records could not be written.
    func forget(_ records: [RoomRecord]) {
        for entry in records { last[entry.room] = nil }
    }

    /// Moves all written data to its final place.
    func finish() { store.finish() }
}
