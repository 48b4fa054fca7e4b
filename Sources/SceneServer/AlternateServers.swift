import SceneProtocol
import WebSocketAddress

/// Other servers of the same rooms, which clients try when this one does not answer. SPEC.md, CONN-37.
struct AlternateServers: Sendable, Equatable {
    /// The bytes of the longest address of a server: a room's name, which is at most 64 bytes long, follows it.
    static let bytesMaximum = Alternates.urlBytesMaximum - 65

    /// Addresses that a slash and a room's name complete.
    private let servers: [String]

    /// Names none.
    init() { servers = [] }

    /// Names servers.
    ///
    /// - Parameter urls: `ws://HOST:PORT` or `wss://…`, with a path where a proxy needs one, the preferred first.
    /// - Throws: `ServerError.badOption` for the first that is none, or where there are too many.
    init(_ urls: [String]) throws(ServerError) {
        guard urls.count <= Alternates.countMaximum else {
            throw .badOption(
                "there are \(urls.count) alternates, expected at most \(Alternates.countMaximum)")
        }
        for url in urls {
            guard let parts = URLParts(url), !parts.path.contains("?") else {
                throw .badOption(
                    "an alternate is \"\(url)\", expected ws://HOST:PORT or wss://HOST:PORT")
            }
            guard url.utf8.count <= Self.bytesMaximum else {
                throw .badOption(
                    "an alternate has \(url.utf8.count) bytes, expected at most \(Self.bytesMaximum)")
            }
        }
        servers = urls.map { url in
            var url = Substring(url)
            while url.last == "/" { url.removeLast() }
            return String(url)
        }
    }

    /// A room's addresses at these servers; `nil` for none.
    func addresses(of room: String) -> Alternates? {
        servers.isEmpty ? nil : Alternates(urls: servers.map { "\($0)/\(room)" })
    }
}
