import Synchronization

/// A count that only grows; safe from any thread.
final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func add(_ more: Int = 1) { count.wrappingAdd(UInt64(clamping: more), ordering: .relaxed) }

    var value: UInt64 { count.load(ordering: .relaxed) }
}

/// Counts of what a server does; safe from any thread.
final class ServerMetrics: Sendable {
    let connections = Atomic<Int>(0)
    let rooms = Atomic<Int>(0)
    let ticks = Counter()
    let tickNanoseconds = Counter()
    let lateTicks = Counter()
    let messagesReceived = Counter()
    let messagesSent = Counter()
    let bytesSent = Counter()
    let badMessages = Counter()
    let storeCommits = Counter()
    let storeRecords = Counter()
    let storeFailures = Counter()

    /// The counts in Prometheus' text format, version 0.0.4.
    func text() -> String {
        func line(_ name: String, _ kind: String, _ help: String, _ value: String) -> String {
            "# HELP scenesync_\(name) \(help)\n# TYPE scenesync_\(name) \(kind)\nscenesync_\(name) \(value)\n"
        }
        func counter(_ name: String, _ help: String, _ value: UInt64) -> String {
            line(name, "counter", help, String(value))
        }
        let seconds = Double(tickNanoseconds.value) / 1e9
        return line(
            "connections", "gauge", "Open connections.",
            String(connections.load(ordering: .relaxed)))
            + line("rooms", "gauge", "Rooms in memory.", String(rooms.load(ordering: .relaxed)))
            + counter("ticks_total", "Update cycles that did work.", ticks.value)
            + line("tick_seconds_total", "counter", "Time spent in update cycles.", String(seconds))
            + counter(
                "late_ticks_total", "Ticks that began after their time was over.",
                lateTicks.value)
            + counter(
                "messages_received_total", "Messages from clients.",
                messagesReceived.value)
            + counter(
                "messages_sent_total", "Messages to clients, one for each receiver.",
                messagesSent.value)
            + counter(
                "sent_bytes_total", "Bytes of messages to clients, without TLS.",
                bytesSent.value)
            + counter(
                "bad_messages_total", "Messages that could not be read.",
                badMessages.value)
            + counter(
                "store_commits_total", "Group commits of the journal.",
                storeCommits.value)
            + counter(
                "store_records_total", "Records in these commits.",
                storeRecords.value)
            + counter(
                "store_failures_total", "Group commits that failed.",
                storeFailures.value)
    }
}
