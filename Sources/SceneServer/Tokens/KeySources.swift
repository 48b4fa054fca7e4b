/// The files of the keys that verify tokens.
public struct KeySources: Sendable, Equatable {
    /// A file with a secret of at least 32 bytes, for HS256.
    public var secretFile: String?
    /// A secret of the process itself, which no file holds, for HS256.
    public var secret: [UInt8]?
    /// PEM files with public keys, for ES256 (P-256), RS256 (RSA) and EdDSA (Ed25519).
    public var publicKeyFiles: [String] = []
    /// A JSON Web Key Set. RFC 7517.
    public var keySetFile: String?
    /// The required claims of their tokens.
    public var rules = TokenRules()

    /// Makes an empty list.
    public init() {}

    /// Whether there are no keys, so that no identity can be verified.
    public var isEmpty: Bool {
        secretFile == nil && secret == nil && publicKeyFiles.isEmpty && keySetFile == nil
    }
}

/// The requirements for a token besides its signature.
public struct TokenRules: Sendable, Equatable {
    /// The claim `iss`; `nil` for any.
    public var issuer: String?
    /// A value of the claim `aud`; `nil` for any.
    public var audience: String?
    /// The maximum time from issue to expiry, in seconds; 0 for no limit. A token without an issue
    /// time counts from now.
    public var lifetimeSeconds = 0

    /// Makes rules that accept any token.
    public init() {}
}
