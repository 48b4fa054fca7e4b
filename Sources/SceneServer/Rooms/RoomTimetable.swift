/// The ticks at which a thread's rooms have work, and those at which idle ones are frozen.
///
/// Input of a room outdates its entry. Members of one room arrive in large groups, so `touch` only
/// registers that, and `updateTouched` updates each such room once.
struct RoomTimetable {
    /// The ticks of one room; `nil` for nothing to do.
    struct Entry {
        /// When it has work.
        var work: ClockTick?
        /// When it is frozen if nothing happens before.
        var freeze: ClockTick?
    }

    private var work = RoomAgenda()
    private var freezes = RoomAgenda()
    private var touched: Set<String> = []

    /// The earliest tick of all entries; `nil` for none. O(1).
    var next: ClockTick? {
        guard let work = work.next, let freeze = freezes.next else {
            return work.next ?? freezes.next
        }
        return min(work, freeze)
    }

    /// Sets the entry of a room; `nil` removes it. O(log *n*) in the number of entries.
    mutating func set(_ name: String, _ entry: Entry?) {
        guard let entry else {
            work.remove(name)
            freezes.remove(name)
            return
        }
        work.set(name, entry.work)
        freezes.set(name, entry.freeze)
    }

    /// Registers input of a room.
    mutating func touch(_ name: String) { touched.insert(name) }

    /// Updates the entries of all rooms that were touched since the last call.
    mutating func updateTouched(_ entry: (_ name: String) -> Entry?) {
        for name in touched { set(name, entry(name)) }
        touched.removeAll(keepingCapacity: true)
    }

    /// The rooms with work at or before a tick, in the order in which they were added.
    func due(through tick: ClockTick) -> [String] { work.due(through: tick) }

    /// The room to be frozen first; `nil` if none is due at a tick.
    func firstFreeze(through tick: ClockTick) -> String? { freezes.firstDue(through: tick) }
}
