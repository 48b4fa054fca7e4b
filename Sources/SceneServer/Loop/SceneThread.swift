import Dispatch
import Threads

/// A thread that owns many sessions and runs their update cycles at a fixed rate.
///
/// Other threads reach it through its mailbox only. The rooms belong to a `SceneLoop`, which is
/// created on the thread and never leaves it.
final class SceneThread: Sendable {
    private let mailbox: SceneMailbox
    private let configuration: SceneLoop.Configuration
    private let thread: OwnedThread

    /// Makes a thread without starting it.
    init(_ mailbox: SceneMailbox, _ configuration: SceneLoop.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
        thread =
            configuration.lane.isSlow
            ? OwnedThread(name: "slow scenes", stepsBack: true)
            : OwnedThread(name: "scenes")
    }

    /// Starts the thread. Must be called once.
    func start() {
        thread.start { [mailbox, configuration] in
            configuration.activity.attach()
            let loop = SceneLoop(mailbox, configuration)
            loop.run()
        }
    }

    /// To be called at intervals, so that a slow lane gets something done on a busy machine.
    func keepShare() { thread.keepShare(isBusy: configuration.activity.isBusy) }

    /// Runs a last tick in every room; returns once all records are queued in the store, or after a
    /// timeout.
    ///
    /// - Returns: Whether the tick has run.
    func drain(withinSeconds seconds: Int) -> Bool {
        let done = DispatchSemaphore(value: 0)
        mailbox.post(.drain(done))
        return done.wait(timeout: .now() + .seconds(seconds)) == .success
    }

    /// Handles the remaining mail and ends the thread; returns once it has ended.
    func stop() {
        mailbox.post(.stop)
        thread.join()
    }
}
