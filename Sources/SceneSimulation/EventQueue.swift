/// Things that are to happen, by time, and at equal times in the order in which they were planned.
struct EventQueue<Event> {
    private struct Entry {
        var time: Int
        var order: Int
        var event: Event

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var heap: [Entry] = []
    private var nextOrder = 0

    mutating func plan(_ event: Event, at time: Int) {
        heap.append(Entry(time: time, order: nextOrder, event: event))
        nextOrder += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: Int, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && heap[child].isBefore(heap[least]) {
                    least = child
                }
                guard least != parent else { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.time, first.event)
    }
}
