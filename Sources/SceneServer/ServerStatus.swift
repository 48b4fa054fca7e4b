import Synchronization

/// Whether the server takes connections, and whether it was asked to end.
final class ServerStatus: Sendable {
    private let ready = Atomic<Bool>(false)
    private let alive = Atomic<Bool>(true)
    private let drainHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Whether connections are accepted.
    var isReady: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }

    /// Whether no thread has hung that others wait for.
    var isAlive: Bool {
        get { alive.load(ordering: .relaxed) }
        set { alive.store(newValue, ordering: .relaxed) }
    }

    /// Sets what an administrator's request to end calls.
    func onDrainRequest(_ body: @escaping @Sendable () -> Void) {
        drainHandler.withLock { $0 = body }
    }

    /// Passes on an administrator's request to end.
    func requestDrain() { drainHandler.withLock { $0 }?() }
}
