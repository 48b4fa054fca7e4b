private import COpenSSL

/// A secret that both sides share; signs and proves by HMAC with SHA-256. RFC 2104; RFC 7518,
/// section 3.2.
public struct Secret: Sendable {
    /// The fewest bytes: as many as the digest has. RFC 7518, section 3.2.
    public static let byteMinimum = 32

    private let bytes: [UInt8]

    /// Makes a secret.
    ///
    /// - Throws: `KeyError.tooShort`.
    public init(_ bytes: [UInt8]) throws(KeyError) {
        guard bytes.count >= Self.byteMinimum else {
            throw .tooShort(bits: bytes.count * 8, minimum: Self.byteMinimum * 8)
        }
        // What OpenSSL counts in 32 bits; nobody's secret is as long.
        guard bytes.count <= 1 << 20 else { throw .malformed }
        self.bytes = bytes
    }

    /// Signs a message.
    ///
    /// - Returns: 32 bytes; `nil` when OpenSSL has no memory.
    public func sign(_ message: [UInt8]) -> [UInt8]? {
        var isSigned = false
        let code = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) {
            buffer, count in
            isSigned =
                HMAC(
                    EVP_sha256(), bytes, Int32(bytes.count), message, message.count,
                    buffer.baseAddress, nil) != nil
            count = isSigned ? Int(SHA256_DIGEST_LENGTH) : 0
        }
        KeyHandle.forgetErrors()
        return isSigned ? code : nil
    }

    /// Whether a message was signed with the secret. Takes the same time whatever differs.
    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let code = sign(message), code.count == signature.count else { return false }
        return CRYPTO_memcmp(code, signature, code.count) == 0
    }
}
