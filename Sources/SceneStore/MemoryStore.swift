public import SceneProtocol

/// A journal in memory, for tests and for scenes that nobody needs to keep.
public final class MemoryStore: SceneStore {
    private var records: [String: [JournalRecord]] = [:]
    /// Makes the next appends fail, as a full disk would.
    public var failure: StoreError?

    /// Makes an empty store.
    public init() {}

    /// Writes records, all or none; see `SceneStore`.
    public func append(_ group: [RoomRecord]) throws(StoreError) {
        if let failure { throw failure }
        for entry in group { records[entry.room, default: []].append(entry.record) }
    }

    /// A room's records from its last snapshot on; see `SceneStore`.
    public func records(of room: String) throws(StoreError) -> [JournalRecord] {
        let all = records[room] ?? []
        let start = all.lastIndex { $0.kind == .snapshot } ?? 0
        return Array(all[start...])
    }

    /// The rooms that have records, by name.
    public func rooms() throws(StoreError) -> [String] { records.keys.sorted() }

    /// Removes what comes before a room's last snapshot.
    public func compact(_ room: String) throws(StoreError) -> Int {
        let all = records[room] ?? []
        let kept = try records(of: room)
        records[room] = kept
        return all.count - kept.count
    }

    /// Removes a room.
    public func delete(_ room: String) throws(StoreError) { records[room] = nil }

    /// Finds out whether records can be written.
    public func probe() throws(StoreError) {
        if let failure { throw failure }
    }

    /// Nothing is ever broken in memory.
    public var damage: [String] { [] }
}
