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
    private let parts: ServerParts
    private let status = ServerStatus()
    private let journal: any JournalThread
    private let threads: SceneThreads
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

    var rooms: RoomDirectory { parts.rooms }
    var metrics: ServerMetrics { parts.metrics }
    private var options: ServerOptions { parts.options }
    private var transport: WebSocketServer { parts.transport }
    private var logger: Logger { parts.logger }

    /// Makes a server and reads its keys without starting it.
    ///
    /// - Throws: `ServerError` for options out of range, a journal that cannot be opened, or
    ///   unreadable files.
    public init(options: ServerOptions, logger: Logger) throws(ServerError) {
        let parts = try ServerParts(options, logger)
        self.parts = parts
        let local = TransportConnections(transport: parts.transport, metrics: parts.metrics)
        let cluster = parts.makeCluster(local)
        journal = try parts.makeJournal(cluster)
        let quarantine = parts.makeQuarantine()
        stepRecord = parts.makeStepRecord()
        eventRecorder = try parts.makeEventRecorder()
        var configuration = SceneLoop.Configuration(
            connections: cluster.map { ClusterConnections(local: local, relay: $0.relay) } ?? local,
            journal: journal, settings: parts.settings, openings: openings,
            census: parts.rooms.census, metrics: parts.metrics, logger: logger)
        configuration.quarantine = quarantine
        configuration.memory = parts.memory
        configuration.unloadSeconds = options.unloadSeconds
        configuration.session = parts.session()
        configuration.shadows = cluster?.shadows
        configuration.eventRecorder = eventRecorder
        threads = SceneThreads(parts.rooms, configuration, stepRecord)
        watchdog = Watchdog(
            parts.activities.all + threads.activities, status: status, metrics: parts.metrics,
            logger: logger)
        relay = cluster?.relay
        gateway = Gateway(
            options: options, settings: parts.settings, status: status,
            transport: parts.transport, rooms: parts.rooms, quarantine: quarantine,
            memory: parts.memory, metrics: parts.metrics, logger: logger, blobs: parts.blobs,
            cluster: cluster)
        parts.page.set { [weak gateway] in gateway?.metricsText ?? "" }
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
        eventRecorder?.start()
        threads.start()
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
            try parts.lock?.note(address: urls.first ?? "")
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
        rooms.post(.open(scene), to: Self.firstRoom)
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
    public func reload(keys: KeySources, limits: ServerLimits) throws(ServerError) {
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
        let authenticator = try ServerParts.authenticator(keys, logger)
        transport.setMaxima(
            connections: limits.connections, eachAddress: limits.eachAddress,
            thisMachine: limits.thisMachine)
        parts.settings.replace(limits, authenticator)
    }

    /// Names other servers of the same rooms to clients that are welcomed from now on. The nodes of
    /// a cluster name one another; at one of them this does nothing.
    ///
    /// - Parameter urls: As `ServerOptions.alternates`.
    /// - Throws: `ServerError.badOption`; then those named before stay.
    public func setAlternates(_ urls: [String]) throws(ServerError) {
        let alternates = try AlternateServers(urls)
        if options.node == nil { parts.settings.replace(alternates) }
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
        let drained = threads.drain()
        journal.stop()
        relay?.stop()
        threads.stop(drained)
        if !drained.isComplete {
            logger.warning("a room in the slow lane did not finish its tick")
        }
        gateway.announceDrain()
        transport.stop(
            code: CloseCode.draining.rawValue, reason: "the server is going away; come back")
        eventRecorder?.stop()
        watches.stop()
        stepRecord?.remove()
    }

    private func stopThreads() {
        threads.stop()
        eventRecorder?.stop()
        journal.stop()
        relay?.stop()
        watches.stop()
        stepRecord?.remove()
    }
}
