import Foundation

/// Processor time of the process, in seconds.
public func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Bytes of memory that the process has in use, as the kernel counts them (resident, anonymous).
public func residentBytes() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") {
        return (Double(line.filter(\.isNumber)) ?? 0) * 1024
    }
    return 0
}
