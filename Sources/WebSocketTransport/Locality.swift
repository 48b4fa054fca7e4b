import Glibc

/// A request's own account of where it comes from: what tells the clients of this machine from all
/// others.
public protocol RequestSource {
    /// Whether the peer is on this machine and acts for itself: a request that a proxy passes on
    /// never counts as local.
    var isLoopback: Bool { get }
    /// The `Host` header: the name by which the client calls this server.
    var host: String { get }
    /// The `Origin` header, which browsers send for a page.
    var origin: String? { get }
    /// The name in the client's certificate, if it has one that was verified.
    var certificateName: String? { get }
}

extension RequestSource {
    /// Whether the request originates on this machine. The one rule for every service that is
    /// restricted to this machine.
    ///
    /// The address does not suffice. A proxy on this machine acts for others, and so does a
    /// browser: a page of any origin can call this machine's ports, by a name of its own that was
    /// made to point here as well. So the peer's address is this machine's, no header tells of a
    /// proxy, the server is called by a name of every machine's own, and a page, where there is
    /// one, is this machine's or was named to the server.
    ///
    /// - Parameter origins: The server's policy; the origins that it lists count as this machine's.
    public func isThisMachines(_ origins: OriginPolicy) -> Bool {
        guard isLoopback, Authority(host).isLoopback else { return false }
        return origin.map { origins.lists($0) || Authority(origin: $0).isLoopback } ?? true
    }
}

/// The host of a URL or a header, without its port.
struct Authority {
    /// In lower case, and without the brackets of an IPv6 address; empty when it cannot be read.
    let host: String

    /// Reads `host`, `host:port`, `[address]` or `[address]:port`. RFC 3986, section 3.2.
    init(_ text: String) {
        let isBracketed = text.hasPrefix("[")
        let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
        guard let end else {
            host = ""
            return
        }
        let name = isBracketed ? text[text.index(after: text.startIndex)..<end] : text[..<end]
        let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
        let isPort =
            rest.isEmpty
            || rest.first == ":" && rest.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
        host = isPort ? name.lowercased() : ""
    }

    /// Reads `scheme://host:port`, as pages' origins are written; `null` and the like have no host.
    /// RFC 6454, section 6.2.
    init(origin: String) {
        self.init(origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) } ?? "")
    }

    /// Whether the name or address is every machine's own.
    var isLoopback: Bool { host == "localhost" || isAddress && isLoopbackAddress(host) }

    /// Whether the host is an IPv4 or IPv6 address rather than a name.
    var isAddress: Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }
}
