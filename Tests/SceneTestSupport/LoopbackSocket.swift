import Glibc

/// Opens a TCP connection to a port of this machine, for bytes that no library would send.
///
/// - Parameter timeoutSeconds: How long a read waits at most.
/// - Returns: The socket, which is the caller's to close; `nil` when nobody listens there.
package func connectToLoopback(port: Int, timeoutSeconds: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let result = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard result == 0 else {
        close(descriptor)
        return nil
    }
    return descriptor
}
