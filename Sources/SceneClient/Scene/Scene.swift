public import Logging
public import Observation
public import SceneWire
import Synchronization
import WebSocketTransport

/// A program behind a scene: it owns what the scene shows, and hears what people do with it.
///
///     let scene = try await Scene.connect("ws://127.0.0.1:7070/board")
///     for await _ in scene.events(.tap, of: "add") {
///         try await scene.animate(0.3) { scene["list"].append(.label("new card")) }
///     }
///
/// The connection is made again after a cut; ops and events that had no result yet are sent again,
/// and taken once. Any task or thread may call anything. `mirror`, `members` and `isConnected` can
/// be observed.
public final class Scene: Sendable, Observable {
    struct State {
        var mirror = SceneMirror()
        var members: [UInt32: Presence] = [:]
        var isConnected = false
        var tickRate: UInt32 = 60
        var results = Answers<OpsResult>()
        var outcomes = Answers<EventResults.Result>()
        var end: SceneError?
        /// Told of the first state, or of what prevents it.
        var whenReady: (@Sendable (Result<Void, SceneError>) -> Void)?
        /// Told of the end.
        var whenEnded: [@Sendable (SceneError) -> Void] = []
        var followers: [Int: AsyncStream<SceneMirror>.Continuation] = [:]
        var followerCount = 0
        var routes = EventRoutes()
    }

    let state = Mutex(State())
    let client: SceneClient
    let logger: Logger
    let bindings = Bindings()
    private let registrar = ObservationRegistrar()
    private let inbox: AsyncStream<(SceneEvent, EventRoutes.Handler)>.Continuation

    // MARK: Connecting

    /// Connects, and waits for the scene.
    ///
    /// - Parameters:
    ///   - url: `ws://host:port/room` or `wss://…`.
    ///   - role: The role to ask for; only editors handle events and change anything.
    ///   - token: Proves the identity; empty without authentication.
    ///   - logger: Told what handlers throw, and which bound values the server refuses.
    /// - Throws: `SceneError.transport` or `ended` when the server cannot be reached or does not
    ///   let the program in.
    public static func connect(
        _ url: String, role: Role = .editor, token: String = "",
        logger: Logger = Logger(label: "scenesync.scene")
    ) async throws(SceneError) -> Scene {
        var options = SceneClient.Options(url: url)
        options.role = role
        options.token = token
        return try await connect(options, logger: logger)
    }

    /// The same with all options. `Capability.events` is asked for in any case.
    ///
    /// - Throws: `SceneError` where the address is none, or the server cannot be reached or
    ///   refuses.
    public static func connect(
        _ options: SceneClient.Options, logger: Logger = Logger(label: "scenesync.scene")
    ) async throws(SceneError) -> Scene {
        let scene: Scene
        do throws(TransportError) { scene = try Scene(options, logger) } catch {
            throw .transport(error)
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                scene.state.withLock { $0.whenReady = { continuation.resume(returning: $0) } }
                scene.client.connect()
            }
        } onCancel: {
            scene.handle(.ended(code: nil, reason: "", error: nil), as: .cancelled)
            scene.close()
        }
        try result.get()
        return scene
    }

    private init(_ options: SceneClient.Options, _ logger: Logger) throws(TransportError) {
        var options = options
        options.capabilities |= Capability.events
        self.logger = logger
        let owner = WeakScene()
        client = try SceneClient(options) { owner.scene?.handle($0) }
        let (events, inbox) = AsyncStream.makeStream(of: (SceneEvent, EventRoutes.Handler).self)
        self.inbox = inbox
        owner.scene = self
        // Handlers run one after another, in the order of the events.
        Task { [logger] in
            for await (event, handler) in events {
                do {
                    try await handler(event)
                    event.accept()
                } catch {
                    logger.error("the handler of \(event.kind) on \(event.view) failed: \(error)")
                    event.decline()
                }
            }
        }
    }

    deinit { close() }

    /// Ends the connection after what was sent has left.
    public func close() {
        bindings.end()
        client.close()
    }

    /// Waits until the connection has ended for good.
    ///
    /// - Throws: `SceneError.ended`; `cancelled` when the task is.
    public func run() async throws(SceneError) {
        let end = OneTimeAnswer<SceneError>()
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                end.set(continuation)
                let known = state.withLock { state -> SceneError? in
                    guard state.end == nil else { return state.end }
                    state.whenEnded.append { end.give($0) }
                    return nil
                }
                if let known { end.give(known) }
            }
        } onCancel: {
            end.give(.cancelled)
        }
        throw error
    }

    // MARK: What is there

    /// The views as they are now.
    public var mirror: SceneMirror {
        registrar.access(self, keyPath: \.mirror)
        return state.withLock { $0.mirror }
    }

    /// Other members who say where they are, by their numbers.
    public var members: [UInt32: Presence] {
        registrar.access(self, keyPath: \.members)
        return state.withLock { $0.members }
    }

    /// Whether there is a connection; without one, what is sent waits.
    public var isConnected: Bool {
        registrar.access(self, keyPath: \.isConnected)
        return state.withLock { $0.isConnected }
    }

    /// Ticks a second.
    public var tickRate: Int { state.withLock { Int($0.tickRate) } }

    /// A view by its name, whether it is there yet or not.
    public subscript(id: String) -> SceneView { SceneView(id, state.withLock { $0.mirror }) }

    /// The scene as it is now, then whenever it has changed. A slow reader receives only the
    /// latest.
    public var changes: AsyncStream<SceneMirror> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state -> Int? in
                continuation.yield(state.mirror)
                guard state.end == nil else { return nil }
                state.followerCount += 1
                state.followers[state.followerCount] = continuation
                return state.followerCount
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
            }
        }
    }

    // MARK: What the client reports

    func handle(_ event: SceneClient.Event) { handle(event, as: nil) }

    /// - Parameter reason: What an end means, where the peer is not its cause.
    private func handle(_ event: SceneClient.Event, as reason: SceneError?) {
        switch event {
        case .welcomed(let welcome):
            observed(\.isConnected) {
                $0.isConnected = true
                $0.tickRate = welcome.tickRate
            }
        case .updated(let mirror): update(mirror)
        case .result(let result):
            state.withLock { $0.results.take(result, for: result.clientSequence) }?(
                .success(result))
        case .eventResult(let result):
            state.withLock { $0.outcomes.take(result, for: result.eventSequence) }?(
                .success(result))
        case .event(let received): dispatch(SceneEvent(received, client))
        case .presence(let presence):
            observed(\.members) { $0.members[presence.client] = presence.isGone ? nil : presence }
        case .reconnecting:
            // Members that are still present announce themselves again.
            observed(\.isConnected) { $0.isConnected = false }
            observed(\.members) { $0.members = [:] }
        case .ended(let code, let text, let error):
            finish(
                reason ?? error.map { .transport($0) }
                    ?? .ended(code: code, reason: text))
        case .failure(let failure): logger.debug("the server says: \(failure.text)")
        case .diagnostics, .trace, .pong, .inspection, .device, .interactions, .annotations,
            .records:
            break
        }
    }

    private func observed<Value>(
        _ key: KeyPath<Scene, Value>, _ change: (inout State) -> Void
    ) {
        registrar.withMutation(of: self, keyPath: key) { state.withLock { change(&$0) } }
    }

    private func update(_ mirror: SceneMirror) {
        var ready: (@Sendable (Result<Void, SceneError>) -> Void)?
        observed(\.mirror) { state in
            state.mirror = mirror
            for follower in state.followers.values { follower.yield(mirror) }
            ready = state.whenReady
            state.whenReady = nil
        }
        ready?(.success(()))
    }

    private func dispatch(_ event: SceneEvent) {
        let route = state.withLock { $0.routes.route(event.kind, event.view, $0.mirror) }
        switch route {
        case .handler(let handler): inbox.yield((event, handler))
        case .stream(let stream): stream.yield(event)
        case nil: event.decline()
        }
    }

    private func finish(_ error: SceneError) {
        let told = state.withLock { state -> [@Sendable () -> Void] in
            guard state.end == nil else { return [] }
            state.end = error
            defer {
                state.whenReady = nil
                state.whenEnded = []
                state.followers = [:]
            }
            let ready =
                state.whenReady.map { ready in [{ @Sendable in ready(.failure(error)) }] } ?? []
            let ended = state.whenEnded.map { waiter in { @Sendable in waiter(error) } }
            let followers = state.followers.values.map { stream in { @Sendable in stream.finish() }
            }
            let streams = state.routes.streams.map { stream in { @Sendable in stream.finish() } }
            let results = state.results.finish(error).map { waiter in
                { @Sendable in waiter(.failure(error)) }
            }
            let outcomes = state.outcomes.finish(error).map { waiter in
                { @Sendable in waiter(.failure(error)) }
            }
            return ready + ended + followers + streams + results + outcomes
        }
        bindings.end()
        inbox.finish()
        observed(\.isConnected) { $0.isConnected = false }
        for tell in told { tell() }
    }
}

/// Where a client finds the scene that owns it, without keeping it alive.
private final class WeakScene: Sendable {
    private struct Box { weak var scene: Scene? }
    private let box = Mutex(Box())

    var scene: Scene? {
        get { box.withLock { $0.scene } }
        set { box.withLock { $0.scene = newValue } }
    }
}
