/// The parts of a WebSocket address. RFC 6455, section 3.
public struct URLParts: Equatable, Sendable {
    /// Whether TLS is to be used.
    public var isSecure: Bool
    /// A name or an address; IPv6 without brackets.
    public var host: String
    /// 80 or 443 unless given.
    public var port: Int
    /// With the query; `/` unless given.
    public var path: String
    /// The file of the server's Unix socket; `nil` for a server that is reached over TCP. The host
    /// is `localhost` then.
    public var socketPath: String?

    /// Bytes of a socket's path. `unix(7)`.
    public static let socketPathMaximum = 107

    /// Reads an address: `ws://HOST:PORT/PATH`, `wss://…`, or `ws+unix:///SOCKET:/PATH` for a Unix
    /// socket, whose file is absolute and has no `:`. Returns `nil` when it is none.
    public init?(_ text: String) {
        let rest: Substring
        if text.hasPrefix(Self.unixScheme) {
            guard let parts = Self.unix(text.dropFirst(Self.unixScheme.count)) else { return nil }
            self = parts
            return
        }
        if text.hasPrefix("wss://") {
            isSecure = true
            rest = text.dropFirst(6)
        } else if text.hasPrefix("ws://") {
            isSecure = false
            rest = text.dropFirst(5)
        } else {
            return nil
        }
        guard !text.contains("#") else { return nil }
        let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<slash]
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        if path.hasPrefix("?") { path = "/" + path }
        guard !authority.contains("@"),
            path.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
        else { return nil }
        var name = authority
        var number: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            number = after.isEmpty ? nil : after.dropFirst()
        } else if let colon = authority.lastIndex(of: ":") {
            name = authority[..<colon]
            number = authority[authority.index(after: colon)...]
        }
        guard !name.isEmpty,
            name.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
        else { return nil }
        host = String(name)
        guard let number else {
            port = isSecure ? 443 : 80
            return
        }
        guard let given = Int(number), (1...65_535).contains(given) else { return nil }
        port = given
    }

    private static let unixScheme = "ws+unix://"

    private init(socketPath: String, path: String) {
        (isSecure, host, port) = (false, "localhost", 80)
        (self.socketPath, self.path) = (socketPath, path)
    }

    private static func unix(_ rest: Substring) -> URLParts? {
        let colon = rest.firstIndex(of: ":") ?? rest.endIndex
        let file = rest[..<colon]
        guard file.hasPrefix("/"), file.count > 1, file.utf8.count <= socketPathMaximum,
            file.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let after = colon == rest.endIndex ? "" : rest[rest.index(after: colon)...]
        guard after.isEmpty || after.hasPrefix("/"), !after.contains("#"),
            after.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return URLParts(socketPath: String(file), path: after.isEmpty ? "/" : String(after))
    }
}

extension URLParts {
    /// Whether the host is this machine itself, by the name `localhost`, an IPv4 address of
    /// 127.0.0.0/8, or `::1`; other names are not looked up. Sources: RFC 6890, section 2.2; RFC
    /// 6761, section 6.3.
    public var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.count <= 3 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 }
                    && UInt8(part) != nil
            }
    }

    /// Whether what is said over such a connection stays secret on the way: TLS, or this machine
    /// itself.
    public var isPrivate: Bool { isSecure || isLoopback }
}
