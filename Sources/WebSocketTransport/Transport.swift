/// WebSocket connections (RFC 6455) and plain HTTP on one port, over libwebsockets and OpenSSL.
///
/// The module handles connections, messages, bytes and HTTP responses, and does not interpret their
/// content. Each server and each client owns one thread, on which libwebsockets runs and all
/// handler calls are made; every other call may come from any thread and is queued for that one. No
/// C pointer leaves the module.

/// One connection of a server; never used twice.
public struct ConnectionID: Hashable, Comparable, Sendable {
    /// The number behind it, from 1.
    public let rawValue: UInt64

    /// Makes an id from a number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Earlier connections come first.
    public static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What a message is sent as. RFC 6455, section 5.6.
public enum MessageKind: Sendable {
    /// UTF-8 text.
    case text
    /// Any bytes.
    case binary
}

/// What is known of a connection when its opening handshake is done.
public struct ConnectionInfo: RequestSource, Sendable {
    /// Its name from now on.
    public var id: ConnectionID
    /// The path that was asked for, without the query, as it was sent.
    public var path: String
    /// What followed the `?`, if anything.
    public var query: String
    /// The subprotocol that was agreed on.
    public var subprotocol: String
    /// The peer's address, or the one that a trusted proxy named.
    public var remoteAddress: String
    /// Whether the peer is on this machine and acts for itself: a request that a proxy passes on
    /// never counts as local.
    public var isLoopback: Bool
    /// Whether TLS is in use.
    public var isSecure: Bool
    /// The `Host` header: the name by which the client calls this server.
    public var host: String
    /// The `Origin` header, which browsers send.
    public var origin: String?
    /// The `Authorization` header.
    public var authorization: String?
    /// The name in the client's certificate, if it has one that was verified; see
    /// `ss_tls_peer_name`.
    public var certificateName: String?
}

/// Where the certificate and its key are, as PEM files.
public struct TLSConfiguration: Sendable, Equatable {
    /// The certificate, followed by those that signed it.
    public var certificatePath: String
    /// The certificate's private key.
    public var privateKeyPath: String
    /// A PEM file with the certificates that sign clients' certificates; `nil` where clients need
    /// none and are asked for none.
    public var clientAuthoritiesPath: String?
    /// Whether clients without a certificate are refused in the handshake.
    public var requiresClientCertificate = true

    /// Makes a configuration.
    public init(certificatePath: String, privateKeyPath: String) {
        self.certificatePath = certificatePath
        self.privateKeyPath = privateKeyPath
    }
}

/// How a server listens, and its limits.
public struct ServerConfiguration: Sendable {
    /// The address to listen on; `0.0.0.0` means all of IPv4, `::` all.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 7070
    /// The addresses to listen on in place of `host` and `port`, where there are any.
    public var listeners: [ListenAddress] = []
    /// The subprotocols that may be agreed on, the preferred first.
    public var subprotocols: [String]
    /// TLS, or `nil` for none.
    public var tls: TLSConfiguration?
    /// The longest message that is taken, in bytes; a longer one closes with 1009.
    public var messageBytesMaximum = 1 << 20
    /// The longest message of a connection that `WebSocketServer.admit` was not called for, in
    /// bytes, where that is less. Each client can make the server hold this much memory by opening
    /// a connection.
    public var firstMessageBytesMaximum = Int.max
    /// The origins that browsers may connect from.
    public var origins = OriginPolicy.sameHost
    /// The addresses of proxies whose `X-Forwarded-For` is believed.
    public var trustedProxies: [String] = []
    /// WebSocket connections at one time; more are answered with 503.
    public var connectionsMaximum = 10_000
    /// The limits of each address; what exceeds them is answered with 429.
    public var eachAddress = AddressLimits()
    /// The same of the addresses that are this machine's own.
    public var thisMachine = AddressLimits()
    /// Sockets at one time that are not WebSocket connections, such as requests and unfinished
    /// handshakes; more are refused as they are accepted.
    public var requestsMaximum = 10_000
    /// Bytes that may wait for one connection; a connection with more is closed with
    /// `slowPeerCloseCode`.
    public var outboxBytesMaximum = 4 << 20
    /// Bytes that may wait in all, each message counted once for all connections that it waits for.
    /// Beyond it, connections with more than 64 KiB waiting are closed with `slowPeerCloseCode`.
    public var allOutboxesBytesMaximum = Int.max
    /// The code with which a connection is closed whose peer reads too slowly or does not complete
    /// a message.
    public var slowPeerCloseCode = StandardCloseCode.policyViolation
    /// Seconds in which an opening handshake or a request has to be done.
    public var handshakeTimeoutSeconds = 10
    /// Seconds in which a message has to be complete, from its first byte.
    public var messageTimeoutSeconds = 30
    /// Seconds in which a peer has to take something of what waits for it.
    public var writeTimeoutSeconds = 30
    /// Seconds of silence after which a ping is sent.
    public var pingIntervalSeconds = 30
    /// Seconds of silence after which a connection counts as dead.
    public var hangUpSeconds = 45
    /// The longest request body that the handler may ask for, in bytes.
    public var bodyBytesMaximum = 1 << 20
    /// Threads that serve connections, 1...64.
    public var loopThreads = 1
    /// Connections that a message is written to before received bytes are read again; 128 take
    /// about a millisecond. Members of other rooms on the thread of a large room wait no longer
    /// than that.
    public var writesAtOnce = 128

    /// Makes a configuration with defaults.
    public init(subprotocols: [String]) {
        self.subprotocols = subprotocols
    }
}

/// Which pages may connect. Connections without an `Origin` are no browsers and always may. RFC
/// 6455, section 10.2.
public enum OriginPolicy: Sendable, Equatable {
    /// Pages of the host that is connected to, and pages of this machine.
    case sameHost
    /// These origins alone, such as `https://example.org`.
    case only([String])
    /// All pages.
    case any

    /// Whether a page may connect.
    ///
    /// - Parameters:
    ///   - origin: The `Origin` header.
    ///   - host: The `Host` header.
    func allows(_ origin: String, host: String) -> Bool {
        switch self {
        case .any: return true
        case .only(let list): return list.contains(origin)
        case .sameHost:
            guard let scheme = origin.firstRange(of: "://") else { return false }
            let authority = origin[scheme.upperBound...]
            if authority.lowercased() == host.lowercased() { return true }
            return Authority(origin: origin).isLoopback
        }
    }

    /// Whether the settings allow the origin, by name or with all others.
    func lists(_ origin: String) -> Bool {
        switch self {
        case .any: true
        case .only(let list): list.contains(origin)
        case .sameHost: false
        }
    }
}

/// Receives a server's events. Called on the threads of the server, one connection always on the
/// same, and must not block them.
public protocol TransportHandler: AnyObject, Sendable {
    /// An opening handshake is done.
    func connectionOpened(_ info: ConnectionInfo)
    /// A whole message came; text is UTF-8.
    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8])
    /// A connection is over: nothing comes from it any more, and what is sent to it may be lost.
    /// Told once, before the peer can see the server's close frame; the socket may stay for some
    /// seconds, until the peer has answered.
    ///
    /// `code` is what the peer said, if it was the one who closed and said anything.
    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String)
    /// How many bytes of body a request may bring; without a body maximum a request with one is
    /// refused with 405.
    func bodyMaximum(method: String, path: String) -> Int?
    /// A request's head announces a body, which is not read until the handler has decided, at once
    /// or later.
    func bodyAnnounced(_ request: HTTPRequest, _ decision: BodyDecision)
    /// A plain HTTP request came, and is answered through the responder, at once or later.
    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder)
}

extension TransportHandler {
    /// No request may bring a body.
    public func bodyMaximum(method: String, path: String) -> Int? { nil }

    /// Every body within the maximum is taken.
    public func bodyAnnounced(_ request: HTTPRequest, _ decision: BodyDecision) { decision(nil) }
}

/// What can go wrong with a transport.
public enum TransportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not a `ws://` or `wss://` address.
    case badURL(String)
    /// The address cannot be listened on.
    case cannotBind(host: String, port: Int, reason: String)
    /// A socket cannot be listened on.
    case cannotListen(String, reason: String)
    /// The peer cannot be reached, or refused.
    case cannotConnect(String)
    /// A certificate or key cannot be used.
    case tls(String)
    /// libwebsockets failed.
    case libraryFailed(String)

    /// What people read.
    public var description: String {
        switch self {
        case .badURL(let url): "\(url) is no ws:// or wss:// address"
        case .cannotBind(let host, let port, let reason):
            "cannot listen on \(host):\(port): \(reason)"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .cannotConnect(let reason): "cannot connect: \(reason)"
        case .tls(let reason): "TLS: \(reason)"
        case .libraryFailed(let reason): "libwebsockets: \(reason)"
        }
    }
}
