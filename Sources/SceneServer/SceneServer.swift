import CStepRecord
import Essentials
import FoundationEssentials
public import Logging
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import WebSocketTransport

/// The version of this program.
public let sceneSyncVersion = "1.1.0"

/// A whole server: transport, rooms and journal on real threads and a real clock.
///
/// It creates the parts and assigns them to threads; `SceneSession` implements rooms,
/// `WebSocketTransport` connections, and `SceneStore` the journal.
///
///     transport threads ─▶ Gateway ─▶ RoomDirectory ─▶ SceneThread ─▶ SceneSession
///                                          ▲                               │ effects
///                                          │ mail                          ▼
///                                          └────────────── transport, StoreThread
public final class SceneServer: Sendable {
    private let options: ServerOptions
    private let settings: ServerSettings
    /// The lock of the data directory; `nil` without one.
    private let lock: DirectoryLock?
    private let status = ServerStatus()
    let rooms: RoomDirectory
    let metrics: ServerMetrics
    private let transport: WebSocketServer
    private let journal: any JournalThread
    private let threads: [SceneThread]
    /// The slow lanes.
    private let slowThreads: [SceneThread]
    private let logger: Logger
    /// Records events, if that is enabled.
    private let eventRecorder: EventRecorder?
    private let gateway: Gateway
    private let relay: RelayThread?
    /// The present step of each thread, for analysis after a crash; `nil` without a data directory.
    private let stepRecord: StepRecord?
    private let openings = RoomOpenings()
    private let deadlines = RepeatingThread(name: "deadlines")
    private let watchdog: Watchdog
    private let watches = RepeatingThread(name: "watchdog")
    private let shares: LaneShares

    /// Makes a server and reads its keys without starting it.
    ///
    /// - Throws: `ServerError` for options out of range, a journal that cannot be opened, or
    ///   unreadable files.
    public init(options: ServerOptions, logger: Logger) async throws(ServerError) {
        try Self.check(options)
        self.options = options
        let metrics = ServerMetrics()
        self.metrics = metrics
        let memory = MemoryLedger(
            maximum: options.limits.memoryMebibytes << 20, base: ServerMetrics.residentBytes)
        // Before anything there is read or replaced.
        lock = try Self.lock(options)
        do {
            transport = try WebSocketServer(
                configuration: Self.transportConfiguration(options, memory))
        } catch {
            throw .transport(error)
        }
        settings = ServerSettings(
            options.limits, try Self.authenticator(options.keys, logger),
            try AlternateServers(options.alternates))
        rooms = RoomDirectory(threads: options.sceneThreads, tickRate: options.tickRate)
        let blobs = BlobStore(directory: options.dataDirectory.map { $0 + "/blobs" })
        let storeActivity = Activity(.store, name: "the store")
        let historyActivity = Activity(.history, name: "the reader of the past")
        let relayActivity = Activity(.relay, name: "the relay")
        var connections: any MemberConnections = TransportConnections(
            transport: transport, metrics: metrics)
        let shadowActivity = Activity(.history, name: "the replay ahead of time")
        var cluster: ClusterPart?
        let page = MetricsSource()
        if let node = options.node {
            let view = ClusterView(node.map)
            let relay = RelayThread(
                RelayLoop.Parts(
                    cluster: node.cluster, subjects: node.subjects, view: view, rooms: rooms,
                    connections: connections, settings: settings, memory: memory,
                    metrics: metrics, logger: logger, activity: relayActivity,
                    tickRate: options.tickRate, session: SessionOptions()))
            let shadows = ShadowThread(
                options: Self.session(options, blobs),
                workLimit: SceneLoop.openingLimit(options.limits.work), activity: shadowActivity)
            cluster = ClusterPart(view: view, relay: relay, shadows: shadows)
            connections = ClusterConnections(local: connections, relay: relay)
            journal = ReplicatedJournal(
                node,
                address: { [transport] in
                    Self.advertisedAddress(options, node, port: transport.port)
                }, rooms: rooms, view: view, memory: memory, metrics: metrics,
                logger: logger, activity: storeActivity, relay: relay, shadows: shadows, page: page,
                nameOthers: { [settings] urls in settings.replace(AlternateServers(nodes: urls)) },
                openCopy: Self.copyOpener(options))
        } else {
            journal = StoreThread(
                store: try Self.store(lock, memory, logger), rooms: rooms, memory: memory,
                metrics: metrics, logger: logger,
                activity: storeActivity, historyActivity: historyActivity,
                retentionSeconds: Int64(options.retentionDays) * 86_400, blobs: blobs)
        }
        let quarantine = Self.quarantine(options, logger)
        stepRecord = Self.stepRecord(options, threads: 2 * rooms.mailboxes.count, logger)
        if let records = options.eventRecords {
            eventRecorder = try EventRecorder(
                records, memory: memory, metrics: metrics, logger: logger)
        } else {
            eventRecorder = nil
        }
        var configuration = SceneLoop.Configuration(
            connections: connections,
            journal: journal, settings: settings, openings: openings, census: rooms.census,
            metrics: metrics, logger: logger)
        configuration.quarantine = quarantine
        configuration.memory = memory
        configuration.unloadSeconds = options.unloadSeconds
        configuration.session = Self.session(options, blobs)
        configuration.shadows = cluster?.shadows
        configuration.eventRecorder = eventRecorder
        self.logger = logger
        let shares = LaneShares()
        self.shares = shares
        var activities = [storeActivity, historyActivity, relayActivity, shadowActivity]
        var threads: [SceneThread] = []
        var slowThreads: [SceneThread] = []
        for (index, lanes) in zip(rooms.mailboxes, rooms.slowMailboxes).enumerated() {
            configuration.lane = .home(slow: lanes.1)
            configuration.activity = Activity(
                .home, name: "scene thread \(index + 1)", slot: stepRecord?.slot(2 * index))
            activities.append(configuration.activity)
            threads.append(SceneThread(lanes.0, configuration))
            configuration.lane = .slow(homes: rooms)
            configuration.activity = Activity(
                .slow, name: "slow lane \(index + 1)", slot: stepRecord?.slot(2 * index + 1),
                shares: shares)
            activities.append(configuration.activity)
            slowThreads.append(SceneThread(lanes.1, configuration))
        }
        self.threads = threads
        self.slowThreads = slowThreads
        watchdog = Watchdog(
            activities, status: status, metrics: metrics, logger: logger)
        relay = cluster?.relay
        gateway = Gateway(
            options: options, settings: settings, status: status, transport: transport,
            rooms: rooms, quarantine: quarantine, memory: memory, metrics: metrics,
            logger: logger, blobs: blobs, cluster: cluster)
        page.set { [weak gateway] in gateway?.metricsText ?? "" }
    }

    /// The name of the room that `ServerOptions.scene` fills.
    private static let firstRoom = "demo"

    /// Opens the room `demo` if a scene is given, listens, and returns once connections are
    /// accepted. Must be called once.
    ///
    /// - Throws: `ServerError` if the scene is refused or the port is not available.
    public func start() throws(ServerError) {
        if stepRecord != nil { step_watch_signals() }
        watches.start(everyNanoseconds: Watchdog.intervalNanoseconds) { [watchdog] in
            watchdog.look()
        }
        shares.start { [slowThreads] in
            for thread in slowThreads { thread.keepShare() }
        }
        eventRecorder?.start()
        for thread in threads + slowThreads { thread.start() }
        // A node of a cluster tells the others its port, and takes rooms once that is open.
        if options.node != nil {
            relay?.post(.handler(gateway))
            try startTransport()
            do throws(ServerError) {
                try startJournal()
                try openFirstRoom()
            } catch {
                transport.stop(code: CloseCode.draining.rawValue, reason: "the server ends")
                throw error
            }
        } else {
            try startJournal()
            try openFirstRoom()
            try startTransport()
        }
        noteAddress()
        status.isReady = true
        deadlines.start(everyNanoseconds: 1_000_000_000) { [gateway] in gateway.checkDeadlines() }
    }

    /// Names the address in the directory's lock, for whoever finds the directory in use.
    private func noteAddress() {
        do throws(StoreError) {
            try lock?.note(address: urls.first ?? "")
        } catch {
            logger.warning("the lock of the data directory does not name this server: \(error)")
        }
    }

    private func startTransport() throws(ServerError) {
        do {
            try transport.start(handler: gateway)
        } catch {
            stopThreads()
            throw .transport(error)
        }
    }

    private func openFirstRoom() throws(ServerError) {
        guard let scene = options.scene else { return }
        rooms.post(.open(room: Self.firstRoom, scene), to: Self.firstRoom)
        if let reason = openings.wait(for: Self.firstRoom) {
            stopThreads()
            throw .room(Self.firstRoom, reason: reason)
        }
    }

    private func startJournal() throws(ServerError) {
        do throws(NodeFailure) {
            try journal.start()
        } catch {
            stopThreads()
            throw .cluster(error.description)
        }
    }

    /// The first TCP port that is listened on; 0 before `start`, and without one.
    public var port: Int { transport.port }

    /// The addresses that are listened on, as clients write them without a room; empty before
    /// `start`.
    public var urls: [String] {
        transport.addresses.map { address in
            switch address {
            case .unix(let path): return "ws+unix://\(path)"
            case .tcp(let host, let port):
                let shown = host.contains(":") ? "[\(host)]" : host
                return "\(options.tls == nil ? "ws" : "wss")://\(shown):\(port)"
            }
        }
    }

    /// Reads the keys again and applies limits to later connections and rooms; with TLS, reads the
    /// certificate too. Reopens the files of recorded events.
    ///
    /// - Throws: `ServerError`; the parts after the failed one keep their settings.
    public func reload(keys: KeySources, limits: ServerLimits) async throws(ServerError) {
        // Moved files are released even if the settings are wrong.
        eventRecorder?.reopen()
        if let complaint = limits.complaint { throw .badOption(complaint) }
        guard keys.isEmpty == options.keys.isEmpty else {
            throw .badOption(
                "a running server can change its keys, but not start or stop using keys; restart it"
            )
        }
        do throws(TransportError) {
            if let tls = options.tls { try transport.reload(tls) }
        } catch {
            throw .transport(error)
        }
        let authenticator = try Self.authenticator(keys, logger)
        transport.setMaxima(
            connections: limits.connections, eachAddress: limits.eachAddress,
            thisMachine: limits.thisMachine)
        settings.replace(limits, authenticator)
    }

    /// Names other servers of the same rooms to clients that are welcomed from now on. The nodes of
    /// a cluster name one another; at one of them this does nothing.
    ///
    /// - Parameter urls: As `ServerOptions.alternates`.
    /// - Throws: `ServerError.badOption`; then those named before stay.
    public func setAlternates(_ urls: [String]) throws(ServerError) {
        let alternates = try AlternateServers(urls)
        if options.node == nil { settings.replace(alternates) }
    }

    /// Sets the function that an administrator's request to drain calls.
    public func onDrainRequest(_ body: @escaping @Sendable () -> Void) {
        status.onDrainRequest(body)
    }

    /// Sets a function that is called twice a second while the server works: not while a home
    /// thread or the store has been in one step for longer than `patience`. Rooms in the slow lane
    /// and the removal of old records from the journal may take any time.
    ///
    /// - Parameters:
    ///   - patience: The maximum duration of a step, checked twice a second.
    ///   - body: Called on a thread of its own, which it must not block.
    public func onHeartbeat(patience: Duration, _ body: @escaping @Sendable () -> Void) {
        let nanoseconds = max(0, patience / .nanoseconds(1))
        watchdog.onHeartbeat(patience: UInt64(exactly: nanoseconds.rounded()) ?? .max, body)
    }

    /// Drains: answers 503 at `/readyz`, admits no connections, runs the last tick, writes the
    /// journal, and closes all connections with 4030 and a delay before they reconnect.
    public func stop() {
        status.isReady = false
        transport.drain()
        deadlines.stop()
        for thread in threads { _ = thread.drain(withinSeconds: Self.drainSeconds) }
        // A thread that does not finish its tick is abandoned: its later decisions are not sent,
        // since the store has stopped.
        let drained = slowThreads.filter { $0.drain(withinSeconds: Self.slowDrainSeconds) }
        journal.stop()
        relay?.stop()
        for thread in threads + drained { thread.stop() }
        shares.stop()
        if drained.count < slowThreads.count {
            logger.warning("a room in the slow lane did not finish its tick")
        }
        gateway.announceDrain()
        transport.stop(
            code: CloseCode.draining.rawValue, reason: "the server is going away; come back")
        eventRecorder?.stop()
        watches.stop()
        stepRecord?.remove()
    }

    /// The maximum time to wait for rooms when the server stops, in seconds.
    private static let drainSeconds = 5
    private static let slowDrainSeconds = 1

    private func stopThreads() {
        for thread in threads + slowThreads { thread.stop() }
        shares.stop()
        eventRecorder?.stop()
        journal.stop()
        relay?.stop()
        watches.stop()
        stepRecord?.remove()
    }
}
