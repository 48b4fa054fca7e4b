/// The files of the keys that prove tokens.
public struct KeySources: Sendable, Equatable {
    /// A file with a secret of at least 32 bytes, for HS256.
    public var secretFile: String?
    /// PEM files with public keys, for ES256 (P-256), RS256 (RSA) and EdDSA (Ed25519).
    public var publicKeyFiles: [String] = []
    /// A JSON Web Key Set. RFC 7517.
    public var keySetFile: String?
    /// What their tokens have to say besides.
    public var rules = TokenRules()

    /// Makes an empty list.
    public init() {}

    /// Whether there are none, so that no identity can be proved.
    public var isEmpty: Bool {
        secretFile == nil && publicKeyFiles.isEmpty && keySetFile == nil
    }
}

/// What a token has to say besides being signed.
public struct TokenRules: Sendable, Equatable {
    /// The claim `iss`; `nil` for any.
    public var issuer: String?
    /// A value of the claim `aud`; `nil` for any.
    public var audience: String?
    /// The longest time from issue to end, in seconds; 0 for any. A token that does not say when it was issued counts
    /// from now on.
    public var lifetimeSeconds = 0

    /// Makes rules that any token keeps.
    public init() {}
}
