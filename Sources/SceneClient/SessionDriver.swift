import Dispatch
import JSON
import SceneClientSession
import SceneWire
import Synchronization
import WebSocketTransport

/// Drives a `ClientSession` with sockets and the machine's clock; one connection after another.
final class SessionDriver: Sendable {
    private struct State {
        var session: ClientSession
        var socket: WebSocketClient?
        /// Counts connections, so that what an old one still reports is ignored.
        var generation = 0
        /// The moment of the earliest call of `wake` that is on its way.
        var plannedWake: UInt64?
        /// Whether the end of a connection is being reported: the next one must not begin before,
        /// or its events could be reported first.
        var isReportingEnd = false
        var receivedByteCount: UInt64 = 0
    }

    /// An effect to carry out after the lock is released, in order.
    private enum Action {
        case report(SceneClient.Event)
        case open(url: String, generation: Int)
        case drop(WebSocketClient?, SceneClient.Event)
    }

    private let options: SceneClient.Options
    private let handler: @Sendable (SceneClient.Event) -> Void
    private let state: Mutex<State>
    /// Set once, before the client connects; `nil` for a token that is not renewed.
    private let renewal = Mutex<TokenRenewal?>(nil)

    init(
        _ options: SceneClient.Options, _ handler: @escaping @Sendable (SceneClient.Event) -> Void
    ) {
        self.options = options
        self.handler = handler
        var session = ClientSession.Options(urls: options.urls)
        session.role = options.role
        session.format = options.format
        session.token = options.token
        session.capabilities = options.capabilities
        session.device = options.device
        session.reconnects = options.reconnects
        session.patience = options.patience
        session.seed = UInt64.random(in: 0 ... .max)
        state = Mutex(State(session: ClientSession(session)))
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: Connections

    func connect() {
        if let source = options.tokenSource {
            renewal.withLock { renewal in
                guard renewal == nil else { return }
                renewal = TokenRenewal(options.token, source: source) { [weak self] in
                    self?.refresh($0)
                }
            }
        }
        change { $0.session.connect(at: Self.now) }
    }

    private func endRenewal() { renewal.withLock { $0?.stop() } }

    func close() {
        let (socket, hasEnded) = state.withLock { state in
            let hasEnded = state.session.end()
            return (state.socket, hasEnded)
        }
        endRenewal()
        if hasEnded { handler(.ended(code: nil, reason: "", error: nil)) }
        socket?.close()
    }

    private func openWithToken(_ url: String, _ generation: Int) {
        guard let renewal = renewal.withLock({ $0 }) else { return open(url, generation) }
        renewal.prepare { [self] in open(url, generation) }
    }

    private func open(_ url: String, _ generation: Int) {
        var transport = WebSocketClient.Options(
            url: url, subprotocols: [options.format.rawValue])
        transport.trustsAnyCertificate = options.trustsAnyCertificate
        transport.caFile = options.caFile
        transport.identity = options.identity
        // The session gives an attempt up before the library does.
        let patience = options.patience.openNanoseconds / 1_000_000_000
        transport.connectTimeoutSeconds = patience == 0 ? 3600 : Int(clamping: patience + 2)
        do {
            let socket = try WebSocketClient(
                transport, handler: Listener(driver: self, generation: generation))
            let isWanted = state.withLock { state in
                guard state.generation == generation, !state.session.isEnding else { return false }
                state.socket = socket
                return true
            }
            guard isWanted else { return closed(nil, "", nil, generation) }
            socket.connect()
        } catch {
            closed(nil, "", error, generation)
        }
    }

    /// Passes on the events of one connection; strong, so that the driver lives as long as its
    /// connection.
    private final class Listener: WebSocketClientHandler {
        let driver: SessionDriver
        let generation: Int

        init(driver: SessionDriver, generation: Int) {
            self.driver = driver
            self.generation = generation
        }

        func opened(subprotocol: String) { driver.opened(subprotocol, generation) }

        func progressed() { driver.progressed(generation) }

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
                _ = state.session.end()
                state.socket?.close(
                    code: StandardCloseCode.protocolError, reason: "no subprotocol was chosen")
                return []
            }
            return state.session.connected(at: Self.now)
        }
    }

    private func progressed(_ generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.session.heard(at: Self.now)
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
        let event = state.withLock { state -> SceneClient.Event? in
            guard state.generation == generation else { return nil }
            state.socket = nil
            // Later reports of this connection come from one that has ended.
            state.generation += 1
            let ending = state.session.disconnected(code: code, at: Self.now)
            state.isReportingEnd = true
            return SceneClient.Event(ending, code: code, reason: reason, error: error)
        }
        if let event { reportEnd(event) }
    }

    private func reportEnd(_ event: SceneClient.Event) {
        if case .ended = event { endRenewal() }
        handler(event)
        state.withLock { state in
            state.isReportingEnd = false
            planWake(&state)
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
        var number: UInt64 = 0
        change { state in
            let (sequence, outputs) = body(&state.session)
            number = sequence
            return outputs
        }
        return number
    }

    func seek(_ seek: Seek) { change { $0.session.seek(seek) } }

    func request(_ device: DeviceRequest) { change { $0.session.change(device: device) } }

    func send(_ message: ClientMessage) { change { $0.session.send(message) } }

    func refresh(_ token: String) { change { $0.session.refresh(token: token) } }

    var urls: [String] { state.withLock { $0.session.urls } }

    var receivedByteCount: UInt64 { state.withLock { $0.receivedByteCount } }

    // MARK: Outputs

    /// Changes the session, and does what does not belong under the lock when that is released.
    private func change(_ body: (inout State) -> [ClientSession.Output]) {
        let actions = state.withLock { state in
            let outputs = body(&state)
            return carryOut(outputs, &state)
        }
        for action in actions {
            switch action {
            case .report(let event): handler(event)
            case .open(let url, let generation): openWithToken(url, generation)
            case .drop(let socket, let event):
                socket?.abandon()
                reportEnd(event)
            }
        }
    }

    /// Sends messages under the lock, so that they leave in the order in which the session decided
    /// on them; the socket only queues them.
    ///
    /// - Returns: What is left to do.
    private func carryOut(
        _ outputs: [ClientSession.Output], _ state: inout State
    ) -> [Action] {
        var actions: [Action] = []
        for output in outputs {
            switch output {
            case .send(let message):
                state.socket?.send(
                    options.format == .binary ? .binary : .text,
                    message.encoded(as: options.format))
            case .event(let event):
                if let event = SceneClient.Event(event) { actions.append(.report(event)) }
            case .close(let code):
                state.socket?.close(code: code.rawValue)
            case .connect(let url):
                state.generation += 1
                actions.append(.open(url: url, generation: state.generation))
            case .abandon(let ending):
                let error = TransportError.cannotConnect("the server does not answer")
                let event = SceneClient.Event(ending, code: nil, reason: "", error: error)
                actions.append(.drop(state.socket, event))
                state.socket = nil
                state.generation += 1
                state.isReportingEnd = true
            }
        }
        planWake(&state)
        return actions
    }

    /// Has `wake` called when the session has something to do. A later call that is planned already
    /// stays: it finds nothing to do, which costs less than a call for each message.
    private func planWake(_ state: inout State) {
        guard !state.isReportingEnd, let time = state.session.wakeTime else { return }
        if let planned = state.plannedWake, planned <= time { return }
        state.plannedWake = time
        DispatchQueue.global().asyncAfter(
            deadline: DispatchTime(uptimeNanoseconds: time)
        ) { [self] in wake(time) }
    }

    private func wake(_ planned: UInt64) {
        change { state in
            if state.plannedWake == planned { state.plannedWake = nil }
            return state.session.advance(to: Self.now)
        }
    }
}
