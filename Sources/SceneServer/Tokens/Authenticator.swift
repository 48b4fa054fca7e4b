private import FoundationEssentials
import SceneSession
import SceneWire
import Signatures

/// Verifies tokens with a fixed set of keys.
///
/// A verification takes a microsecond with a secret and a tenth of a millisecond with a public key;
/// threads with deadlines must not run it.
public struct Authenticator: Sendable {
    private let keys: [ProvingKey]
    private let rules: TokenRules
    /// What an operator should know of the key files, as sentences.
    public let notes: [String]

    /// Reads keys.
    ///
    /// - Throws: `TokenError.badKey` for an unreadable file or an unsupported kind of key.
    public init(_ sources: KeySources) throws(TokenError) {
        var keys: [ProvingKey] = []
        if let file = sources.secretFile { keys.append(ProvingKey(try KeyFile(file).secret())) }
        if let secret = sources.secret {
            do throws(KeyError) { keys.append(ProvingKey(try Secret(secret))) } catch {
                throw .badKey(file: "the secret", reason: error.description)
            }
        }
        var notes: [String] = []
        for file in sources.publicKeyFiles {
            let file = try KeyFile(file)
            keys.append(ProvingKey(try file.publicKey()))
            if let note = file.surplus { notes.append(note) }
        }
        self.notes = notes
        if let file = sources.keySetFile {
            keys += try KeySet.keys(try KeyFile(file).bytes, file: file)
        }
        self.keys = keys
        rules = sources.rules
    }

    /// Verifies a token.
    ///
    /// - Parameter now: Seconds since 1970; `nil` for the present time. A token whose validity
    ///   begins up to 30 seconds later is accepted, since clocks differ.
    /// - Throws: `TokenError`.
    /// - Complexity: O(keys of the token's algorithm and name).
    public func verify(_ token: String, now: Double? = nil) throws(TokenError) -> Grant {
        guard !token.isEmpty else { throw .missing }
        guard let token = JSONWebToken(token), keys.contains(where: { $0.proves(token) }),
            let claims = TokenClaims(token.payload)
        else { throw .invalid }
        try check(claims, now ?? Date().timeIntervalSince1970)
        return try Self.grant(claims)
    }

    private func check(_ claims: TokenClaims, _ now: Double) throws(TokenError) {
        guard claims.exp > now else { throw .expired }
        if let start = claims.nbf, start > now + 30 { throw .notYet }
        let issued = min(claims.iat ?? now, now)
        if rules.lifetimeSeconds > 0, claims.exp - issued > Double(rules.lifetimeSeconds) + 30 {
            throw .tooLong(seconds: rules.lifetimeSeconds)
        }
        if let issuer = rules.issuer, claims.iss != issuer { throw .notForHere }
        if let audience = rules.audience, claims.aud?.contains(audience) != true {
            throw .notForHere
        }
    }

    private static func patterns(_ texts: [String]?) throws(TokenError) -> ViewPatterns? {
        guard let texts else { return nil }
        // Passed over, a pattern that is none would give more rights than were meant.
        guard let patterns = ViewPatterns(texts) else { throw .badPatterns }
        return patterns
    }

    private static func grant(_ claims: TokenClaims) throws(TokenError) -> Grant {
        var grant = Grant()
        grant.subject = claims.sub ?? ""
        // Cut, it would be another person's.
        guard grant.subject.utf8.count <= Subject.byteMaximum else {
            throw .subjectTooLong(bytes: grant.subject.utf8.count)
        }
        grant.rooms = claims.rooms
        grant.expires = claims.exp
        grant.makesRooms = claims.makeRooms
        grant.seeks = claims.seek ?? true
        grant.inspects = claims.inspect ?? true
        grant.rights.see = try patterns(claims.see)
        grant.rights.edit = try patterns(claims.edit)
        grant.rights.handle = try patterns(claims.handle)
        switch claims.role {
        case "admin":
            grant.role = .editor
            grant.isAdministrator = true
        case "editor": grant.role = .editor
        case "participant": grant.role = .participant
        case "viewer": grant.role = .viewer
        default: throw .invalid
        }
        return grant
    }
}
