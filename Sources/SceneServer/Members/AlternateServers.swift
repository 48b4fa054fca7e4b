import SceneWire
import WebSocketAddress

/// Other servers of the same rooms, which clients try when this one does not answer. SPEC.md,
/// CONN-37.
struct AlternateServers: Sendable, Equatable {
    /// The bytes of the longest address of a server: a room's name, which is at most 64 bytes long,
    /// follows it.
    static let bytesMaximum = Alternates.urlBytesMaximum - 65

    /// Addresses that a slash and a room's name complete.
    private let servers: [String]
    /// The servers' schemes, hosts and ports, as a page's security policy names what it may connect
    /// to.
    let origins: [String]

    /// Names none.
    init() {
        servers = []
        origins = []
    }

    /// Names servers.
    ///
    /// - Parameter urls: `ws://HOST:PORT` or `wss://…`, with a path where a proxy needs one, the
    ///   preferred first.
    /// - Throws: `ServerError.badOption` for the first that is none, or where there are too many.
    init(_ urls: [String]) throws(ServerError) {
        guard urls.count <= Alternates.countMaximum else {
            throw .badOption(
                "there are \(urls.count) alternates, expected at most \(Alternates.countMaximum)")
        }
        var origins: [String] = []
        for url in urls {
            guard let parts = URLParts(url), parts.socketPath == nil, !parts.path.contains("?"),
                Self.isHost(parts.host)
            else {
                throw .badOption(
                    "an alternate is \"\(url)\", expected ws://HOST:PORT or wss://HOST:PORT")
            }
            guard url.utf8.count <= Self.bytesMaximum else {
                throw .badOption(
                    "an alternate has \(url.utf8.count) bytes, expected at most \(Self.bytesMaximum)"
                )
            }
            let host = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
            origins.append("\(parts.isSecure ? "wss" : "ws")://\(host):\(parts.port)")
        }
        self.origins = origins
        servers = urls.map { url in
            var url = Substring(url)
            while url.last == "/" { url.removeLast() }
            return String(url)
        }
    }

    /// Names nodes of a cluster by the addresses that they give; those that are none are passed
    /// over, and those that are too many.
    init(nodes urls: [String]) {
        let usable = urls.filter { url in (try? AlternateServers([url])) != nil }
        self = (try? AlternateServers(Array(usable.prefix(Alternates.countMaximum)))) ?? .init()
    }

    /// Whether a host is made of what names and addresses are made of, so that nothing else gets
    /// into a header.
    private static func isHost(_ host: String) -> Bool {
        host.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar) || "-._:".unicodeScalars.contains(scalar)
        }
    }

    /// A room's addresses at these servers; `nil` for none.
    func addresses(of room: String) -> Alternates? {
        servers.isEmpty ? nil : Alternates(urls: servers.map { "\($0)/\(room)" })
    }
}
