import Dispatch
import JSON
import SceneClient
import SceneDocument
import SceneWire
import Synchronization
import WebSocketTransport

/// A client whose events a test waits for.
final class Peer: Sendable {
    private struct State {
        var mirror: SceneMirror?
        var results: [OpsResult] = []
        var interactions = InteractionTable()
        var annotations = AnnotationTable()
        var events: [SceneClient.ReceivedEvent] = []
        var eventResults: [EventResults.Result] = []
        /// The members that went away, by the names that they gave.
        var goneNames: Set<String> = []
        var failure: ErrorMessage?
        var welcome: Welcome?
        /// How often it was welcomed.
        var welcomes = 0
        /// The addresses that it went to after a connection had ended, or an attempt at one.
        var moves: [String] = []
        var ended: UInt16??
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)
    /// Whether it deals with each event at once.
    private let answersEvents: Bool
    private let client = Mutex<SceneClient?>(nil)

    init(
        _ url: String, others: [String] = [], role: Role = .viewer, format: Subprotocol = .binary,
        caFile: String? = nil,
        token: String = "", reconnects: Bool = false, capabilities: UInt64 = 0,
        answersEvents: Bool = false, identity: TLSConfiguration? = nil,
        tokenSource: (@Sendable () -> String?)? = nil
    ) throws {
        var options = SceneClient.Options(urls: [url] + others)
        options.token = token
        options.tokenSource = tokenSource
        options.identity = identity
        options.role = role
        options.format = format
        options.caFile = caFile
        options.reconnects = reconnects
        options.capabilities = capabilities
        self.answersEvents = answersEvents
        let client = try SceneClient(options) { [weak self] in self?.note($0) }
        self.client.withLock { $0 = client }
        client.connect()
    }

    private func note(_ event: SceneClient.Event) {
        state.withLock { state in
            switch event {
            case .welcomed(let welcome):
                state.welcome = welcome
                state.welcomes += 1
            case .reconnecting(_, _, let url): state.moves.append(url)
            case .updated(let mirror): state.mirror = mirror
            case .result(let result): state.results.append(result)
            case .failure(let error): state.failure = error
            case .ended(let code, _, _): state.ended = .some(code)
            case .interactions(let table): state.interactions = table
            case .event(let event): state.events.append(event)
            case .eventResult(let result): state.eventResults.append(result)
            case .presence(let presence):
                if presence.isGone { state.goneNames.insert(presence.name) }
            case .annotations(let table): state.annotations = table
            case .diagnostics, .inspection, .records, .device, .trace, .pong: break
            }
        }
        if answersEvents, case .event(let event) = event { answer(event) }
        changed.signal()
    }

    func send(_ ops: String, atomic: Bool = false) throws -> UInt64 {
        let value = try JSONReader.read(Array(ops.utf8))
        return client.withLock { $0 }?.send(value, atomic: atomic) ?? 0
    }

    /// Takes its last step back.
    func undo() { _ = client.withLock { $0 }?.undo() }

    /// An annotation once it is told, and something holds of it.
    func annotation(
        _ kind: AnnotationKind, _ id: String, where holds: (JSONValue) -> Bool = { _ in true }
    ) -> JSONValue? {
        wait { state in state.annotations[kind, id].flatMap { holds($0) ? $0 : nil } }
    }

    /// A suggestion once it is told to be in a state.
    func annotation(_ kind: AnnotationKind, _ id: String, state: String) -> JSONValue? {
        annotation(kind, id) { $0["state"] == .string(state) }
    }

    // MARK: Events

    /// Sends an event of a view.
    func send(_ kind: EventKind, _ view: String, _ value: JSONValue = .null) -> UInt64 {
        var event = UserEvent()
        event.kind = kind
        event.view = view
        event.value = value
        return client.withLock { $0 }?.send(event) ?? 0
    }

    /// Shows itself to other members under a name.
    func introduce(as name: String) {
        var presence = Presence()
        presence.name = name
        client.withLock { $0 }?.send(presence)
    }

    /// Whether a member that gave that name is gone, as others are told.
    func isGone(_ name: String) -> Bool {
        wait { $0.goneNames.contains(name) ? true : nil } ?? false
    }

    func handle(_ roots: [String]) { client.withLock { $0 }?.handle(roots) }

    func answer(_ event: SceneClient.ReceivedEvent, isHandled: Bool = true) {
        client.withLock { $0 }?.answer(event, isHandled: isHandled)
    }

    /// The events that it got, once there are so many.
    func events(atLeast count: Int) -> [SceneClient.ReceivedEvent]? {
        wait { $0.events.count >= count ? $0.events : nil }
    }

    /// What became of an event of its own.
    func outcome(_ sequence: UInt64) -> EventResults.Result? {
        wait { state in state.eventResults.first { $0.eventSequence == sequence } }
    }

    /// What people can do, once something can be done with a view.
    func interaction(of view: String) -> Interaction? { wait { $0.interactions[view] } }

    func refresh(token: String) { client.withLock { $0 }?.refresh(token: token) }

    func close() { client.withLock { $0 }?.close() }

    /// Waits until something holds; `nil` after a time that only a fault lets pass.
    private func wait<Value>(seconds: Double = 20, _ look: (State) -> Value?) -> Value? {
        let deadline = DispatchTime.now() + seconds
        while true {
            if let value = state.withLock({ look($0) }) { return value }
            guard changed.wait(timeout: deadline) == .success else { return nil }
        }
    }

    /// The mirror once a view is that wide.
    func mirror(where view: String, isWide width: Int32) -> SceneMirror? {
        wait { $0.mirror?.view(id: view)?.frame.width == width ? $0.mirror : nil }
    }

    /// The mirror once something holds of it.
    func mirror(where holds: (SceneMirror) -> Bool) -> SceneMirror? {
        wait { state in state.mirror.flatMap { holds($0) ? $0 : nil } }
    }

    var welcome: Welcome? { wait { $0.welcome } }

    /// Whether it was welcomed so often.
    func isWelcomed(times: Int) -> Bool { wait { $0.welcomes >= times ? true : nil } ?? false }

    /// The addresses that it went to so far after a connection had ended, or an attempt at one.
    var moves: [String] { state.withLock { $0.moves } }

    /// The present mirror.
    var presentMirror: SceneMirror? { state.withLock { $0.mirror } }

    var firstMirror: SceneMirror? { wait { $0.mirror } }

    /// All that is told of a message, which may be decided by a thread that waits until no other
    /// wants to run.
    func whole(_ sequence: UInt64) -> OpsResult? {
        wait(seconds: 180) { state in state.results.first { $0.clientSequence == sequence } }
    }

    func result(_ sequence: UInt64) -> OpsResult.Outcome? {
        wait { state in state.results.first { $0.clientSequence == sequence }?.outcome }
    }

    /// Whether a message has a result; false once the connection has ended without one.
    func isAnswered(_ sequence: UInt64) -> Bool {
        wait { state in
            state.results.contains { $0.clientSequence == sequence }
                ? true : state.ended != nil ? false : nil
        } ?? false
    }

    /// The code that the connection ended with.
    var endCode: UInt16? { wait { $0.ended } ?? nil }

    /// 0 once it is welcome, else the code that the connection ended with.
    var welcomeOrEnd: UInt16? { wait { $0.welcome != nil ? 0 : $0.ended ?? nil } }

    var failureText: String? { wait { $0.failure?.text } }

    var failure: ErrorMessage? { wait { $0.failure } }
}
