public import SceneWire

/// A journal in memory, for tests and for scenes that need not be kept.
public final class MemoryStore: SceneStore {
    private struct Room {
        var records: [(record: JournalRecord, time: Int64)] = []
        var bytes = 0

        mutating func append(_ record: JournalRecord, _ time: Int64) {
            records.append((record, time))
            bytes += Room.bytes(of: record)
        }

        /// Removes the first records.
        mutating func removeFirst(_ count: Int) {
            bytes -= records[..<count].reduce(0) { $0 + Room.bytes(of: $1.record) }
            records.removeFirst(count)
        }

        mutating func removeAll(after sequence: UInt64) {
            records.removeAll { $0.record.sequence > sequence }
            bytes = records.reduce(0) { $0 + Room.bytes(of: $1.record) }
        }

        /// The index of the last snapshot.
        var lastSnapshot: Int? { records.lastIndex { $0.record.kind == .snapshot } }

        private static func bytes(of record: JournalRecord) -> Int { record.payload.count + 120 }
    }

    private var journals: [String: Room] = [:]
    private let byteMaximum: Int
    /// The bytes of all records.
    public private(set) var memoryByteCount = 0
    /// Makes the next appends fail, as a full disk would.
    public var failure: StoreError?

    /// Makes an empty store.
    ///
    /// - Parameter byteMaximum: Bytes of records beyond which rooms lose their past, those with the
    ///   most of it first. The last snapshot of each room and the records after it are always kept.
    public init(byteMaximum: Int = .max) { self.byteMaximum = byteMaximum }

    /// Writes records, all or none; see `SceneStore`.
    public func append(_ group: [RoomRecord], time: Int64) throws(StoreError) {
        if let failure { throw failure }
        for entry in group {
            change(entry.room) { $0.append(entry.record, time) }
        }
        if memoryByteCount > byteMaximum { forgetThePast() }
    }

    private func change(_ room: String, _ body: (inout Room) -> Void) {
        var journal = journals.removeValue(forKey: room) ?? Room()
        memoryByteCount -= journal.bytes
        body(&journal)
        memoryByteCount += journal.bytes
        if !journal.records.isEmpty { journals[room] = journal }
    }

    /// Removes records that no scene is rebuilt from, room by room, until a quarter of the memory
    /// is free, so that this happens rarely.
    private func forgetThePast() {
        let order = journals.map { (name: $0.key, bytes: $0.value.bytes) }
            .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        for (name, _) in order where memoryByteCount > byteMaximum / 4 * 3 {
            change(name) { $0.removeFirst($0.lastSnapshot ?? 0) }
        }
    }

    /// A room's records; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64?
    ) throws(StoreError) -> [JournalRecord] {
        let all = (journals[room]?.records ?? []).map(\.record)
        let start =
            all.lastIndex { $0.kind == .snapshot && $0.tick <= tick ?? .max }
            ?? all.firstIndex { $0.kind == .snapshot } ?? 0
        return Array(all[start...])
    }

    /// The rooms with records, by name.
    public func rooms() throws(StoreError) -> [String] { journals.keys.sorted() }

    /// Removes a room's records after a sequence; see `SceneStore`.
    public func truncate(_ room: String, after sequence: UInt64) throws(StoreError) {
        change(room) { $0.removeAll(after: sequence) }
    }

    /// Removes the records before each room's last snapshot at a time; see `SceneStore`.
    public func compact(before time: Int64, now: Int64) throws(StoreError) -> Int {
        let young = Self.youngTimes(from: time, now: now)
        var count = 0
        for room in journals.keys.sorted() {
            let old = journals[room]?.records.prefix { !young.contains($0.time) }
            guard let start = old?.lastIndex(where: { $0.record.kind == .snapshot }) else {
                continue
            }
            change(room) { $0.removeFirst(start) }
            count += start
        }
        return count
    }

    /// Removes a room.
    public func delete(_ room: String) throws(StoreError) {
        change(room) { $0 = Room() }
    }

    /// Gives a room another name; see `SceneStore`.
    public func rename(_ room: String, to name: String) throws(StoreError) -> RenameOutcome {
        if let failure { throw failure }
        guard journals[room] != nil else { return .noSuchRoom }
        guard journals[name] == nil else { return .nameTaken }
        journals[name] = journals.removeValue(forKey: room)
        return .renamed
    }

    /// Checks whether records can be written.
    public func probe() throws(StoreError) {
        if let failure { throw failure }
    }

    /// Memory is never damaged.
    public var damage: [String] { [] }

    /// Does nothing.
    public func finish() {}
}
