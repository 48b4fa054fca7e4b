public import Foundation
import JWTKit
public import SceneProtocol

/// The files of the keys that prove tokens.
public struct KeySources: Sendable, Equatable {
    /// A file with a secret of at least 32 bytes, for HS256.
    public var secretFile: String?
    /// PEM files with public keys, for ES256 (P-256) and EdDSA (Ed25519).
    public var publicKeyFiles: [String] = []
    /// A JSON Web Key Set. RFC 7517.
    public var keySetFile: String?

    /// Makes an empty list.
    public init() {}

    /// Whether there are none, so that no identity can be proved.
    public var isEmpty: Bool {
        secretFile == nil && publicKeyFiles.isEmpty && keySetFile == nil
    }
}

/// The rights that a token gives.
public struct Grant: Sendable, Equatable {
    /// The subject that it was issued to, for logs and lists.
    public var subject = ""
    /// The highest role of its holder.
    public var role = Role.viewer
    /// Whether its holder may use the administrator's API.
    public var isAdministrator = false
    /// Patterns of room names, where `*` stands for any characters.
    public var rooms: [String] = []
    /// The end of its validity, in seconds since 1970.
    public var expires: Double?

    /// Makes a grant without rights.
    public init() {}

    /// Whether the grant covers a room.
    public func covers(room: String) -> Bool {
        rooms.contains { Self.matches(Array($0.utf8)[...], Array(room.utf8)[...]) }
    }

    /// Whether a pattern fits a name whole. Complexity: O(pattern × name).
    private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (place, at) = (pattern.startIndex, name.startIndex)
        // The last star and where in the name it was tried.
        var star: (after: Int, from: Int)?
        while at < name.endIndex {
            if place < pattern.endIndex, pattern[place] == UInt8(ascii: "*") {
                star = (place + 1, at)
                place += 1
            } else if place < pattern.endIndex, pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.after, last.from + 1)
                (place, at) = (last.after, last.from + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// The reason for which a token was refused.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no token.
    case missing
    /// The text is no token, or none of the keys signed it.
    case invalid
    /// It has expired.
    case expired
    /// Its validity has not begun.
    case notYet
    /// A key file cannot be used.
    case badKey(file: String, reason: String)

    /// The text for people, which never shows the token.
    public var description: String {
        switch self {
        case .missing: "a token is needed"
        case .invalid: "the token is not valid"
        case .expired: "the token has expired"
        case .notYet: "the token does not hold yet"
        case .badKey(let file, let reason): "\(file): \(reason)"
        }
    }
}

/// The claims of a token. RFC 7519, with `rooms` and `role` of our own.
struct TokenClaims: JWTPayload {
    var sub: String?
    var exp: Double
    var nbf: Double?
    var iat: Double?
    /// Patterns of room names.
    var rooms: [String]
    /// `viewer`, `editor` or `admin`.
    var role: String

    // `Authenticator` checks times against its own clock, so that it can name the reason.
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Proves tokens. The keys live in JWTKit's actors, one for each source.
public struct Authenticator: Sendable {
    private let collections: [JWTKeyCollection]

    /// Reads keys.
    ///
    /// - Throws: `TokenError.badKey` for a file that cannot be read or holds no key of a supported kind.
    public init(_ sources: KeySources) async throws(TokenError) {
        var collections: [JWTKeyCollection] = []
        if let file = sources.secretFile {
            let secret = try SigningKey.secret(file)
            collections.append(
                await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256))
        }
        for file in sources.publicKeyFiles {
            collections.append(try await Self.publicKey(file))
        }
        if let file = sources.keySetFile {
            let text = String(decoding: try SigningKey.read(file), as: UTF8.self)
            do {
                let set = try JSONDecoder().decode(JWKS.self, from: Data(text.utf8))
                collections.append(try await JWTKeyCollection().add(jwks: set))
            } catch {
                throw .badKey(file: file, reason: "no JSON Web Key Set whose keys have a kid")
            }
        }
        self.collections = collections
    }

    private static func publicKey(_ file: String) async throws(TokenError) -> JWTKeyCollection {
        let pem = String(decoding: try SigningKey.read(file), as: UTF8.self)
        if let key = try? ES256PublicKey(pem: pem) {
            return await JWTKeyCollection().add(ecdsa: key)
        }
        if let key = try? EdDSA.PublicKey(pem: pem) {
            return await JWTKeyCollection().add(eddsa: key)
        }
        throw .badKey(file: file, reason: "no public key of P-256 or Ed25519 in PEM")
    }

    /// Proves a token.
    ///
    /// - Parameter now: Seconds since 1970. A token whose validity begins up to 30 seconds later is accepted, since clocks
    ///   differ.
    /// - Throws: `TokenError`.
    public func verify(
        _ token: String, now: Double = Date().timeIntervalSince1970
    ) async throws(TokenError) -> Grant {
        guard !token.isEmpty else { throw .missing }
        guard token.utf8.count <= 8192, Self.algorithm(token) != nil else { throw .invalid }
        for collection in collections {
            guard
                let claims = try? await collection.verify(
                    token, as: TokenClaims.self, iteratingKeys: true)
            else { continue }
            return try Self.grant(claims, now)
        }
        throw .invalid
    }

    /// The algorithm that a token names, if it is supported; above all not `none`.
    private static func algorithm(_ token: String) -> String? {
        struct Header: Decodable {
            var alg: String
        }
        guard let first = token.split(separator: ".", omittingEmptySubsequences: false).first,
            let bytes = Data(base64URL: String(first)),
            let header = try? JSONDecoder().decode(Header.self, from: bytes),
            ["HS256", "ES256", "EdDSA"].contains(header.alg)
        else { return nil }
        return header.alg
    }

    private static func grant(_ claims: TokenClaims, _ now: Double) throws(TokenError) -> Grant {
        guard claims.exp > now else { throw .expired }
        if let start = claims.nbf, start > now + 30 { throw .notYet }
        var grant = Grant()
        grant.subject = String((claims.sub ?? "").prefix(256))
        grant.rooms = claims.rooms
        grant.expires = claims.exp
        switch claims.role {
        case "admin":
            grant.role = .editor
            grant.isAdministrator = true
        case "editor": grant.role = .editor
        case "viewer": grant.role = .viewer
        default: throw .invalid
        }
        return grant
    }
}

extension Data {
    /// Bytes from base64 with the alphabet of URLs, without padding. RFC 4648, section 5.
    init?(base64URL text: String) {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        self.init(base64Encoded: plain)
    }
}
