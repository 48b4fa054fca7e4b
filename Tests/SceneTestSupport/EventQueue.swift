import Dispatch
import Synchronization

/// Events that other threads add and that a test takes in order.
package final class EventQueue<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// Creates an empty queue.
    package init() {}

    /// Adds an event and wakes a waiting test.
    package func add(_ event: Event) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    /// Waits for the next event and removes it; nil after `seconds`, which only a fault lets pass.
    package func next(seconds: Double = 20) -> Event? {
        guard arrived.wait(timeout: .now() + seconds) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
