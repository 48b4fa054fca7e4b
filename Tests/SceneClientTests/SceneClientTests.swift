import Foundation
import JSON
import SceneTestSupport
import SceneWire
import Synchronization
import Testing
import WebSocketTransport

@testable import SceneClient

/// A server whose every word a test decides.
private final class ScriptedServer: TransportHandler {
    struct Received: Sendable {
        var id: ConnectionID
        var message: ClientMessage
    }

    private let received = EventQueue<Received>()
    private let server: WebSocketServer

    private init(_ server: WebSocketServer) { self.server = server }

    static func start() throws -> ScriptedServer {
        var configuration = ServerConfiguration(subprotocols: [Subprotocol.binary.rawValue])
        configuration.port = 0
        let server = try WebSocketServer(configuration: configuration)
        let handler = ScriptedServer(server)
        try server.start(handler: handler)
        return handler
    }

    var url: String { "ws://127.0.0.1:\(server.port)/room" }

    func send(_ message: ServerMessage, to id: ConnectionID) {
        var bytes: [UInt8] = []
        message.encode(to: &bytes)
        server.send(.binary, bytes, to: id)
    }

    func close(_ id: ConnectionID, _ code: CloseCode) {
        server.close(id, code: code.rawValue, reason: "")
    }

    func stop() { server.stop() }

    func next() -> Received? { received.next() }

    func connectionOpened(_ info: ConnectionInfo) {}
    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {}
    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        responder(HTTPResponse(status: 404))
    }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        guard let message = try? ClientMessage.decode(bytes) else { return }
        received.add(Received(id: id, message: message))
    }

    /// Answers a hello as a room with nothing but its root would.
    func admit(_ id: ConnectionID) {
        welcome(id, epoch: 0)
        send(.snapshot(Self.snapshot), to: id)
    }

    func welcome(_ id: ConnectionID, epoch: UInt64) {
        var welcome = Welcome()
        welcome.session = "me"
        welcome.resumeToken = "secret"
        welcome.epoch = epoch
        send(.welcome(welcome), to: id)
    }

    static var snapshot: Snapshot {
        let root = ViewRecord(
            number: ViewNumber(1), id: "root", parent: nil,
            frame: QuantisedFrame(x: 0, y: 0, width: 10, height: 10), content: ViewContent())
        var snapshot = Snapshot()
        snapshot.views = [root]
        let prefix = ViewHash.prefix(id: "root", parentID: "", content: root.content)
        snapshot.stateHash = ViewHash.hash(prefix: prefix, frame: root.frame)
        return snapshot
    }
}

@Suite("The client, against a server that plays its part", .serialized)
struct SceneClientTests {
    private func frame(_ tick: UInt64, base: UInt64) -> ServerMessage {
        .frame(FrameDiff(tick: tick, baseTick: base, durableTick: 0))
    }

    /// A server, a client that it let in and that has acknowledged the scene, and the client's
    /// connection.
    private func joined() throws -> (ScriptedServer, SceneClient, ConnectionID) {
        let server = try ScriptedServer.start()
        let client = try SceneClient(SceneClient.Options(url: server.url)) { _ in }
        client.connect()
        let hello = try #require(server.next())
        server.admit(hello.id)
        _ = server.next()
        return (server, client, hello.id)
    }

    @Test("it says hello, acknowledges every eighth frame, and asks for the scene when it is lost")
    func acknowledges() throws {
        let server = try ScriptedServer.start()
        defer { server.stop() }
        let client = try SceneClient(SceneClient.Options(url: server.url)) { _ in }
        client.connect()
        let hello = try #require(server.next())
        guard case .hello(let first) = hello.message else {
            Issue.record("\(hello.message)")
            return
        }
        #expect(first.resume == nil)
        server.admit(hello.id)
        guard case .ack(let initial)? = server.next()?.message else {
            Issue.record("the snapshot was not acknowledged")
            return
        }
        #expect(initial.tick == 0)
        for tick in 1...8 { server.send(frame(UInt64(tick), base: UInt64(tick - 1)), to: hello.id) }
        guard case .ack(let ack)? = server.next()?.message else {
            Issue.record("eight frames were not acknowledged")
            return
        }
        #expect(ack.tick == 8)
        server.send(frame(19, base: 18), to: hello.id)
        guard case .resync(let resync)? = server.next()?.message else {
            Issue.record("a frame on another base was taken")
            return
        }
        #expect(resync.tick == 8)
        client.close()
    }

    @Test("after a cut it comes back as the same client and sends again what was not answered")
    func resumes() throws {
        let (server, client, connection) = try joined()
        defer { server.stop() }
        let sequence = client.send(.array([.object([JSONMember("op", .string("setNeedsLayout"))])]))
        guard case .ops(let sent)? = server.next()?.message else {
            Issue.record("the ops did not come")
            return
        }
        server.close(connection, .draining)
        let again = try #require(server.next())
        guard case .hello(let second) = again.message else {
            Issue.record("\(again.message)")
            return
        }
        #expect(second.resume?.session == "me")
        #expect(second.resume?.token == "secret")
        #expect(second.capabilities & Capability.mergedResume != 0)
        server.admit(again.id)
        var resent: Ops?
        while resent == nil, let received = server.next() {
            if case .ops(let ops) = received.message { resent = ops }
        }
        #expect(resent == sent)
        #expect(sent.clientSequence == sequence)
        client.close()
    }

    /// Once, the client named the second epoch, and was sent what leads on from another state than
    /// it had.
    @Test("after a cut it names the epoch of its state, not that of a connection that brought none")
    func epochOfState() throws {
        let (server, client, first) = try joined()
        defer { server.stop() }
        server.close(first, .draining)
        let second = try #require(server.next())
        server.welcome(second.id, epoch: 7)
        server.close(second.id, .draining)
        let third = try #require(server.next())
        guard case .hello(let hello) = third.message else {
            Issue.record("\(third.message)")
            return
        }
        #expect(hello.resume?.epoch == 0)
        #expect(hello.resume?.lastTick == 0)
        #expect(hello.capabilities & Capability.mergedResume != 0)
        // A frame that fits leads the state it has into the connection's epoch.
        server.welcome(third.id, epoch: 7)
        server.send(frame(3, base: 0), to: third.id)
        server.close(third.id, .draining)
        guard case .hello(let last)? = server.next()?.message else {
            Issue.record("it did not come back")
            return
        }
        #expect(last.resume?.epoch == 7)
        #expect(last.resume?.lastTick == 3)
        client.close()
    }

    @Test("who asked for the past has nothing to go on with after a cut")
    func hasSought() throws {
        let (server, client, connection) = try joined()
        defer { server.stop() }
        for isLive in [false, true] {
            var seek = Seek()
            seek.isLive = isLive
            client.send(seek)
            guard case .seek? = server.next()?.message else {
                Issue.record("the seek did not come")
                return
            }
        }
        server.close(connection, .draining)
        guard case .hello(let second)? = server.next()?.message else {
            Issue.record("it did not come back")
            return
        }
        #expect(second.resume?.session == "me")
        #expect(second.capabilities & Capability.mergedResume == 0)
        client.close()
    }

    @Test("pings are answered, traces are told, and what came is counted")
    func pingsAndTraces() throws {
        let server = try ScriptedServer.start()
        defer { server.stop() }
        let told = Mutex<[String]>([])
        let arrived = DispatchSemaphore(value: 0)
        let client = try SceneClient(SceneClient.Options(url: server.url)) { event in
            switch event {
            case .pong(let pong): told.withLock { $0.append("pong \(pong.t0)") }
            case .trace(let trace): told.withLock { $0.append("trace \(trace.events)") }
            default: return
            }
            arrived.signal()
        }
        client.connect()
        let hello = try #require(server.next())
        server.admit(hello.id)
        _ = server.next()
        var ping = Ping()
        ping.t0 = 77
        client.send(ping)
        guard case .ping(let asked)? = server.next()?.message else {
            Issue.record("the ping did not come")
            return
        }
        var pong = Pong()
        pong.t0 = asked.t0
        server.send(.pong(pong), to: hello.id)
        var trace = Trace()
        trace.events = ["layoutSubviews root"]
        server.send(.trace(trace), to: hello.id)
        for _ in 0..<2 { #expect(arrived.wait(timeout: .now() + 20) == .success) }
        #expect(told.withLock { $0 } == ["pong 77", "trace [\"layoutSubviews root\"]"])
        #expect(client.receivedByteCount > 30)
        client.close()
    }

    @Test("a refusal that would be the same again is the end")
    func refused() throws {
        let server = try ScriptedServer.start()
        defer { server.stop() }
        let ended = DispatchSemaphore(value: 0)
        let client = try SceneClient(SceneClient.Options(url: server.url)) { event in
            if case .ended(4003, _, nil) = event { ended.signal() }
        }
        client.connect()
        let hello = try #require(server.next())
        server.admit(hello.id)
        server.close(hello.id, .forbidden)
        #expect(ended.wait(timeout: .now() + 20) == .success)
        #expect(throws: TransportError.self) {
            _ = try SceneClient(SceneClient.Options(url: "http://nowhere")) { _ in }
        }
    }
}
