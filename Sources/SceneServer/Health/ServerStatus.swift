import Synchronization

/// Whether the server accepts connections, and the handler for requests to drain.
final class ServerStatus: Sendable {
    private let ready = Atomic<Bool>(false)
    private let alive = Atomic<Bool>(true)
    private let drainHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Whether connections are accepted.
    var isReady: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }

    /// Whether no home thread or store has hung.
    var isAlive: Bool {
        get { alive.load(ordering: .relaxed) }
        set { alive.store(newValue, ordering: .relaxed) }
    }

    /// Sets the function that an administrator's request to drain calls.
    func onDrainRequest(_ body: @escaping @Sendable () -> Void) {
        drainHandler.withLock { $0 = body }
    }

    /// Calls the function for an administrator's request to drain.
    func requestDrain() { drainHandler.withLock { $0 }?() }
}
