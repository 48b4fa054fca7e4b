import Glibc

/// A TCP socket that listens on a free port of loopback.
package final class ListeningSocket: Sendable {
    /// The file descriptor, which is open as long as the object lives.
    package let descriptor: Int32
    /// The port, which no other program can have meanwhile.
    package let port: UInt16

    /// Listens; nil when the system has no port left.
    ///
    /// - Parameter backlog: How many connections may wait for `accept`.
    package init?(backlog: Int32 = 8) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failures = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) + listen(descriptor, backlog)
                    + getsockname(descriptor, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard failures == 0 else { return nil }
    }

    deinit { close(descriptor) }
}
