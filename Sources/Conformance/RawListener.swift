import COpenSSL
import Glibc

/// A port that takes WebSocket connections without a library, which would not send wrong frames.
///
/// Belongs to the thread that judges.
final class RawListener: Sendable {
    private let socket: LoopbackSocket

    /// The port's number.
    var port: Int { socket.port }

    /// Listens on a free port; `nil` where the system gives none.
    init?() {
        guard let socket = LoopbackSocket(), listen(socket.descriptor, 16) == 0 else { return nil }
        self.socket = socket
    }

    /// The next connection to a path; ends those to other paths. `nil` after so many seconds.
    func accept(path: String, within seconds: Double) -> RawConnection? {
        let deadline = RawConnection.now + seconds
        while RawConnection.isReadable(socket.descriptor, until: deadline) {
            let descriptor = Glibc.accept(socket.descriptor, nil, nil)
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
