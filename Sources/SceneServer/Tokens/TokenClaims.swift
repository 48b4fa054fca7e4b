import JSON

/// The claims of a token. RFC 7519, with `rooms` and `role` of this protocol.
struct TokenClaims {
    var sub: String?
    var iss: String?
    /// The intended servers; in the token a string or an array of strings. RFC 7519, section 4.1.3.
    var aud: [String]?
    var exp: Double
    var nbf: Double?
    var iat: Double?
    /// Patterns of room names.
    var rooms: [String]
    /// `viewer`, `editor` or `admin`.
    var role: String
    /// Rights that are granted or denied individually; without them, the role and the server's
    /// rules decide.
    var makeRooms: Bool?
    var seek: Bool?
    var inspect: Bool?
    /// View patterns: the views that the holder receives, edits, and handles events of; `nil` for
    /// all views.
    var see: [String]?
    var edit: [String]?
    var handle: [String]?
}

// MARK: Parsing

extension TokenClaims {
    /// A claim of the wrong type, or a missing required claim.
    private struct Malformed: Error {}

    /// Parses claims; `nil` if a required one is missing, or one has the wrong type. Unknown claims
    /// are ignored.
    init?(_ bytes: [UInt8]) {
        guard let claims = try? JSONReader.read(bytes), case .object = claims.kind else {
            return nil
        }
        do throws(Malformed) {
            guard let exp = try Self.number(claims["exp"]),
                let rooms = try Self.texts(claims["rooms"], allowsOne: false),
                let role = try Self.text(claims["role"])
            else { return nil }
            sub = try Self.text(claims["sub"])
            iss = try Self.text(claims["iss"])
            aud = try Self.texts(claims["aud"], allowsOne: true)
            self.exp = exp
            nbf = try Self.number(claims["nbf"])
            iat = try Self.number(claims["iat"])
            self.rooms = rooms
            self.role = role
            makeRooms = try Self.bool(claims["makeRooms"])
            seek = try Self.bool(claims["seek"])
            inspect = try Self.bool(claims["inspect"])
            see = try Self.texts(claims["see"], allowsOne: false)
            edit = try Self.texts(claims["edit"], allowsOne: false)
            handle = try Self.texts(claims["handle"], allowsOne: false)
        } catch {
            return nil
        }
    }

    private static func text(_ value: JSONValue?) throws(Malformed) -> String? {
        switch value?.kind {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Malformed()
        }
    }

    private static func number(_ value: JSONValue?) throws(Malformed) -> Double? {
        switch value?.kind {
        case nil, .null: return nil
        case .number(let number): return number
        default: throw Malformed()
        }
    }

    private static func bool(_ value: JSONValue?) throws(Malformed) -> Bool? {
        switch value?.kind {
        case nil, .null: return nil
        case .bool(let bool): return bool
        default: throw Malformed()
        }
    }

    private static func texts(
        _ value: JSONValue?, allowsOne: Bool
    ) throws(Malformed) -> [String]? {
        switch value?.kind {
        case nil, .null: return nil
        case .string(let text) where allowsOne: return [text]
        case .array(let values):
            var texts: [String] = []
            for value in values {
                guard let text = value.string else { throw Malformed() }
                texts.append(text)
            }
            return texts
        default: throw Malformed()
        }
    }
}

// MARK: Writing

extension TokenClaims {
    /// The claims as JSON, without absent ones.
    var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(key, value)) }
        }
        func add(_ key: String, _ value: Bool?) { add(key, value.map { JSONValue.bool($0) }) }
        add("sub", sub.map { .string($0) })
        add("iss", iss.map { .string($0) })
        add("aud", aud.map { $0.count == 1 ? .string($0[0]) : .array($0.map { .string($0) }) })
        add("exp", .number(exp))
        add("nbf", nbf.map { .number($0) })
        add("iat", iat.map { .number($0) })
        add("rooms", .array(rooms.map { .string($0) }))
        add("role", .string(role))
        add("makeRooms", makeRooms)
        add("seek", seek)
        add("inspect", inspect)
        for (key, patterns) in [("see", see), ("edit", edit), ("handle", handle)] {
            add(key, patterns.map { .array($0.map { .string($0) }) })
        }
        add("edit", edit.map { .array($0.map { .string($0) }) })
        add("handle", handle.map { .array($0.map { .string($0) }) })
        return .object(members)
    }
}
