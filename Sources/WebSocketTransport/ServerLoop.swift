import CLibWebSockets
import CTransportShims
import FoundationEssentials
import Glibc

/// The server's side of the library's callbacks on one thread.
///
/// It is made by `start`, which gives it to the thread of `events`; the callbacks check that they run there.
final class ServerLoop {
    let configuration: ServerConfiguration
    let admissions: Admissions
    let handler: any TransportHandler
    let events: EventLoop<ServerCommand>

    /// All sockets, whatever they are at present.
    var sockets: [ConnectionID: Connection] = [:]
    /// Requests that were read, which numbers them.
    var exchanges: UInt64 = 0
    /// The message that is on its way to most members, while others have their turn.
    var broadcast: Broadcast?
    private var stopping: (code: UInt16, reason: String)?
    private var host: OpaquePointer?
    /// OpenSSL's context behind the port, as the library shows it when it makes it.
    var secureContext: UnsafeMutableRawPointer?
    private let memory = ContextMemory()
    private var retry: UnsafeMutablePointer<lws_retry_bo_t>?
    /// Seconds of the last sweep.
    private(set) var now = MonotonicClock.seconds

    private init(
        _ configuration: ServerConfiguration, _ admissions: Admissions,
        _ handler: any TransportHandler, _ events: EventLoop<ServerCommand>
    ) {
        self.configuration = configuration
        self.admissions = admissions
        self.handler = handler
        self.events = events
    }

    /// Makes a context and the loop behind it, and starts the thread of `events` on them.
    ///
    /// - Throws: `TransportError.tls` or `.libraryFailed`; the thread has not started then.
    static func start(
        _ configuration: ServerConfiguration, _ admissions: Admissions,
        _ handler: any TransportHandler, on events: EventLoop<ServerCommand>
    ) throws(TransportError) {
        let server = ServerLoop(configuration, admissions, handler, events)
        events.start(try server.makeContext())
    }

    private func makeContext() throws(TransportError) -> LibraryContext {
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.options = ss_server_options(configuration.tls == nil ? 0 : 1)
        // The thread that runs the context keeps the loop alive.
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.timeout_secs = UInt32(clamping: configuration.handshakeTimeoutSeconds)
        info.pt_serv_buf_size = 64 << 10
        info.fd_limit_per_thread = 0
        if TransportLog.isSilent { ss_set_log(nil) }
        let (made, loop) = Self.makeContext(&info)
        guard let context = made else { throw .libraryFailed("no context could be made") }
        do {
            try makeHost(context, &info)
        } catch {
            lws_context_destroy(context)
            if let loop { ss_loop_free(loop) }
            free()
            throw error
        }
        return LibraryContext(context: context, loop: loop) { [self] in free() }
    }

    /// A context on libev's loop, which costs the same however many connections are silent; or on the library's own,
    /// which looks at every one at each wake-up, where libev's part of the library is not installed.
    private static func makeContext(
        _ info: inout lws_context_creation_info
    ) -> (context: OpaquePointer?, loop: UnsafeMutableRawPointer?) {
        if let loop = ss_loop_new() {
            var loops: [UnsafeMutableRawPointer?] = [loop]
            let context = loops.withUnsafeMutableBufferPointer { loops in
                info.options |= ss_libev_option()
                info.foreign_loops = loops.baseAddress
                defer {
                    info.options &= ~ss_libev_option()
                    info.foreign_loops = nil
                }
                return lws_create_context(&info)
            }
            if let context { return (context, loop) }
            ss_loop_free(loop)
        }
        return (lws_create_context(&info), nil)
    }

    private func makeHost(
        _ context: OpaquePointer, _ info: inout lws_context_creation_info
    ) throws(TransportError) {
        info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        // Protocol 0 takes plain HTTP; the others are the subprotocols.
        info.protocols = memory.protocols(["http"] + configuration.subprotocols, serverCallback)
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
            // Forward secrecy and authenticated encryption alone; TLS 1.3 has nothing else.
            info.ssl_cipher_list = memory.cString("ECDHE+AESGCM:ECDHE+CHACHA20")
        }
        guard let host = lws_create_vhost(context, &info) else {
            if configuration.tls != nil { throw .tls("the certificate or the key cannot be used") }
            throw .libraryFailed("no virtual host could be made")
        }
        self.host = host
    }

    /// Keeps OpenSSL's context and limits its memory. Called while the virtual host is made.
    func secured(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        secureContext = context
        ss_tls_prepare(OpaquePointer(context))
    }

    private func free() {
        memory.free()
        retry?.deallocate()
        retry = nil
    }

    // MARK: Peers that hold something up

    /// A connection that may be written to.
    func receiver(_ id: ConnectionID) -> Connection? {
        guard let connection = sockets[id], connection.isOpen, connection.closing == nil else {
            return nil
        }
        return connection
    }

    func kill(_ connection: Connection) {
        if let wsi = connection.wsi { ss_kill(wsi) }
    }

    /// Bytes of an outbox that nobody minds, however much waits in all.
    private static let smallOutboxBytes = 64 << 10

    /// Ends a connection whose outbox has grown too large, so that the memory for one peer is bounded, and where all outboxes
    /// together have, the memory for all of them.
    func checkOutbox(_ connection: Connection) {
        let areTooMany = FramedMessage.liveByteCount > configuration.allOutboxesBytesMaximum
        let maximum =
            areTooMany
            ? min(Self.smallOutboxBytes, configuration.outboxBytesMaximum)
            : configuration.outboxBytesMaximum
        guard connection.closing == nil, connection.outboxBytes > maximum else { return }
        giveUp(connection)
    }

    private func giveUp(_ connection: Connection) {
        connection.dropOutbox()
        connection.closing = (configuration.slowPeerCloseCode, "too slow")
        guard let wsi = connection.wsi else { return }
        lws_callback_on_writable(wsi)
        // A peer that reads nothing will never let the close frame through.
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
    }

    /// Ends the connections of peers that hold something up: those that read nothing of their outbox, those that do not
    /// complete a message, and those that do not complete a request or a handshake, for which the library would wait as
    /// long as a byte comes now and then.
    func sweep(_ seconds: UInt32) {
        now = seconds
        let limits = (
            write: UInt32(clamping: configuration.writeTimeoutSeconds),
            message: UInt32(clamping: configuration.messageTimeoutSeconds),
            request: UInt32(clamping: configuration.handshakeTimeoutSeconds)
        )
        var slow: [Connection] = []
        for connection in sockets.values {
            guard connection.isOpen else {
                if now &- connection.requestSince > limits.request { kill(connection) }
                continue
            }
            let isLate =
                connection.isBlocked && now &- connection.blockedSince > limits.write
                || !connection.incoming.isEmpty
                    && now &- connection.incomingSince > limits.message
            if isLate, connection.closing == nil { slow.append(connection) }
        }
        for connection in slow.sorted(by: { $0.id < $1.id }) {
            giveUp(connection)
        }
    }

    func beginStop(_ code: UInt16, _ reason: String) {
        guard stopping == nil else { return }
        stopping = (code, reason)
        for id in sockets.keys.sorted() {
            guard let connection = sockets[id], let wsi = connection.wsi else { continue }
            if connection.isOpen {
                if connection.closing == nil { connection.closing = (code, reason) }
                lws_callback_on_writable(wsi)
                lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
            } else {
                lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 1)
            }
        }
    }

    func endIfStopped() {
        if stopping != nil, sockets.isEmpty { events.stop() }
    }

    // MARK: One connection

    func adopt(_ descriptor: Int32, _ id: ConnectionID, _ address: String) {
        guard stopping == nil, let host else {
            Glibc.close(descriptor)
            admissions.removeSocket(address)
            return
        }
        let connection = Connection(id: id, address: address, now: now)
        sockets[id] = connection
        var info = lws_adopt_desc_t()
        info.vh = host
        info.type = ss_adoption_type()
        info.fd.sockfd = descriptor
        info.opaque = Unmanaged.passUnretained(connection).toOpaque()
        // Whatever goes wrong, the library closes the descriptor.
        let wsi = lws_adopt_descriptor_vhost_via_info(&info)
        if let wsi {
            connection.wsi = wsi
        } else {
            forget(connection)
        }
    }

    /// The connection behind a handle of the library's.
    func connection(_ wsi: OpaquePointer) -> Connection? {
        guard let raw = lws_get_opaque_user_data(wsi) else { return nil }
        return Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue()
    }

    func opened(_ wsi: OpaquePointer) {
        guard let connection = connection(wsi), let info = connection.handshake else { return }
        connection.wsi = wsi
        connection.isOpen = true
        connection.handshake = nil
        handler.connectionOpened(info)
        if stopping != nil {
            connection.closing = stopping
            lws_callback_on_writable(wsi)
        }
    }

    /// Takes a piece of a message. Length and text are checked piece by piece, so that a bad message fails before it is
    /// complete.
    ///
    /// - Returns: Whether the connection goes on.
    func received(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi), connection.closing == nil,
            !connection.hasPeerClosed
        else { return true }
        connection.heardAt = MonotonicClock.nanoseconds
        let isLast = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
        let kind: MessageKind = lws_frame_is_binary(wsi) != 0 ? .binary : .text
        let maximum =
            connection.isAdmitted
            ? configuration.messageBytesMaximum
            : min(configuration.messageBytesMaximum, configuration.firstMessageBytesMaximum)
        guard connection.incoming.count + bytes.count <= maximum else {
            close(
                wsi, StandardCloseCode.messageTooBig, "the longest message is \(maximum) bytes")
            return false
        }
        if kind == .text {
            guard connection.text.take(bytes), !isLast || connection.text.isComplete else {
                close(wsi, StandardCloseCode.invalidPayload, "not UTF-8")
                return false
            }
        }
        if isLast, connection.incoming.isEmpty {
            handler.messageReceived(connection.id, kind, Array(bytes))
            return true
        }
        if connection.incoming.isEmpty { connection.incomingSince = now }
        connection.incoming.append(contentsOf: bytes)
        guard isLast else { return true }
        let message = connection.incoming
        connection.incoming = []
        handler.messageReceived(connection.id, kind, message)
        return true
    }

    /// Notes the peer's close code and reason; the library answers. RFC 6455, sections 5.5.1 and 7.4.
    ///
    /// - Returns: False when they are not allowed, and the connection fails.
    func peerCloses(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi) else { return true }
        connection.hasPeerClosed = true
        guard !bytes.isEmpty else { return true }
        guard bytes.count >= 2 else {
            close(wsi, StandardCloseCode.protocolError, "half a code")
            return false
        }
        let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        var reason = UTF8Checker()
        guard reason.take(UnsafeRawBufferPointer(rebasing: bytes[2...])), reason.isComplete else {
            close(wsi, StandardCloseCode.invalidPayload, "not UTF-8")
            return false
        }
        guard code < 5000 else {
            close(wsi, StandardCloseCode.protocolError, "no such code")
            return false
        }
        connection.peerClose = (code, String(decoding: bytes[2...], as: UTF8.self))
        return true
    }

    /// - Returns: Whether the connection goes on.
    func writeable(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi) else { return true }
        connection.isBlocked = false
        connection.blockedSince = now
        var joined = JoinedMessages()
        guard connection.flush(&joined, now: now) else { return false }
        guard !connection.isBlocked else { return true }
        if let closing = connection.closing {
            close(wsi, closing.code, closing.reason)
            return false
        }
        return true
    }

    /// The library's handle is about to go.
    func destroyed(_ wsi: OpaquePointer) {
        guard let connection = connection(wsi) else { return }
        lws_set_opaque_user_data(wsi, nil)
        forget(connection)
        endIfStopped()
    }

    private func forget(_ connection: Connection) {
        guard sockets.removeValue(forKey: connection.id) != nil else { return }
        if connection.isCounted { admissions.removeConnection(connection.address) }
        admissions.removeSocket(connection.socketAddress)
        connection.wsi = nil
        guard connection.isOpen else { return }
        handler.connectionClosed(
            connection.id, code: connection.peerClose?.code,
            reason: connection.peerClose?.reason ?? "")
    }

    /// Names the code with which the library ends the connection when the callback says so.
    private func close(_ wsi: OpaquePointer, _ code: UInt16, _ reason: String) {
        var bytes = Array(reason.utf8.prefix(123))
        lws_close_reason(wsi, lws_close_status(UInt32(code)), &bytes, bytes.count)
    }
}
