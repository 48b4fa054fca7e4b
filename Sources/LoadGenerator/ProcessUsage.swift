import FoundationEssentials
import Glibc

/// The time and memory of another process on this machine, as the system reports them.
public enum ProcessUsage {
    /// Processor seconds of all its threads, user's and system's; 0 when there is no such process.
    public static func seconds(_ id: Int) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // Counted from the name, which may hold anything.
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Bytes of memory that it holds.
    public static func residentBytes(_ id: Int) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
