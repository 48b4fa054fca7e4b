import ArgumentParser
import FoundationEssentials
import JSON
import SceneServer
import SceneSession
import SceneWire

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Issue or check tokens for joining rooms.",
        discussion: """
            A token is a JSON Web Token, signed with a secret (HS256) that server and issuer share, or \
            with a private key of P-256 (ES256), RSA (RS256) or Ed25519 (EdDSA) whose public key the \
            server has.

              head -c 32 /dev/urandom | base64 > secret
              scenesync serve --auth-secret-file secret
              scenesync token --secret-file secret --room 'team-*' --role editor > token

            A client gives it in hello (SCENESYNC_TOKEN, --token-file) or as `Authorization: Bearer TOKEN`.
            """)

    @Option(help: "A file with a secret of 32 bytes or more.")
    var secretFile: String?

    @Option(help: "A PEM file with a private key.")
    var privateKey: String?

    @Option(help: "A room, or a pattern with *; may be repeated.")
    var room: [String] = []

    @Option(help: "viewer, participant, editor or admin.")
    var role = "viewer"

    @Option(help: "The subject; shown to administrators.")
    var subject = ""

    @Flag(
        inversion: .prefixedNo,
        help: "Whether its holder creates rooms by joining them, overriding the server's rule.")
    var makeRooms: Bool?

    @Flag(help: "Its holder may not watch the past.")
    var noSeek = false

    @Flag(help: "Its holder may not inspect views.")
    var noInspect = false

    @Option(
        help: ArgumentHelp(
            "The views that its holder is told of: sidebar, sidebar/*, !secrets; may be repeated.",
            valueName: "pattern"))
    var see: [String] = []

    @Option(
        help: ArgumentHelp(
            "The views that its holder may change; may be repeated.", valueName: "pattern"))
    var edit: [String] = []

    @Option(
        help: ArgumentHelp(
            "The views whose events its holder may handle; may be repeated.", valueName: "pattern"))
    var handle: [String] = []

    @Option(help: "The issuer (iss), if the server requires one.")
    var issuer: String?

    @Option(help: "The audience (aud), if the server requires one.")
    var audience: String?

    @Option(help: "Its lifetime: a number and s, m, h or d.")
    var expires = "1h"

    @Option(help: "Check this token instead, and print its rights.")
    var check: String?

    @Option(help: "A PEM file with a public key to check with.")
    var publicKey: String?

    @Flag(
        help:
            "Print the new token as JSON, with the time until which it holds: {\"token\": …, \"expires\": SECONDS}. What --check prints is JSON anyway."
    )
    var json = false

    func validate() throws {
        guard (secretFile == nil) != (privateKey == nil && publicKey == nil) else {
            throw ValidationError("Give one of --secret-file and --private-key (or --public-key).")
        }
        guard check != nil || privateKey != nil || secretFile != nil else {
            throw ValidationError("To issue a token takes --secret-file or --private-key.")
        }
        guard check != nil || !room.isEmpty || role == "admin" else {
            throw ValidationError("Give at least one --room; '*' means all.")
        }
        guard role == "admin" || Role(rawValue: role) != nil else {
            throw ValidationError(
                "there is no role \(role); name viewer, participant, editor or admin")
        }
        for patterns in [see, edit, handle]
        where !patterns.isEmpty && ViewPatterns(patterns) == nil {
            throw ValidationError(
                "\(patterns.joined(separator: " ")) is no list of views, such as sidebar, sidebar/*, * or !secrets"
            )
        }
        guard Self.seconds(expires) != nil else {
            throw ValidationError("\(expires) is not a duration; an example is 8h")
        }
    }

    func run() throws {
        do {
            Output.result(try text())
        } catch let error as TokenError {
            if case .badKey = error {
                throw Output.failure(
                    .badConfiguration, error.description, try: Advice.after(error))
            }
            throw Output.failure(.failure, error.description, try: Advice.after(error))
        }
    }

    private func text() throws -> String {
        if let check { return try describe(check) }
        var grant = Grant()
        grant.subject = subject
        grant.isAdministrator = role == "admin"
        grant.role = Role(rawValue: role) ?? .editor
        grant.rooms = room
        grant.makesRooms = makeRooms
        grant.seeks = !noSeek
        grant.inspects = !noInspect
        grant.rights.see = ViewPatterns(see)
        grant.rights.edit = ViewPatterns(edit)
        grant.rights.handle = ViewPatterns(handle)
        let expires = Date().timeIntervalSince1970 + (Self.seconds(expires) ?? 3600)
        grant.expires = expires
        let key =
            if let secretFile {
                try SigningKey(secretFile: secretFile)
            } else {
                try SigningKey(privateKeyFile: privateKey ?? "")
            }
        let token = try key.issue(grant, issuer: issuer, audience: audience)
        guard json else { return token }
        return JSONValue.object([
            JSONMember("token", .string(token)),
            JSONMember("expires", .number(expires.rounded(.down))),
        ]).text()
    }

    private func describe(_ token: String) throws -> String {
        var sources = KeySources()
        sources.secretFile = secretFile
        sources.publicKeyFiles = publicKey.map { [$0] } ?? []
        sources.rules.issuer = issuer
        sources.rules.audience = audience
        let grant = try Authenticator(sources).verify(token)
        var bytes: [UInt8] = []
        func list(_ patterns: ViewPatterns?) -> JSONValue {
            patterns.map { .array($0.texts.map { .string($0) }) } ?? .null
        }
        JSONValue.object([
            JSONMember("subject", .string(grant.subject)),
            JSONMember(
                "role", .string(grant.isAdministrator ? "admin" : grant.role.rawValue)),
            JSONMember("rooms", .array(grant.rooms.map { .string($0) })),
            JSONMember("makeRooms", grant.makesRooms.map { .bool($0) } ?? .null),
            JSONMember("seek", .bool(grant.seeks)), JSONMember("inspect", .bool(grant.inspects)),
            JSONMember("see", list(grant.rights.see)), JSONMember("edit", list(grant.rights.edit)),
            JSONMember("handle", list(grant.rights.handle)),
            JSONMember("expires", grant.expires.map { .number($0) } ?? .null),
        ]).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A duration such as `90s`, `15m`, `8h` or `7d`, in seconds.
    static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (1...100_000_000).contains(count)
        else { return nil }
        return Double(count) * unit
    }
}
