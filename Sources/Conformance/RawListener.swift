import COpenSSL
import Glibc

/// A port that takes WebSocket connections without a library, which would not send wrong frames.
///
/// Belongs to the thread that judges.
final class RawListener: Sendable {
    /// The port's number.
    let port: Int
    private let socket: Int32

    /// Listens on a free port; `nil` where the system gives none.
    init?() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound, listen(socket, 16) == 0 else {
            close(socket)
            return nil
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    /// The next connection to a path; ends those to other paths. `nil` after so many seconds.
    func accept(path: String, within seconds: Double) -> RawConnection? {
        let deadline = RawConnection.now + seconds
        while RawConnection.isReadable(socket, until: deadline) {
            let descriptor = Glibc.accept(socket, nil, nil)
            guard descriptor >= 0 else { return nil }
            if let connection = RawConnection(descriptor), connection.path == path {
                return connection
            }
        }
        return nil
    }
}

/// The value of `Sec-WebSocket-Accept` for a key. RFC 6455, section 4.2.2.
func webSocketAccept(key: String) -> String {
    let bytes = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil)
    // 20 bytes are 28 characters, and a zero ends them.
    var text = [UInt8](repeating: 0, count: 29)
    EVP_EncodeBlock(&text, digest, Int32(digest.count))
    return String(decoding: text.dropLast(), as: UTF8.self)
}
