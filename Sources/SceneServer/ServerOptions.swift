public import SceneProtocol
public import WebSocketTransport

/// How a server runs.
public struct ServerOptions: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 7070
    /// Whether an address beyond this machine may be listened on although nobody has to prove who they are.
    public var allowsInsecureBind = false
    /// Where the journal is; `nil` keeps it in memory.
    public var dataDirectory: String?
    /// The document that fills the room `demo` when that has no journal yet.
    public var scene: SceneDocument?
    /// Update cycles in a second, 1...240.
    public var tickRate = 60
    /// TLS, or `nil` for none.
    public var tls: TLSConfiguration?
    /// The origins that browsers may connect from; `nil` lets all.
    public var allowedOrigins: [String]?
    /// Seconds in which a new connection has to say hello.
    public var helloTimeoutSeconds = 10
    /// The longest message that is taken, in bytes.
    public var messageBytesMaximum = 1 << 20
    /// Seconds after which a room without members is let go; it comes back from its journal.
    public var unloadSeconds = 600
    /// Days for which the journal keeps every record; older ones go, but for what the present is rebuilt from.
    public var retentionDays = 7
    /// Threads that update scenes.
    public var sceneThreads = 1

    /// Makes options with defaults.
    public init() {}

    /// Whether the address is this machine's own.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// Why a server does not start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Others could reach it without proving who they are, and nobody said that this is wanted.
    case insecureBind(host: String)
    /// An option is out of its range.
    case badOption(String)
    /// The journal cannot be used.
    case store(String)
    /// A room cannot be brought back from its journal.
    case room(String, reason: String)
    /// The port or the certificate cannot be used.
    case transport(TransportError)

    /// What people read.
    public var description: String {
        switch self {
        case .insecureBind(let host):
            "\(host) can be reached from other machines, and everybody there could edit; "
                + "say --insecure-bind if that is wanted"
        case .badOption(let what): what
        case .store(let reason): reason
        case .room(let room, let reason): "room \(room): \(reason)"
        case .transport(let error): error.description
        }
    }
}
