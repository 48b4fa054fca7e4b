public import SceneProtocol
import SceneSession
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
    /// Who makes rooms by joining them; through the administrator's API rooms can be made in any case.
    public var roomMakers = RoomMakers.editors
    /// Seconds after which a room without members is let go; it comes back from its journal.
    public var unloadSeconds = 600
    /// Seconds without any change after which a room holds its scene in few bytes; 0 for never.
    public var freezeSeconds = SessionOptions().freezeSeconds
    /// Days for which the journal keeps every record; older ones go, but for what the present is rebuilt from.
    public var retentionDays = 7
    /// The pages that may connect.
    public var origins = OriginPolicy.sameHost
    /// The addresses of proxies whose `X-Forwarded-For` is believed.
    public var trustedProxies: [String] = []
    /// The keys that prove tokens; without any, those on this machine may edit and nobody else is let in.
    public var keys = KeySources()
    /// What anybody may ask.
    public var limits = ServerLimits()
    /// Seconds of silence after which a ping is sent, and half as many more after which a connection counts as dead.
    public var pingSeconds = 30
    /// Threads that serve connections.
    public var loopThreads = 1
    /// Threads that update scenes, 1...64.
    public var sceneThreads = 1

    /// Makes options with defaults.
    public init() {}

    /// Whether the address is this machine's own.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// Who makes rooms by joining them.
public enum RoomMakers: String, CaseIterable, Sendable {
    /// The first editor who joins.
    case editors
    /// Only somebody whose token is an administrator's.
    case administrators
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
    /// A key cannot be used.
    case keys(TokenError)
    /// The port or the certificate cannot be used.
    case transport(TransportError)

    /// What people read.
    public var description: String {
        switch self {
        case .insecureBind(let host):
            "\(host) can be reached from other machines, and everybody there could edit; "
                + "give keys to prove tokens with, or say --insecure-bind if that is wanted"
        case .badOption(let what): what
        case .store(let reason): reason
        case .room(let room, let reason): "room \(room): \(reason)"
        case .keys(let error): error.description
        case .transport(let error): error.description
        }
    }
}
