import Threads

/// Calls a function at intervals on a thread of its own.
final class RepeatingThread: Sendable {
    private let thread: OwnedThread
    private let isCancelled = Monitor(false)

    init(name: String) { thread = OwnedThread(name: name) }

    /// Starts the thread, which calls `body` for the first time after one interval. To be called once.
    func start(everySeconds seconds: UInt64, _ body: @escaping @Sendable () -> Void) {
        thread.start { [isCancelled] in
            while true {
                let ends = isCancelled.wait { isCancelled, hasTimedOut in
                    if isCancelled { return .finish(true) }
                    return hasTimedOut
                        ? .finish(false) : .waitAtMost(nanoseconds: seconds * 1_000_000_000)
                }
                if ends { return }
                body()
            }
        }
    }

    /// Ends the thread after the present call; does not wait for it.
    func cancel() {
        isCancelled.withLock { $0 = true }
        isCancelled.wakeAll()
    }
}
