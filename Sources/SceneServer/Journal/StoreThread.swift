import Dispatch
import FoundationEssentials
import Logging
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import Threads

/// The thread that owns the store, and the queue through which rooms reach it.
///
/// Queued records are written as one group commit. Replies and reports go to the rooms' mailboxes.
final class StoreThread: JournalThread {
    private let rooms: RoomDirectory
    private let thread = OwnedThread(name: "store")
    private let queue = Monitor(StoreQueue())
    /// Reads the past, if the store supports reads from another thread.
    private let history: HistoryThread?
    /// The loop until the thread starts and takes it.
    private let loop: Mutex<StoreLoop?>

    /// Makes a thread without starting it.
    ///
    /// - Parameters:
    ///   - store: Owned by the thread from now on.
    ///   - rooms: Receives replies and reports.
    ///   - memory: Receives the memory of the records.
    ///   - activity: Publishes the thread's steps.
    ///   - historyActivity: Publishes the steps of the thread that reads the past.
    ///   - retentionSeconds: Seconds for which records are kept.
    ///   - blobs: The pictures of rooms, which go when no kept record names them.
    init(
        store: sending any SceneStore, rooms: RoomDirectory,
        memory: MemoryLedger = MemoryLedger(), metrics: ServerMetrics, logger: Logger,
        activity: Activity = Activity(.store, name: "the store"),
        historyActivity: Activity = Activity(.history, name: "the reader of the past"),
        retentionSeconds: Int64 = .max, blobs: BlobStore? = nil
    ) {
        self.rooms = rooms
        history = store.readerMaker.map {
            HistoryThread($0, rooms: rooms, logger: logger, activity: historyActivity)
        }
        loop = Mutex(
            StoreLoop(
                store: store, queue: queue, rooms: rooms, memory: memory, metrics: metrics,
                logger: logger, activity: activity, retentionSeconds: retentionSeconds,
                blobs: blobs))
    }

    /// Starts the thread. Must be called once.
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

    /// Writes the queue and ends the thread; returns once it has ended.
    func stop() {
        history?.stop()
        change { $0.isStopping = true }
        thread.join()
    }

    // MARK: From any thread

    // One transaction takes the whole queue.
    func append(_ records: [RoomRecord]) { change { $0.records += records } }

    func prove(_ room: String, then mail: RoomMail) { rooms.post(mail, to: room) }

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

    func settle(_ room: String, _ reply: @escaping @Sendable (RoomReply) -> Void) {
        change { $0.settlements.append(StoreQueue.Settlement(room: room, reply: reply)) }
    }

    func rename(
        _ room: String, to name: String, then mail: @escaping @Sendable (RoomReply) -> RoomMail
    ) {
        change { $0.renamings.append(StoreQueue.Renaming(room: room, name: name, mail: mail)) }
    }

    private func change(_ body: (inout StoreQueue) -> Void) {
        queue.withLock(body)
        queue.wake()
    }
}

/// The work queued for the store.
struct StoreQueue: Sendable {
    /// A room to be loaded.
    struct Load: Sendable {
        enum Purpose: Sendable {
            /// Opens the room: from the snapshot that leads to a tick, or from the last one.
            case room(from: UInt64?)
            /// Shows a member the past: from the snapshot that leads to a tick.
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

    /// A reply that waits for the records of a room.
    struct Settlement: Sendable {
        var room: String
        var reply: @Sendable (RoomReply) -> Void
    }

    /// A room to be renamed.
    struct Renaming: Sendable {
        var room: String
        var name: String
        var mail: @Sendable (RoomReply) -> RoomMail
    }

    var records: [RoomRecord] = []
    var loads: [Load] = []
    var deletions: [Deletion] = []
    var settlements: [Settlement] = []
    var renamings: [Renaming] = []
    var isStopping = false

    /// Whether the thread has work.
    var isPending: Bool {
        hasWork || isStopping
    }

    /// Whether the thread has more to do than to stop.
    var hasWork: Bool {
        !records.isEmpty || !loads.isEmpty || !deletions.isEmpty || !settlements.isEmpty
            || !renamings.isEmpty
    }

    /// Removes and returns all work; a stopping queue stays so.
    mutating func takeAll() -> StoreQueue {
        defer { self = StoreQueue(isStopping: isStopping) }
        return self
    }
}
