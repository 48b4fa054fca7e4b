import Dispatch
import FoundationEssentials
import Logging
import SceneProtocol
import SceneSession
import SceneStore
import Synchronization
import Threads

/// The thread that owns the store, and the queue through which rooms reach it.
///
/// Queued records are written as one group commit. Answers and reports go to the rooms' mailboxes.
final class StoreThread: RoomJournal {
    private let thread = OwnedThread(name: "store")
    private let queue = Monitor(StoreQueue())
    /// Reads the past, if the store can be read from another thread.
    private let history: HistoryThread?
    /// Until the thread starts, which takes it.
    private let loop: Mutex<StoreLoop?>

    /// Makes a thread that does not run yet.
    ///
    /// - Parameters:
    ///   - store: Belongs to the thread from now on.
    ///   - rooms: Where answers and reports go.
    ///   - memory: Is told how much memory the records take.
    ///   - activity: Is told what the thread does.
    ///   - historyActivity: Is told what the thread does that reads the past.
    ///   - retentionSeconds: Seconds for which records are kept.
    init(
        store: sending any SceneStore, rooms: RoomDirectory,
        memory: MemoryLedger = MemoryLedger(), metrics: ServerMetrics, logger: Logger,
        activity: Activity = Activity(.store, name: "the store"),
        historyActivity: Activity = Activity(.history, name: "the reader of the past"),
        retentionSeconds: Int64 = .max
    ) {
        history = store.readerMaker.map {
            HistoryThread($0, rooms: rooms, logger: logger, activity: historyActivity)
        }
        loop = Mutex(
            StoreLoop(
                store: store, queue: queue, rooms: rooms, memory: memory, metrics: metrics,
                logger: logger, activity: activity, retentionSeconds: retentionSeconds))
    }

    /// Starts the thread. To be called once.
    func start() {
        guard let loop = takeLoop() else { return }
        thread.start { loop.run() }
        history?.start()
    }

    private func takeLoop() -> sending StoreLoop? {
        loop.withLock { slot in
            let loop = slot
            slot = nil
            return loop
        }
    }

    /// Writes what is queued and ends the thread; returns once that is done.
    func stop() {
        history?.stop()
        change { $0.isStopping = true }
        thread.join()
    }

    // MARK: From any thread

    func append(_ record: RoomRecord) { change { $0.records.append(record) } }

    func load(_ room: String, from tick: UInt64?) {
        change { $0.loads.append(StoreQueue.Load(room: room, purpose: .room(from: tick))) }
    }

    func loadHistory(of room: String, for member: MemberID, tick: UInt64) {
        if let history { return history.ask(room, for: member, tick: tick) }
        change { queue in
            queue.loads.removeAll { load in
                if case .history(member, _) = load.purpose { true } else { false }
            }
            queue.loads.append(StoreQueue.Load(room: room, purpose: .history(member, tick: tick)))
        }
    }

    func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
        change { $0.deletions.append(StoreQueue.Deletion(room: room, done: done)) }
    }

    private func change(_ body: (inout StoreQueue) -> Void) {
        queue.withLock(body)
        queue.wake()
    }
}

/// The work that waits for the store.
struct StoreQueue: Sendable {
    /// A room to be read.
    struct Load: Sendable {
        enum Purpose: Sendable {
            /// To open the room: from the snapshot that leads to a tick on, or from the last one.
            case room(from: UInt64?)
            /// To show a member the past: from the snapshot that leads to a tick on.
            case history(MemberID, tick: UInt64)
        }

        var room: String
        var purpose: Purpose
    }

    /// A room to be removed.
    struct Deletion: Sendable {
        var room: String
        var done: @Sendable (_ failure: String?) -> Void
    }

    var records: [RoomRecord] = []
    var loads: [Load] = []
    var deletions: [Deletion] = []
    var isStopping = false

    /// Whether the thread has something to do.
    var isPending: Bool {
        !records.isEmpty || !loads.isEmpty || !deletions.isEmpty || isStopping
    }

    /// All that waits; the queue is empty then, but goes on stopping.
    mutating func takeAll() -> StoreQueue {
        defer { self = StoreQueue(isStopping: isStopping) }
        return self
    }
}
