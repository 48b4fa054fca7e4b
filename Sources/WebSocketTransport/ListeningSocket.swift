import CTransportShims
import Glibc

/// A TCP socket that listens. Its owner closes it.
struct ListeningSocket: Sendable {
    /// The socket, which does not block.
    let descriptor: Int32
    /// The port that is listened on.
    let port: Int

    /// Binds and listens.
    ///
    /// - Parameter port: 0 takes a free one.
    /// - Throws: `TransportError.cannotBind`.
    init(host: String, port: Int) throws(TransportError) {
        func failure(_ reason: String) -> TransportError {
            .cannotBind(host: host, port: port, reason: reason)
        }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw failure(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var found: Int32?
        var reason = "there is no such address"
        var next = list
        while let info = next?.pointee, found == nil {
            next = info.ai_next
            do {
                found = try Self.listen(info)
            } catch {
                reason = String(cString: strerror(error.code))
            }
        }
        guard let descriptor = found else { throw failure(reason) }
        self.descriptor = descriptor
        self.port = Self.boundPort(descriptor)
    }

    /// Gives the port back.
    func close() { Glibc.close(descriptor) }

    private struct SystemError: Error {
        var code: Int32
    }

    private static func listen(_ info: addrinfo) throws(SystemError) -> Int32 {
        let descriptor = socket(
            info.ai_family,
            info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            info.ai_protocol)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        var (yes, no): (Int32, Int32) = (1, 0)
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if info.ai_family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
        }
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
            Glibc.listen(descriptor, 4096) == 0
        else {
            let error = SystemError(code: errno)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func boundPort(_ descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
            // The port stands at the same place for both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(in_port_t(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}
