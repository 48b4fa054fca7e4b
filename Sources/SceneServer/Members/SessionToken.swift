import Bytes
import WebSocketTransport

/// Names and secrets of sessions.
enum SessionToken {
    /// Makes 32 hexadecimal digits that cannot be guessed; `nil` while the system provides no
    /// random numbers.
    @Sendable static func make() -> String? {
        randomBytes(16).map { Hexadecimal.text($0) }
    }
}
