import ClusterJournal
import FoundationEssentials
import Glibc
import Synchronization
import WebSocketTransport

/// A count that only increases; safe from any thread.
final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func add(_ more: Int = 1) { count.wrappingAdd(UInt64(clamping: more), ordering: .relaxed) }

    var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A histogram of durations; safe from any thread.
final class DurationHistogram: Sendable {
    /// The upper bounds of the buckets, in microseconds.
    private static let bounds: [UInt64] = [
        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 16_667, 25_000, 50_000, 100_000, 250_000,
        500_000, 1_000_000, 2_500_000,
    ]

    private struct Counts {
        var buckets = [UInt64](repeating: 0, count: DurationHistogram.bounds.count + 1)
        var sumNanoseconds: UInt64 = 0
    }

    private let counts = Mutex(Counts())

    func add(nanoseconds: UInt64) {
        let index =
            Self.bounds.firstIndex { nanoseconds <= $0 * 1000 } ?? Self.bounds.count
        counts.withLock {
            $0.buckets[index] += 1
            $0.sumNanoseconds &+= nanoseconds
        }
    }

    func add(milliseconds: UInt32) { add(nanoseconds: UInt64(milliseconds) * 1_000_000) }

    /// The buckets in Prometheus' text format, in which each includes those below it.
    func text(_ name: String, _ help: String) -> String {
        let counts = counts.withLock { $0 }
        var text = "# HELP \(name) \(help)\n# TYPE \(name) histogram\n"
        var sum: UInt64 = 0
        for (index, count) in counts.buckets.enumerated() {
            sum += count
            let bound =
                index < Self.bounds.count ? String(Double(Self.bounds[index]) / 1e6) : "+Inf"
            text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
        }
        return text + "\(name)_sum \(Double(counts.sumNanoseconds) / 1e9)\n\(name)_count \(sum)\n"
    }
}

/// The counts of a server; safe from any thread.
final class ServerMetrics: Sendable {
    let connections = Atomic<Int>(0)
    /// Rooms in the slow lane.
    let slowRooms = Atomic<Int>(0)
    let ticks = Counter()
    let tickNanoseconds = Counter()
    let tickDurations = DurationHistogram()
    let lateTicks = Counter()
    let movedViews = Counter()
    let solverRebuilds = Counter()
    let messagesReceived = Counter()
    let messagesSent = Counter()
    let bytesSent = Counter()
    let badMessages = Counter()
    /// From a frame's arrival to its application, as clients report it.
    let lag = DurationHistogram()
    let storeCommits = Counter()
    let storeRecords = Counter()
    let storeFailures = Counter()
    let storeLatency = DurationHistogram()
    let engineCommits = DurationHistogram()
    let takeovers = DurationHistogram()
    /// Rooms that were handed over to this process, by whether their journals led to the state that
    /// their former owners told.
    let (handOversEqual, handOversDifferent) = (Counter(), Counter())
    let relay = RelayMetrics()
    let secondCopyRecords = Counter()
    let secondCopyDropped = Counter()
    let eventRecords = Counter()
    let eventRecordsLost = Counter()
    let longSteps = LongSteps()
    private let refusals = Mutex<[String: UInt64]>([:])

    /// Counts a refusal by its close code.
    func refused(_ code: UInt16) { refused(String(code)) }

    /// Counts a refusal by its code.
    func refused(_ code: String) { refusals.withLock { $0[code, default: 0] += 1 } }

    /// The resident memory of the process in bytes; 0 if the system does not report it.
    static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The counts in Prometheus' text format, version 0.0.4.
    func text(
        members: Int, rooms: Int, putAside: Int, sockets: Int, outOfDescriptors: Int,
        memory: MemoryLedger, cluster: ClusterView? = nil
    ) -> String {
        func line(_ name: String, _ kind: String, _ help: String, _ value: String) -> String {
            "# HELP scenesync_\(name) \(help)\n# TYPE scenesync_\(name) \(kind)\nscenesync_\(name) \(value)\n"
        }
        func gauge(_ name: String, _ help: String, _ value: Int) -> String {
            line(name, "gauge", help, String(value))
        }
        func counter(_ name: String, _ help: String, _ value: UInt64) -> String {
            line(name, "counter", help, String(value))
        }
        var text =
            gauge("connections", "Open connections.", connections.load(ordering: .relaxed))
            + gauge("sockets", "Open sockets, requests and handshakes among them.", sockets)
            + gauge("members", "Connections that have joined a room.", members)
            + gauge("rooms", "Rooms in memory.", rooms)
            + gauge(
                "slow_rooms", "Rooms of these in the slow lane.",
                slowRooms.load(ordering: .relaxed))
            + gauge("rooms_put_aside", "Rooms that cannot be joined.", putAside)
            + gauge("resident_bytes", "Memory of the process.", Self.residentBytes)
            + gauge("memory_limit_bytes", "Memory that the process may take.", memory.maximum)
        text +=
            "# HELP scenesync_memory_bytes Memory by purpose, by the server's estimate.\n# TYPE scenesync_memory_bytes gauge\n"
        for (name, bytes) in memory.parts {
            text += "scenesync_memory_bytes{part=\"\(name)\"} \(bytes)\n"
        }
        text += counter(
            "dropped_messages_total",
            "Messages to everyone that members with much to receive did not get.",
            UInt64(clamping: FramedMessage.droppedCount))
        text += counter("ticks_total", "Update cycles that did work.", ticks.value)
        text += line(
            "tick_seconds_total", "counter", "Time spent in update cycles.",
            String(Double(tickNanoseconds.value) / 1e9))
        text += tickDurations.text(
            "scenesync_tick_duration_seconds", "Duration of update cycles that did work.")
        text += counter(
            "late_ticks_total", "Ticks skipped because earlier work took too long.", lateTicks.value
        )
        text += counter(
            "moved_views_total", "Views whose frames changed, summed over ticks.", movedViews.value)
        text += counter(
            "solver_rebuilds_total", "Tableaux rebuilt because of accumulated rounding errors.",
            solverRebuilds.value)
        text += counter(
            "messages_received_total", "Messages from clients.", messagesReceived.value)
        text += counter(
            "messages_sent_total", "Messages to clients, one for each receiver.",
            messagesSent.value)
        text += counter(
            "sent_bytes_total", "Bytes of messages to clients, without TLS.", bytesSent.value)
        text += counter(
            "bad_messages_total", "Messages that could not be parsed.", badMessages.value)
        text += lag.text(
            "scenesync_client_lag_seconds",
            "From a frame's arrival to its application, as clients report it.")
        text +=
            "# HELP scenesync_refusals_total Connections and ops refused, by code.\n# TYPE scenesync_refusals_total counter\n"
        for (code, count) in refusals.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text += "scenesync_refusals_total{code=\"\(code)\"} \(count)\n"
        }
        text += counter(
            "out_of_descriptors_total",
            "Sockets refused because the process had no more file descriptors.",
            UInt64(clamping: outOfDescriptors))
        text += counter("store_commits_total", "Group commits of the journal.", storeCommits.value)
        text += counter("store_records_total", "Records in these commits.", storeRecords.value)
        text += counter("store_failures_total", "Group commits that failed.", storeFailures.value)
        text += storeLatency.text(
            "scenesync_store_commit_seconds", "Duration of group commits.")
        text += counter(
            "event_record_lines_total", "Lines written to the record of events.",
            eventRecords.value)
        text += counter(
            "event_record_lines_lost_total",
            "Lines missing in the record of events because the disk was full or too slow.",
            eventRecordsLost.value)
        text += longSteps.text
        if let cluster { text += clusterText(cluster) }
        return text
    }

    /// Counts a room that was handed over.
    func noteHandOver(isEqual: Bool) { (isEqual ? handOversEqual : handOversDifferent).add() }

    private func clusterText(_ cluster: ClusterView) -> String {
        var text =
            "# HELP scenesync_shards Shards of the cluster, as this node sees them.\n# TYPE scenesync_shards gauge\n"
        for (state, count) in cluster.counts {
            text += "scenesync_shards{state=\"\(state.rawValue)\"} \(count)\n"
        }
        text += engineCommits.text(
            "scenesync_engine_commit_seconds",
            "From the request for a commit until it was read back from the engine.")
        text += takeovers.text(
            "scenesync_takeover_seconds",
            "From the moment at which nobody claimed a shard until this node owned it.")
        text +=
            "# HELP scenesync_handed_over_rooms_total Rooms opened here after a hand-over, by how their state compares with the former owner's.\n# TYPE scenesync_handed_over_rooms_total counter\n"
        for (state, counter) in [("equal", handOversEqual), ("different", handOversDifferent)] {
            text += "scenesync_handed_over_rooms_total{state=\"\(state)\"} \(counter.value)\n"
        }
        for (name, help, counter) in [
            (
                "second_copy_records_total", "Records copied to this machine's database.",
                secondCopyRecords
            ),
            (
                "second_copy_dropped_total",
                "Records that were not copied, because the disk failed or was too slow.",
                secondCopyDropped
            ),
        ] {
            text +=
                "# HELP scenesync_\(name) \(help)\n# TYPE scenesync_\(name) counter\nscenesync_\(name) \(counter.value)\n"
        }
        return text + relay.text
    }
}
