import Dispatch
import SceneDocument
import SceneWire
import Synchronization
import WebSocketTransport

/// The server's side of one connection: it sends the messages of a case, and keeps what the client
/// does.
final class ScriptedServer: Sendable {
    /// An action of the client.
    enum Event: Sendable {
        case message(MessageKind, [UInt8])
        case closed(UInt16?)
    }

    /// The client broke a rule that it must keep, or (`isWeak`) should keep.
    struct Failure: Error {
        var text: String
        var isWeak = false
    }

    /// The client has no part that a case tries.
    struct NotApplicable: Error {
        var text: String
    }

    /// The server's side of the scene: the state that the client has to have, and the limits that
    /// it was told.
    struct Scene: Sendable {
        var limits = GrantedLimits()
        var mirror = SceneMirror()
        var encoder = FrameEncoder()
        /// The capabilities that the client was granted.
        var granted: UInt64 = 0
    }

    /// The parts that cases try; what a client does not ask for is not sent to it.
    static let capabilities =
        Capability.diagnostics | Capability.animations | Capability.undo | Capability.trace
        | Capability.keyframes | Capability.mergedResume

    static let patienceSeconds = 4.0

    let path: String
    /// The name of the address at which the client came; see `DialogueAddress`.
    let address: String
    let format: Subprotocol
    let inbox = EventBox<Event>()
    let scene = Mutex(Scene())
    /// Whether pings are not answered.
    let isMute = Atomic(false)
    private let id: ConnectionID
    private let transport: WebSocketServer

    init(
        id: ConnectionID, path: String, address: String, transport: WebSocketServer,
        format: Subprotocol
    ) {
        self.id = id
        self.path = path
        self.address = address
        self.transport = transport
        self.format = format
    }

    // MARK: Saying

    func send(raw bytes: [UInt8], _ kind: MessageKind = .binary) {
        transport.send(kind, bytes, to: id)
    }

    /// Sends a message without taking it in.
    func send(_ message: ServerMessage) {
        send(raw: message.encoded(as: format), format == .binary ? .binary : .text)
    }

    /// Sends a message about state, which the client's mirror must follow.
    func play(_ message: ServerMessage) throws {
        try scene.withLock { _ = try $0.mirror.apply(message) }
        send(message)
    }

    func close(_ code: UInt16, _ reason: String) { transport.close(id, code: code, reason: reason) }

    var tick: UInt64 { scene.withLock { $0.mirror.tick } }

    func frame(_ body: FrameBody = FrameBody()) -> ServerMessage {
        .frame(FrameDiff(tick: tick + 1, baseTick: tick, durableTick: tick, body: body))
    }

    /// The state hash, or one that differs.
    func hash(wrong: Bool = false) -> ServerMessage {
        var hash = StateHash()
        scene.withLock { scene in
            hash.tick = scene.mirror.tick
            hash.hash = scene.mirror.stateHash ^ (wrong ? 1 : 0)
        }
        return .hash(hash)
    }

    /// A snapshot of the sample scene, or of the state that it has become.
    func snapshots(byteMaximum: Int = 1 << 19) throws -> [Snapshot] {
        try scene.withLock { scene in
            if scene.mirror.needsSnapshot { try scene.mirror.apply(Sample.snapshot) }
            scene.encoder.reset()
            return scene.mirror.snapshots(byteMaximum: byteMaximum)
        }
    }

    /// Whether the client was granted a capability.
    func grants(_ capability: UInt64) -> Bool {
        scene.withLock { $0.granted & capability == capability }
    }

    /// Waits for hello and answers it with welcome and a snapshot.
    ///
    /// - Parameter needing: The capabilities without which there is nothing to try.
    func greet(
        deflated: Bool = true, byteMaximum: Int = 1 << 19, limits: GrantedLimits = GrantedLimits(),
        needing capabilities: UInt64 = 0
    ) throws {
        try welcome(hearHello(), limits: limits, needing: capabilities)
        try sendState(deflated: deflated, byteMaximum: byteMaximum)
    }

    func hearHello() throws -> Hello {
        guard case .hello(let hello) = try hear() else {
            throw Failure(text: "the first message was no hello")
        }
        return hello
    }

    /// Answers hello with welcome, and grants the capabilities that the client asks for among
    /// `offered`.
    func welcome(
        _ hello: Hello, granting offered: UInt64 = ScriptedServer.capabilities,
        limits: GrantedLimits = GrantedLimits(), needing capabilities: UInt64 = 0,
        alternates: Alternates? = nil
    ) throws {
        var welcome = Self.welcome(to: hello, granting: offered)
        welcome.limits = limits
        welcome.alternates = alternates
        scene.withLock { scene in
            scene.granted = welcome.capabilities
            scene.limits = limits
        }
        guard grants(capabilities) else {
            throw NotApplicable(text: "the client does not ask for this part")
        }
        send(.welcome(welcome))
    }

    static func welcome(to hello: Hello, granting offered: UInt64 = capabilities) -> Welcome {
        var welcome = Welcome()
        welcome.capabilities = hello.capabilities & offered
        welcome.session = "conformance"
        welcome.resumeToken = "token"
        welcome.epoch = 1
        welcome.version = 1
        welcome.viewport = Size(width: 640, height: 384)
        welcome.role = .editor
        return welcome
    }

    func sendState(deflated: Bool = true, byteMaximum: Int = 1 << 19) throws {
        for var chunk in try snapshots(byteMaximum: byteMaximum) {
            chunk.isDeflated = deflated
            try play(.snapshot(chunk))
        }
    }

    // MARK: Hearing

    /// Takes a message in. A ping has its pong at once, whatever the case is about: a client gives
    /// up a server that is silent while a case waits for something.
    func take(_ kind: MessageKind, _ bytes: [UInt8]) {
        inbox.add(.message(kind, bytes))
        guard !isMute.load(ordering: .relaxed),
            case .ping(let ping)? = try? kind == .binary
                ? ClientMessage.decode(bytes) : ClientMessage.decode(json: bytes)
        else { return }
        var pong = Pong()
        pong.t0 = ping.t0
        send(.pong(pong))
    }

    /// The capabilities of the client's hello, which stays in the inbox.
    func peekCapabilities() throws -> UInt64 {
        guard let event = inbox.next(Self.patienceSeconds) else {
            throw Failure(text: "the client said nothing for \(Self.patienceSeconds) s")
        }
        inbox.putBack(event)
        guard case .message(let kind, let bytes) = event,
            case .hello(let hello)? = try? kind == .binary
                ? ClientMessage.decode(bytes) : ClientMessage.decode(json: bytes)
        else { throw Failure(text: "the first message was no hello") }
        return hello.capabilities
    }

    /// The client's next message.
    func hear(_ seconds: Double = patienceSeconds) throws -> ClientMessage {
        guard let event = inbox.next(seconds) else {
            throw Failure(text: "the client said nothing for \(seconds) s")
        }
        guard case .message(let kind, let bytes) = event else {
            throw Failure(text: "the client left")
        }
        guard (kind == .binary) == (format == .binary) else {
            throw Failure(text: "a WebSocket message of the other kind")
        }
        do throws(DecodeError) {
            return format == .binary
                ? try ClientMessage.decode(bytes) : try ClientMessage.decode(json: bytes)
        } catch {
            throw Failure(text: "a message that cannot be read: \(error)")
        }
    }

    /// Waits until the client has acknowledged the present; a resync on the way means that its
    /// state is another.
    func expectAcknowledgement(since earliest: UInt64? = nil) throws {
        let want = earliest ?? tick
        let deadline = DispatchTime.now() + Self.patienceSeconds
        while DispatchTime.now() < deadline {
            switch try hear() {
            case .ack(let ack) where ack.tick >= want:
                guard ack.tick <= tick else {
                    throw Failure(text: "acknowledged \(ack.tick), which was not sent yet")
                }
                return
            case .resync(let resync):
                throw Failure(text: "its state differs at tick \(resync.tick)")
            default: break
            }
        }
        throw Failure(text: "tick \(want) was not acknowledged")
    }

    /// Sends the hash and so many empty frames that an acknowledgement is due.
    func expectSameState() throws {
        send(hash())
        let judged = tick
        for _ in 0..<scene.withLock(\.limits.framesPerAcknowledgement) { try play(frame()) }
        // One of these is acknowledged, and the hash was read before it.
        try expectAcknowledgement(since: judged + 1)
    }

    /// Waits for a request for a snapshot, answers it, and expects that the client goes on.
    func expectResync(unread: Int = 0) throws {
        try wait("resync") { if case .resync = $0 { () } else { nil } }
        try sendState()
        var more = 0
        let want = tick
        let deadline = DispatchTime.now() + Self.patienceSeconds
        while DispatchTime.now() < deadline {
            switch try hear() {
            case .ack(let ack) where ack.tick == want:
                if more > 0 {
                    throw Failure(text: "it asked \(more + 1) times", isWeak: true)
                }
                return try expectSameState()
            case .resync: more += 1
            default: break
            }
        }
        throw Failure(text: "the snapshot was not acknowledged")
    }

    func wait<Value>(
        _ what: String, _ pick: (ClientMessage) throws -> Value?
    ) throws -> Value {
        let deadline = DispatchTime.now() + Self.patienceSeconds
        while DispatchTime.now() < deadline {
            if let value = try pick(try hear()) { return value }
        }
        throw Failure(text: "no \(what)")
    }

    /// The client has to end the connection with 4000, or another code that will do.
    func expectClose(with codes: [UInt16] = [4000]) throws {
        let deadline = DispatchTime.now() + Self.patienceSeconds
        while DispatchTime.now() < deadline, let event = inbox.next(Self.patienceSeconds) {
            guard case .closed(let code) = event else { continue }
            guard let code, codes.contains(code) else {
                throw Failure(
                    text: "closed with \(code.map(String.init) ?? "no code"), not \(codes)",
                    isWeak: true)
            }
            return
        }
        throw Failure(text: "the client went on")
    }
}
