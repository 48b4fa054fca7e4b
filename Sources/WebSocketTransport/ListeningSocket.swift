import CTransportShims
import Glibc

/// A TCP or Unix socket that listens. Its owner closes it.
struct ListeningSocket: Sendable {
    /// The socket, which does not block.
    let descriptor: Int32
    /// Where it listens.
    let address: BoundAddress
    /// The socket's file, which is removed with it; `nil` for one that is not this server's own.
    private let file: SocketFile?

    /// Whether clients come over a Unix socket, which has no TLS.
    var isUnix: Bool {
        if case .unix = address { true } else { false }
    }

    /// Binds and listens.
    ///
    /// - Throws: `TransportError.cannotBind` or `.cannotListen`.
    init(_ address: ListenAddress) throws(TransportError) {
        switch address {
        case .tcp(let host, let port):
            let (descriptor, port) = try Self.listen(host: host, port: port)
            self.descriptor = descriptor
            self.address = .tcp(host: host, port: port)
            file = nil
        case .unix(let path, let mode):
            (descriptor, file) = try SocketFile.listen(path, mode: mode)
            self.address = .unix(path: path)
        case .inherited(let descriptor):
            self.address = try BoundAddress(inherited: descriptor)
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
                fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
            else {
                throw .cannotListen(
                    "descriptor \(descriptor)", reason: String(cString: strerror(errno)))
            }
            self.descriptor = descriptor
            file = nil
        }
    }

    /// Gives the port back, and removes the socket's file.
    func close() {
        file?.remove()
        Glibc.close(descriptor)
    }

    private static func listen(
        host: String, port: Int
    ) throws(TransportError) -> (descriptor: Int32, port: Int) {
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
                found = try listen(info)
            } catch {
                reason = String(cString: strerror(error.code))
            }
        }
        guard let descriptor = found else { throw failure(reason) }
        guard case .tcp(_, let bound)? = BoundAddress(of: descriptor) else {
            Glibc.close(descriptor)
            throw failure("the system does not tell the port")
        }
        return (descriptor, bound)
    }

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
}
