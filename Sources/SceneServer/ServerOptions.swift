public import SceneProtocol
import SceneSession
public import WebSocketTransport

/// The options of a server.
public struct ServerOptions: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 7070
    /// Whether an address beyond this machine may be listened on without keys.
    public var allowsInsecureBind = false
    /// The journal's directory; `nil` keeps the journal in memory.
    public var dataDirectory: String?
    /// The document that fills the room `demo` when that has no journal yet.
    public var scene: SceneDocument?
    /// Update cycles in a second, 1...240.
    public var tickRate = 60
    /// TLS, or `nil` for none.
    public var tls: TLSConfiguration?
    /// The members that create rooms by joining them; the administrator's API creates rooms in any case.
    public var roomMakers = RoomMakers.editors
    /// Seconds after which a room without members is unloaded; its journal brings it back.
    public var unloadSeconds = 600
    /// Seconds without a change after which a room keeps its scene as bytes; 0 for never.
    public var freezeSeconds = SessionOptions().freezeSeconds
    /// Days for which the journal keeps every record; of older ones it keeps those that the present is rebuilt from.
    public var retentionDays = 7
    /// Where events are recorded; `nil` for nowhere.
    public var eventRecords: EventRecordOptions?
    /// The pages that may connect.
    public var origins = OriginPolicy.sameHost
    /// The addresses of proxies whose `X-Forwarded-For` header is trusted.
    public var trustedProxies: [String] = []
    /// The keys that prove tokens; without any, clients on this machine may edit, and others are refused unless
    /// `allowsInsecureBind`.
    public var keys = KeySources()
    /// The limits of connections and rooms.
    public var limits = ServerLimits()
    /// Seconds of silence after which a ping is sent, and half as many more after which a connection counts as dead.
    public var pingSeconds = 30
    /// Threads that serve connections.
    public var loopThreads = 1
    /// Threads that update scenes, 1...64.
    public var sceneThreads = 1

    /// Where the server is a preview of a document: what is wrong with that, for the page at `/preview.json`.
    public var preview: PreviewStatus?

    /// Makes options with defaults.
    public init() {}

    /// Whether the address is this machine's own.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// The members that create rooms by joining them.
public enum RoomMakers: String, CaseIterable, Sendable {
    /// The first editor that joins.
    case editors
    /// Members whose token is an administrator's.
    case administrators
}

/// The reason for which a server does not start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Other machines could reach the server without keys, and no option allows that.
    case insecureBind(host: String)
    /// An option is out of its range.
    case badOption(String)
    /// The journal cannot be used.
    case store(String)
    /// Events cannot be recorded where they are to be.
    case records(String)
    /// A room cannot be brought back from its journal.
    case room(String, reason: String)
    /// A key cannot be used.
    case keys(TokenError)
    /// The port or the certificate cannot be used.
    case transport(TransportError)

    /// The text for people.
    public var description: String {
        switch self {
        case .insecureBind(let host):
            "\(host) can be reached from other machines, and every client there could edit; "
                + "give keys to prove tokens with, or --insecure-bind to allow that"
        case .badOption(let what): what
        case .store(let reason), .records(let reason): reason
        case .room(let room, let reason): "room \(room): \(reason)"
        case .keys(let error): error.description
        case .transport(let error): error.description
        }
    }
}
