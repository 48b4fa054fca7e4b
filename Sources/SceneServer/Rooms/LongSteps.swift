import Synchronization

/// Counts of steps that took too long, by the roles of their threads; safe from any thread.
final class LongSteps: Sendable {
    private struct Counts {
        var late: [Activity.Role: UInt64] = [:]
        var longestNanoseconds: [Activity.Role: UInt64] = [:]
    }

    private let counts = Mutex(Counts())

    /// Counts a late step.
    func add(_ role: Activity.Role) { counts.withLock { $0.late[role, default: 0] += 1 } }

    /// Sets the duration of the longest present step of each role, in nanoseconds; none for threads
    /// that wait.
    func setLongest(_ nanoseconds: [Activity.Role: UInt64]) {
        counts.withLock { $0.longestNanoseconds = nanoseconds }
    }

    /// The counts in Prometheus' text format.
    var text: String {
        let counts = counts.withLock { $0 }
        var text = Self.head(
            "long_steps_total", "counter",
            "Steps that took over 1 s, or over 10 s in the slow lane.")
        for role in Activity.Role.allCases {
            text +=
                "scenesync_long_steps_total{thread=\"\(role.rawValue)\"} \(counts.late[role] ?? 0)\n"
        }
        text += Self.head(
            "longest_step_seconds", "gauge",
            "Durations of the threads' present steps, sampled twice a second.")
        for role in Activity.Role.allCases {
            let seconds = Double(counts.longestNanoseconds[role] ?? 0) / 1e9
            text += "scenesync_longest_step_seconds{thread=\"\(role.rawValue)\"} \(seconds)\n"
        }
        return text
    }

    private static func head(_ name: String, _ kind: String, _ help: String) -> String {
        "# HELP scenesync_\(name) \(help)\n# TYPE scenesync_\(name) \(kind)\n"
    }
}
