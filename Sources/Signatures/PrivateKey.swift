private import COpenSSL

/// A private key of P-256, RSA (2048 bits or more) or Ed25519; signs by OpenSSL.
public struct PrivateKey: Sendable {
    private let handle: KeyHandle

    /// The one algorithm that the key is used with.
    public var algorithm: SignatureAlgorithm { handle.algorithm }

    /// Reads the first private key of a PEM text.
    ///
    /// - Throws: `KeyError`.
    public init(pem: [UInt8]) throws(KeyError) {
        let key = KeyHandle.read(pem) {
            PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key else {
            throw String(decoding: pem, as: UTF8.self).contains("ENCRYPTED") ? .isEncrypted : .noPEM
        }
        handle = try KeyHandle(key)
    }

    /// Signs a message.
    ///
    /// - Returns: The signature as JSON Web Signatures have it; `nil` when OpenSSL has no memory or
    ///   random numbers.
    public func sign(_ message: [UInt8]) -> [UInt8]? {
        defer { KeyHandle.forgetErrors() }
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, handle.digest, nil, handle.key) == 1,
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { return nil }
        var isSigned = false
        let signature = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            isSigned =
                EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count) == 1
            written = isSigned ? count : 0
        }
        guard isSigned else { return nil }
        return algorithm == .es256 ? Self.fixedWidth(signature) : signature
    }

    /// The two numbers of an ECDSA signature, which OpenSSL gives as DER, 32 bytes each. RFC 7518,
    /// section 3.4.
    private static func fixedWidth(_ der: [UInt8]) -> [UInt8]? {
        let parsed = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let parsed else { return nil }
        defer { ECDSA_SIG_free(parsed) }
        var isWhole = true
        let numbers = [UInt8](unsafeUninitializedCapacity: 64) { buffer, written in
            guard let base = buffer.baseAddress else { return }
            isWhole =
                BN_bn2binpad(ECDSA_SIG_get0_r(parsed), base, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), base + 32, 32) == 32
            written = isWhole ? 64 : 0
        }
        return isWhole ? numbers : nil
    }
}
