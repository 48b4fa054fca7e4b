public import SceneDocument
public import SceneSession
public import WebSocketTransport

/// The options of a server.
public struct ServerOptions: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for a free one.
    public var port = 7070
    /// The addresses to listen on in place of `host` and `port`, where there are any.
    public var listeners: [ListenAddress] = []
    /// Whether the server may listen without keys on an address that other machines can reach.
    public var allowsInsecureBind = false
    /// The journal's directory; `nil` keeps the journal in memory.
    public var dataDirectory: String?
    /// The document for the room `demo` if that has no journal yet.
    public var scene: SceneDocument?
    /// Update cycles in a second, 1...240.
    public var tickRate = 60
    /// TLS, or `nil` for none.
    public var tls: TLSConfiguration?
    /// The members that create rooms by joining them; the administration API always does.
    public var roomMakers = RoomMakers.editors
    /// Seconds after which a room without members is unloaded; it is reopened from its journal.
    public var unloadSeconds = 600
    /// Seconds without a change after which a room is frozen; 0 for never.
    public var freezeSeconds = SessionOptions().freezeSeconds
    /// Days for which the journal keeps every record; of older ones it keeps those that the present
    /// scene is rebuilt from.
    public var retentionDays = 7
    /// Where events are recorded; `nil` for nowhere.
    public var eventRecords: EventRecordOptions?
    /// The origins of pages that may connect.
    public var origins = OriginPolicy.sameHost
    /// The addresses of proxies whose `X-Forwarded-For` header is trusted.
    public var trustedProxies: [String] = []
    /// The keys that verify tokens; without any, clients on this machine may edit, and others are
    /// refused unless `allowsInsecureBind`.
    public var keys = KeySources()
    /// What clients may do in which parts of scenes, where no keys ask them for tokens.
    public var openRights = MemberRights()
    /// Reads files of other programs for pages on which they are dropped; `nil` for nothing.
    public var converter: FileConverter?
    /// What a program behind the rooms refuses of what members change; `nil` for nothing.
    public var opPolicy: OpPolicy?
    /// The limits of connections and rooms.
    public var limits = ServerLimits()
    /// Seconds of silence after which a ping is sent; after half as many more the connection counts
    /// as dead.
    public var pingSeconds = 30
    /// Other servers of the same rooms, `ws://HOST:PORT` or `wss://…`, which clients try when this
    /// one does not answer; at most 8.
    public var alternates: [String] = []
    /// Threads that serve connections, 1...64; `MachineProcessors` has a number for a server that
    /// has the machine to itself.
    public var loopThreads = 1
    /// Threads that update scenes, 1...64; `MachineProcessors` has a number for a server that has
    /// the machine to itself.
    public var sceneThreads = 1

    /// The faces that browsers may load, which draw text as it was measured.
    public var faces: [ServedFace] = []

    /// The server's place in a cluster, which then keeps the journal; `nil` outside of one.
    public var node: NodeOptions?

    /// The status of the previewed document for the page at `/preview.json`, if the server is a
    /// preview.
    public var preview: PreviewStatus?

    /// Makes options with defaults.
    public init() {}

    /// Whether other machines can reach none of the addresses.
    public var isLoopback: Bool { openAddress == nil }

    /// The first address that other machines can reach; `nil` for none.
    var openAddress: String? {
        let addresses = listeners.isEmpty ? [.tcp(host: host, port: port)] : listeners
        for address in addresses {
            switch address {
            case .unix: break
            case .tcp(let host, let port):
                let bound = BoundAddress.tcp(host: host, port: port)
                if !bound.isThisMachines { return host }
            case .inherited(let descriptor):
                // What is no socket is refused when it is listened on.
                guard let bound = try? BoundAddress(inherited: descriptor),
                    case .tcp(let host, _) = bound, !bound.isThisMachines
                else { break }
                return host
            }
        }
        return nil
    }
}

/// The members that create rooms by joining them.
public enum RoomMakers: String, CaseIterable, Sendable {
    /// The first editor that joins.
    case editors
    /// Members with an administrator's token.
    case administrators
}

/// The reason why a server does not start.
public enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Other machines could reach the server without keys, and no option allows that.
    case insecureBind(host: String)
    /// An option is out of its range.
    case badOption(String)
    /// The journal cannot be used.
    case store(String)
    /// Another process writes to the data directory.
    case inUse(String)
    /// The cluster cannot be used.
    case cluster(String)
    /// The folder of event records cannot be used.
    case records(String)
    /// A room cannot be opened from its journal.
    case room(String, reason: String)
    /// A key cannot be used.
    case keys(TokenError)
    /// The port or the certificate cannot be used.
    case transport(TransportError)

    /// The text for people.
    public var description: String {
        switch self {
        case .insecureBind(let host):
            "other machines can reach \(host), and every client there could edit; "
                + "give keys to verify tokens with, or allow it with --insecure-bind"
        case .badOption(let what): what
        case .store(let reason), .inUse(let reason), .records(let reason), .cluster(let reason):
            reason
        case .room(let room, let reason): "room \(room): \(reason)"
        case .keys(let error): error.description
        case .transport(let error): error.description
        }
    }
}

/// A font file at `/fonts/HASH`.
public struct ServedFace: Sendable {
    /// The name of the face: the SHA-256 of the file that measures, which may be another form of
    /// the same face.
    public var hash: String
    /// What is sent: OpenType, or the same face as WOFF 2.
    public var file: [UInt8]

    /// Makes a face.
    public init(hash: String, file: [UInt8]) {
        self.hash = hash
        self.file = file
    }
}
