import Essentials
import FoundationEssentials

/// Linux's counters of the machine at one moment. proc(5).
struct MachineSample: Equatable, Sendable {
    /// Ticks of all processors' clocks that were spent working, since the machine started.
    var busy: UInt64 = 0
    /// All of them.
    var total: UInt64 = 0
    /// Memory that is in use or could not be had at once, in kibibytes.
    var memoryUsed: UInt64 = 0
    /// All of it.
    var memoryTotal: UInt64 = 0
    /// Bytes that came and went over all networks, since the machine started.
    var networkBytes: UInt64 = 0

    /// How it is now; what a file does not tell is 0.
    static var now: MachineSample {
        var sample = MachineSample()
        sample.takeProcessors(contents("/proc/stat"))
        sample.takeMemory(contents("/proc/meminfo"))
        sample.takeNetwork(contents("/proc/net/dev"))
        return sample
    }

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// Takes `/proc/stat`: `cpu user nice system idle iowait irq softirq steal …`.
    mutating func takeProcessors(_ text: String) {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else {
            return
        }
        // `user` includes the time of guests.
        let counts = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
        total = counts.reduce(0, &+)
        busy = total &- counts.dropFirst(3).prefix(2).reduce(0, &+)
    }

    /// Takes `/proc/meminfo`: `MemTotal: 123 kB`, a line for each name.
    mutating func takeMemory(_ text: String) {
        var values: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count >= 2 { values[words[0]] = UInt64(words[1]) }
        }
        memoryTotal = values["MemTotal:"] ?? 0
        let available = values["MemAvailable:"] ?? values["MemFree:"] ?? 0
        memoryUsed = memoryTotal - min(available, memoryTotal)
    }

    /// Takes `/proc/net/dev`: behind each interface's name eight counts of what came, the first of
    /// them bytes, and eight of what went.
    mutating func takeNetwork(_ text: String) {
        networkBytes = 0
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let counts = halves[1].split(separator: " ").compactMap { UInt64($0) }
            guard counts.count >= 9 else { continue }
            networkBytes &+= counts[0] &+ counts[8]
        }
    }

    /// The share of the processors that was busy since another sample, 0...1.
    func load(since before: MachineSample) -> Double {
        guard total > before.total, busy >= before.busy else { return 0 }
        return min(1, Double(busy - before.busy) / Double(total - before.total))
    }

    /// The share of memory in use, 0...1.
    var memoryShare: Double {
        memoryTotal == 0 ? 0 : Double(memoryUsed) / Double(memoryTotal)
    }
}
