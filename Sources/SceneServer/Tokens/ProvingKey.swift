import Signatures

/// A key that proves tokens, with one algorithm alone, whatever a token says. RFC 8725, section 3.1.
struct ProvingKey: Sendable {
    private enum Kind: Sendable {
        case secret(Secret)
        case key(PublicKey)
    }

    private let kind: Kind
    /// Its name in a set; `nil` for a key of a file of its own.
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

    /// Whether the token was signed with this key. A key that has another name than the token says is not tried.
    func proves(_ token: JSONWebToken) -> Bool {
        guard token.algorithm == algorithm else { return false }
        if let id, let wanted = token.keyID, id != wanted { return false }
        return switch kind {
        case .secret(let secret): secret.isSignature(token.signature, of: token.signed)
        case .key(let key): key.isSignature(token.signature, of: token.signed)
        }
    }
}
