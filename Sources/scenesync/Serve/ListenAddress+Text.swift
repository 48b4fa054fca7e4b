import FoundationEssentials
import Glibc
import WebSocketTransport

extension ListenAddress {
    /// Reads `unix:/PATH`, `HOST:PORT` or `[ADDRESS]:PORT`; `nil` for other texts.
    ///
    /// - Parameter mode: The permissions of a socket's file.
    init?(_ text: String, mode: UInt32) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard path.hasPrefix("/"), path.count > 1, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path, mode: mode)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self = .tcp(host: String(host), port: port)
    }
}

/// Sockets that systemd, or another service manager, made before it started the process. See
/// `sd_listen_fds(3)`.
enum PassedSockets {
    /// The first one's descriptor.
    private static let start: Int32 = 3
    private static let maximum: Int32 = 64

    /// The sockets for this process, in the order of the unit; empty for none. They are no child's.
    static func take() -> [ListenAddress] {
        let environment = ProcessInfo.processInfo.environment
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        guard environment["LISTEN_PID"] == String(getpid()),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), 1...maximum ~= count
        else { return [] }
        return (start..<(start + count)).map { .inherited($0) }
    }
}
