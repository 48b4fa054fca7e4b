import Essentials
import FoundationEssentials
import Logging
import SceneModel
import Synchronization

/// Observes the threads of rooms and journal and reports steps that take too long: during a step,
/// all other work of its thread waits.
final class Watchdog: Sendable {
    /// The function to call while the server works, and its condition.
    private struct Heartbeat: Sendable {
        /// The duration in nanoseconds after which a step counts as hung.
        var patience: UInt64
        var body: @Sendable () -> Void
    }

    /// Two observations a second.
    static let intervalNanoseconds: UInt64 = 500_000_000

    /// The duration in nanoseconds after which a step makes the server report itself as not alive.
    private static let lifeNanoseconds: UInt64 = 30_000_000_000

    private let activities: [Activity]
    private let status: ServerStatus
    private let metrics: ServerMetrics
    private let logger: Logger
    private let heartbeat = Mutex<Heartbeat?>(nil)

    init(
        _ activities: [Activity], status: ServerStatus, metrics: ServerMetrics, logger: Logger
    ) {
        self.activities = activities
        self.status = status
        self.metrics = metrics
        self.logger = logger
    }

    /// Sets a function to be called at each observation, unless a home thread or the store has been
    /// in one step for longer than `patience`. The slow lane may take any time, and so may long
    /// work.
    func onHeartbeat(patience: UInt64, _ body: @escaping @Sendable () -> Void) {
        heartbeat.withLock { $0 = Heartbeat(patience: patience, body: body) }
    }

    /// Observes every thread once.
    func look() {
        var longest: [Activity.Role: UInt64] = [:]
        var hungNanoseconds: UInt64 = 0
        for activity in activities {
            let look = activity.look()
            for (step, nanoseconds) in look.ended {
                logger.notice(
                    "\(activity.name) took \(Self.seconds(nanoseconds)) for \(Self.text(step))")
            }
            guard let (step, nanoseconds) = look.busy else { continue }
            longest[activity.role] = max(longest[activity.role] ?? 0, nanoseconds)
            if look.isNewlyLate {
                metrics.longSteps.add(activity.role)
                logger.warning(
                    "\(activity.name) has been busy for \(Self.seconds(nanoseconds)) with \(Self.text(step))\(activity.progress.text.map { ", \($0)" } ?? "")"
                )
            }
            if activity.role == .home || activity.role == .store, !step.isLongWork {
                hungNanoseconds = max(hungNanoseconds, nanoseconds)
            }
        }
        metrics.longSteps.setLongest(longest)
        status.isAlive = hungNanoseconds <= Self.lifeNanoseconds
        let heartbeat = heartbeat.withLock { $0 }
        if let heartbeat, hungNanoseconds <= heartbeat.patience { heartbeat.body() }
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        (Double(nanoseconds) / 1e9).text(digits: 1) + " s"
    }

    private static func text(_ step: Activity.Step) -> String {
        step.room.map { "\(step.what) in room \($0)" } ?? "\(step.what)"
    }
}
