import SQLite
public import SceneWire

/// Reads rooms' records, and finds where they are damaged.
extension SQLiteStore {
    /// The locations of all of a room's records; `nil` if they cannot be read.
    func index(of room: Int64) throws(StoreError) -> RoomIndex? {
        let segments = try database.reading { database in
            try database.column(
                "SELECT data FROM segments WHERE room = ? ORDER BY first", .integer(room))
        }
        var index = RoomIndex()
        for segment in segments {
            let bytes = segment.blob ?? []
            guard !bytes.isEmpty, let part = RoomIndex(bytes), index.isFollowed(by: part) else {
                return nil
            }
            index.entries += part.entries
        }
        unindexed.extend(&index, of: room)
        return index
    }

    /// A room's records from a snapshot on; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64?
    ) throws(StoreError) -> [JournalRecord] {
        var reading = try reading(of: room, from: tick)
        if reading.isTorn, let damage = reading.damage {
            note(damage: damage.description)
            if !database.isReadOnly { try truncate(room, after: damage.sequence &- 1) }
            // Without the tail, an earlier snapshot may be the last. A reader cuts for itself
            // alone.
            reading = try self.reading(of: room, from: tick, cutAfter: damage.sequence &- 1)
            if let damage = reading.damage { throw .damaged(damage) }
        } else if let damage = reading.damage {
            throw .damaged(damage)
        }
        return reading.records
    }

    /// A room's records that lead to a tick, and some after it; see `SceneStore`.
    public func records(
        of room: String, from tick: UInt64, beyondByBytes bytes: Int
    ) throws(StoreError) -> [JournalRecord] {
        let reading = try reading(of: room, from: tick, beyondByBytes: bytes)
        // The part before the damage can be shown, as nothing is written after it. Of the last tick
        // more may be missing.
        if let damage = reading.damage, reading.records.last.map({ $0.tick <= tick }) ?? true {
            throw .damaged(damage)
        }
        return reading.records
    }

    /// When a room's last record was written, in seconds since 1970; `nil` for a room without any.
    ///
    /// - Complexity: O(groups of the room).
    public func lastChange(of room: String) throws(StoreError) -> Int64? {
        guard let number = roomNumbers[room], let last = try index(of: number)?.entries.last
        else { return nil }
        return try time(of: last.group)
    }

    private func time(of group: Int64) throws(StoreError) -> Int64? {
        try database.reading { database in
            try database.first("SELECT time FROM groups WHERE id = ?", .integer(group))
        }?.integer
    }

    /// The tick of a room's last record that was written at a time or before.
    ///
    /// - Parameter time: Seconds since 1970.
    /// - Returns: `nil` if all records are later.
    /// - Complexity: O(groups of the room + bytes of one).
    public func tick(of room: String, at time: Int64) throws(StoreError) -> UInt64? {
        guard let number = roomNumbers[room], let index = try index(of: number) else { return nil }
        for place in index.entries.reversed() {
            guard let written = try self.time(of: place.group), written <= time else { continue }
            let records = GroupBlob(try groupBytes(place.group)).entries
                .filter { $0.room == number }
                .compactMap { try? JournalRecord.decode(Array($0.bytes)) }
                .filter { (place.first...place.last).contains($0.sequence) }
            if let last = records.last { return last.tick }
        }
        return nil
    }

    /// Opens the database again, for reading only.
    public var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? {
        let directory = directory
        return { () throws(StoreError) in try SQLiteStore(directory: directory, isReadOnly: true) }
    }

    /// The records from a snapshot on, up to the first that is missing, damaged, or does not follow
    /// its predecessor.
    ///
    /// - Parameter end: The sequence after which nothing is read, as if it were cut.
    func reading(
        of room: String, from tick: UInt64?, beyondByBytes bytes: Int = .max,
        cutAfter end: UInt64 = .max
    ) throws(StoreError) -> RoomReading {
        var reading = RoomReading()
        guard let number = roomNumbers[room] else { return reading }
        guard var index = try index(of: number) else {
            reading.damage = RoomDamage(
                room: room, sequence: 1, fault: "cannot be found: the room's index is damaged")
            return reading
        }
        index.truncate(after: end)
        guard let start = index.start(for: tick) else {
            if let first = index.entries.first?.first {
                reading.damage = RoomDamage(
                    room: room, sequence: first, fault: "has no snapshot before it")
            } else if let group = marks.lossOfAll(of: number) {
                reading.damage = RoomDamage(
                    room: room, sequence: 1, fault: "is lost in damaged group \(group)")
            }
            return reading
        }
        reading.start = start
        var excess = 0
        for place in index.entries where place.last >= start {
            guard excess < bytes else { return reading }
            let before = reading.records.count
            if let fault = try read(place, of: number, into: &reading) {
                let expected =
                    reading.records.last.map { $0.sequence &+ 1 } ?? max(place.first, start)
                reading.damage = RoomDamage(room: room, sequence: expected, fault: fault)
                try judge(&reading, place, index, number)
                return reading
            }
            for record in reading.records[before...] where record.tick > tick ?? .max {
                excess += record.payload.count
            }
        }
        // In the group of the last record that can be read, others may be lost behind it.
        if let group = marks.loss(of: number), group >= index.entries.last?.group ?? 0 {
            reading.damage = RoomDamage(
                room: room, sequence: (index.entries.last?.last ?? 0) &+ 1,
                fault: "may be lost in damaged group \(group)")
        }
        return reading
    }

    /// The first fault in all that a room's journal should have; `nil` if it is whole.
    ///
    /// - Complexity: O(bytes of the room's groups).
    func damage(of room: String) throws(StoreError) -> RoomDamage? {
        if let damage = try reading(of: room, from: 0).damage { return damage }
        // A compaction leaves no records before the first snapshot.
        guard let number = roomNumbers[room], let index = try index(of: number),
            let first = index.entries.first?.first, first != index.start(for: 0)
        else { return nil }
        return RoomDamage(room: room, sequence: first, fault: "has no snapshot before it")
    }

    /// Appends the records of one group.
    ///
    /// What is damaged and lies between records that follow one another is none of them: it was
    /// dropped or cut off before.
    ///
    /// - Returns: What is wrong with the next one; `nil` if all were read.
    private func read(
        _ place: RoomIndex.Entry, of room: Int64, into reading: inout RoomReading
    ) throws(StoreError) -> String? {
        var expected = max(place.first, reading.start)
        var isDamaged = false
        var missing: String {
            isDamaged
                ? "is damaged in group \(place.group)" : "is missing from group \(place.group)"
        }
        for entry in GroupBlob(try groupBytes(place.group)).entries where entry.room == room {
            guard let record = try? JournalRecord.decode(Array(entry.bytes)) else {
                isDamaged = true
                continue
            }
            guard record.sequence >= expected, record.sequence <= place.last else { continue }
            guard !isDamaged || record.sequence == expected else { return missing }
            if let last = reading.records.last, !record.follows(last) {
                return "is missing: \(record.sequence) in group \(place.group) follows another one"
            }
            reading.records.append(record)
            expected = record.sequence &+ 1
            if record.sequence == place.last { return nil }
        }
        return missing
    }

    /// Decides whether a fault is a torn tail: in the group that was the last one of the journal
    /// when a server found it, with nothing of the room behind the fault and a snapshot before it.
    private func judge(
        _ reading: inout RoomReading, _ place: RoomIndex.Entry, _ index: RoomIndex, _ room: Int64
    ) throws(StoreError) {
        guard let damage = reading.damage, marks.isTorn(place.group),
            place.group == index.entries.last?.group
        else { return }
        let blob = GroupBlob(try groupBytes(place.group))
        guard marks.isOnlyTorn(place.group, readable: blob.readableCount) else { return }
        var rest = index
        rest.truncate(after: damage.sequence &- 1)
        let entries = blob.entries
        let isLast = !entries.contains { entry in
            guard entry.room == room, let record = try? JournalRecord.decode(Array(entry.bytes))
            else { return false }
            return record.sequence > damage.sequence && record.sequence <= place.last
        }
        reading.isTorn = isLast && rest.start(for: nil) != nil
    }

    /// The bytes of a group; none if it does not exist or has another type.
    func groupBytes(_ id: Int64) throws(StoreError) -> [UInt8] {
        let value = try database.reading { database in
            try database.first("SELECT data FROM groups WHERE id = ?", .integer(id))
        }
        return value?.blob ?? []
    }

    /// The rooms with records, by name.
    public func rooms() throws(StoreError) -> [String] {
        var names: [String] = []
        for (name, number) in roomNumbers {
            // A room with a damaged index, or with lost records, has records, even if they are
            // unreadable.
            let isEmpty = try index(of: number)?.entries.isEmpty ?? false
            if !isEmpty || marks.lossOfAll(of: number) != nil { names.append(name) }
        }
        return names.sorted()
    }
}
