import Foundation
import SceneTestSupport
import Synchronization

@testable import WebSocketTransport

/// Answers each message with itself, and keeps what it was told.
final class EchoHandler: TransportHandler {
    enum Event: Sendable {
        case opened(ConnectionInfo)
        case message(ConnectionID, MessageKind, [UInt8])
        case closed(ConnectionID, UInt16?, String)
    }

    let events = EventQueue<Event>()
    let echoes: Bool
    /// Signalled when the loop stands still for a request for `/hold`, and to let it go on.
    let stands = DispatchSemaphore(value: 0)
    let goesOn = DispatchSemaphore(value: 0)
    private let server: WebSocketServer

    init(_ server: WebSocketServer, echoes: Bool = true) {
        self.server = server
        self.echoes = echoes
    }

    func connectionOpened(_ info: ConnectionInfo) { events.add(.opened(info)) }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        events.add(.message(id, kind, bytes))
        if echoes { server.send(kind, bytes, to: id) }
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        events.add(.closed(id, code, reason))
    }

    /// Decisions on bodies for `/guarded` that a test has to make.
    let decisions = EventQueue<(request: HTTPRequest, decide: BodyDecision)>()

    func bodyMaximum(method: String, path: String) -> Int? {
        ["/upload": 100_000, "/guarded": 1_000_000][path]
    }

    func bodyAnnounced(_ request: HTTPRequest, _ decision: BodyDecision) {
        guard request.path == "/guarded" else { return decision(nil) }
        decisions.add((request, decision))
    }

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        switch request.path {
        case "/healthz": responder(.init(status: 200, body: Array("ok \(request.query)\n".utf8)))
        case "/upload", "/guarded": responder(.init(status: 200, body: request.body))
        case "/large": responder(.init(status: 200, body: [UInt8](repeating: 0x61, count: 300_000)))
        case "/later":
            DispatchQueue.global().async {
                responder(.init(status: 200, body: Array("later".utf8)))
            }
        case "/hold":
            stands.signal()
            goesOn.wait()
            responder(.init(status: 200))
        default: responder(.init(status: 404))
        }
    }

    /// The next connection that is opened, other events aside.
    func nextOpened() -> ConnectionInfo? {
        while let event = events.next() {
            if case .opened(let info) = event { return info }
        }
        return nil
    }

    func nextClosed() -> (id: ConnectionID, code: UInt16?, reason: String)? {
        while let event = events.next() {
            if case .closed(let id, let code, let reason) = event { return (id, code, reason) }
        }
        return nil
    }
}

/// A client whose events a test can wait for.
final class TestClient: WebSocketClientHandler {
    enum Event: Sendable, Equatable {
        case opened(String)
        case received(MessageKind, [UInt8])
        case closed(UInt16?, String, TransportError?)
    }

    let events = EventQueue<Event>()

    func opened(subprotocol: String) { events.add(.opened(subprotocol)) }
    func received(_ kind: MessageKind, _ bytes: [UInt8]) { events.add(.received(kind, bytes)) }
    func closed(code: UInt16?, reason: String, error: TransportError?) {
        events.add(.closed(code, reason, error))
    }
}

/// A running echo server on a free port.
struct TestServer {
    let server: WebSocketServer
    let handler: EchoHandler

    init(echoes: Bool = true, _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration(subprotocols: ["echo.v1", "echo.v2"])
        configuration.port = 0
        // A machine that stands still for some seconds is no fault of a handshake.
        configuration.handshakeTimeoutSeconds = 60
        change(&configuration)
        server = try WebSocketServer(configuration: configuration)
        handler = EchoHandler(server, echoes: echoes)
        try server.start(handler: handler)
    }

    var url: String { "ws://127.0.0.1:\(server.port)/room?a=1" }

    func connect(
        _ url: String? = nil, _ change: (inout WebSocketClient.Options) -> Void = { _ in }
    ) throws -> (client: WebSocketClient, events: TestClient) {
        var options = WebSocketClient.Options(url: url ?? self.url, subprotocols: ["echo.v1"])
        options.connectTimeoutSeconds = 60
        change(&options)
        let events = TestClient()
        let client = try WebSocketClient(options, handler: events)
        client.connect()
        return (client, events)
    }
}

extension TCPSocket {
    /// An opening handshake with the headers given on top; returns the response's head.
    func handshake(
        path: String = "/room", subprotocol: String? = "echo.v1", version: String = "13",
        extra: String = ""
    ) -> String {
        send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: \(version)\r\n"
                + (subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "") + extra + "\r\n")
        return String(decoding: read(until: Array("\r\n\r\n".utf8)), as: UTF8.self)
    }

    /// Sends a masked frame. RFC 6455, section 5.
    func sendFrame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) {
        let mask: [UInt8] = [1, 2, 3, 4]
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else if payload.count < 65_536 {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            bytes.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        send(bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] })
    }
}
