import Essentials
import FoundationEssentials
import Logging
import Pictures
import SceneSession
import SceneStore
import SceneWire
import WebSocketTransport

/// What the parts of a server share, and how these are made of it.
struct ServerParts: Sendable {
    let options: ServerOptions
    let logger: Logger
    let metrics = ServerMetrics()
    let memory: MemoryLedger
    /// The lock of the data directory; `nil` without one.
    let lock: DirectoryLock?
    let transport: WebSocketServer
    let settings: ServerSettings
    let rooms: RoomDirectory
    let blobs: BlobStore
    /// The metrics that a node tells the others.
    let page = MetricsSource()
    let activities = Activities()

    /// The steps of the threads besides those of rooms.
    struct Activities: Sendable {
        let store = Activity(.store, name: "the store")
        let history = Activity(.history, name: "the reader of the past")
        let relay = Activity(.relay, name: "the relay")
        let shadows = Activity(.history, name: "the replay ahead of time")

        var all: [Activity] { [store, history, relay, shadows] }
    }

    /// Makes what nothing else is needed for, and locks the data directory before anything there is
    /// read or replaced.
    ///
    /// - Throws: `ServerError` for options out of range, a directory in use, or unreadable files.
    init(_ options: ServerOptions, _ logger: Logger) throws(ServerError) {
        try Self.check(options)
        (self.options, self.logger) = (options, logger)
        memory = MemoryLedger(
            maximum: options.limits.memoryMebibytes << 20, base: ServerMetrics.residentBytes)
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
        blobs = BlobStore(directory: options.dataDirectory.map { $0 + "/blobs" })
    }

    // MARK: The other parts

    /// The way to the other nodes of a cluster; `nil` outside of one.
    func makeCluster(_ connections: any MemberConnections) -> ClusterPart? {
        guard let node = options.node else { return nil }
        let view = ClusterView(node.map)
        return ClusterPart(
            view: view,
            relay: RelayThread(
                RelayLoop.Parts(
                    cluster: node.cluster, subjects: node.subjects, view: view, rooms: rooms,
                    connections: connections, settings: settings, memory: memory,
                    metrics: metrics, logger: logger, activity: activities.relay,
                    tickRate: options.tickRate, session: SessionOptions())),
            shadows: ShadowThread(
                options: session(), workLimit: SceneLoop.openingLimit(options.limits.work),
                activity: activities.shadows))
    }

    /// The journal: that of the data directory, or of the cluster.
    ///
    /// - Throws: `ServerError` if it cannot be opened.
    func makeJournal(_ cluster: ClusterPart?) throws(ServerError) -> any JournalThread {
        guard let cluster, let node = options.node else {
            return StoreThread(
                store: try Self.store(lock, memory, logger), rooms: rooms, memory: memory,
                metrics: metrics, logger: logger, activity: activities.store,
                historyActivity: activities.history,
                retentionSeconds: Int64(options.retentionDays) * 86_400, blobs: blobs)
        }
        return ReplicatedJournal(
            node,
            address: { [options, transport] in
                Self.advertisedAddress(options, node, port: transport.port)
            }, rooms: rooms, view: cluster.view, memory: memory, metrics: metrics,
            logger: logger, activity: activities.store, relay: cluster.relay,
            shadows: cluster.shadows, page: page,
            nameOthers: { [settings] urls in settings.replace(AlternateServers(nodes: urls)) },
            openCopy: Self.copyOpener(options))
    }

    /// The recorder of events; `nil` where they are not recorded.
    ///
    /// - Throws: `ServerError` if its files cannot be opened.
    func makeEventRecorder() throws(ServerError) -> EventRecorder? {
        guard let records = options.eventRecords else { return nil }
        return try EventRecorder(records, memory: memory, metrics: metrics, logger: logger)
    }

    /// The options of rooms' sessions, whose limits may change later.
    func session() -> SessionOptions {
        var session = SessionOptions()
        session.images = ImageLibrary { [blobs] hash, room in
            blobs.blob(hash, in: room).map {
                ImageFacts(
                    width: $0.picture.width, height: $0.picture.height,
                    type: $0.picture.type.mediaType)
            }
        }
        session.policy = options.opPolicy
        session.freezeSeconds = options.freezeSeconds
        session.work = options.limits.work
        session.memory = options.limits.memory
        session.events = options.limits.events
        session.recordsEvents = options.eventRecords != nil
        session.provesAnswers = options.node != nil
        // Another node opens the room from the journal while people wait.
        if options.node != nil { session.replayDivisor = 64 }
        return session
    }

    /// The record of the threads' steps. Rooms are served without it.
    func makeStepRecord() -> StepRecord? {
        guard let directory = options.dataDirectory else { return nil }
        do throws(ServerError) {
            return try StepRecord(
                path: Quarantine.recordPath(directory), threads: 2 * rooms.mailboxes.count)
        } catch {
            logger.error("the room in which the server dies will not be known: \(error)")
            return nil
        }
    }

    func makeQuarantine() -> Quarantine {
        guard let directory = options.dataDirectory else { return Quarantine(logger: logger) }
        return Quarantine(directory: directory, logger: logger)
    }

    // MARK: Options

    /// Where clients reach this node.
    private static func advertisedAddress(
        _ options: ServerOptions, _ node: NodeOptions, port: Int
    ) -> String {
        if let address = node.advertisedAddress { return address }
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        return "\(options.tls == nil ? "ws" : "wss")://\(host):\(port)"
    }

    private static func check(_ options: ServerOptions) throws(ServerError) {
        // Without keys, clients with a certificate are admitted, and other machines' without one
        // are not.
        if let host = options.openAddress, !options.allowsInsecureBind, options.keys.isEmpty,
            options.tls?.clientAuthoritiesPath == nil
        {
            throw .insecureBind(host: host)
        }
        if let complaint = options.limits.complaint { throw .badOption(complaint) }
        guard (1...240).contains(options.tickRate) else {
            throw .badOption("the tick rate is \(options.tickRate), expected 1 to 240")
        }
    }

    /// What opens the database for the second copy of a cluster's journals; `nil` without a
    /// directory.
    private static func copyOpener(
        _ options: ServerOptions
    ) -> (@Sendable () throws(StoreError) -> any SceneStore)? {
        guard let directory = options.dataDirectory else { return nil }
        // Not where a server outside of a cluster would take it for its journal.
        return { () throws(StoreError) -> any SceneStore in
            try SQLiteStore(directory: directory + "/copy")
        }
    }

    /// Locks the data directory, which is created if missing; `nil` without one.
    private static func lock(_ options: ServerOptions) throws(ServerError) -> DirectoryLock? {
        guard let directory = options.dataDirectory else { return nil }
        do throws(StoreError) {
            return try DirectoryLock(directory)
        } catch {
            if case .inUse = error { throw .inUse(error.description) }
            throw .store(error.description)
        }
    }

    private static func store(
        _ lock: DirectoryLock?, _ memory: MemoryLedger, _ logger: Logger
    ) throws(ServerError) -> sending any SceneStore {
        guard let lock else { return MemoryStore(byteMaximum: memory.maximum / 4) }
        if let loss = JournalFile.loss(in: lock.directory, lock: lock) {
            logger.error("\(loss.description); a new journal begins")
        }
        do {
            return try SQLiteStore(lock: lock)
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
        configuration.listeners = options.listeners
        configuration.tls = options.tls
        configuration.origins = options.origins
        configuration.trustedProxies = options.trustedProxies
        configuration.messageBytesMaximum = options.limits.messageBytes
        configuration.bodyBytesMaximum = max(
            options.limits.messageBytes, ServerLimits.exportedRoomBytes)
        configuration.connectionsMaximum = options.limits.connections
        // All allowed connections may open at once.
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

    static func authenticator(
        _ keys: KeySources, _ logger: Logger
    ) throws(ServerError) -> Authenticator? {
        guard !keys.isEmpty else { return nil }
        do throws(TokenError) {
            let authenticator = try Authenticator(keys)
            for note in authenticator.notes { logger.warning("\(note)") }
            return authenticator
        } catch {
            throw .keys(error)
        }
    }
}
