private import COpenSSL

/// SHA-256 (FIPS 180-4), computed by OpenSSL.
public enum SHA256Digest {
    /// The 32 bytes of a message's digest.
    ///
    /// - Complexity: O(bytes).
    public static func of(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            SHA256(message, message.count, digest.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
