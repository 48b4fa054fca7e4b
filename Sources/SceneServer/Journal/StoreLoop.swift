import Dispatch
import FoundationEssentials
import Logging
import SceneStore
import SceneWire
import Threads

/// The work of the store's thread, and its state of the rooms on disk. Belongs to that thread.
final class StoreLoop {
    private let store: any SceneStore
    private let queue: Monitor<StoreQueue>
    private let rooms: RoomDirectory
    private let memory: MemoryLedger
    private let metrics: ServerMetrics
    private let logger: Logger
    private let activity: Activity
    private let retentionSeconds: Int64
    /// The pictures of rooms, which go when no record names them.
    private let blobs: BlobStore?

    /// The last durable record of each room, if known.
    private var durable: [String: UInt64] = [:]
    /// The time of the next removal of old records, in seconds since 1970.
    private var nextCompaction: Int64 = 0
    /// Rooms whose last write failed; only a snapshot is accepted from them, which restarts their
    /// journal.
    private var failedRooms: [String] = []
    private var isFailing = false
    /// Whether nothing was written since the store has returned the disk space that it could.
    private var isRested = true

    init(
        store: any SceneStore, queue: Monitor<StoreQueue>, rooms: RoomDirectory,
        memory: MemoryLedger, metrics: ServerMetrics, logger: Logger, activity: Activity,
        retentionSeconds: Int64, blobs: BlobStore? = nil
    ) {
        self.store = store
        self.queue = queue
        self.rooms = rooms
        self.memory = memory
        self.metrics = metrics
        self.logger = logger
        self.activity = activity
        self.retentionSeconds = retentionSeconds
        self.blobs = blobs
    }

    /// Works until the queue is stopped and empty.
    func run() {
        for damage in store.damage { logger.error("the journal is damaged: \(damage)") }
        while true {
            let work = nextWork()
            if isFailing { probe() }
            write(work.records)
            if !work.isPending, !isFailing, !isRested { isRested = store.rest() }
            for settlement in work.settlements { settle(settlement) }
            // Before rooms are read: a room that is loaded later is found under its new name.
            for renaming in work.renamings { rename(renaming) }
            for deletion in work.deletions { deletion.done(remove(deletion.room)) }
            for load in work.loads { answer(load) }
            if work.records.isEmpty, !isFailing { compactIfDue() }
            if work.isStopping, !work.hasWork {
                activity.begin("the shutdown")
                store.finish()
                activity.rest()
                return
            }
        }
    }

    /// Waits for work. Without work, a failing store is retried about once a second, and an idle
    /// one is compacted at intervals.
    private func nextWork() -> StoreQueue {
        let patience =
            isFailing
            ? Self.retryNanoseconds
            : isRested ? Self.compactionNanoseconds : Self.restNanoseconds
        activity.rest()
        return queue.wait { queue, hasTimedOut in
            queue.isPending || hasTimedOut
                ? .finish(queue.takeAll()) : .waitAtMost(nanoseconds: patience)
        }
    }

    private static let retryNanoseconds: UInt64 = 1_000_000_000
    /// The time without work after which disk space is returned.
    private static let restNanoseconds: UInt64 = 5_000_000_000
    private static let compactionSeconds: Int64 = 3600
    private static let compactionNanoseconds = UInt64(compactionSeconds) * 1_000_000_000

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Removes records beyond the retention time, while none wait to be written.
    private func compactIfDue() {
        guard retentionSeconds < .max, now >= nextCompaction else { return }
        nextCompaction = now + Self.compactionSeconds
        // This takes long for a journal of many gigabytes, and would start over after a restart.
        activity.begin("the removal of old records", isLongWork: true)
        do {
            let count = try store.compact(before: now - retentionSeconds, now: now)
            if count > 0 { logger.info("removed \(count) old records from the journal") }
        } catch {
            logger.error("the journal could not be compacted: \(error)")
        }
        collectBlobs()
    }

    /// The time for which a picture may be there before a record names it.
    private static let blobSeconds: Int64 = 3600

    /// Removes pictures that no kept record names. Those of a room that cannot be read stay.
    private func collectBlobs() {
        guard let blobs else { return }
        for room in blobs.rooms {
            activity.begin("the collection of pictures", in: room, isLongWork: true)
            guard let records = try? store.records(of: room, from: 0) else { continue }
            let count = blobs.collect(
                room, namedBy: records.map(\.payload), before: now - Self.blobSeconds)
            if count > 0 { logger.info("removed \(count) pictures of room \(room)") }
        }
    }

    // MARK: Reading

    private func answer(_ load: StoreQueue.Load) {
        switch load.purpose {
        case .room(let tick):
            let result = read(load.room, from: tick)
            rooms.post(.loaded(result), to: load.room)
        case .history(let member, let tick):
            let records = try? read(load.room, from: tick).get()
            rooms.post(.history(member, tick: tick, records), to: load.room)
        }
    }

    private func read(_ room: String, from tick: UInt64?) -> Result<[JournalRecord], StoreError> {
        activity.begin(tick == nil ? "the reading" : "the reading of the past", in: room)
        let known = store.damage.count
        let result = Result { () throws(StoreError) in try store.records(of: room, from: tick) }
        if case .success(let records) = result, let last = records.last {
            durable[room] = last.sequence
        }
        for damage in store.damage.dropFirst(known) {
            logger.error("the end of the journal is damaged and was cut: \(damage)")
        }
        return result
    }

    private func remove(_ room: String) -> String? {
        activity.begin("the deletion", in: room)
        do {
            try store.delete(room)
            durable[room] = nil
            return nil
        } catch {
            return error.description
        }
    }

    private func rename(_ renaming: StoreQueue.Renaming) {
        activity.begin("the renaming", in: renaming.room)
        let reply: RoomReply
        if failedRooms.contains(renaming.room) {
            reply = .failed(Self.unwritable)
        } else {
            do throws(StoreError) {
                switch try store.rename(renaming.room, to: renaming.name) {
                case .renamed:
                    durable[renaming.name] = durable.removeValue(forKey: renaming.room)
                    isRested = false
                    reply = .done
                case .noSuchRoom: reply = .noSuchRoom
                case .nameTaken: reply = .nameTaken
                }
            } catch {
                reply = .failed(error.description)
            }
        }
        rooms.post(renaming.mail(reply), to: renaming.room)
    }

    // MARK: Writing

    private static let unwritable = "the journal cannot be written at present; try again later"

    /// Replies for the records that were written, or not, just now.
    private func settle(_ settlement: StoreQueue.Settlement) {
        settlement.reply(
            failedRooms.contains(settlement.room) ? .failed(Self.unwritable) : .done)
    }

    private func report(_ outcome: StoreOutcome) { rooms.post(.store(outcome), to: outcome.room) }

    private func write(_ queued: [RoomRecord]) {
        let group = queued.filter { accepts($0) }
        guard !group.isEmpty else { return }
        isRested = false
        // One commit contains many rooms; the first is named.
        activity.begin("a commit whose first records are", in: group.first?.room)
        let begin = DispatchTime.now().uptimeNanoseconds
        do {
            try store.append(group, time: now)
        } catch {
            fail(group, error)
            return
        }
        metrics.storeLatency.add(nanoseconds: DispatchTime.now().uptimeNanoseconds - begin)
        metrics.storeCommits.add()
        memory.note(storeOf: store.memoryByteCount)
        metrics.storeRecords.add(group.count)
        for (room, last) in Self.last(of: group) {
            durable[room] = last
            report(.durable(room: room, through: last))
        }
    }

    /// Whether a record is to be written: records that a failed room sent before it learnt of the
    /// failure are dropped, since the room continues with a snapshot.
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
        activity.begin("an attempt to write again")
        do {
            try store.probe()
            // A write reported as failed may be on disk all the same; its room continues without
            // it.
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
