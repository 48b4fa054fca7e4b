public import SceneProtocol

/// A journal in memory, for tests and for scenes that need not be kept.
public final class MemoryStore: SceneStore {
    private var records: [String: [(record: JournalRecord, time: Int64)]] = [:]
    /// Makes the next appends fail, as a full disk would.
    public var failure: StoreError?

    /// Makes an empty store.
    public init() {}

    /// Writes records, all or none; see `SceneStore`.
    public func append(_ group: [RoomRecord], time: Int64) throws(StoreError) {
        if let failure { throw failure }
        for entry in group { records[entry.room, default: []].append((entry.record, time)) }
    }

    /// A room's records; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64?
    ) throws(StoreError) -> [JournalRecord] {
        let all = (records[room] ?? []).map(\.record)
        let start =
            all.lastIndex { $0.kind == .snapshot && $0.tick <= tick ?? .max }
            ?? all.firstIndex { $0.kind == .snapshot } ?? 0
        return Array(all[start...])
    }

    /// The rooms that have records, by name.
    public func rooms() throws(StoreError) -> [String] { records.keys.sorted() }

    /// Removes a room's records after a sequence; see `SceneStore`.
    public func truncate(_ room: String, after sequence: UInt64) throws(StoreError) {
        records[room]?.removeAll { $0.record.sequence > sequence }
        if records[room]?.isEmpty == true { records[room] = nil }
    }

    /// Removes the records before each room's last snapshot at a time; see `SceneStore`.
    public func compact(before time: Int64) throws(StoreError) -> Int {
        var count = 0
        for room in records.keys.sorted() {
            let all = records[room] ?? []
            guard
                let start = all.lastIndex(where: { $0.record.kind == .snapshot && $0.time < time })
            else { continue }
            records[room] = Array(all[start...])
            count += start
        }
        return count
    }

    /// Removes a room.
    public func delete(_ room: String) throws(StoreError) { records[room] = nil }

    /// Finds out whether records can be written.
    public func probe() throws(StoreError) {
        if let failure { throw failure }
    }

    /// Nothing is ever broken in memory.
    public var damage: [String] { [] }

    /// Does nothing.
    public func finish() {}
}
