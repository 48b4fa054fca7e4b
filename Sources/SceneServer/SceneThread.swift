import Dispatch
import Threads

/// A thread that owns many sessions and runs their update cycles at a fixed rate.
///
/// Everything reaches it through its mailbox. The rooms belong to a `SceneLoop`, which is made on the thread and never
/// leaves it.
final class SceneThread: Sendable {
    private let mailbox: SceneMailbox
    private let configuration: SceneLoop.Configuration
    private let thread: OwnedThread

    /// Makes a thread that does not run yet.
    init(_ mailbox: SceneMailbox, _ configuration: SceneLoop.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
        thread =
            configuration.lane.isSlow
            ? OwnedThread(name: "slow scenes", stepsBack: true)
            : OwnedThread(name: "scenes")
    }

    /// Starts the thread. To be called once.
    func start() {
        thread.start { [mailbox, configuration] in
            configuration.activity.attach()
            let loop = SceneLoop(mailbox, configuration)
            loop.run()
        }
    }

    /// Runs a last tick for every room; returns once all its records are with the store, or after a time.
    ///
    /// - Returns: Whether the tick has run.
    func drain(withinSeconds seconds: Int) -> Bool {
        let done = DispatchSemaphore(value: 0)
        mailbox.post(.drain(done))
        return done.wait(timeout: .now() + .seconds(seconds)) == .success
    }

    /// Handles the mail that has come and ends the thread; returns once that is done.
    func stop() {
        mailbox.post(.stop)
        thread.join()
    }
}
