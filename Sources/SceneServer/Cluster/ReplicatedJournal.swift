import ClusterJournal
import Dispatch
import Logging
import SceneCluster
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import Threads

/// The journal of rooms in a cluster: its thread owns the node's part of the cluster, drives it
/// over the engine, and answers rooms with mail, as the store's thread does.
final class ReplicatedJournal: JournalThread {
    /// A request of a room or of the server.
    enum Request: Sendable {
        /// One without an answer.
        case journal(JournalNode.Request)
        case call(JournalCalls.Call)
    }

    /// What waits for the thread.
    struct Inbox: Sendable {
        var requests: [Request] = []
        var news: [EngineNews] = []
        /// Another engine, after a connection was given up.
        var engine: Result<any ClusterEngine, NodeFailure>?
        var isStopping = false

        var isPending: Bool { !requests.isEmpty || !news.isEmpty || engine != nil || isStopping }

        mutating func takeAll() -> Inbox {
            defer { self = Inbox(isStopping: isStopping) }
            return self
        }
    }

    private let thread = OwnedThread(name: "cluster")
    private let inbox = Monitor(Inbox())
    private let options: NodeOptions
    private let parts: ReplicatedLoop.Parts
    private let address: @Sendable () -> String
    /// Whether the thread takes part in the cluster; a failure where it cannot.
    private let started = Monitor(Result<Void, NodeFailure>?.none)
    private let isDrained = Monitor(false)

    /// Makes a thread without starting it.
    ///
    /// - Parameters:
    ///   - address: Where clients reach this node; asked when the thread starts.
    ///   - rooms: Receives replies and reports.
    ///   - relay: Receives what other nodes send, and is told of the engine and of owners.
    ///   - view: Is kept up to date about who serves what.
    ///   - shadows: Replays rooms ahead of time; started and stopped with this thread.
    ///   - page: Makes the page of metrics for watchers of the cluster.
    ///   - nameOthers: Names the addresses of the other nodes to clients; called on the journal's
    ///     thread.
    ///   - openCopy: Opens the database for a second copy on this machine; `nil` for none.
    init(
        _ options: NodeOptions, address: @escaping @Sendable () -> String, rooms: RoomDirectory,
        view: ClusterView, memory: MemoryLedger,
        metrics: ServerMetrics, logger: Logger, activity: Activity, relay: RelayThread,
        shadows: ShadowThread, page: MetricsSource,
        nameOthers: @escaping @Sendable ([String]) -> Void,
        openCopy: (@Sendable () throws(StoreError) -> any SceneStore)?
    ) {
        self.options = options
        self.address = address
        parts = ReplicatedLoop.Parts(
            rooms: rooms, view: view, memory: memory, metrics: metrics, logger: logger,
            activity: activity, nameOthers: nameOthers, relay: relay, shadows: shadows, page: page,
            secondCopy: openCopy.map { SecondCopy($0, metrics: metrics, logger: logger) })
    }

    /// Connects to the engine, makes sure that no other process is this node, and starts the
    /// thread. Must be called once.
    ///
    /// - Throws: `NodeFailure`.
    func start() throws(NodeFailure) {
        let engine = try connect()
        do throws(StoreError) {
            try parts.secondCopy?.start()
        } catch {
            engine.close()
            throw NodeFailure(
                "\(error), for the second copy; give --data a directory that this user may write")
        }
        parts.shadows.start { [self] room, sequence in
            ask(.journal(.shadowed(room: room, through: sequence)))
        }
        let (options, address, parts, inbox, started, isDrained) = (
            options, address(), parts, inbox, started, isDrained
        )
        let reconnect: @Sendable () -> Void = { [self] in self.reconnect() }
        thread.start {
            let loop = ReplicatedLoop(
                options, address: address, engine: engine, inbox: inbox, parts: parts,
                reconnect: reconnect)
            let outcome = loop.listen()
            started.withLock { $0 = outcome }
            started.wakeAll()
            if case .success = outcome {
                loop.run {
                    isDrained.withLock { $0 = true }
                    isDrained.wakeAll()
                }
            }
            loop.end()
        }
        let outcome = started.wait { outcome, _ in outcome.map { .finish($0) } ?? .wait }
        if case .failure(let failure) = outcome {
            thread.join()
            parts.shadows.stop()
            parts.secondCopy?.stop()
            throw failure
        }
    }

    private func connect() throws(NodeFailure) -> any ClusterEngine {
        let relay = parts.relay
        let link = options.subjects.link(to: options.node)
        return try options.connect { [inbox] news in
            if case .heard(link, let bytes) = news {
                // An empty message is another node's probe, which the engine's servers answer.
                if !bytes.isEmpty { relay.post(.packet(bytes)) }
                return
            }
            inbox.withLock { $0.news.append(news) }
            inbox.wake()
        }
    }

    /// Connects another engine, which takes its time, on a thread of its own.
    private func reconnect() {
        OwnedThread(name: "engine again").start { [self] in
            let made = Result { () throws(NodeFailure) in try connect() }
            change { $0.engine = made }
        }
    }

    /// The longest time that shards are handed over in.
    private static let drainNanoseconds: UInt64 = 3_000_000_000

    /// Hands all shards over, and ends the thread; returns once it has ended.
    func stop() {
        guard case .success? = started.withLock({ $0 }) else { return }
        change { $0.requests.append(.journal(.drain)) }
        isDrained.wait { isDrained, hasTimedOut in
            isDrained || hasTimedOut
                ? .finish(()) : .waitAtMost(nanoseconds: Self.drainNanoseconds)
        }
        change { $0.isStopping = true }
        thread.join()
        parts.shadows.stop()
        parts.secondCopy?.stop()
    }

    // MARK: From any thread

    func append(_ records: [RoomRecord]) { ask(.journal(.append(records))) }

    func prove(_ room: String, then mail: RoomMail) { ask(.call(.proof(room: room, mail))) }

    func load(_ room: String, from tick: UInt64?) { ask(.journal(.load(room: room, from: tick))) }

    func loadHistory(of room: String, for member: MemberID, tick: UInt64) {
        ask(.call(.history(room: room, member, tick: tick)))
    }

    func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
        ask(.call(.deletion(room: room, done)))
    }

    func rename(
        _ room: String, to name: String, then mail: @escaping @Sendable (RoomReply) -> RoomMail
    ) {
        parts.rooms.post(mail(.failed(Self.noRenaming)), to: room)
    }

    /// A room's name decides its shard, and a shard's stream is not rewritten.
    static let noRenaming =
        "a room of a cluster cannot be renamed; copy it under the new name, then delete it"

    func hold(_ room: String, at hash: UInt64) { ask(.journal(.held(room: room, hash))) }

    private func ask(_ request: Request) {
        change { $0.requests.append(request) }
    }

    private func change(_ body: (inout Inbox) -> Void) {
        inbox.withLock(body)
        inbox.wake()
    }
}
