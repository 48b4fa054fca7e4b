import CLibWebSockets
import CTransportShims
import Foundation
import Synchronization

/// A WebSocket and HTTP server on one port, with a thread of its own.
public final class WebSocketServer: Sendable {
    private let loop: ServerLoop

    /// Makes a server that does not listen yet.
    ///
    /// - Throws: `TransportError.tls` when a certificate or key file cannot be read.
    public init(
        configuration: ServerConfiguration, handler: any TransportHandler
    ) throws(TransportError) {
        if let tls = configuration.tls {
            for path in [tls.certificatePath, tls.privateKeyPath]
            where !FileManager.default.isReadableFile(atPath: path) {
                throw .tls("cannot read \(path)")
            }
        }
        loop = ServerLoop(configuration: configuration, handler: handler)
    }

    /// Listens; returns once connections are accepted.
    ///
    /// - Throws: `TransportError.cannotBind`, `.tls` or `.libraryFailed`.
    public func start() throws(TransportError) {
        try loop.start()
    }

    /// The port that is listened on; 0 before `start`.
    public var port: Int { loop.port.load(ordering: .acquiring) }

    /// Sends one message, framed before, to any number of connections. From any thread.
    public func send(_ message: FramedMessage, to ids: [ConnectionID]) {
        loop.events.post(.send([message], ids))
    }

    /// Sends several messages in one write to any number of connections. From any thread.
    public func send(_ messages: [FramedMessage], to ids: [ConnectionID]) {
        loop.events.post(.send(messages, ids))
    }

    /// Sends one message to one connection. From any thread.
    public func send(_ kind: MessageKind, _ payload: [UInt8], to id: ConnectionID) {
        loop.events.post(.send([FramedMessage(kind, payload)], [id]))
    }

    /// Ends a connection after what was sent to it before has left. From any thread.
    ///
    /// - Parameters:
    ///   - code: 1000...1011 or 3000...4999. RFC 6455, section 7.4.
    ///   - reason: At most 123 bytes are sent.
    public func close(_ id: ConnectionID, code: UInt16, reason: String) {
        loop.events.post(.close(id, code, reason))
    }

    /// Ends all connections, the port and the thread; returns once that is done. Not from the server's own thread.
    public func stop(code: UInt16 = 1001, reason: String = "") {
        loop.events.post(.stop(code, reason))
        loop.events.join()
    }
}

/// What other threads ask of a server's loop.
enum ServerCommand: Sendable {
    case send([FramedMessage], [ConnectionID])
    case close(ConnectionID, UInt16, String)
    case stop(UInt16, String)
}

/// The server's side of the callbacks.
///
/// `@unchecked Sendable`: apart from `events` and `port`, which are safe by themselves, and what is set once before
/// the thread starts, everything is touched on the loop's thread alone.
final class ServerLoop: @unchecked Sendable {
    let configuration: ServerConfiguration
    let handler: any TransportHandler
    let events = EventLoop<ServerCommand>()
    let port = Atomic<Int>(0)

    var connections: [ConnectionID: Connection] = [:]
    /// What was read from the headers of handshakes that are not done yet, by the library's handle.
    var pendingHandshakes: [OpaquePointer: ConnectionInfo] = [:]
    /// Bodies of HTTP responses that are being sent.
    var pendingBodies: [OpaquePointer: ArraySlice<UInt8>] = [:]
    var nextID: UInt64 = 1
    private var stopping: (code: UInt16, reason: String)?
    private let memory = ContextMemory()
    private var retry: UnsafeMutablePointer<lws_retry_bo_t>?

    init(configuration: ServerConfiguration, handler: any TransportHandler) {
        self.configuration = configuration
        self.handler = handler
    }

    func start() throws(TransportError) {
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.options = ss_server_options(configuration.tls == nil ? 0 : 1)
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.timeout_secs = UInt32(clamping: configuration.handshakeTimeoutSeconds)
        info.pt_serv_buf_size = 64 << 10
        info.fd_limit_per_thread = 0
        if TransportLog.isSilent { ss_set_log(nil) }
        guard let context = lws_create_context(&info) else {
            throw .libraryFailed("no context could be made")
        }
        do {
            try listen(context, &info)
        } catch {
            lws_context_destroy(context)
            free()
            throw error
        }
        events.start(context: context, name: "websocket-server") { [self] in free() }
    }

    private func listen(
        _ context: OpaquePointer, _ info: inout lws_context_creation_info
    ) throws(TransportError) {
        info.port = Int32(clamping: configuration.port)
        // Protocol 0 takes plain HTTP; the others are the subprotocols.
        info.protocols = memory.protocols(["http"] + configuration.subprotocols, serverCallback)
        if configuration.host != "0.0.0.0" {
            info.iface = memory.cString(configuration.host)
        }
        info.vhost_name = memory.cString("scenesync")
        info.alpn = memory.cString("http/1.1")
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        policy.pointee.secs_since_valid_ping = UInt16(clamping: configuration.pingIntervalSeconds)
        policy.pointee.secs_since_valid_hangup = UInt16(clamping: configuration.hangUpSeconds)
        retry = policy
        info.retry_and_idle_policy = UnsafePointer(policy)
        if let tls = configuration.tls {
            info.ssl_cert_filepath = memory.cString(tls.certificatePath)
            info.ssl_private_key_filepath = memory.cString(tls.privateKeyPath)
            info.ssl_options_set = ss_tls_options()
        }
        guard let host = lws_create_vhost(context, &info) else {
            if configuration.tls != nil {
                throw .tls("the address, the certificate or the key cannot be used")
            }
            throw .cannotBind(
                host: configuration.host, port: configuration.port, reason: "refused by the system")
        }
        let found = ss_listen_port(host)
        // The library carries on when the port is taken, without listening.
        guard found > 0 else {
            throw .cannotBind(
                host: configuration.host, port: configuration.port,
                reason: "the address is in use or not ours")
        }
        port.store(Int(found), ordering: .releasing)
    }

    private func free() {
        memory.free()
        retry?.deallocate()
        retry = nil
    }

    // MARK: The mailbox

    /// Carries out what other threads asked for: first everything is put into outboxes, then each connection that
    /// got anything is written to once.
    func takeMail() {
        var touched: [ConnectionID] = []
        for command in events.take() {
            switch command {
            case .send(let messages, let ids):
                for id in ids {
                    guard let connection = connections[id], connection.closing == nil else {
                        continue
                    }
                    if connection.outbox.isEmpty { touched.append(id) }
                    for message in messages { connection.enqueue(message) }
                }
            case .close(let id, let code, let reason):
                if let connection = connections[id], connection.closing == nil {
                    connection.closing = (code, reason)
                    lws_callback_on_writable(connection.wsi)
                }
            case .stop(let code, let reason): beginStop(code, reason)
            }
        }
        for id in touched {
            guard let connection = connections[id], !connection.isBlocked else {
                checkOutbox(id)
                continue
            }
            if !connection.flush() { ss_kill(connection.wsi) }
            checkOutbox(id)
        }
        endIfStopped()
    }

    /// Ends a connection that lets too much pile up; memory for one peer is bounded, whatever it does.
    private func checkOutbox(_ id: ConnectionID) {
        guard let connection = connections[id], connection.closing == nil,
            connection.outboxBytes > configuration.outboxBytesMaximum
        else { return }
        connection.dropOutbox()
        connection.closing = (4008, "too slow")
        lws_callback_on_writable(connection.wsi)
        // A peer that reads nothing will never let the close frame through.
        lws_set_timeout(connection.wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
    }

    private func beginStop(_ code: UInt16, _ reason: String) {
        guard stopping == nil else { return }
        stopping = (code, reason)
        for id in connections.keys.sorted() {
            guard let connection = connections[id] else { continue }
            if connection.closing == nil { connection.closing = (code, reason) }
            lws_callback_on_writable(connection.wsi)
            lws_set_timeout(connection.wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
        }
    }

    func endIfStopped() {
        if stopping != nil, connections.isEmpty { events.stop() }
    }

    // MARK: One connection

    func opened(_ wsi: OpaquePointer) {
        guard var info = pendingHandshakes.removeValue(forKey: wsi) else { return }
        info.id = ConnectionID(rawValue: nextID)
        nextID += 1
        let connection = Connection(id: info.id, wsi: wsi)
        connections[info.id] = connection
        lws_set_opaque_user_data(wsi, UnsafeMutableRawPointer(bitPattern: UInt(info.id.rawValue)))
        handler.connectionOpened(info)
        if stopping != nil {
            connection.closing = stopping
            lws_callback_on_writable(wsi)
        }
    }

    func connection(_ wsi: OpaquePointer) -> Connection? {
        guard let raw = lws_get_opaque_user_data(wsi) else { return nil }
        return connections[ConnectionID(rawValue: UInt64(UInt(bitPattern: raw)))]
    }

    /// - Returns: Whether the connection goes on.
    func received(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi), connection.closing == nil else { return true }
        guard connection.incoming.count + bytes.count <= configuration.messageBytesMaximum else {
            close(wsi, 1009, "the longest message is \(configuration.messageBytesMaximum) bytes")
            return false
        }
        connection.incoming.append(contentsOf: bytes)
        guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else {
            return true
        }
        let message = connection.incoming
        connection.incoming = []
        handler.messageReceived(
            connection.id, lws_frame_is_binary(wsi) != 0 ? .binary : .text, message)
        return true
    }

    /// - Returns: Whether the connection goes on.
    func writeable(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi) else { return true }
        let wasBlocked = connection.isBlocked
        connection.isBlocked = false
        guard connection.flush() else { return false }
        guard !connection.isBlocked else { return true }
        if let closing = connection.closing {
            close(wsi, closing.code, closing.reason)
            return false
        }
        if wasBlocked { handler.writable(connection.id) }
        return true
    }

    func closed(_ wsi: OpaquePointer) {
        pendingHandshakes[wsi] = nil
        pendingBodies[wsi] = nil
        guard let connection = connection(wsi) else { return }
        connections[connection.id] = nil
        lws_set_opaque_user_data(wsi, nil)
        handler.connectionClosed(
            connection.id, code: connection.peerClose?.code,
            reason: connection.peerClose?.reason ?? "")
        endIfStopped()
    }

    /// Names the code with which the library ends the connection when the callback says so.
    private func close(_ wsi: OpaquePointer, _ code: UInt16, _ reason: String) {
        var bytes = Array(reason.utf8.prefix(123))
        lws_close_reason(wsi, lws_close_status(UInt32(code)), &bytes, bytes.count)
    }
}
