/// The algorithms that sign and prove. RFC 7518, section 3.1; RFC 8037, section 3.1.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256 and a secret.
    case hs256 = "HS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// Ed25519.
    case edDSA = "EdDSA"
}

/// The reason for which something is no key that signs or proves.
public enum KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text holds no key in PEM.
    case noPEM
    /// A private key stands where a public one is expected: it does not belong on a server that
    /// only proves.
    case isPrivate
    /// The key is protected by a passphrase, which nobody is there to type.
    case isEncrypted
    /// The key is of another kind than P-256, RSA and Ed25519.
    case unsupported(kind: String)
    /// A secret or an RSA key is too short to protect anything.
    case tooShort(bits: Int, minimum: Int)
    /// The numbers do not make a key: a point off its curve, a wrong length, an even exponent.
    case malformed
    /// A point of small order: signatures by it prove nothing.
    case smallOrder
    /// A key of a set is there for something else than verifying signatures.
    case notForVerifying

    /// The text for people, which says what to do.
    public var description: String {
        switch self {
        case .noPEM: "it holds no key in PEM (-----BEGIN …-----)"
        case .isPrivate:
            "it holds a private key; give its public part: openssl pkey -pubout -in FILE"
        case .isEncrypted: "the key has a passphrase; take it off: openssl pkey -in FILE"
        case .unsupported(let kind): "a key of \(kind) is not supported; take P-256, RSA or Ed25519"
        case .tooShort(let bits, let minimum):
            "it has \(bits) bits and needs at least \(minimum); make a longer one"
        case .malformed: "its numbers are not those of a key"
        case .smallOrder:
            "it is a point of small order, with which anybody can sign; make another key"
        case .notForVerifying:
            "its key_ops do not include verify; publish the public key with key_ops verify, or without key_ops"
        }
    }
}
