private import COpenSSL

/// The 32 bytes that a private key of Ed25519 is made of. RFC 8032, section 5.1.5.
public struct Ed25519Seed: Sendable {
    /// How many bytes a seed and a public key have.
    public static let byteCount = 32

    private let bytes: [UInt8]

    /// Wraps the bytes.
    ///
    /// - Throws: `KeyError.malformed` for another number than 32.
    public init(_ bytes: [UInt8]) throws(KeyError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        self.bytes = bytes
    }

    /// The 32 bytes of the public key; `nil` when OpenSSL has no memory.
    public var publicKey: [UInt8]? {
        defer { KeyHandle.forgetErrors() }
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        else { return nil }
        defer { EVP_PKEY_free(key) }
        var count = Self.byteCount
        var isRead = false
        let found = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            isRead = EVP_PKEY_get_raw_public_key(key, buffer.baseAddress, &count) == 1
            written = isRead ? count : 0
        }
        return isRead ? found : nil
    }
}
