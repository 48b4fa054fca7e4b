import Threads

/// Calls a function at intervals on a thread of its own.
final class RepeatingThread: Sendable {
    private enum Stage: Sendable {
        case idle
        case running
        case stopping
        /// Stopped before it was started.
        case discarded
    }

    private let thread: OwnedThread
    private let stage = Monitor(Stage.idle)

    init(name: String) { thread = OwnedThread(name: name) }

    /// Starts the thread, which first calls `body` after one interval. Must be called once; does
    /// nothing after `stop`.
    func start(everyNanoseconds interval: UInt64, _ body: @escaping @Sendable () -> Void) {
        let isFirst = stage.withLock { stage in
            guard stage == .idle else { return false }
            stage = .running
            return true
        }
        guard isFirst else { return }
        thread.start { [stage] in
            while Self.waits(stage, interval) { body() }
        }
    }

    /// Waits for an interval; returns false if the thread must end.
    private static func waits(_ stage: Monitor<Stage>, _ interval: UInt64) -> Bool {
        stage.wait { stage, hasTimedOut in
            switch stage {
            case .stopping, .discarded: .finish(false)
            case .idle, .running: hasTimedOut ? .finish(true) : .waitAtMost(nanoseconds: interval)
            }
        }
    }

    /// Stops the thread; returns after the present call of the function.
    func stop() {
        let hasThread = stage.withLock { stage in
            switch stage {
            case .idle, .discarded: stage = .discarded
            case .running, .stopping: stage = .stopping
            }
            return stage == .stopping
        }
        guard hasThread else { return }
        stage.wakeAll()
        thread.join()
    }
}
