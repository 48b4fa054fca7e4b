public import Foundation
import JWTKit
import SceneProtocol

/// A key that signs tokens: a secret (HS256), or a private key of P-256 (ES256) or Ed25519 (EdDSA) in PEM.
public struct SigningKey: Sendable {
    private let collection: JWTKeyCollection

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - secretFile: A file with a secret of at least 32 bytes.
    /// - Throws: `TokenError.badKey`.
    public init(secretFile: String) async throws(TokenError) {
        let secret = try Self.secret(secretFile)
        collection = await JWTKeyCollection().add(
            hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - privateKeyFile: A PEM file.
    /// - Throws: `TokenError.badKey`.
    public init(privateKeyFile: String) async throws(TokenError) {
        let pem = String(decoding: try Self.read(privateKeyFile), as: UTF8.self)
        if let key = try? ES256PrivateKey(pem: pem) {
            collection = await JWTKeyCollection().add(ecdsa: key)
        } else if let key = try? EdDSA.PrivateKey(pem: pem) {
            collection = await JWTKeyCollection().add(eddsa: key)
        } else {
            throw .badKey(
                file: privateKeyFile, reason: "no private key of P-256 or Ed25519 in PEM")
        }
    }

    /// Issues a token.
    ///
    /// - Parameters:
    ///   - grant: The rights; without an end the token expires after an hour.
    ///   - issuer: The claim `iss`, if any.
    ///   - audience: The claim `aud`, if any.
    ///   - now: Seconds since 1970.
    /// - Throws: `TokenError.invalid` when the key does not sign.
    public func issue(
        _ grant: Grant, issuer: String? = nil, audience: String? = nil,
        now: Double = Date().timeIntervalSince1970
    ) async throws(TokenError) -> String {
        let role = grant.isAdministrator ? "admin" : grant.role.rawValue
        let claims = TokenClaims(
            sub: grant.subject.isEmpty ? nil : grant.subject, iss: issuer,
            aud: audience.map { TokenClaims.Audience([$0]) },
            exp: (grant.expires ?? now + 3600).rounded(.down), nbf: nil, iat: now.rounded(.down),
            rooms: grant.rooms, role: role, makeRooms: grant.makesRooms,
            seek: grant.seeks ? nil : false, inspect: grant.inspects ? nil : false)
        do {
            return try await collection.sign(claims)
        } catch {
            throw .invalid
        }
    }

    /// The secret in a file, without the white space that editors leave at its end.
    static func secret(_ file: String) throws(TokenError) -> Data {
        var bytes = try read(file)
        while let last = bytes.last, [0x0A, 0x0D, 0x20, 0x09].contains(last) { bytes.removeLast() }
        guard bytes.count >= 32 else {
            throw .badKey(file: file, reason: "a secret has to have at least 32 bytes")
        }
        return bytes
    }

    static func read(_ file: String) throws(TokenError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw .badKey(file: file, reason: "cannot be read")
        }
    }
}
