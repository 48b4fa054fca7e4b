import Digests

/// The hash of names and places that all nodes must agree on: the first 64 bits of SHA-256,
/// big-endian.
enum StableHash {
    /// - Complexity: O(bytes); about half a microsecond for a name.
    static func of(_ bytes: [UInt8]) -> UInt64 {
        SHA256Digest.of(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
