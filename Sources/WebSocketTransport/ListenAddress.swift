import CTransportShims
import Glibc

/// Where a server listens.
public enum ListenAddress: Sendable, Hashable {
    /// A host and a port; port 0 takes a free one.
    case tcp(host: String, port: Int)
    /// A Unix socket's file, and the permissions of the file.
    case unix(path: String, mode: UInt32)
    /// A stream socket that listens already, made by the process's starter; see `sd_listen_fds(3)`.
    case inherited(Int32)

    /// The address of clients that come over a Unix socket: for limits by address, and for
    /// `trustedProxies`.
    public static let unixPeer = "unix"
}

/// An address that is listened on.
public enum BoundAddress: Sendable, Hashable {
    /// A host, as it was given or as the socket has it, and the port.
    case tcp(host: String, port: Int)
    /// The file of a Unix socket.
    case unix(path: String)

    /// Whether other machines cannot reach it.
    public var isThisMachines: Bool {
        switch self {
        case .tcp(let host, _): host == "localhost" || isLoopbackAddress(host)
        case .unix: true
        }
    }

    /// Reads the address of a socket that listens.
    ///
    /// - Throws: `TransportError.cannotBind` for a descriptor that is no stream socket, or does not
    ///   listen.
    public init(inherited descriptor: Int32) throws(TransportError) {
        func failure(_ reason: String) -> TransportError {
            .cannotListen("descriptor \(descriptor)", reason: reason)
        }
        var (kind, listens, length): (Int32, Int32, socklen_t) = (0, 0, 4)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else {
            throw failure(String(cString: strerror(errno)))
        }
        guard kind == Int32(SOCK_STREAM.rawValue),
            getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0
        else { throw failure("it is no stream socket that listens") }
        guard let bound = Self(of: descriptor) else {
            throw failure("it is neither a TCP nor a Unix socket")
        }
        self = bound
    }

    /// The address of a socket; `nil` for other families.
    init?(of descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        guard code == 0 else { return nil }
        switch Int32(storage.ss_family) {
        case AF_UNIX:
            let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
            let name = withUnsafeBytes(of: &storage) { bytes in
                Array(bytes[min(offset, Int(length))..<min(Int(length), bytes.count)])
            }
            // An abstract name begins with 0 and is written with @.
            let isAbstract = name.first == 0
            let text = String(
                decoding: isAbstract ? name.dropFirst()[...] : name.prefix { $0 != 0 }[...],
                as: UTF8.self)
            self = .unix(path: (isAbstract ? "@" : "") + text)
        case AF_INET, AF_INET6:
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let found = withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getnameinfo($0, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                }
            }
            guard found == 0 else { return nil }
            // The port stands at the same place for both families.
            let port = withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    Int(in_port_t(bigEndian: $0.pointee.sin_port))
                }
            }
            self = .tcp(
                host: String(
                    decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                port: port)
        default: return nil
        }
    }
}
