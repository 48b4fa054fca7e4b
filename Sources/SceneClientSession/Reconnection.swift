import SceneProtocol

/// Whether a client connects again after a connection has ended, and when.
struct Reconnection: Sendable {
    private var failedAttempts = 0
    /// How long the server said to wait before the next connection, in nanoseconds.
    private var toldDelay: UInt64?

    /// Begins a connection: what was said on the one before does not count any more.
    mutating func begin() { toldDelay = nil }

    /// Notes that the server admitted the client.
    mutating func succeed() { failedAttempts = 0 }

    /// Notes what the server said about the next connection, if it did.
    mutating func note(_ error: ErrorMessage) {
        guard error.retryAfterMilliseconds > 0 else { return }
        toldDelay = UInt64(error.retryAfterMilliseconds) * 1_000_000
    }

    /// Nanoseconds to wait after a connection, or an attempt at one, has ended: as told, or 0.25 s, doubled each time up to
    /// 8 s. SPEC.md, CONN-33.
    mutating func takeDelay() -> UInt64 {
        failedAttempts += 1
        defer { toldDelay = nil }
        return toldDelay ?? 125_000_000 << UInt64(min(failedAttempts, 6))
    }

    /// The codes of RFC 6455 after which the same would happen again: the protocol was broken, a text was no UTF-8, a message
    /// was too long. SPEC.md, section 11.3.
    private static let finalCodes: Set<UInt16> = [1002, 1007, 1009]

    /// Whether it may be better the next time, by the peer's close code; `nil` where there was none.
    static func isRetryable(_ code: UInt16?) -> Bool {
        guard let code else { return true }
        return CloseCode(rawValue: code)?.isRetryable ?? !finalCodes.contains(code)
    }
}
