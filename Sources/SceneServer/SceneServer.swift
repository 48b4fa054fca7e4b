import Foundation
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
/// It decides where things run and what is let in; what a room does is `SceneSession`'s, how bytes travel is
/// `WebSocketTransport`'s, and how records are kept is `SceneStore`'s.
///
///     transport thread ─▶ Gateway ─▶ SceneThread ─▶ SceneSession ─▶ effects ─▶ transport, StoreThread
public final class SceneServer: Sendable {
    private let options: ServerOptions
    private let gateway: Gateway
    private let transport: WebSocketServer
    private let storeThread: StoreThread
    private let threads: [SceneThread]
    private let metrics: ServerMetrics
    private let logger: Logger
    private let isReady = Atomic<Bool>(false)
    private let drainRequests = Mutex<(@Sendable () -> Void)?>(nil)
    private let openings = Openings()
    private let deadlines = RepeatingTimer()

    /// Makes a server; nothing runs yet.
    ///
    /// - Throws: `ServerError` for options that cannot be, a journal that cannot be opened, or files that cannot be
    ///   read.
    public init(options: ServerOptions, logger: Logger) throws(ServerError) {
        guard options.isLoopback || options.allowsInsecureBind || !options.keys.isEmpty else {
            throw .insecureBind(host: options.host)
        }
        if let complaint = options.limits.complaint { throw .badOption(complaint) }
        guard (1...240).contains(options.tickRate) else {
            throw .badOption("the tick rate is \(options.tickRate), expected 1 to 240")
        }
        self.options = options
        self.logger = logger
        let metrics = ServerMetrics()
        self.metrics = metrics
        let store: any SceneStore
        do {
            if let directory = options.dataDirectory {
                store = try SQLiteStore(directory: directory)
            } else {
                store = MemoryStore()
            }
        } catch {
            throw .store(error.description)
        }
        gateway = Gateway(options: options, metrics: metrics, logger: logger)
        var configuration = ServerConfiguration(subprotocols: Subprotocol.allCases.map(\.rawValue))
        configuration.host = options.host
        configuration.port = options.port
        configuration.tls = options.tls
        configuration.origins = options.origins
        configuration.trustedProxies = options.trustedProxies
        configuration.messageBytesMaximum = options.limits.messageBytes
        configuration.bodyBytesMaximum = options.limits.messageBytes
        configuration.connectionsMaximum = options.limits.connections
        // All who may be there may come at once.
        configuration.requestsMaximum = options.limits.connections
        configuration.connectionsPerAddressMaximum = options.limits.connectionsPerAddress
        configuration.outboxBytesMaximum = options.limits.outboxBytes
        configuration.slowPeerCloseCode = CloseCode.tooSlow.rawValue
        configuration.pingIntervalSeconds = options.pingSeconds
        configuration.hangUpSeconds = options.pingSeconds + max(options.pingSeconds / 2, 1)
        configuration.loopThreads = options.loopThreads
        do {
            transport = try WebSocketServer(configuration: configuration)
        } catch {
            throw .transport(error)
        }
        // The threads and the store report to one another; the box is filled before any of them runs.
        let box = ThreadBox()
        storeThread = StoreThread(
            store: store, metrics: metrics, logger: logger,
            retentionSeconds: Int64(options.retentionDays) * 86_400
        ) { outcome in
            switch outcome {
            case .durable(let room, _), .failed(let room, _), .recovered(let room):
                box.thread(of: room)?.post(.store(outcome))
            }
        }
        let outlets = Self.outlets(transport, storeThread, box, metrics, openings, gateway)
        var sessionOptions = SessionOptions()
        sessionOptions.freezeSeconds = options.freezeSeconds
        threads = (0..<max(1, options.sceneThreads)).map { [sessionOptions] _ in
            SceneThread(
                tickRate: options.tickRate, unloadSeconds: options.unloadSeconds,
                sessionOptions: sessionOptions, outlets: outlets, metrics: metrics, logger: logger)
        }
        box.fill(threads)
        gateway.use(
            .init(
                send: { [transport] id, bytes, format in
                    transport.send(format == .binary ? .binary : .text, bytes, to: id)
                },
                close: { [transport] id, code, reason in
                    transport.close(id, code: code.rawValue, reason: reason)
                }, thread: { box.thread(of: $0) },
                isReady: { [weak self] in self?.isReady.load(ordering: .acquiring) ?? false },
                drain: { [weak self] in self?.drainRequests.withLock { $0 }?() },
                threads: { [threads] in threads },
                transportCounts: { [transport] in transport.counts }))
    }

    private static func outlets(
        _ transport: WebSocketServer, _ store: StoreThread, _ box: ThreadBox,
        _ metrics: ServerMetrics, _ openings: Openings, _ gateway: Gateway
    ) -> SceneThread.Outlets {
        SceneThread.Outlets(
            send: { payloads, format, members in
                let kind: MessageKind = format == .binary ? .binary : .text
                // Framed and joined once for everybody.
                let message = FramedMessage(kind, payloads: payloads)
                metrics.messagesSent.add(payloads.count * members.count)
                metrics.bytesSent.add(message.byteCount * members.count)
                transport.send(message, to: members.map { ConnectionID(rawValue: $0.rawValue) })
            },
            close: { member, code, reason in
                transport.close(
                    ConnectionID(rawValue: member.rawValue), code: code.rawValue, reason: reason)
            }, append: { store.append($0) },
            load: { room, document in
                store.load(room) { result in
                    box.thread(of: room)?.post(.loaded(room: room, result, document))
                }
            },
            loadHistory: { room, member, tick in
                store.load(room, from: tick) { result in
                    box.thread(of: room)?.post(
                        .history(room: room, member, tick: tick, try? result.get()))
                }
            },
            delete: { store.delete($0, $1) },
            sceneLimits: { gateway.sceneLimits },
            makeToken: {
                randomBytes(16).map { bytes in
                    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                }
            }, opened: { room, failure in openings.note(room, failure) })
    }

    /// Opens the journal's demo room, listens, and returns once connections are accepted.
    ///
    /// - Throws: `ServerError` when a room's scene is refused or the port cannot be had.
    public func start() throws(ServerError) {
        // Without the keys everybody would count as a stranger without one.
        guard options.keys.isEmpty || gateway.hasKeys else {
            throw .badOption("the keys were not loaded")
        }
        storeThread.start()
        for thread in threads { thread.run() }
        if let scene = options.scene {
            threads[Self.index(of: "demo", count: threads.count)].post(
                .open(room: "demo", scene))
            if let reason = openings.wait(for: "demo") {
                stopThreads()
                throw .room("demo", reason: reason)
            }
        }
        do {
            try transport.start(handler: gateway)
        } catch {
            stopThreads()
            throw .transport(error)
        }
        isReady.store(true, ordering: .releasing)
        deadlines.start(everySeconds: 1) { [gateway] in gateway.checkDeadlines() }
    }

    /// The port that is listened on; 0 before `start`.
    public var port: Int { transport.port }

    /// Reads keys anew and puts limits in force, for those who come from now on; with TLS, the certificate too.
    ///
    /// What cannot be read is reported and leaves the old in use.
    /// - Throws: `ServerError`; what comes after the fault is left as it was.
    public func reload(keys: KeySources, limits: ServerLimits) async throws(ServerError) {
        if let complaint = limits.complaint { throw .badOption(complaint) }
        guard keys.isEmpty == options.keys.isEmpty else {
            throw .badOption("keys can be changed while the server runs, but not given up or begun")
        }
        do throws(TransportError) {
            if let tls = options.tls { try transport.reload(tls) }
        } catch {
            throw .transport(error)
        }
        let authenticator = try await Self.authenticator(keys)
        transport.setMaxima(
            connections: limits.connections, perAddress: limits.connectionsPerAddress)
        gateway.use(authenticator, limits)
    }

    private static func authenticator(
        _ keys: KeySources
    ) async throws(ServerError) -> Authenticator? {
        guard !keys.isEmpty else { return nil }
        do throws(TokenError) {
            return try await Authenticator(keys)
        } catch {
            throw .keys(error)
        }
    }

    /// Reads the keys; to be called before `start` where there are any.
    ///
    /// - Throws: `ServerError.keys`.
    public func loadKeys() async throws(ServerError) {
        gateway.use(try await Self.authenticator(options.keys), options.limits)
    }

    /// Sets what happens when an administrator wants the server to end.
    public func onDrainRequest(_ body: @escaping @Sendable () -> Void) {
        drainRequests.withLock { $0 = body }
    }

    /// Drains: says so at `/readyz`, takes no more, runs the last tick, writes the journal, and closes everybody with
    /// 4030 and a hint when to come back.
    public func stop() {
        isReady.store(false, ordering: .releasing)
        transport.drain()
        deadlines.cancel()
        for thread in threads { thread.drain() }
        storeThread.stop()
        for thread in threads { thread.stop() }
        gateway.announceDrain()
        transport.stop(
            code: CloseCode.draining.rawValue, reason: "the server is going away; come back")
    }

    private func stopThreads() {
        for thread in threads { thread.stop() }
        storeThread.stop()
    }

    /// A room stays with its thread; spread by a hash that is the same on every run.
    fileprivate static func index(of room: String, count: Int) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in room.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(hash % UInt64(max(count, 1)))
    }

    /// The scene threads, for those who are made before them.
    private final class ThreadBox: Sendable {
        private let threads = Mutex<[SceneThread]>([])

        func fill(_ list: [SceneThread]) { threads.withLock { $0 = list } }

        func thread(of room: String) -> SceneThread? {
            threads.withLock { list in
                list.isEmpty ? nil : list[SceneServer.index(of: room, count: list.count)]
            }
        }
    }
}

/// What became of the rooms that a server opens before it listens.
final class Openings: Sendable {
    private let outcomes = Mutex<[String: String?]>([:])
    private let arrived = DispatchSemaphore(value: 0)

    func note(_ room: String, _ failure: String?) {
        outcomes.withLock { $0[room] = .some(failure) }
        arrived.signal()
    }

    /// Waits for a room; returns why it cannot be opened, if it cannot.
    func wait(for room: String) -> String? {
        while true {
            if let outcome = outcomes.withLock({ $0[room] }) { return outcome }
            arrived.wait()
        }
    }
}

/// Something done again and again on a queue of its own.
///
/// `@unchecked Sendable`: the timer is made with the object and only started and cancelled, which may be done from any
/// thread.
private final class RepeatingTimer: @unchecked Sendable {
    private let source = DispatchSource.makeTimerSource()
    private let isStarted = Atomic<Bool>(false)

    func start(everySeconds seconds: Int, _ body: @escaping @Sendable () -> Void) {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        source.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        source.setEventHandler(handler: body)
        source.activate()
    }

    func cancel() { source.cancel() }

    // A source that was never activated must not be let go.
    deinit { if !isStarted.load(ordering: .relaxed) { source.activate() } }
}
