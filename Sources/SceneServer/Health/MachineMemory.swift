import Essentials
import FoundationEssentials

/// The memory available to the process.
enum MachineMemory {
    /// The lower of the control group's limit (version 2, then 1) and the machine's memory, in
    /// bytes.
    static var byteCount: Int {
        let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        let limits = groups.compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(limit)
        }
        return (limits + [physicalByteCount]).min() ?? physicalByteCount
    }

    /// The number in a control group's file; `nil` for `max` and for text that is not a number.
    static func limit(_ text: String) -> Int? {
        Int(text.trimmed).flatMap { $0 > 0 ? $0 : nil }
    }

    private static var physicalByteCount: Int {
        Int(clamping: ProcessInfo.processInfo.physicalMemory)
    }
}
