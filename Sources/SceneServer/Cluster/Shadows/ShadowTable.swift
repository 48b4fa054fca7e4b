import SceneWire

/// The rooms that are replayed ahead of time: what each has come to, and the records that wait to
/// be replayed.
struct ShadowTable<Room: Sendable> {
    private struct Entry {
        /// One that was forgotten and asked for again is another one.
        let serial: UInt64
        /// What the room has come to; `nil` before its first records were replayed, and while
        /// others are.
        var room: Room?
        var waiting: [JournalRecord] = []
        /// The bytes of all its records.
        var byteCount = 0
    }

    /// What became of the wish for a room.
    enum Taken {
        /// As far as it has come.
        case ready(Room)
        /// Its first records, or further ones, are replayed at present or soon.
        case coming
        /// It is not there.
        case absent
    }

    /// Records to be replayed.
    struct Step {
        var name: String
        /// What they are to be replayed on; `nil` for the first of the room.
        var room: Room?
        var records: [JournalRecord]
        fileprivate let serial: UInt64
    }

    /// The largest number of rooms.
    static var roomMaximum: Int { 256 }
    /// The largest number of bytes of the records of all rooms.
    static var bytesMaximum: Int { 16 << 20 }

    private var entries: [String: Entry] = [:]
    /// The rooms with records that wait, in order; those of a room that was forgotten meanwhile are
    /// passed over.
    private var order: ArraySlice<String> = []
    private var byteCount = 0
    private var nextSerial: UInt64 = 0

    /// Adds records to be replayed. A room for which there is no place is forgotten.
    mutating func add(_ name: String, _ records: [JournalRecord]) {
        let size = records.reduce(0) { $0 + $1.payload.count }
        guard entries[name] != nil || entries.count < Self.roomMaximum,
            byteCount + size <= Self.bytesMaximum
        else { return forget(name) }
        byteCount += size
        var entry = entries[name] ?? Entry(serial: nextSerial)
        nextSerial += 1
        if entry.waiting.isEmpty { order.append(name) }
        entry.byteCount += size
        entry.waiting += records
        entries[name] = entry
    }

    /// Whether a room is there.
    func holds(_ name: String) -> Bool { entries[name] != nil }

    /// Removes the records that are replayed next, with the room; `settle` brings that back.
    mutating func takeNext() -> Step? {
        while let name = order.popFirst() {
            guard let entry = entries[name], !entry.waiting.isEmpty else { continue }
            entries[name]?.room = nil
            entries[name]?.waiting = []
            return Step(name: name, room: entry.room, records: entry.waiting, serial: entry.serial)
        }
        return nil
    }

    /// Takes what became of a step; `nil` if the room cannot be replayed.
    mutating func settle(_ step: Step, _ room: Room?) {
        guard entries[step.name]?.serial == step.serial else { return }
        if let room { entries[step.name]?.room = room } else { forget(step.name) }
    }

    /// Removes a room, unless records of it are being replayed. Records that wait are not part of
    /// what it has come to.
    mutating func take(_ name: String) -> Taken {
        guard let entry = entries[name] else { return .absent }
        guard let room = entry.room else { return .coming }
        forget(name)
        return .ready(room)
    }

    /// Drops a room.
    mutating func forget(_ name: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        byteCount -= entry.byteCount
    }
}

extension ShadowTable.Taken: Equatable where Room: Equatable {}
