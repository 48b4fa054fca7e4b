import CLibWebSockets
import CTransportShims
import FoundationEssentials
import Synchronization
import WebSocketAddress

/// Receives a client's events. Called on the client's own thread, and must not block it.
public protocol WebSocketClientHandler: AnyObject, Sendable {
    /// The opening handshake is done.
    func opened(subprotocol: String)
    /// Bytes of a message came, but not its end yet: the server is not silent, only slow.
    func progressed()
    /// A whole message came; text is UTF-8.
    func received(_ kind: MessageKind, _ bytes: [UInt8])
    /// The connection is gone, or never came about; the last call.
    func closed(code: UInt16?, reason: String, error: TransportError?)
}

extension WebSocketClientHandler {
    /// Nothing: for handlers that do not watch how messages arrive.
    public func progressed() {}
}

/// One WebSocket connection to a server, with a thread of its own.
public final class WebSocketClient: Sendable {
    /// The address, and the terms of the connection.
    public struct Options: Sendable {
        /// `ws://host:port/path`, `wss://…`, or `ws+unix:///socket:/path` for a Unix socket.
        public var url: String
        /// The subprotocols to offer, the preferred first.
        public var subprotocols: [String]
        /// Whether any certificate will do, for development.
        public var trustsAnyCertificate = false
        /// A PEM file of certificates to trust besides the system's.
        public var caFile: String?
        /// The certificate and key by which the client shows the server who it is; `nil` for none.
        public var identity: TLSConfiguration?
        /// Seconds in which the connection has to come about.
        public var connectTimeoutSeconds = 5
        /// The longest message that is taken, in bytes.
        public var messageBytesMaximum = 16 << 20
        /// The `Authorization` header to send.
        public var authorization: String?

        /// Makes options with defaults.
        public init(url: String, subprotocols: [String]) {
            self.url = url
            self.subprotocols = subprotocols
        }
    }

    let events = EventLoop<ClientCommand>(name: "websocket-client")
    private let options: Options
    private let url: URLParts
    private let handler: any WebSocketClientHandler

    /// Makes a client that is not connected yet.
    ///
    /// - Throws: `TransportError.badURL`.
    public init(
        _ options: Options, handler: any WebSocketClientHandler
    ) throws(TransportError) {
        guard let url = URLParts(options.url) else { throw .badURL(options.url) }
        self.options = options
        self.url = url
        self.handler = handler
    }

    /// Begins to connect; the handler receives the outcome. Must be called once only.
    public func connect() {
        ClientLoop.start(options, url, handler, on: events)
    }

    /// Sends a message; messages sent before the connection is open leave when it is. From any
    /// thread.
    public func send(_ kind: MessageKind, _ bytes: [UInt8]) {
        events.post(.send(kind, bytes))
    }

    /// Ends the connection after what was sent before has left. From any thread.
    public func close(code: UInt16 = StandardCloseCode.normal, reason: String = "") {
        events.post(.close(code, reason))
    }

    /// Ends the connection, or the attempt at one, at once: what was not sent is dropped, and the
    /// server is told nothing. For servers that do not answer. From any thread.
    public func abandon() { events.post(.abandon) }
}

/// The commands that other threads post to a client's loop.
enum ClientCommand: Sendable {
    case send(MessageKind, [UInt8])
    case close(UInt16, String)
    case abandon
}

/// The client's side of the library's callbacks.
///
/// It is made by `start`, which gives it to the thread of `events`; the callbacks check that they
/// run there.
final class ClientLoop {
    let events: EventLoop<ClientCommand>
    var peerClose: (code: UInt16, reason: String)?

    private let options: WebSocketClient.Options
    private let url: URLParts
    private let handler: any WebSocketClientHandler
    private var wsi: OpaquePointer?
    private var isOpen = false
    private var hasEnded = false
    private var outbox: [(kind: MessageKind, bytes: [UInt8])] = []
    private var incoming: [UInt8] = []
    private var closing: (code: UInt16, reason: String)?
    private let memory = ContextMemory()
    /// Freed with the loop, which lives until the context is destroyed.
    private var tls: ClientTLS?

    private init(
        _ options: WebSocketClient.Options, _ url: URLParts,
        _ handler: any WebSocketClientHandler, _ events: EventLoop<ClientCommand>
    ) {
        self.options = options
        self.url = url
        self.handler = handler
        self.events = events
    }

    /// Makes a context and the loop behind it, and starts the thread of `events` on them. The
    /// handler is told at once where that fails.
    static func start(
        _ options: WebSocketClient.Options, _ url: URLParts,
        _ handler: any WebSocketClientHandler, on events: EventLoop<ClientCommand>
    ) {
        let client = ClientLoop(options, url, handler, events)
        if url.isSecure {
            guard
                let tls = ClientTLS(
                    caFile: options.caFile, trustsAnyCertificate: options.trustsAnyCertificate,
                    identity: options.identity)
            else {
                handler.closed(
                    code: nil, reason: "",
                    error: .tls(
                        "\(options.caFile ?? "") or \(options.identity?.certificatePath ?? "") cannot be read"
                    ))
                return
            }
            client.tls = tls
        }
        guard let context = client.makeContext() else {
            client.memory.free()
            handler.closed(code: nil, reason: "", error: .libraryFailed("no context could be made"))
            return
        }
        events.start(LibraryContext(context: context) { client.memory.free() })
        // Wakes the loop, which connects.
        events.post(.send(.binary, []))
    }

    private func makeContext() -> OpaquePointer? {
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.options = ss_client_options(url.isSecure ? 1 : 0)
        // The thread that runs the context keeps the loop alive.
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.protocols = memory.protocols(options.subprotocols, clientCallback)
        info.pt_serv_buf_size = 64 << 10
        info.connect_timeout_secs = UInt32(clamping: options.connectTimeoutSeconds)
        info.timeout_secs = UInt32(clamping: options.connectTimeoutSeconds)
        tls?.install(in: &info)
        if TransportLog.isSilent { ss_set_log(nil) }
        return lws_create_context(&info)
    }

    // MARK: On the loop's thread

    func takeMail(_ context: OpaquePointer) {
        for command in events.take() {
            switch command {
            case .send(let kind, let bytes):
                if !bytes.isEmpty { outbox.append((kind, bytes)) }
            case .close(let code, let reason): closing = closing ?? (code, reason)
            // The thread ends, and with it the library's context, which closes the socket.
            case .abandon: return ended(error: nil)
            }
        }
        if wsi == nil, !hasEnded {
            guard closing == nil else { return ended(error: nil) }
            connect(context)
        }
        if isOpen, let wsi, !outbox.isEmpty || closing != nil { lws_callback_on_writable(wsi) }
    }

    private func connect(_ context: OpaquePointer) {
        var info = lws_client_connect_info()
        info.context = context
        // The library's mark of a Unix socket.
        info.address = memory.cString(url.socketPath.map { "+" + $0 } ?? url.host)
        info.port = Int32(clamping: url.port)
        info.path = memory.cString(url.path)
        info.host = memory.cString(
            url.socketPath == nil ? "\(url.host):\(url.port)" : url.host)
        info.protocol = memory.cString(options.subprotocols.joined(separator: ", "))
        info.local_protocol_name = memory.cString(options.subprotocols.first ?? "")
        info.ietf_version_or_minus_one = -1
        if url.isSecure {
            info.ssl_connection = ss_client_tls_flags(options.trustsAnyCertificate ? 1 : 0)
            info.alpn = memory.cString("http/1.1")
        }
        wsi = lws_client_connect_via_info(&info)
        if wsi == nil, !hasEnded {
            let place = url.socketPath ?? "\(url.host):\(url.port)"
            ended(error: .cannotConnect("\(place) cannot be reached"))
        }
    }

    func appendHeaders(
        _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int
    ) -> Int32 {
        guard let authorization = options.authorization, let input else { return 0 }
        let place = input.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
        guard let start = place.pointee else { return 0 }
        let bytes = Array(authorization.utf8)
        return lws_add_http_header_by_name(
            wsi, "authorization:", bytes, Int32(bytes.count), place, start + length) == 0 ? 0 : -1
    }

    func opened(_ wsi: OpaquePointer) {
        self.wsi = wsi
        isOpen = true
        let name = lws_get_protocol(wsi).flatMap { $0.pointee.name }.map { String(cString: $0) }
        handler.opened(subprotocol: name ?? "")
        lws_callback_on_writable(wsi)
    }

    /// - Returns: Whether the connection goes on.
    func received(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard incoming.count + bytes.count <= options.messageBytesMaximum else {
            var reason: [UInt8] = Array("message too long".utf8)
            lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, &reason, reason.count)
            return false
        }
        incoming.append(contentsOf: bytes)
        guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else {
            handler.progressed()
            return true
        }
        let message = incoming
        incoming = []
        handler.received(lws_frame_is_binary(wsi) != 0 ? .binary : .text, message)
        return true
    }

    /// Writes one message, which the library frames and masks. Returns whether the connection goes
    /// on.
    func writeable(_ wsi: OpaquePointer) -> Bool {
        guard let (kind, bytes) = outbox.first else {
            guard let closing else { return true }
            var reason = Array(closing.reason.utf8.prefix(123))
            lws_close_reason(wsi, lws_close_status(UInt32(closing.code)), &reason, reason.count)
            return false
        }
        outbox.removeFirst()
        let padding = Int(ss_lws_pre())
        var buffer = [UInt8](repeating: 0, count: padding) + bytes
        let written = buffer.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return -1 }
            return lws_write(
                wsi, base + padding, bytes.count, kind == .text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY)
        }
        guard written >= 0 else { return false }
        if !outbox.isEmpty || closing != nil { lws_callback_on_writable(wsi) }
        return true
    }

    /// Tells the handler once, and ends the thread.
    func ended(error: TransportError?) {
        guard !hasEnded else { return }
        hasEnded = true
        isOpen = false
        handler.closed(code: peerClose?.code, reason: peerClose?.reason ?? "", error: error)
        events.stop()
    }
}
