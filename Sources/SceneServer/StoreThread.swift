import Foundation
import Logging
import SceneProtocol
import SceneStore
import Synchronization

/// The thread that owns the store: writes whatever records are waiting as one group commit, and reads rooms.
///
/// `@unchecked Sendable`: `store` and what was learned of its rooms are touched by the thread alone, once it runs; what others give
/// it is behind the condition's lock.
final class StoreThread: @unchecked Sendable {
    /// What became of records, told on the store's thread.
    enum Outcome: Sendable {
        case durable(room: String, through: UInt64)
        case failed(room: String, reason: String)
        case recovered(room: String)
    }

    private let store: any SceneStore
    private let metrics: ServerMetrics
    private let logger: Logger
    private let report: @Sendable (Outcome) -> Void
    private let condition = NSCondition()
    private var records: [RoomRecord] = []
    /// A room to be read, from the snapshot that leads to a tick on.
    private struct Load {
        var room: String
        var tick: UInt64?
        var done: @Sendable (Result<[JournalRecord], StoreError>) -> Void
    }

    private var loads: [Load] = []
    /// The last record of each room that is known to be on disk.
    private var durable: [String: UInt64] = [:]
    /// Seconds for which records are kept.
    private let retentionSeconds: Int64
    private var nextCompaction: Int64 = 0
    private var deletions: [(room: String, done: @Sendable (String?) -> Void)] = []
    private var isStopping = false
    private let ended = DispatchSemaphore(value: 0)
    /// Rooms whose last write failed; they send nothing but the snapshot with which they begin anew.
    private var failedRooms: [String] = []
    private var isFailing = false

    init(
        store: any SceneStore, metrics: ServerMetrics, logger: Logger,
        retentionSeconds: Int64 = .max, report: @escaping @Sendable (Outcome) -> Void
    ) {
        self.store = store
        self.retentionSeconds = retentionSeconds
        self.metrics = metrics
        self.logger = logger
        self.report = report
    }

    func start() {
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "store"
        thread.start()
    }

    /// Queues a record. From any thread; records of one room are written in the order in which they are queued.
    func append(_ record: RoomRecord) {
        condition.lock()
        records.append(record)
        condition.signal()
        condition.unlock()
    }

    /// Reads a room from the snapshot that leads to a tick on, or from the last one; `done` is called on the store's
    /// thread.
    func load(
        _ room: String, from tick: UInt64? = nil,
        _ done: @escaping @Sendable (Result<[JournalRecord], StoreError>) -> Void
    ) {
        condition.lock()
        loads.append(Load(room: room, tick: tick, done: done))
        condition.signal()
        condition.unlock()
    }

    /// Removes a room and its records, after what was queued before; `done` is called on the store's thread with what
    /// went wrong.
    func delete(_ room: String, _ done: @escaping @Sendable (String?) -> Void) {
        condition.lock()
        deletions.append((room, done))
        condition.signal()
        condition.unlock()
    }

    /// Writes what is queued and ends the thread; returns once that is done.
    func stop() {
        condition.lock()
        isStopping = true
        condition.signal()
        condition.unlock()
        ended.wait()
    }

    private func run() {
        while true {
            condition.lock()
            while records.isEmpty, loads.isEmpty, deletions.isEmpty, !isStopping {
                // A failing store is tried again about once a second; one at rest is tidied now and then.
                let patience = isFailing ? 1.0 : Self.compactionSeconds
                if !condition.wait(until: Date(timeIntervalSinceNow: patience)) { break }
            }
            let group = records
            let wanted = loads
            let unwanted = deletions
            records = []
            loads = []
            deletions = []
            let isLast = isStopping
            condition.unlock()
            if isFailing { probe() }
            write(group)
            for (room, done) in unwanted { done(remove(room)) }
            for load in wanted { load.done(read(load)) }
            if group.isEmpty, !isFailing { compactIfDue() }
            if isLast, group.isEmpty, wanted.isEmpty, unwanted.isEmpty {
                store.finish()
                return
            }
        }
    }

    private static let compactionSeconds = 3600.0

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Removes what is older than it has to be, at a moment when nobody waits to be written.
    private func compactIfDue() {
        guard retentionSeconds < .max, now >= nextCompaction else { return }
        nextCompaction = now + Int64(Self.compactionSeconds)
        do {
            let count = try store.compact(before: now - retentionSeconds)
            if count > 0 { logger.info("removed \(count) old records from the journal") }
        } catch {
            logger.error("the journal could not be compacted: \(error)")
        }
    }

    private func read(_ load: Load) -> Result<[JournalRecord], StoreError> {
        let known = store.damage.count
        let result = Result { () throws(StoreError) in
            try store.records(of: load.room, from: load.tick)
        }
        if case .success(let records) = result, let last = records.last {
            durable[load.room] = last.sequence
        }
        for damage in store.damage.dropFirst(known) {
            logger.error("the journal is damaged and was cut: \(damage)")
        }
        return result
    }

    private func remove(_ room: String) -> String? {
        do {
            try store.delete(room)
            durable[room] = nil
            return nil
        } catch {
            return error.description
        }
    }

    private func write(_ queued: [RoomRecord]) {
        let group = queued.filter { accepts($0) }
        guard !group.isEmpty else { return }
        let begin = DispatchTime.now().uptimeNanoseconds
        do {
            try store.append(group, time: now)
        } catch {
            fail(group, error)
            return
        }
        metrics.storeLatency.add(nanoseconds: DispatchTime.now().uptimeNanoseconds - begin)
        metrics.storeCommits.add()
        metrics.storeRecords.add(group.count)
        for (room, last) in Self.last(of: group) {
            durable[room] = last
            report(.durable(room: room, through: last))
        }
    }

    /// What a failed room sent before it knew is of no use; it begins anew with a snapshot.
    private func accepts(_ entry: RoomRecord) -> Bool {
        guard let index = failedRooms.firstIndex(of: entry.room) else { return true }
        guard !isFailing, entry.record.kind == .snapshot else { return false }
        failedRooms.remove(at: index)
        return true
    }

    private func fail(_ group: [RoomRecord], _ error: StoreError) {
        metrics.storeFailures.add()
        logger.error("\(error)")
        isFailing = true
        for (room, _) in Self.last(of: group) where !failedRooms.contains(room) {
            failedRooms.append(room)
            report(.failed(room: room, reason: error.description))
        }
    }

    private func probe() {
        do {
            try store.probe()
            // A write that was reported as failed may have been kept all the same; its room goes on without it.
            for room in failedRooms { try store.truncate(room, after: durable[room] ?? 0) }
        } catch {
            return
        }
        isFailing = false
        logger.notice("the journal can be written again")
        for room in failedRooms { report(.recovered(room: room)) }
    }

    /// Each room with its last sequence, in order of appearance.
    private static func last(of group: [RoomRecord]) -> [(room: String, sequence: UInt64)] {
        var result: [(room: String, sequence: UInt64)] = []
        for entry in group {
            if let index = result.firstIndex(where: { $0.room == entry.room }) {
                result[index].sequence = entry.record.sequence
            } else {
                result.append((entry.room, entry.record.sequence))
            }
        }
        return result
    }
}
