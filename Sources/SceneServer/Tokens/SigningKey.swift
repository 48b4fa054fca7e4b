private import FoundationEssentials
import SceneSession
import SceneWire
import Signatures

/// A key that signs tokens: a secret (HS256), or a private key of P-256 (ES256), RSA (RS256) or
/// Ed25519 (EdDSA) in PEM.
public struct SigningKey: Sendable {
    private enum Kind: Sendable {
        case secret(Secret)
        case key(PrivateKey)
    }

    private let kind: Kind

    /// Reads a secret.
    ///
    /// - Parameters:
    ///   - secretFile: A file with a secret of at least 32 bytes.
    /// - Throws: `TokenError.badKey`.
    public init(secretFile: String) throws(TokenError) {
        kind = .secret(try KeyFile(secretFile).secret())
    }

    /// Takes a secret that no file holds.
    ///
    /// - Parameter secret: At least 32 bytes.
    /// - Throws: `TokenError.badKey`.
    public init(secret: [UInt8]) throws(TokenError) {
        do throws(KeyError) { kind = .secret(try Secret(secret)) } catch {
            throw .badKey(file: "the secret", reason: error.description)
        }
    }

    /// Reads a private key.
    ///
    /// - Parameters:
    ///   - privateKeyFile: A PEM file.
    /// - Throws: `TokenError.badKey`.
    public init(privateKeyFile: String) throws(TokenError) {
        kind = .key(try KeyFile(privateKeyFile).privateKey())
    }

    /// Issues a token.
    ///
    /// - Parameters:
    ///   - grant: The rights; without an expiry the token expires after an hour.
    ///   - issuer: The claim `iss`, if any.
    ///   - audience: The claim `aud`, if any.
    ///   - now: Seconds since 1970; `nil` for the present time.
    /// - Throws: `TokenError.invalid` if the key cannot sign.
    public func issue(
        _ grant: Grant, issuer: String? = nil, audience: String? = nil, now: Double? = nil
    ) throws(TokenError) -> String {
        let now = now ?? Date().timeIntervalSince1970
        let role = grant.isAdministrator ? "admin" : grant.role.rawValue
        let claims = TokenClaims(
            sub: grant.subject.isEmpty ? nil : grant.subject, iss: issuer,
            aud: audience.map { [$0] }, exp: (grant.expires ?? now + 3600).rounded(.down),
            nbf: nil, iat: now.rounded(.down), rooms: grant.rooms, role: role,
            makeRooms: grant.makesRooms, seek: grant.seeks ? nil : false,
            inspect: grant.inspects ? nil : false, see: grant.rights.see?.texts,
            edit: grant.rights.edit?.texts, handle: grant.rights.handle?.texts)
        let token =
            switch kind {
            case .secret(let secret): JSONWebToken.text(.hs256, claims.json, sign: secret.sign)
            case .key(let key): JSONWebToken.text(key.algorithm, claims.json, sign: key.sign)
            }
        guard let token else { throw .invalid }
        return token
    }
}
