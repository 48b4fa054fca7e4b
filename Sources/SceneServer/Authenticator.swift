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

/// The rights that a token gives.
public struct Grant: Sendable, Equatable {
    /// The subject that it was issued to, for logs and lists.
    public var subject = ""
    /// The highest role of its holder.
    public var role = Role.viewer
    /// Whether its holder may use the administrator's API.
    public var isAdministrator = false
    /// Whether its holder makes rooms by joining them, as an editor; `nil` as the server's rule has it.
    public var makesRooms: Bool?
    /// Whether its holder may watch the past.
    public var seeks = true
    /// Whether its holder may inspect views.
    public var inspects = true
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
    /// It holds for longer than the server allows.
    case tooLong(seconds: Int)
    /// It was issued by somebody else, or for another server.
    case notForHere
    /// A key file cannot be used.
    case badKey(file: String, reason: String)

    /// The text for people, which never shows the token.
    public var description: String {
        switch self {
        case .missing: "a token is needed"
        case .invalid: "the token is not valid"
        case .expired: "the token has expired"
        case .notYet: "the token does not hold yet"
        case .tooLong(let seconds): "the token holds for more than \(seconds) s"
        case .notForHere: "the token's issuer or audience is another"
        case .badKey(let file, let reason): "\(file): \(reason)"
        }
    }
}

/// The claims of a token. RFC 7519, with `rooms` and `role` of our own.
struct TokenClaims: JWTPayload {
    var sub: String?
    var iss: String?
    var aud: Audience?
    var exp: Double
    var nbf: Double?
    var iat: Double?
    /// Patterns of room names.
    var rooms: [String]
    /// `viewer`, `editor` or `admin`.
    var role: String
    /// Rights that are given or taken one by one; absent, the role and the server's rules decide.
    var makeRooms: Bool?
    var seek: Bool?
    var inspect: Bool?

    /// A text or a list of texts. RFC 7519, section 4.1.3.
    struct Audience: Codable {
        var names: [String]

        init(_ names: [String]) { self.names = names }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let name = names.first, names.count == 1 {
                try container.encode(name)
            } else {
                try container.encode(names)
            }
        }
    }

    // `Authenticator` checks times against its own clock, so that it can name the reason.
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Proves tokens. The keys live in JWTKit's actors, one for each source and algorithm.
public struct Authenticator: Sendable {
    /// The algorithms that are supported; above all not `none`. RFC 7518, section 3.1; RFC 8037.
    private enum Algorithm: String, CaseIterable {
        case hs256 = "HS256"
        case es256 = "ES256"
        case edDSA = "EdDSA"
    }

    /// Keys that are used with one algorithm alone, whatever a token says. RFC 8725, section 3.1.
    private struct Keys {
        let algorithm: Algorithm
        let collection: JWTKeyCollection
    }

    private let sources: [Keys]
    private let rules: TokenRules

    /// Reads keys.
    ///
    /// - Throws: `TokenError.badKey` for a file that cannot be read or holds no key of a supported kind.
    public init(_ sources: KeySources) async throws(TokenError) {
        var keys: [Keys] = []
        if let file = sources.secretFile {
            let secret = try SigningKey.secret(file)
            keys.append(
                Keys(
                    algorithm: .hs256,
                    collection: await JWTKeyCollection().add(
                        hmac: HMACKey(from: secret), digestAlgorithm: .sha256)))
        }
        for file in sources.publicKeyFiles { keys.append(try await Self.publicKey(file)) }
        if let file = sources.keySetFile { keys += try await Self.keySet(file) }
        self.sources = keys
        rules = sources.rules
    }

    private static func publicKey(_ file: String) async throws(TokenError) -> Keys {
        let pem = String(decoding: try SigningKey.read(file), as: UTF8.self)
        if let key = try? ES256PublicKey(pem: pem) {
            return Keys(algorithm: .es256, collection: await JWTKeyCollection().add(ecdsa: key))
        }
        if let key = try? EdDSA.PublicKey(pem: pem) {
            return Keys(algorithm: .edDSA, collection: await JWTKeyCollection().add(eddsa: key))
        }
        throw .badKey(file: file, reason: "no public key of P-256 or Ed25519 in PEM")
    }

    private static func keySet(_ file: String) async throws(TokenError) -> [Keys] {
        let bytes = try SigningKey.read(file)
        var keys: [Keys] = []
        do {
            let set = try JSONDecoder().decode(JWKS.self, from: bytes)
            let kinds: [(Algorithm, JWK.KeyType)] = [(.es256, .ecdsa), (.edDSA, .octetKeyPair)]
            for (algorithm, kind) in kinds {
                let ofKind = set.keys.filter { $0.keyType == kind }
                guard !ofKind.isEmpty else { continue }
                keys.append(
                    Keys(
                        algorithm: algorithm,
                        collection: try await JWTKeyCollection().add(jwks: JWKS(keys: ofKind))))
            }
        } catch {
            throw .badKey(file: file, reason: "no JSON Web Key Set whose keys have a kid")
        }
        guard !keys.isEmpty else {
            throw .badKey(file: file, reason: "no key of P-256 or Ed25519 in the set")
        }
        return keys
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
        guard token.utf8.count <= 8192, let algorithm = Self.algorithm(token) else {
            throw .invalid
        }
        for source in sources where source.algorithm == algorithm {
            guard
                let claims = try? await source.collection.verify(
                    token, as: TokenClaims.self, iteratingKeys: true)
            else { continue }
            try check(claims, now)
            return try Self.grant(claims)
        }
        throw .invalid
    }

    /// The algorithm that a token names, if it is supported. Extensions that have to be understood are not. RFC 7515,
    /// section 4.1.11.
    private static func algorithm(_ token: String) -> Algorithm? {
        guard let first = token.split(separator: ".", omittingEmptySubsequences: false).first,
            let bytes = Data(base64URL: String(first)),
            let header = try? JSONReader.read([UInt8](bytes)), header["crit"] == nil,
            case .string(let name)? = header["alg"]?.kind
        else { return nil }
        return Algorithm(rawValue: name)
    }

    private func check(_ claims: TokenClaims, _ now: Double) throws(TokenError) {
        guard claims.exp > now else { throw .expired }
        if let start = claims.nbf, start > now + 30 { throw .notYet }
        let issued = min(claims.iat ?? now, now)
        if rules.lifetimeSeconds > 0, claims.exp - issued > Double(rules.lifetimeSeconds) + 30 {
            throw .tooLong(seconds: rules.lifetimeSeconds)
        }
        if let issuer = rules.issuer, claims.iss != issuer { throw .notForHere }
        if let audience = rules.audience, claims.aud?.names.contains(audience) != true {
            throw .notForHere
        }
    }

    private static func grant(_ claims: TokenClaims) throws(TokenError) -> Grant {
        var grant = Grant()
        grant.subject = String((claims.sub ?? "").prefix(256))
        grant.rooms = claims.rooms
        grant.expires = claims.exp
        grant.makesRooms = claims.makeRooms
        grant.seeks = claims.seek ?? true
        grant.inspects = claims.inspect ?? true
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
