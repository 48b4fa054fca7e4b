import Glibc

/// A port of this machine at which nobody listens, as long as the object lives: connections to it
/// are refused.
final class ClosedPort: Sendable {
    /// The port's number.
    let number: Int
    private let socket: Int32

    /// Takes a free port; `nil` where the system gives none.
    init?() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Bound, so that no other program gets it, and never listened on.
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else {
            close(socket)
            return nil
        }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }
}
