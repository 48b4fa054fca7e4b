import SceneWire
import SeededRandom

/// How long a client waits before it connects again.
struct Reconnection: Sendable {
    /// How often each address was tried since the last connection that was welcomed, up to 6.
    private(set) var failedPasses = 0
    /// How long the server said to wait before the next connection, in nanoseconds.
    private var toldDelay: UInt64?
    private var random: SplitMix64

    /// - Parameter seed: What the random part of each wait follows from.
    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Begins a connection: what was said on the one before does not count any more.
    mutating func begin() { toldDelay = nil }

    /// Notes that the server admitted the client.
    mutating func succeed() { failedPasses = 0 }

    /// Notes what the server said about the next connection, if it did.
    mutating func note(_ error: ErrorMessage) {
        guard error.retryAfterMilliseconds > 0 else { return }
        toldDelay = UInt64(error.retryAfterMilliseconds) * 1_000_000
    }

    /// Nanoseconds that the server said to wait, once.
    mutating func takeToldDelay() -> UInt64? {
        defer { toldDelay = nil }
        return toldDelay
    }

    /// Nanoseconds to wait once each address has been tried: 0.25 s, doubled each time up to 8 s,
    /// and up to a quarter less, so that not all clients come back at once. SPEC.md, CONN-33.
    mutating func takeDelay() -> UInt64 {
        failedPasses = min(failedPasses + 1, 6)
        let delay: UInt64 = 125_000_000 << UInt64(failedPasses)
        return delay - random.next() % (delay / 4 + 1)
    }

    /// The codes of RFC 6455 after which the same would happen again: the protocol was broken, a
    /// text was no UTF-8, a message was too long. SPEC.md, section 11.3.
    private static let finalCodes: Set<UInt16> = [1002, 1007, 1009]

    /// Whether it may be better the next time, by the peer's close code; `nil` where there was
    /// none.
    static func isRetryable(_ code: UInt16?) -> Bool {
        guard let code else { return true }
        return CloseCode(rawValue: code)?.isRetryable ?? !finalCodes.contains(code)
    }
}
