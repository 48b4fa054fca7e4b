import Signatures

/// A key that verifies tokens with one algorithm only, whatever a token names. RFC 8725, section
/// 3.1.
struct ProvingKey: Sendable {
    private enum Kind: Sendable {
        case secret(Secret)
        case key(PublicKey)
    }

    private let kind: Kind
    /// Its id in a set; `nil` for a key from a file of its own.
    private let id: String?

    init(_ secret: Secret) {
        kind = .secret(secret)
        id = nil
    }

    init(_ key: PublicKey, id: String? = nil) {
        kind = .key(key)
        self.id = id
    }

    private var algorithm: SignatureAlgorithm {
        switch kind {
        case .secret: .hs256
        case .key(let key): key.algorithm
        }
    }

    /// Whether the token was signed with this key. A key is skipped if the token names another id.
    func proves(_ token: JSONWebToken) -> Bool {
        guard token.algorithm == algorithm else { return false }
        if let id, let wanted = token.keyID, id != wanted { return false }
        return switch kind {
        case .secret(let secret): secret.isSignature(token.signature, of: token.signed)
        case .key(let key): key.isSignature(token.signature, of: token.signed)
        }
    }
}
