/// The address of a NATS server.
public struct NATSAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an IP address without brackets.
    public let host: String
    /// 1...65535.
    public let port: Int
    /// Whether the text asks for TLS (`tls://`).
    public let asksForTLS: Bool

    /// The port of NATS where the text names none.
    public static let standardPort = 4222
    /// The most addresses of one text.
    public static let countMaximum = 64

    /// Whether only this machine is reached: 127.0.0.0/8, ::1 and the name localhost.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Host and port, an IPv6 address in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Reads addresses that are separated by commas, such as `nats://a:4222,b,c`. The first names
    /// the scheme, `nats` or `tls`; the others may.
    ///
    /// - Throws: `NATSError.badAddress`.
    public static func list(_ text: String) throws(NATSError) -> [NATSAddress] {
        var asksForTLS: Bool?
        var addresses: [NATSAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var rest = part
            if let scheme = part.range(of: "://") {
                switch part[..<scheme.lowerBound] {
                case "nats": asksForTLS = false
                case "tls": asksForTLS = true
                case let other: throw .badAddress(text, reason: "there is no scheme \(other)")
                }
                rest = part[scheme.upperBound...]
            }
            guard let asksForTLS else { throw .badAddress(text, reason: "it has no scheme") }
            let (host, port) = try split(rest, of: text)
            addresses.append(NATSAddress(host: host, port: port, asksForTLS: asksForTLS))
            guard addresses.count <= countMaximum else {
                throw .badAddress(text, reason: "it has more than \(countMaximum) addresses")
            }
        }
        guard Set(addresses.map(\.description)).count == addresses.count else {
            throw .badAddress(text, reason: "it has one address twice")
        }
        return addresses
    }

    private static func split(
        _ rest: Substring, of text: String
    ) throws(NATSError) -> (String, Int) {
        if rest.contains("@") {
            throw .badAddress(text, reason: "it has a user, which nkeys take the place of")
        }
        let host: Substring
        let after: Substring
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else {
                throw .badAddress(text, reason: "a bracket is not closed")
            }
            host = rest[rest.index(after: rest.startIndex)..<end]
            after = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            after = rest[host.endIndex...]
        }
        let isName = host.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
                || (rest.first == "[" && [UInt8(ascii: ":"), UInt8(ascii: "%")].contains(byte))
        }
        guard !host.isEmpty, isName else {
            throw .badAddress(text, reason: "\"\(rest)\" has no host")
        }
        guard !after.isEmpty else { return (String(host), standardPort) }
        guard after.first == ":", let port = UInt16(after.dropFirst()), port > 0 else {
            throw .badAddress(text, reason: "\"\(rest)\" has no port from 1 to 65535")
        }
        return (String(host), Int(port))
    }
}

extension Substring {
    /// Where a text stands in this one first.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
