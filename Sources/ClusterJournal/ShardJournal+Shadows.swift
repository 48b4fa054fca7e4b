import SceneCluster
import SceneWire

/// Which rooms of a shard are replayed ahead of time, because this node may own it within a moment,
/// and how far they have been told.
struct ShardShadows {
    /// Until then they are kept, unless there is a reason to keep them longer.
    var until: MonotonicInstant
    /// By room, the last record that was told; 0 while the room's snapshot is read.
    var told: [String: UInt64] = [:]
    /// By room, the last record that was replayed; the highest number for a room that cannot be.
    var ready: [String: UInt64] = [:]
    /// A shard that is given to this node is taken by then, whether or not its rooms are ready.
    let takenAt: MonotonicInstant

    /// How long rooms are kept ready after the last reason to: a hand-over, and their openings,
    /// take less.
    static let span = Duration.seconds(3)
    /// For so long after they were begun a shard that is given to this node waits for them: less
    /// than its former owner waits.
    static let patience = Duration.milliseconds(700)
    /// The maximum number of rooms of a shard that are made ready: those that were changed last.
    static let roomMaximum = 64
}

extension ShardJournal {
    /// Asks for the replay of the shard's rooms while the node may own it within a moment, and
    /// drops them some time after.
    ///
    /// - Parameter isComing: Whether the node may own the shard within a moment.
    /// - Complexity: O(rooms with records behind their snapshots, and new records) while rooms are
    ///   kept ready.
    mutating func advanceShadows(isComing: Bool, at now: MonotonicInstant) {
        if isComing, !isServing {
            if shadows == nil {
                shadows = ShardShadows(
                    until: now, takenAt: now.advanced(by: ShardShadows.patience))
            }
            shadows?.until = now.advanced(by: ShardShadows.span)
        }
        guard let present = shadows else { return }
        guard now < present.until else { return dropShadows() }
        // Who owns the shard opens rooms, and no records of others come.
        guard !isServing else { return }
        for (room, told) in present.told where told > 0 { follow(room, after: told) }
        // Sorting all rooms of a shard would cost much at each call.
        guard present.told.count < ShardShadows.roomMaximum else { return }
        let others = rooms.filter { present.told[$0.key] == nil && !$0.value.isEmpty }
            .sorted { ($1.value.lastNumber, $0.key) < ($0.value.lastNumber, $1.key) }
        for (room, tail) in others.prefix(ShardShadows.roomMaximum - present.told.count) {
            if tail.hasScene {
                shadow(room, tail.records.from(tick: nil))
            } else if let pointer = pointers[room] {
                shadows?.told[room] = 0
                want(.shadow, pointer, at: now)
            }
        }
    }

    /// Whether rooms are being made ready that a shard which is given to this node waits for.
    ///
    /// - Complexity: O(rooms that are made ready).
    func isMakingReady(at now: MonotonicInstant) -> Bool {
        guard let shadows, !isServing, now < shadows.takenAt else { return false }
        return shadows.told.contains { room, told in
            told == 0 || (shadows.ready[room] ?? 0) < (rooms[room]?.lastSequence ?? told)
        }
    }

    /// Begins to replay a room.
    mutating func shadow(_ room: String, _ records: [JournalRecord]) {
        guard shadows != nil, let last = records.last else { return }
        shadows?.told[room] = last.sequence
        add(.shadow(.follow(room: room, records)))
    }

    private mutating func follow(_ room: String, after told: UInt64) {
        guard let tail = rooms[room], tail.lastSequence > told else { return }
        let more = tail.records.filter { $0.sequence > told }
        shadows?.told[room] = tail.lastSequence
        add(.shadow(.follow(room: room, more)))
    }

    /// Lets all rooms go.
    mutating func dropShadows() {
        for room in shadows?.told.keys.sorted() ?? [] { add(.shadow(.forget(room: room))) }
        shadows = nil
    }
}
