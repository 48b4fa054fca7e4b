import Dispatch
import SceneClientSession
import SceneProtocol
import Synchronization
import WebSocketTransport

/// Drives a `ClientSession` with sockets and the machine's clock; one connection after another.
final class SessionDriver: Sendable {
    private struct State {
        var session: ClientSession
        var socket: WebSocketClient?
        /// Counts connections, so that what an old one still reports is ignored.
        var generation = 0
        /// Whether a call of `wake` is on its way.
        var isWakePlanned = false
        var receivedByteCount: UInt64 = 0
    }

    private let options: SceneClient.Options
    private let handler: @Sendable (SceneClient.Event) -> Void
    private let state: Mutex<State>

    init(
        _ options: SceneClient.Options, _ handler: @escaping @Sendable (SceneClient.Event) -> Void
    ) {
        self.options = options
        self.handler = handler
        var session = ClientSession.Options()
        session.role = options.role
        session.format = options.format
        session.token = options.token
        session.capabilities = options.capabilities
        session.device = options.device
        session.reconnects = options.reconnects
        state = Mutex(State(session: ClientSession(session)))
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: Connections

    func connect() {
        let generation = state.withLock { state in
            state.generation += 1
            return state.generation
        }
        var transport = WebSocketClient.Options(
            url: options.url, subprotocols: [options.format.rawValue])
        transport.trustsAnyCertificate = options.trustsAnyCertificate
        transport.caFile = options.caFile
        do {
            let socket = try WebSocketClient(
                transport, handler: Listener(driver: self, generation: generation))
            let isWanted = state.withLock { state in
                guard !state.session.isEnding else { return false }
                state.socket = socket
                return true
            }
            guard isWanted else {
                handler(.ended(code: nil, reason: "", error: nil))
                return
            }
            socket.connect()
        } catch {
            handler(.ended(code: nil, reason: "", error: error))
        }
    }

    func close() {
        let socket = state.withLock { state in
            state.session.end()
            return state.socket
        }
        socket?.close()
    }

    /// Passes on the events of one connection; strong, so that the driver lives as long as its connection.
    private final class Listener: WebSocketClientHandler {
        let driver: SessionDriver
        let generation: Int

        init(driver: SessionDriver, generation: Int) {
            self.driver = driver
            self.generation = generation
        }

        func opened(subprotocol: String) { driver.opened(subprotocol, generation) }

        func received(_ kind: MessageKind, _ bytes: [UInt8]) {
            driver.received(kind, bytes, generation)
        }

        func closed(code: UInt16?, reason: String, error: TransportError?) {
            driver.closed(code, reason, error, generation)
        }
    }

    private func opened(_ subprotocol: String, _ generation: Int) {
        change { state in
            guard state.generation == generation else { return [] }
            guard subprotocol == options.format.rawValue else {
                // No other try would find another server. SPEC.md, CONN-4.
                state.session.end()
                state.socket?.close(
                    code: StandardCloseCode.protocolError, reason: "no subprotocol was chosen")
                return []
            }
            return state.session.connected()
        }
    }

    private func received(_ kind: MessageKind, _ bytes: [UInt8], _ generation: Int) {
        change { state in
            guard state.generation == generation else { return [] }
            state.receivedByteCount &+= UInt64(bytes.count)
            let format: Subprotocol =
                switch kind {
                case .binary: .binary
                case .text: .json
                }
            return state.session.receive(bytes, as: format, at: Self.now)
        }
    }

    private func closed(
        _ code: UInt16?, _ reason: String, _ error: TransportError?, _ generation: Int
    ) {
        let ending = state.withLock { state -> ClientSession.Ending? in
            guard state.generation == generation else { return nil }
            state.socket = nil
            return state.session.disconnected(code: code)
        }
        switch ending {
        case nil: break
        case .final: handler(.ended(code: code, reason: reason, error: error))
        case .retry(let nanoseconds):
            handler(
                .reconnecting(
                    afterSeconds: Double(nanoseconds) / 1e9,
                    reason: error?.description ?? reason))
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .nanoseconds(Int(nanoseconds))
            ) { [self] in connect() }
        }
    }

    // MARK: Requests and messages

    func apply(_ ops: JSONValue, atomic: Bool, undoGroup: UInt32) -> UInt64 {
        request { $0.apply(ops, atomic: atomic, undoGroup: undoGroup) }
    }

    func undo() -> UInt64 { request { $0.undo() } }

    func redo() -> UInt64 { request { $0.redo() } }

    func send(_ event: UserEvent, to client: UInt32) -> UInt64 {
        var sequence: UInt64 = 0
        change { state in
            let (number, outputs) = state.session.send(event, to: client)
            sequence = number
            return outputs
        }
        return sequence
    }

    func handle(_ roots: [String]) { change { $0.session.handle(roots) } }

    func answer(_ event: ClientSession.ReceivedEvent, isHandled: Bool) {
        change { $0.session.answer(event, isHandled: isHandled) }
    }

    private func request(
        _ body: (inout ClientSession) -> (sequence: UInt64, outputs: [ClientSession.Output])
    ) -> UInt64 {
        state.withLock { state in
            let (sequence, outputs) = body(&state.session)
            _ = carryOut(outputs, &state)
            return sequence
        }
    }

    func seek(_ seek: Seek) { change { $0.session.seek(seek) } }

    func request(_ device: DeviceRequest) { change { $0.session.change(device: device) } }

    func send(_ message: ClientMessage) { change { $0.session.send(message) } }

    func refresh(_ token: String) { change { $0.session.refresh(token: token) } }

    var receivedByteCount: UInt64 { state.withLock { $0.receivedByteCount } }

    // MARK: Outputs

    /// Changes the session, and reports the events when the lock is released.
    private func change(_ body: (inout State) -> [ClientSession.Output]) {
        let events = state.withLock { state in
            let outputs = body(&state)
            return carryOut(outputs, &state)
        }
        for event in events { handler(event) }
    }

    /// Sends messages under the lock, so that they leave in the order in which the session decided on them; the socket only
    /// queues them.
    ///
    /// - Returns: The events that are to be reported.
    private func carryOut(
        _ outputs: [ClientSession.Output], _ state: inout State
    ) -> [SceneClient.Event] {
        var events: [SceneClient.Event] = []
        for output in outputs {
            switch output {
            case .send(let message):
                state.socket?.send(
                    options.format == .binary ? .binary : .text,
                    message.encoded(as: options.format))
            case .event(let event):
                if let event = SceneClient.Event(event) { events.append(event) }
            case .close(let code):
                state.socket?.close(code: code.rawValue)
            }
        }
        planWake(&state)
        return events
    }

    private func planWake(_ state: inout State) {
        guard !state.isWakePlanned, let time = state.session.wakeTime else { return }
        state.isWakePlanned = true
        DispatchQueue.global().asyncAfter(
            deadline: DispatchTime(uptimeNanoseconds: time)
        ) { [self] in
            change { state in
                state.isWakePlanned = false
                return state.session.advance(to: Self.now)
            }
        }
    }
}

extension SceneClient.Event {
    /// The event of a session that the client's owner is told; `nil` for what concerns the session alone.
    fileprivate init?(_ event: ClientSession.Event) {
        switch event {
        case .welcomed(let welcome): self = .welcomed(welcome)
        case .updated(let mirror): self = .updated(mirror)
        case .checked, .mismatch: return nil
        case .result(let result): self = .result(result)
        case .presence(let presence): self = .presence(presence)
        case .diagnostics(let diagnostics): self = .diagnostics(diagnostics)
        case .trace(let trace): self = .trace(trace)
        case .pong(let pong): self = .pong(pong)
        case .inspection(let inspection, let request):
            self = .inspection(inspection, request: request)
        case .device(let grant): self = .device(grant)
        case .interactions(let table): self = .interactions(table)
        case .event(let event): self = .event(event)
        case .eventResult(let result): self = .eventResult(result)
        case .failure(let failure): self = .failure(failure)
        }
    }
}
