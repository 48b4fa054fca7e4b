import SceneCluster
import SceneWire

/// How rooms are loaded from a shard's journal.
extension ShardJournal {
    mutating func answerLoads(at now: MonotonicInstant) {
        guard isServing, !loads.isEmpty else { return }
        let busy = waiting.rooms
        for load in loads where !busy.contains(load.room) { answer(load, at: now) }
        loads.removeAll { !busy.contains($0.room) }
    }

    mutating func answer(_ load: Load, at now: MonotonicInstant) {
        let tail = rooms[load.room] ?? RoomTail()
        if let pointer = pointers[load.room], load.tick != nil || !tail.hasScene {
            want(.load(load), pointer, at: now)
        } else {
            answer(load, behind: [])
        }
    }

    /// Sends a room its records, of which the first are those of its snapshot.
    mutating func answer(_ load: Load, behind base: [JournalRecord]) {
        let tail = rooms[load.room] ?? RoomTail()
        if let damage = tail.damage { return fail(load, damage) }
        let records = base + tail.records
        open[load.room] = records.last?.sequence ?? 0
        if let hash = states.end(of: load.room), load.tick == nil {
            notify(load.room, .handedOver(hash))
        }
        notify(load.room, .loaded(records.from(tick: load.tick)))
        if isHeld { notify(load.room, .held(true)) }
        if hasToldStall, let stall { notify(load.room, .stalled(stall)) }
    }

    mutating func fail(_ load: Load, _ damage: String) {
        notify(load.room, .unreadable("\(damage); restore the streams from a backup"))
    }

    /// Ends loads that will not be answered here.
    ///
    /// - Parameter elsewhere: The node that serves the shard, in a sentence; `nil` if unknown.
    mutating func giveLoadsUp(_ elsewhere: String?, at now: MonotonicInstant) {
        guard !isServing, !loads.isEmpty else { return }
        let reason = fault?.reason ?? elsewhere
        for load in loads where reason != nil || load.until <= now {
            let text =
                reason ?? "no node serves this part of the rooms at present; connect again"
            notify(load.room, .elsewhere(text))
        }
        loads.removeAll { reason != nil || $0.until <= now }
    }
}
