/// The times at which rooms have work, so that a thread visits only those rooms, however many
/// others are idle.
///
/// A binary heap that stores the index of each room's entry, so that a room whose time changes has
/// one entry.
///
/// - Source: Williams, "Algorithm 232: Heapsort", 1964.
struct RoomAgenda {
    private struct Entry {
        var tick: ClockTick
        /// The index of the room in `rooms`.
        let slot: Int
    }

    private struct Room {
        let name: String
        /// Lower for rooms that were added earlier.
        let serial: UInt64
        /// The index in `heap`; `nil` for rooms without work.
        var index: Int?
    }

    private var heap: [Entry] = []
    private var rooms: [Room?] = []
    private var slots: [String: Int] = [:]
    private var freeSlots: [Int] = []
    private var nextSerial: UInt64 = 0

    /// The earliest tick at which a room has work; `nil` for none. O(1).
    var next: ClockTick? { heap.first?.tick }

    /// Sets the time of a room's work; `nil` for none. O(log *n*) for *n* rooms with work.
    mutating func set(_ name: String, _ tick: ClockTick?) {
        let slot = slots[name] ?? add(name)
        guard let index = rooms[slot]?.index else {
            guard let tick else { return }
            heap.append(Entry(tick: tick, slot: slot))
            rise(from: heap.count - 1)
            return
        }
        guard let tick else { return cut(at: index) }
        guard heap[index].tick != tick else { return }
        heap[index].tick = tick
        sift(at: index)
    }

    /// Removes a room. O(log *n*).
    mutating func remove(_ name: String) {
        guard let slot = slots.removeValue(forKey: name) else { return }
        if let index = rooms[slot]?.index { cut(at: index) }
        rooms[slot] = nil
        freeSlots.append(slot)
    }

    /// The rooms with work at or before a tick, in the order in which they were added. O(*k* log
    /// *k*) for *k* such rooms: no others are visited.
    func due(through tick: ClockTick) -> [String] {
        var due: [Room] = []
        var pending = [0]
        while let index = pending.popLast() {
            // Entries below another entry are not earlier.
            guard index < heap.count, heap[index].tick <= tick else { continue }
            if let room = rooms[heap[index].slot] { due.append(room) }
            pending.append(2 * index + 1)
            pending.append(2 * index + 2)
        }
        return due.sorted { $0.serial < $1.serial }.map(\.name)
    }

    /// The room with the earliest work; `nil` if none has work by a tick. O(1).
    func firstDue(through tick: ClockTick) -> String? {
        guard let first = heap.first, first.tick <= tick else { return nil }
        return rooms[first.slot]?.name
    }

    private mutating func add(_ name: String) -> Int {
        let room = Room(name: name, serial: nextSerial, index: nil)
        nextSerial += 1
        let slot = freeSlots.popLast() ?? rooms.count
        if slot < rooms.count { rooms[slot] = room } else { rooms.append(room) }
        slots[name] = slot
        return slot
    }

    // MARK: The heap

    private mutating func cut(at index: Int) {
        rooms[heap[index].slot]?.index = nil
        let last = heap.removeLast()
        guard index < heap.count else { return }
        heap[index] = last
        sift(at: index)
    }

    private mutating func sift(at index: Int) {
        sink(from: rise(from: index))
    }

    @discardableResult
    private mutating func rise(from start: Int) -> Int {
        var index = start
        let entry = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.tick < heap[parent].tick else { break }
            place(heap[parent], at: index)
            index = parent
        }
        place(entry, at: index)
        return index
    }

    private mutating func sink(from start: Int) {
        var index = start
        let entry = heap[index]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].tick < heap[child].tick { child += 1 }
            guard heap[child].tick < entry.tick else { break }
            place(heap[child], at: index)
            index = child
        }
        place(entry, at: index)
    }

    private mutating func place(_ entry: Entry, at index: Int) {
        heap[index] = entry
        rooms[entry.slot]?.index = index
    }
}
