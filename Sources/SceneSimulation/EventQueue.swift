/// Things that are to happen, by time, and at equal times in the order in which they were planned.
struct EventQueue<Event> {
    /// An event's place in the order. The event itself stays where it was put, for it is large.
    private struct Entry {
        var time: Int
        var order: Int
        var slot: Int

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var heap: [Entry] = []
    private var nextOrder = 0
    private var events: [Event?] = []
    private var freeSlots: [Int] = []

    mutating func plan(_ event: Event, at time: Int) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            events[slot] = event
        } else {
            slot = events.count
            events.append(event)
        }
        let entry = Entry(time: time, order: nextOrder, slot: slot)
        nextOrder += 1
        var child = heap.count
        heap.append(entry)
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    mutating func next() -> (time: Int, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            var parent = 0
            while true {
                var least = 2 * parent + 1
                guard least < heap.count else { break }
                if least + 1 < heap.count, heap[least + 1].isBefore(heap[least]) { least += 1 }
                guard heap[least].isBefore(last) else { break }
                heap[parent] = heap[least]
                parent = least
            }
            heap[parent] = last
        }
        freeSlots.append(first.slot)
        return events[first.slot].take().map { (first.time, $0) }
    }
}
