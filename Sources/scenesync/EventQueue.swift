import Dispatch
import SceneClient
import Synchronization

/// Queues the events of a client for a command that waits for them one by one.
final class EventQueue: Sendable {
    private let events = Mutex<[SceneClient.Event]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func add(_ event: SceneClient.Event) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    func next(seconds: Double) -> SceneClient.Event? { next(until: .now() + seconds) }

    func next(until deadline: DispatchTime) -> SceneClient.Event? {
        guard arrived.wait(timeout: deadline) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
