import SceneCluster
import SceneWire

/// What rooms ask for.
extension ShardJournal {
    /// Queues records of an open room, which are kept together where a commit has room for them.
    /// Those of a room that was lost meanwhile are dropped: its session is about to learn of it.
    mutating func append(_ entries: [RoomRecord]) {
        for (index, entry) in entries.enumerated() {
            append(entry, joinsNext: index < entries.count - 1)
        }
        tellStall()
    }

    private mutating func append(_ entry: RoomRecord, joinsNext: Bool) {
        guard let last = open[entry.room] else { return }
        guard entry.record.sequence == last + 1 else {
            return lose(
                entry.room,
                "record \(entry.record.sequence) of the room came after record \(last); connect again"
            )
        }
        guard let parts = JournalEntry.entries(of: entry.record) else {
            return lose(entry.room, "a record of the room is too large to be kept; connect again")
        }
        open[entry.room] = entry.record.sequence
        for (index, bytes) in parts.enumerated() {
            let isLast = index == parts.count - 1
            add(
                .init(
                    room: entry.room, bytes: bytes,
                    completion: isLast ? .record(entry.record.sequence) : .none,
                    joinsNext: joinsNext || !isLast))
        }
    }

    /// Answers once it is proved that the node owned the shard after this call.
    ///
    /// - Parameter needsRoom: Whether the room has to be open: one that is not open any more has
    ///   lost what it decided.
    mutating func prove(_ room: String, _ number: UInt64, needsRoom: Bool) {
        if departure?.rooms.contains(room) == true {
            // It would come back to a room that is here still.
            departure?.waiting.append(.init(room: room, bytes: nil, completion: .proof(number)))
            return
        }
        guard isServing, !needsRoom || open[room] != nil else { return giveUp(.proof(number)) }
        add(.init(room: room, bytes: nil, completion: .proof(number)))
    }

    /// Deletes a room.
    mutating func delete(_ room: String, _ number: UInt64) {
        guard isServing else { return giveUp(.deletion(number)) }
        open[room] = nil
        add(.init(room: room, bytes: JournalEntry.deletionBytes, completion: .deletion(number)))
    }

    /// Loads a room's records once the node owns the shard and nothing of the room waits.
    mutating func load(_ room: String, from tick: UInt64?, at now: MonotonicInstant) {
        open[room] = nil
        loads.append(
            Load(room: room, tick: tick, until: now.advanced(by: Self.loadPatience)))
        answerLoads(at: now)
    }
}
