import COpenSSL
import CTransportShims
import Glibc
import WebSocketAddress

/// A socket to a server, with TLS where the address asks for it. Its owner closes it.
final class HTTPConnection {
    private let descriptor: Int32
    private let context: OpaquePointer?
    private let connection: OpaquePointer?

    /// Connects.
    init(
        _ server: URLParts, caFile: String?, identity: HTTPClient.Identity?,
        trustsAnyCertificate: Bool, patienceSeconds: Int
    ) throws(HTTPClientError) {
        // A server that closes while it is written to is an error of one write, not the end of the
        // process.
        signal(SIGPIPE, SIG_IGN)
        let descriptor =
            if let path = server.socketPath {
                try Self.connect(toSocket: path)
            } else { try Self.connect(server.host, server.port, patienceSeconds) }
        Self.limit(descriptor, seconds: patienceSeconds)
        guard server.isSecure else {
            (self.descriptor, context, connection) = (descriptor, nil, nil)
            return
        }
        guard let context = ss_tls_trust(caFile, trustsAnyCertificate ? 1 : 0) else {
            Glibc.close(descriptor)
            throw .notTrusted("\(caFile ?? "") has no certificates that can be read")
        }
        if let identity, ss_tls_present(context, identity.certificate, identity.key) != 1 {
            ss_tls_forget(context)
            Glibc.close(descriptor)
            throw .notTrusted("\(identity.certificate) and its key cannot be used")
        }
        var reason = [CChar](repeating: 0, count: 256)
        guard
            let connection = ss_tls_connect(
                context, descriptor, server.host, &reason, Int32(reason.count))
        else {
            ss_tls_forget(context)
            Glibc.close(descriptor)
            throw .notTrusted(
                String(
                    decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                    as: UTF8.self))
        }
        (self.descriptor, self.context, self.connection) = (descriptor, context, connection)
    }

    /// Ends the connection.
    func close() {
        if let connection { SSL_free(connection) }
        if let context { ss_tls_forget(context) }
        Glibc.close(descriptor)
    }

    /// Sends all of the bytes. A server that refuses a body may close before it has it whole; its
    /// response is read all the same.
    func send(_ bytes: [UInt8]) throws(HTTPClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { part -> Int in
                guard let connection else {
                    return Glibc.send(
                        descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                }
                return Int(
                    SSL_write(connection, part.baseAddress, Int32(clamping: part.count)))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR || connection != nil {
                guard errno == EPIPE || errno == ECONNRESET else { throw Self.failure() }
                return
            }
        }
    }

    /// The next bytes; `nil` at the end.
    func receive() throws(HTTPClientError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            errno = 0
            let count = buffer.withUnsafeMutableBytes { part -> Int in
                guard let connection else {
                    return Glibc.recv(descriptor, part.baseAddress, part.count, 0)
                }
                return Int(SSL_read(connection, part.baseAddress, Int32(part.count)))
            }
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || connection != nil && errno == 0 { return nil }
            if errno == EINTR { continue }
            throw Self.failure()
        }
    }

    private static func failure() -> HTTPClientError {
        errno == EAGAIN || errno == EWOULDBLOCK
            ? .interrupted("the server said nothing for too long")
            : .interrupted(String(cString: strerror(errno)))
    }

    // MARK: Sockets

    /// The time for one read, one write, or the attempt to connect.
    private static func limit(_ descriptor: Int32, seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    private static func connect(
        _ host: String, _ port: Int, _ patienceSeconds: Int
    ) throws(HTTPClientError) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw .cannotConnect("\(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var reason = "there is no such address"
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            let descriptor = socket(
                info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
            guard descriptor >= 0 else { continue }
            limit(descriptor, seconds: patienceSeconds)
            if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
            reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
        }
        throw .cannotConnect("\(host):\(port): \(reason)")
    }

    private static func connect(toSocket path: String) throws(HTTPClientError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        // One byte stays 0.
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .cannotConnect("\(path): the path of a socket has at most 107 bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(String(cString: strerror(errno))) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        guard code == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw .cannotConnect("\(path): \(reason)")
        }
        return descriptor
    }
}
