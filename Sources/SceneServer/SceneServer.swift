import CStepRecord
public import Logging
import SceneProtocol
import SceneSession
import SceneStore
import Synchronization
import WebSocketTransport

/// The version of this program.
public let sceneSyncVersion = "0.1.0"

/// A whole server: transport, rooms and journal on real threads and a real clock.
///
/// It decides on which threads the parts run and makes each with the parts that it needs; `SceneSession` decides what a
/// room does, `WebSocketTransport` how bytes travel, and `SceneStore` how records are kept.
///
///     transport threads ─▶ Gateway ─▶ RoomDirectory ─▶ SceneThread ─▶ SceneSession ─▶ effects ─▶ transport, StoreThread
///                                          ▲                                                        │
///                                          └──────────────────────── mail ─────────────────────────┘
public final class SceneServer: Sendable {
    private let options: ServerOptions
    private let settings: ServerSettings
    private let status = ServerStatus()
    let rooms: RoomDirectory
    let metrics: ServerMetrics
    private let transport: WebSocketServer
    private let storeThread: StoreThread
    private let threads: [SceneThread]
    /// The threads of rooms that need more time than a tick has.
    private let slowThreads: [SceneThread]
    private let logger: Logger
    /// Records events, where that is asked for.
    private let eventRecorder: EventRecorder?
    private let gateway: Gateway
    /// What each thread is doing, to be read after a crash; `nil` without a data directory.
    private let stepRecord: StepRecord?
    private let openings = RoomOpenings()
    private let deadlines = RepeatingThread(name: "deadlines")
    private let watchdog: Watchdog
    private let watches = RepeatingThread(name: "watchdog")

    /// Makes a server and reads its keys; nothing runs yet.
    ///
    /// - Throws: `ServerError` for options out of their ranges, a journal that cannot be opened, or files that cannot be
    ///   read.
    public init(options: ServerOptions, logger: Logger) async throws(ServerError) {
        try Self.check(options)
        self.options = options
        let metrics = ServerMetrics()
        self.metrics = metrics
        let memory = MemoryLedger(
            maximum: options.limits.memoryMebibytes << 20, base: ServerMetrics.residentBytes)
        let store = try Self.store(options, memory)
        do {
            transport = try WebSocketServer(
                configuration: Self.transportConfiguration(options, memory))
        } catch {
            throw .transport(error)
        }
        settings = ServerSettings(options.limits, try Self.authenticator(options.keys))
        rooms = RoomDirectory(threads: options.sceneThreads, tickRate: options.tickRate)
        let storeActivity = Activity(.store, name: "the store")
        let historyActivity = Activity(.history, name: "the reader of the past")
        let quarantine = try Self.quarantine(options, logger)
        // After the store, which makes the directory.
        stepRecord = try Self.stepRecord(options, threads: 2 * rooms.mailboxes.count)
        storeThread = StoreThread(
            store: store, rooms: rooms, memory: memory, metrics: metrics, logger: logger,
            activity: storeActivity, historyActivity: historyActivity,
            retentionSeconds: Int64(options.retentionDays) * 86_400)
        if let records = options.eventRecords {
            eventRecorder = try EventRecorder(
                records, memory: memory, metrics: metrics, logger: logger)
        } else {
            eventRecorder = nil
        }
        var configuration = SceneLoop.Configuration(
            connections: TransportConnections(transport: transport, metrics: metrics),
            journal: storeThread, settings: settings, openings: openings, census: rooms.census,
            metrics: metrics, logger: logger)
        configuration.quarantine = quarantine
        configuration.memory = memory
        configuration.unloadSeconds = options.unloadSeconds
        configuration.session.freezeSeconds = options.freezeSeconds
        configuration.session.work = options.limits.work
        configuration.session.memory = options.limits.memory
        configuration.session.events = options.limits.events
        configuration.eventRecorder = eventRecorder
        configuration.session.recordsEvents = eventRecorder != nil
        self.logger = logger
        var activities = [storeActivity, historyActivity]
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
                .slow, name: "slow lane \(index + 1)", slot: stepRecord?.slot(2 * index + 1))
            activities.append(configuration.activity)
            slowThreads.append(SceneThread(lanes.1, configuration))
        }
        self.threads = threads
        self.slowThreads = slowThreads
        watchdog = Watchdog(
            activities, status: status, metrics: metrics, logger: logger)
        gateway = Gateway(
            options: options, settings: settings, status: status, transport: transport,
            rooms: rooms, quarantine: quarantine, memory: memory, metrics: metrics,
            logger: logger)
    }

    private static func stepRecord(
        _ options: ServerOptions, threads: Int
    ) throws(ServerError) -> StepRecord? {
        guard let directory = options.dataDirectory else { return nil }
        return try StepRecord(path: Quarantine.recordPath(directory), threads: threads)
    }

    private static func quarantine(
        _ options: ServerOptions, _ logger: Logger
    ) throws(ServerError) -> Quarantine {
        guard let directory = options.dataDirectory else { return Quarantine(logger: logger) }
        return try Quarantine(directory: directory, logger: logger)
    }

    private static func check(_ options: ServerOptions) throws(ServerError) {
        guard options.isLoopback || options.allowsInsecureBind || !options.keys.isEmpty else {
            throw .insecureBind(host: options.host)
        }
        if let complaint = options.limits.complaint { throw .badOption(complaint) }
        guard (1...240).contains(options.tickRate) else {
            throw .badOption("the tick rate is \(options.tickRate), expected 1 to 240")
        }
    }

    private static func store(
        _ options: ServerOptions, _ memory: MemoryLedger
    ) throws(ServerError) -> sending any SceneStore {
        guard let directory = options.dataDirectory else {
            return MemoryStore(byteMaximum: memory.maximum / 4)
        }
        do {
            return try SQLiteStore(directory: directory)
        } catch {
            throw .store(error.description)
        }
    }

    private static func transportConfiguration(
        _ options: ServerOptions, _ memory: MemoryLedger
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration(subprotocols: Subprotocol.allCases.map(\.rawValue))
        configuration.host = options.host
        configuration.port = options.port
        configuration.tls = options.tls
        configuration.origins = options.origins
        configuration.trustedProxies = options.trustedProxies
        configuration.messageBytesMaximum = options.limits.messageBytes
        configuration.bodyBytesMaximum = options.limits.messageBytes
        configuration.connectionsMaximum = options.limits.connections
        // All connections that are allowed may come at once.
        configuration.requestsMaximum = options.limits.connections
        configuration.firstMessageBytesMaximum = ServerLimits.firstMessageBytes
        configuration.eachAddress = options.limits.eachAddress
        configuration.thisMachine = options.limits.thisMachine
        configuration.outboxBytesMaximum = options.limits.outboxBytes
        configuration.allOutboxesBytesMaximum = memory.maximum / 4
        configuration.slowPeerCloseCode = CloseCode.tooSlow.rawValue
        configuration.pingIntervalSeconds = options.pingSeconds
        configuration.hangUpSeconds = options.pingSeconds + max(options.pingSeconds / 2, 1)
        configuration.loopThreads = options.loopThreads
        return configuration
    }

    private static func authenticator(
        _ keys: KeySources
    ) throws(ServerError) -> Authenticator? {
        guard !keys.isEmpty else { return nil }
        do throws(TokenError) {
            return try Authenticator(keys)
        } catch {
            throw .keys(error)
        }
    }

    /// The name of the room that `ServerOptions.scene` fills.
    private static let firstRoom = "demo"

    /// Opens the room `demo` if a scene is given, listens, and returns once connections are accepted. To be called once.
    ///
    /// - Throws: `ServerError` when the scene is refused or the port cannot be had.
    public func start() throws(ServerError) {
        if stepRecord != nil { step_watch_signals() }
        watches.start(everyNanoseconds: Watchdog.intervalNanoseconds) { [watchdog] in
            watchdog.look()
        }
        storeThread.start()
        eventRecorder?.start()
        for thread in threads + slowThreads { thread.start() }
        if let scene = options.scene {
            rooms.post(.open(room: Self.firstRoom, scene), to: Self.firstRoom)
            if let reason = openings.wait(for: Self.firstRoom) {
                stopThreads()
                throw .room(Self.firstRoom, reason: reason)
            }
        }
        do {
            try transport.start(handler: gateway)
        } catch {
            stopThreads()
            throw .transport(error)
        }
        status.isReady = true
        deadlines.start(everyNanoseconds: 1_000_000_000) { [gateway] in gateway.checkDeadlines() }
    }

    /// The port that is listened on; 0 before `start`.
    public var port: Int { transport.port }

    /// Reads keys again and puts limits in force, for connections and rooms that come from now on; with TLS, the
    /// certificate too. Opens the files of recorded events anew.
    ///
    /// - Throws: `ServerError`; the parts after the one at fault stay as they were.
    public func reload(keys: KeySources, limits: ServerLimits) async throws(ServerError) {
        // Whatever is wrong with the settings, files that were moved away are to be let go of.
        eventRecorder?.reopen()
        if let complaint = limits.complaint { throw .badOption(complaint) }
        guard keys.isEmpty == options.keys.isEmpty else {
            throw .badOption("keys can be changed while the server runs, but not given up or begun")
        }
        do throws(TransportError) {
            if let tls = options.tls { try transport.reload(tls) }
        } catch {
            throw .transport(error)
        }
        let authenticator = try Self.authenticator(keys)
        transport.setMaxima(
            connections: limits.connections, eachAddress: limits.eachAddress,
            thisMachine: limits.thisMachine)
        settings.replace(limits, authenticator)
    }

    /// Sets what an administrator's request to end the server calls.
    public func onDrainRequest(_ body: @escaping @Sendable () -> Void) {
        status.onDrainRequest(body)
    }

    /// Sets what is called twice a second from now on, as long as the server works: until a thread of rooms or the journal has
    /// been at one step for longer than a time, and again after that step. Rooms in the slow lane and the removal of old
    /// records from the journal may take what they take.
    ///
    /// - Parameters:
    ///   - patience: That time; it is looked at twice a second.
    ///   - body: Called on a thread of its own, which it must not hold up.
    public func onHeartbeat(patience: Duration, _ body: @escaping @Sendable () -> Void) {
        let nanoseconds = max(0, patience / .nanoseconds(1))
        watchdog.onHeartbeat(patience: UInt64(exactly: nanoseconds.rounded()) ?? .max, body)
    }

    /// Drains: answers 503 at `/readyz`, admits no connections, runs the last tick, writes the journal, and closes all
    /// connections with 4030 and a time to come back.
    public func stop() {
        status.isReady = false
        transport.drain()
        deadlines.stop()
        for thread in threads { _ = thread.drain(withinSeconds: Self.drainSeconds) }
        // One that does not come to the end of its tick is left behind: what it would still decide is told to nobody, since its
        // records have no store to go to.
        let drained = slowThreads.filter { $0.drain(withinSeconds: Self.slowDrainSeconds) }
        storeThread.stop()
        for thread in threads + drained { thread.stop() }
        if drained.count < slowThreads.count {
            logger.warning("a room in the slow lane did not come to the end of its tick")
        }
        gateway.announceDrain()
        transport.stop(
            code: CloseCode.draining.rawValue, reason: "the server is going away; come back")
        eventRecorder?.stop()
        watches.stop()
        stepRecord?.remove()
    }

    /// Seconds after which rooms are not waited for any longer when the server stops.
    private static let drainSeconds = 5
    private static let slowDrainSeconds = 1

    private func stopThreads() {
        for thread in threads + slowThreads { thread.stop() }
        eventRecorder?.stop()
        storeThread.stop()
        watches.stop()
        stepRecord?.remove()
    }
}
