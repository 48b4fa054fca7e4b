import JSON
import Logging
import SceneSession
import SceneWire
import Threads

/// Writes the steps of events into files, on a thread that no room waits for.
///
/// Lines that arrive faster than the disk accepts them wait in memory, up to a number of bytes for
/// each room and for all. Further lines are dropped; the record states their number in their place,
/// and a metric counts them.
final class EventRecorder: Sendable {
    private struct Entry {
        var room: String
        var time: WallClockTime
        var record: EventRecord
    }

    private struct Queue: Sendable {
        var entries: [Entry] = []
        var lost: [String: Int] = [:]
        var byteCount = 0
        var roomByteCounts: [String: Int] = [:]
        var reopens = false
        var isStopping = false

        var isPending: Bool { !entries.isEmpty || !lost.isEmpty || reopens || isStopping }
    }

    private let thread = OwnedThread(name: "event record")
    private let queue = Monitor(Queue())
    private let options: EventRecordOptions
    private let memory: MemoryLedger
    private let metrics: ServerMetrics
    private let logger: Logger
    /// The delay in nanoseconds before the number of lost lines is written again after a failure.
    private static let retryNanoseconds: UInt64 = 1_000_000_000

    /// Creates the folder; no thread runs before `start`.
    ///
    /// - Throws: `ServerError.records` if files cannot be created in the folder.
    init(
        _ options: EventRecordOptions, memory: MemoryLedger, metrics: ServerMetrics,
        logger: Logger
    ) throws(ServerError) {
        self.options = options
        self.memory = memory
        self.metrics = metrics
        self.logger = logger
        try options.prepareFolder()
    }

    /// Starts the thread. Must be called once.
    func start() {
        thread.start { [self] in run() }
    }

    /// Writes the queue and ends the thread; returns once it has ended.
    func stop() {
        queue.withLock { $0.isStopping = true }
        queue.wake()
        thread.join()
    }

    // MARK: From any thread

    /// Queues a step of a room's event. Never waits for the disk.
    func append(_ record: EventRecord, of room: String) {
        let entry = Entry(room: room, time: .now, record: record)
        let size = record.byteEstimate
        let (wasIdle, byteCount) = queue.withLock { queue -> (Bool, Int) in
            let wasIdle = !queue.isPending
            let roomSum = queue.roomByteCounts[room, default: 0] + size
            if queue.byteCount + size <= options.waitingBytesMaximum,
                roomSum <= options.roomWaitingBytesMaximum, queue.lost[room] == nil
            {
                queue.byteCount += size
                queue.roomByteCounts[room] = roomSum
                queue.entries.append(entry)
            } else {
                // Once a line is dropped, all lines until the next write are, so that the gap is at
                // one place in the file.
                queue.lost[room, default: 0] += 1
            }
            return (wasIdle, queue.byteCount)
        }
        memory.note(eventRecordsOf: byteCount)
        if wasIdle { queue.wake() }
    }

    /// Reopens all files before the next line, for log rotation.
    func reopen() {
        queue.withLock { $0.reopens = true }
        queue.wake()
    }

    // MARK: On the thread

    private func run() {
        let folder = EventRecordFolder(options, metrics: metrics, logger: logger)
        while true {
            let batch = next(retries: folder.owesLines)
            if batch.reopens { folder.closeAll() }
            write(batch, to: folder)
            memory.note(eventRecordsOf: 0)
            if batch.isStopping { return }
        }
    }

    /// Waits for and returns all queued lines, or nothing when a retry is due.
    private func next(retries: Bool) -> Queue {
        queue.wait { queue, hasTimedOut in
            guard queue.isPending || hasTimedOut else {
                return retries ? .waitAtMost(nanoseconds: Self.retryNanoseconds) : .wait
            }
            defer { queue = Queue(isStopping: queue.isStopping) }
            return .finish(queue)
        }
    }

    private func write(_ batch: Queue, to folder: EventRecordFolder) {
        var rooms: [String] = []
        var lines: [String: [String]] = [:]
        for entry in batch.entries {
            if lines[entry.room] == nil { rooms.append(entry.room) }
            let line = EventRecordLine(entry.record, room: entry.room, at: entry.time)
            lines[entry.room, default: []].append(line.text)
        }
        for room in rooms { folder.write(lines[room] ?? [], of: room) }
        for (room, count) in batch.lost { folder.noteLost(count, of: room) }
        if folder.owesLines { folder.writeOwedLines() }
    }
}

extension EventRecord {
    /// The approximate memory in bytes.
    fileprivate var byteEstimate: Int {
        switch step {
        case .received(let sender, _, let event):
            // A tree takes about twenty times as much as its text.
            500 + sender.subject.utf8.count + event.view.utf8.count
                + (event.value == .null ? 0 : 20 * event.value.text().utf8.count)
        case .delivered(let handler): 300 + handler.subject.utf8.count
        case .broadcast, .ended: 300
        }
    }
}
