import Digests

/// The first 128 bits of a SHA-256. Records name their predecessor by it, so it must not be
/// possible that two records that some node wrote share one.
public struct RecordChecksum: Hashable, Sendable {
    /// Bits 127 to 64: the digest's bytes 0 to 7, big-endian.
    public var high: UInt64
    /// Bits 63 to 0: the digest's bytes 8 to 15, big-endian.
    public var low: UInt64

    /// How many bytes it takes.
    public static let byteCount = 16
    /// The predecessor's checksum in the first record of a chain.
    public static let none = RecordChecksum(high: 0, low: 0)

    /// Makes a checksum of its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The checksum of bytes.
    ///
    /// - Complexity: O(bytes).
    public init(of bytes: [UInt8]) {
        let digest = SHA256Digest.of(bytes)
        high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
