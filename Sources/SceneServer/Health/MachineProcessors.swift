import FoundationEssentials

/// The processors that the server may use, and how many threads it starts by them.
public struct MachineProcessors: Equatable, Sendable {
    /// How many processors there are for the process; at least one.
    public private(set) var count: Int

    /// Makes the figure of this process: the processors that it may run on, or the share of a
    /// container where that is less.
    public init() {
        self.init(
            runnable: ProcessInfo.processInfo.activeProcessorCount,
            quota: (try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8)) ?? "")
    }

    /// - Parameters:
    ///   - runnable: The processors that the process may run on.
    ///   - quota: The text of a control group's `cpu.max`, microseconds of processor time in a
    ///     period and the period; anything else limits nothing. A part of a processor counts as
    ///     one.
    init(runnable: Int, quota: String) {
        let words = quota.split { $0 == " " || $0 == "\n" }
        count = max(runnable, 1)
        guard words.count == 2, let share = UInt32(words[0]), let period = UInt32(words[1]),
            period > 0
        else { return }
        count = min(count, max(1, Int((Double(share) / Double(period)).rounded(.up))))
    }

    /// Threads that serve connections: one for each four processors, at most 8. One writes a frame
    /// to 1,000 viewers in less than half a tick.
    public var loopThreads: Int { min(max(count / 4, 1), 8) }

    /// Threads that update scenes: one for each processor that no connections' thread has, at most
    /// 16.
    public var sceneThreads: Int { min(max(count - loopThreads, 1), 16) }
}
