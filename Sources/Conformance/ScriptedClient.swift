import Dispatch
import JSON
import SceneWire
import Synchronization
import WebSocketTransport

/// A client that sends the messages of a case, and keeps what the server does.
final class ScriptedClient: WebSocketClientHandler {
    /// An action of the server.
    enum Event: Sendable {
        case opened(subprotocol: String)
        case message(MessageKind, [UInt8])
        case closed(code: UInt16?, reason: String)
    }

    /// The server did not do what a case needs to go on.
    struct Failure: Error {
        var text: String
    }

    static let patienceSeconds = 5.0

    private let queue = EventBox<Event>()
    private let socket = Mutex<WebSocketClient?>(nil)
    /// The token of the first hello; taken by it.
    private let token: Mutex<String?>
    private let departures: RoomDepartures
    let format: Subprotocol
    let mirror = Mutex(SceneMirror())

    /// Connects; the handshake's outcome is the first event.
    init(
        _ url: String, offering subprotocols: [String], token: String?, departures: RoomDepartures
    ) throws {
        format = Subprotocol(rawValue: subprotocols[0]) ?? .binary
        self.token = Mutex(token)
        self.departures = departures
        let client = try WebSocketClient(
            .init(url: url, subprotocols: subprotocols), handler: self)
        socket.withLock { $0 = client }
        client.connect()
    }

    /// Connects and waits until the handshake is done.
    convenience init(
        _ url: String, _ format: Subprotocol, token: String?, departures: RoomDepartures
    ) throws {
        try self.init(url, offering: [format.rawValue], token: token, departures: departures)
        guard case .opened? = next() else { throw Failure(text: "no WebSocket came about") }
    }

    func opened(subprotocol: String) { queue.add(.opened(subprotocol: subprotocol)) }
    func received(_ kind: MessageKind, _ bytes: [UInt8]) { queue.add(.message(kind, bytes)) }
    func closed(code: UInt16?, reason: String, error: TransportError?) {
        departures.note(code.map(UInt32.init))
        queue.add(.closed(code: code, reason: reason))
    }

    /// The next event; nil after so many seconds.
    func next(_ seconds: Double = patienceSeconds) -> Event? { queue.next(seconds) }

    func send(raw bytes: [UInt8], _ kind: MessageKind = .binary) {
        socket.withLock { $0 }?.send(kind, bytes)
    }

    func send(_ message: ClientMessage) {
        var message = message
        if case .hello(var hello) = message, hello.token.isEmpty, let token = takeToken() {
            hello.token = token
            message = .hello(hello)
        }
        send(raw: message.encoded(as: format), format == .binary ? .binary : .text)
    }

    private func takeToken() -> String? {
        token.withLock { token in
            defer { token = nil }
            return token
        }
    }

    func close() { socket.withLock { $0 }?.close() }

    // MARK: Conversations

    /// The next message that can be read; messages about state go into the mirror first.
    func message(_ seconds: Double = patienceSeconds) throws -> ServerMessage {
        guard let event = next(seconds) else {
            throw Failure(text: "no message within \(seconds) s")
        }
        switch event {
        case .opened: throw Failure(text: "opened twice")
        case .closed(let code, let reason):
            throw Failure(text: "closed with \(code.map(String.init) ?? "no code"): \(reason)")
        case .message(let kind, let bytes): return try read(kind, bytes)
        }
    }

    /// Reads a message; one about state goes into the mirror.
    func read(_ kind: MessageKind, _ bytes: [UInt8]) throws -> ServerMessage {
        guard (kind == .binary) == (format == .binary) else {
            throw Failure(text: "a WebSocket message of the other kind")
        }
        let message: ServerMessage
        do throws(DecodeError) {
            message =
                format == .binary
                ? try ServerMessage.decode(bytes) : try ServerMessage.decode(json: bytes)
        } catch {
            throw Failure(text: "a message that cannot be read: \(error)")
        }
        if case .error(let error) = message { departures.note(error.code) }
        do throws(MirrorError) {
            try mirror.withLock { mirror throws(MirrorError) in _ = try mirror.apply(message) }
        } catch {
            throw Failure(text: "a message that does not fit the mirror: \(error)")
        }
        return message
    }

    /// Reads on until a message is wanted.
    func wait<Value>(
        _ what: String, _ seconds: Double = patienceSeconds,
        _ pick: (ServerMessage) throws -> Value?
    ) throws -> Value {
        let deadline = DispatchTime.now() + seconds
        while DispatchTime.now() < deadline {
            if let value = try pick(try message(seconds)) { return value }
        }
        throw Failure(text: "no \(what) within \(seconds) s")
    }

    /// Says hello and waits for the whole first state.
    @discardableResult
    func greet(
        _ role: Role = .viewer, capabilities: UInt64 = 0, resume: Resume? = nil
    ) throws -> Welcome {
        var hello = Hello()
        hello.role = role
        hello.capabilities = capabilities
        hello.resume = resume
        send(.hello(hello))
        guard case .welcome(let welcome) = try message() else {
            throw Failure(text: "the first message was no welcome")
        }
        try loadSnapshot()
        return welcome
    }

    /// Waits for the last chunk of a snapshot and acknowledges it.
    func loadSnapshot() throws {
        try wait("snapshot") { message in
            if case .snapshot(let snapshot) = message {
                return snapshot.chunkIndex + 1 == snapshot.chunkCount ? () : nil
            }
            return nil
        }
        acknowledge()
    }

    func acknowledge() {
        var ack = Ack()
        ack.tick = mirror.withLock { $0.tick }
        send(.ack(ack))
    }

    /// Sends ops and waits for their result.
    func apply(
        _ ops: String, sequence: UInt64, atomic: Bool = false
    ) throws -> OpsResult.Outcome {
        var message = Ops()
        message.clientSequence = sequence
        message.isAtomic = atomic
        message.baseTick = mirror.withLock { $0.tick }
        message.ops = try JSONReader.read(Array(ops.utf8))
        send(.ops(message))
        return try wait("result") { message in
            switch message {
            case .result(let result) where result.clientSequence == sequence: return result.outcome
            case .frame: acknowledge()
            default: break
            }
            return nil
        }
    }

    /// Waits for the end; returns its code.
    func end(_ seconds: Double = patienceSeconds) throws -> UInt16? {
        let deadline = DispatchTime.now() + seconds
        while DispatchTime.now() < deadline, let event = next(seconds) {
            if case .closed(let code, _) = event { return code }
        }
        throw Failure(text: "the connection was not closed")
    }

    /// Whether the connection still answers.
    func isAlive() throws -> Bool {
        var ping = Ping()
        ping.t0 = 77
        send(.ping(ping))
        return try wait("pong") { if case .pong(let pong) = $0 { pong.t0 == 77 } else { nil } }
    }
}

/// Events of another thread, for one that waits for them.
final class EventBox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func add(_ event: Event) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    /// Makes an event the next one again.
    func putBack(_ event: Event) {
        events.withLock { $0.insert(event, at: 0) }
        arrived.signal()
    }

    func next(_ seconds: Double) -> Event? {
        guard arrived.wait(timeout: .now() + seconds) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
