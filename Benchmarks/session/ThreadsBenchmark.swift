import Dispatch
import SceneSession
import Synchronization

/// Two hundred busy rooms, shared out among threads as a server shares out its rooms.
enum ThreadsBenchmark {
    private static let rooms = 200
    private static let views = 200
    private static let ticks = 150

    /// Ticks of all rooms in a second of the clock: five mutations a room and tick, from the
    /// message to the encoded frame and the record. The rooms are made before, each by the thread
    /// that has it.
    ///
    /// - Parameter threads: How many threads the rooms are shared out among.
    static func ticksASecond(threads: Int) throws -> [Double] {
        let ready = Atomic(0)
        let span = Mutex((first: Double.infinity, last: 0.0))
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            do {
                let own = try stride(from: thread, to: rooms, by: threads).map { _ in
                    let driver = Driver(try scene(views: views))
                    driver.runTick()
                    return driver
                }
                let messages = (0..<ticks).map { ops(5, rows: views / 2, round: $0) }
                ready.add(1, ordering: .sequentiallyConsistent)
                // All begin together; nobody's making counts as somebody's ticks.
                while ready.load(ordering: .sequentiallyConsistent) < threads {}
                let start = wallTime()
                for message in messages {
                    for room in own {
                        room.send(message)
                        room.runTick()
                        room.forgetRecords()
                    }
                }
                let end = wallTime()
                span.withLock { $0 = (min($0.first, start), max($0.last, end)) }
            } catch {
                failure.withLock { $0 = error }
                ready.add(1, ordering: .sequentiallyConsistent)
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        let (first, last) = span.withLock { $0 }
        return [Double(rooms * ticks) / (last - first)]
    }
}
