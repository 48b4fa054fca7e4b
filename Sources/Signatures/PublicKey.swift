private import COpenSSL

/// A public key of P-256, RSA (2048 bits or more) or Ed25519; proves signatures by OpenSSL.
public struct PublicKey: Sendable {
    private let handle: KeyHandle

    /// The one algorithm that the key is used with. RFC 8725, section 3.1.
    public var algorithm: SignatureAlgorithm { handle.algorithm }

    /// Reads the first public key of a PEM text.
    ///
    /// - Throws: `KeyError`.
    public init(pem: [UInt8]) throws(KeyError) {
        let key = KeyHandle.read(pem) { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }
        guard let key else {
            throw String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY-----")
                ? .isPrivate : .noPEM
        }
        handle = try KeyHandle(key)
    }

    /// Makes a key of P-256 from the coordinates of its point, 32 bytes each, the highest first.
    /// RFC 7518, section 6.2.
    ///
    /// - Throws: `KeyError.malformed` for a point that is not on the curve.
    public init(p256 x: [UInt8], _ y: [UInt8]) throws(KeyError) {
        guard x.count == 32, y.count == 32 else { throw .malformed }
        try self.init(SubjectPublicKeyInfo.p256(x: x, y: y))
    }

    /// Makes a key of Ed25519 from its 32 bytes. RFC 8037, section 2.
    ///
    /// - Throws: `KeyError.malformed`.
    public init(ed25519 bytes: [UInt8]) throws(KeyError) {
        guard bytes.count == 32 else { throw .malformed }
        try self.init(SubjectPublicKeyInfo.ed25519(bytes))
    }

    /// Makes a key of RSA from its numbers, the highest byte first. RFC 7518, section 6.3.
    ///
    /// - Throws: `KeyError`.
    public init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyError) {
        // Even numbers and an exponent of one are no keys, but OpenSSL reads them.
        guard let low = modulus.last, low & 1 == 1, let last = exponent.last, last & 1 == 1,
            exponent.count <= 8, exponent.drop(while: { $0 == 0 }) != [1], modulus.count <= 2049
        else { throw .malformed }
        try self.init(SubjectPublicKeyInfo.rsa(modulus: modulus, exponent: exponent))
    }

    private init(_ info: [UInt8]) throws(KeyError) {
        let key = info.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PUBKEY(nil, &next, bytes.count)
        }
        KeyHandle.forgetErrors()
        guard let key else { throw .malformed }
        handle = try KeyHandle(key)
    }

    /// Whether the holder of the private key signed a message.
    ///
    /// - Parameter signature: As JSON Web Signatures have it: of ES256 two numbers of 32 bytes
    ///   each. RFC 7518, section 3.4.
    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        var signature = signature
        if algorithm == .es256 {
            guard signature.count == 64 else { return false }
            signature = DER.sequence([
                DER.integer(Array(signature[..<32])), DER.integer(Array(signature[32...])),
            ])
        }
        defer { KeyHandle.forgetErrors() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, handle.digest, nil, handle.key) == 1 else {
            return false
        }
        return EVP_DigestVerify(
            context, signature, signature.count, message, message.count) == 1
    }
}
