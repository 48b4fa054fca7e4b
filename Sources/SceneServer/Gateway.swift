import ConstraintLanguage
import Foundation
import Logging
import SceneProtocol
import SceneSession
import Synchronization
import WebSocketTransport

/// Where connections meet rooms: reads messages, lets in whoever says hello, and passes the rest to the room's
/// thread.
///
/// Handler calls come on the transport's thread alone; the deadlines are looked after by a thread of their own, so
/// the table is behind a mutex.
final class Gateway: TransportHandler {
    private struct Peer {
        var info: ConnectionInfo
        var format: Subprotocol
        var room: String
        var hasSaidHello = false
        var deadline: UInt64
    }

    private struct Table {
        var peers: [ConnectionID: Peer] = [:]
    }

    /// What the gateway needs from the server.
    struct Outlets: Sendable {
        var send: @Sendable (ConnectionID, [UInt8], Subprotocol) -> Void
        var close: @Sendable (ConnectionID, CloseCode, String) -> Void
        var thread: @Sendable (_ room: String) -> SceneThread?
        var isReady: @Sendable () -> Bool
    }

    private let options: ServerOptions
    private let metrics: ServerMetrics
    private let logger: Logger
    private let table = Mutex(Table())
    private let outlets = Mutex<Outlets?>(nil)

    init(options: ServerOptions, metrics: ServerMetrics, logger: Logger) {
        self.options = options
        self.metrics = metrics
        self.logger = logger
    }

    func use(_ outlets: Outlets) { self.outlets.withLock { $0 = outlets } }

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: Connections

    func connectionOpened(_ info: ConnectionInfo) {
        metrics.connections.wrappingAdd(1, ordering: .relaxed)
        let room = String(info.path.drop { $0 == "/" })
        let format = Subprotocol(rawValue: info.subprotocol) ?? .binary
        let peer = Peer(
            info: info, format: format, room: room,
            deadline: now + UInt64(options.helloTimeoutSeconds) * 1_000_000_000)
        table.withLock { $0.peers[info.id] = peer }
        if !Identifier.isValid(room) {
            refuse(
                info.id, peer, .noSuchSession,
                "a room's address is \(info.isSecure ? "wss" : "ws")://HOST:PORT/ROOM")
        }
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        metrics.connections.wrappingSubtract(1, ordering: .relaxed)
        guard let peer = table.withLock({ $0.peers.removeValue(forKey: id) }) else { return }
        thread(peer.room)?.post(.left(room: peer.room, MemberID(id.rawValue)))
    }

    func writable(_ id: ConnectionID) {}

    /// Ends connections that did not say hello in time. To be called now and then.
    func checkDeadlines() {
        let late = table.withLock { table in
            table.peers.filter { !$0.value.hasSaidHello && $0.value.deadline < now }
        }
        for (id, peer) in late.sorted(by: { $0.key < $1.key }) {
            refuse(id, peer, .unauthenticated, "no hello within \(options.helloTimeoutSeconds) s")
        }
    }

    private func thread(_ room: String) -> SceneThread? {
        outlets.withLock { $0 }?.thread(room)
    }

    // MARK: Messages

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        metrics.messagesReceived.add()
        guard let peer = table.withLock({ $0.peers[id] }) else { return }
        let message: ClientMessage
        do {
            message = try decode(bytes, kind, peer.format)
        } catch  where error.isIgnorable {
            return
        } catch {
            metrics.badMessages.add()
            refuse(id, peer, .badFrame, "\(error)")
            return
        }
        switch (message, peer.hasSaidHello) {
        case (.hello(let hello), false): greet(id, peer, hello)
        case (_, false): refuse(id, peer, .unauthenticated, "the first message has to be hello")
        case (.ping(let ping), true): answer(ping, id, peer)
        case (_, true):
            thread(peer.room)?.post(
                .message(room: peer.room, MemberID(id.rawValue), message))
        }
    }

    private func decode(
        _ bytes: [UInt8], _ kind: MessageKind, _ format: Subprotocol
    ) throws(GatewayError) -> ClientMessage {
        do {
            switch (format, kind) {
            case (.binary, .binary): return try ClientMessage.decode(bytes)
            case (.json, .text): return try ClientMessage.decode(json: bytes)
            case (.binary, .text):
                throw GatewayError.wrongKind("scenesync.v1.bin speaks in binary messages")
            case (.json, .binary):
                throw GatewayError.wrongKind("scenesync.v1.json speaks in text messages")
            }
        } catch let error as DecodeError {
            throw .undecodable(error)
        } catch let error as GatewayError {
            throw error
        } catch {
            throw .wrongKind("\(error)")
        }
    }

    private func greet(_ id: ConnectionID, _ peer: Peer, _ hello: Hello) {
        guard hello.room.isEmpty || hello.room == peer.room else {
            refuse(
                id, peer, .noSuchSession, "the address says \(peer.room), hello says \(hello.room)")
            return
        }
        table.withLock { $0.peers[id]?.hasSaidHello = true }
        thread(peer.room)?.post(
            .join(
                room: peer.room, MemberID(id.rawValue),
                .init(role: role(hello.role, peer), format: peer.format, hello: hello)))
    }

    /// Without keys to check, those on this machine are what they ask to be; others too, where the server was told
    /// that it may be reached by them.
    private func role(_ wanted: Role, _ peer: Peer) -> Role {
        peer.info.isLoopback || options.allowsInsecureBind ? wanted : .viewer
    }

    private func answer(_ ping: Ping, _ id: ConnectionID, _ peer: Peer) {
        var pong = Pong()
        pong.t0 = ping.t0
        pong.t1 = now / 1000
        pong.t2 = pong.t1
        send(.pong(pong), to: id, peer)
    }

    private func send(_ message: ServerMessage, to id: ConnectionID, _ peer: Peer) {
        outlets.withLock { $0 }?.send(id, Wire.encode(message, peer.format), peer.format)
    }

    /// Says why, then ends the connection.
    private func refuse(_ id: ConnectionID, _ peer: Peer, _ code: CloseCode, _ text: String) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = text
        send(.error(error), to: id, peer)
        outlets.withLock { $0 }?.close(id, code, text)
        logger.debug("connection \(id.rawValue) from \(peer.info.remoteAddress): \(text)")
    }

    // MARK: HTTP

    func httpRequest(_ request: HTTPRequest) -> HTTPResponse {
        let isReady = outlets.withLock { $0 }?.isReady() ?? false
        switch request.path {
        case "/healthz": return text(200, "ok\n")
        case "/readyz": return isReady ? text(200, "ready\n") : text(503, "not ready\n")
        case "/metrics":
            return HTTPResponse(
                status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(metrics.text().utf8))
        case "/":
            return text(
                200,
                """
                SceneSync \(sceneSyncVersion)

                A room is at ws://HOST:PORT/ROOM on this address. Watch one with
                    scenesync view ws://HOST:PORT/demo

                """)
        default: return text(404, "nothing here\n")
        }
    }

    private func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(
            status: status, body: Array(body.utf8),
            headers: [("x-content-type-options", "nosniff"), ("cache-control", "no-store")])
    }
}

/// Why a message was not taken.
enum GatewayError: Error, CustomStringConvertible {
    case wrongKind(String)
    case undecodable(DecodeError)

    /// Whether the message is of a later version and may be passed over.
    var isIgnorable: Bool {
        if case .undecodable(let error) = self { error.isIgnorable } else { false }
    }

    var description: String {
        switch self {
        case .wrongKind(let what): what
        case .undecodable(let error): "the message cannot be read: \(error)"
        }
    }
}
