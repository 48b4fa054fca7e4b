import Glibc

/// A TCP connection to a port of this machine, for bytes that no library sends.
package final class TCPSocket {
    /// The file descriptor, which is open as long as the object lives.
    package let descriptor: Int32

    /// Connects; nil when no program listens there.
    ///
    /// - Parameter timeoutSeconds: How long a read waits at most.
    package init?(port: Int, timeoutSeconds: Int = 20) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
        guard result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends bytes as they are. Returns whether the system took all of them.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends the UTF-8 of a text.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// The bytes that arrive next, at most `maximum`; empty when the peer has closed or the time is
    /// up.
    package func receive(_ maximum: Int = 65_536) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: maximum)
        let count = unsafe recv(descriptor, &piece, maximum, 0)
        return Array(piece.prefix(max(0, count)))
    }

    /// Waits for the peer's end of the stream; false for bytes, an error, or when the time is up.
    package func receivesEnd() -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, 0) == 0
    }

    /// The bytes that arrive until the peer closes, `count` are there, they end in `end`, or the
    /// time is up.
    package func read(upTo count: Int = 1 << 20, until end: [UInt8]? = nil) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let piece = receive(min(65_536, count - all.count))
            guard !piece.isEmpty else { break }
            all += piece
            if let end, all.suffix(end.count).elementsEqual(end) { break }
        }
        return all
    }
}
