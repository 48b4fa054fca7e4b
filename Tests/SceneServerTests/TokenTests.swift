import Foundation
import SceneWire
import Testing

@testable import SceneServer

/// Tokens and keys that another implementation (joserfc 1.6.5, Python) made: what it signed has to
/// be taken.
private enum Foreign {
    static let secret = "0123456789abcdef0123456789abcdef"
    /// sub ada, exp 4102444800 (2100), rooms team-* and lobby, role editor; all signed like this.
    static let claims =
        "eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDAsInJvb21zIjpbInRlYW0tKiIsImxvYmJ5Il0sInJvbGUiOiJlZGl0b3IifQ"
    static let hs256 =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.\(claims).HobEB8gNEnEd-hqoT9NStWjD0OgxKNU1Rm0apifyYd0"
    static let expired =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjEwMDAwMDAwMDAsInJvb21zIjpbInRlYW0tKiIsImxvYmJ5Il0sInJvbGUiOiJlZGl0b3IifQ.uSZRoB3Ch1s_vAk7exzMwmpuvViolMm3IpgqSBon3Ek"
    static let administrator =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDAsInJvb21zIjpbInRlYW0tKiIsImxvYmJ5Il0sInJvbGUiOiJhZG1pbiJ9.GUk0Ob9ZNF9jwfmxORgI2NPBb9KHbd3AGEB-S3-v_YE"
    /// Holds from 4102444000 on.
    static let later =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDAsInJvb21zIjpbInRlYW0tKiIsImxvYmJ5Il0sInJvbGUiOiJlZGl0b3IiLCJuYmYiOjQxMDI0NDQwMDB9.w1C-vgM53r6GxTOkgh-hso3Div4SDGWlqvaDk_UnSR4"
    static let unknownRole =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDAsInJvb21zIjpbInRlYW0tKiIsImxvYmJ5Il0sInJvbGUiOiJraW5nIn0.yzZJ8jMaIrXbQnLwlmCd3WyQCTR5PeV9XPBqakNOSjo"
    /// The right secret, another algorithm.
    static let hs384 =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzM4NCJ9.\(claims)._pC51d1TA0IKXKJX2JilMyWn0iZw9KW1MsGWQL97s_THytIZTpHk3_ZCL60nt9zh"
    /// Signed with the secret by hmac of Python's library: as ES256, with an extension that has to
    /// be understood, and with iss https://id.example, aud other and scenes, iat 1800000000, exp an
    /// hour later, makeRooms and seek false.
    static let mislabelled =
        "eyJhbGciOiJFUzI1NiJ9.\(claims).AbmKApFOrgF6ntRBsBem2j-oZJB3E-mTpI5q56YwghA"
    static let critical =
        "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsieCJdLCJ4IjoxfQ.\(claims).BhkUJsJi9MAoQB6LJN2ZQfpDc1Nfmh_dEdZz_YetrfQ"
    static let addressed =
        "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOlsib3RoZXIiLCJzY2VuZXMiXSwic3ViIjoiYWRhIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsInJvb21zIjpbIioiXSwicm9sZSI6ImVkaXRvciIsIm1ha2VSb29tcyI6ZmFsc2UsInNlZWsiOmZhbHNlfQ.toCQKkkVuGj-np0hRhzt4bacA8vTW69NFCIzpP_eeQA"
    static let es256 =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiIsImtpZCI6Im9uZSJ9.\(claims).0Zmc9s9gczHDP5FQjEMaXQ7TmOuhgw51iHgcRAE6Ya84knw-xbAee8Qu_AP71Ax7fL6Vt4Rgx_QW5vpOCu6skw"
    static let p256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEljicNHjobg7zE6gHxEOc5AhhEd7X
        rXANELdCg5HDI4dZwTubqP6VpXuHlVDUsf0t/xjmPzqBcNCGLYWmJXUyNA==
        -----END PUBLIC KEY-----
        """
    static let edDSA =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSIsImtpZCI6InR3byJ9.\(claims).-wEo5toP9IRcIs3nX2YUl7ZoDggr3whyEp9G2WUyPiWH96p5ylLYR8DDda12n1xrpONJfBi2G1dziVr9w8CJDA"
    static let ed25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAnnx9mQRqa4/9Y1TriL7SR3y4b0KyejExkcGLOtQ0nzc=
        -----END PUBLIC KEY-----
        """
    static let keySet = """
        {"keys": [{"crv": "P-256", "x": "ljicNHjobg7zE6gHxEOc5AhhEd7XrXANELdCg5HDI4c",
                   "y": "WcE7m6j-laV7h5VQ1LH9Lf8Y5j86gXDQhi2FpiV1MjQ", "kty": "EC", "kid": "one", "alg": "ES256"},
                  {"crv": "Ed25519", "x": "nnx9mQRqa4_9Y1TriL7SR3y4b0KyejExkcGLOtQ0nzc", "kty": "OKP", "kid": "two",
                   "alg": "EdDSA"}]}
        """
}

/// Files that go with the test.
final class KeyFiles {
    let directory = NSTemporaryDirectory() + "scenesync-keys-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func write(_ text: String, _ name: String) throws -> String {
        let path = directory + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

@Suite("Tokens")
struct TokenTests {
    private let files: KeyFiles

    init() throws { files = try KeyFiles() }

    private func authenticator(
        secret: String? = nil, publicKeys: [String] = [], keySet: String? = nil,
        rules: TokenRules = TokenRules()
    ) throws -> Authenticator {
        var sources = KeySources()
        sources.rules = rules
        if let secret { sources.secretFile = try files.write(secret, "secret") }
        for (index, key) in publicKeys.enumerated() {
            sources.publicKeyFiles.append(try files.write(key, "key\(index).pem"))
        }
        if let keySet { sources.keySetFile = try files.write(keySet, "keys.json") }
        return try Authenticator(sources)
    }

    @Test("what another implementation signed is taken, whatever kind of key it is")
    func foreign() throws {
        let all = try authenticator(
            secret: Foreign.secret + "\n", publicKeys: [Foreign.p256, Foreign.ed25519])
        let set = try authenticator(keySet: Foreign.keySet)
        for (token, authenticators) in [
            (Foreign.hs256, [all]), (Foreign.es256, [all, set]), (Foreign.edDSA, [all, set]),
        ] {
            for authenticator in authenticators {
                let grant = try authenticator.verify(token)
                #expect(grant.subject == "ada")
                #expect(grant.role == .editor && !grant.isAdministrator)
                #expect(grant.rooms == ["team-*", "lobby"])
                #expect(grant.expires == 4_102_444_800)
            }
        }
        #expect(try all.verify(Foreign.administrator).isAdministrator)
    }

    @Test("what is over, early, changed or signed by others is refused")
    func refused() throws {
        let secret = try authenticator(secret: Foreign.secret)
        let keys = try authenticator(publicKeys: [Foreign.p256, Foreign.ed25519])
        func error(_ authenticator: Authenticator, _ token: String) -> TokenError? {
            do throws(TokenError) {
                _ = try authenticator.verify(token, now: 1_800_000_000)
                return nil
            } catch {
                return error
            }
        }
        #expect(error(secret, Foreign.expired) == .expired)
        #expect(error(secret, Foreign.later) == .notYet)
        #expect(error(secret, Foreign.unknownRole) == .invalid)
        #expect(error(secret, "") == .missing)
        #expect(error(secret, Foreign.es256) == .invalid)
        #expect(error(keys, Foreign.hs256) == .invalid)
        #expect(error(secret, Foreign.hs384) == .invalid)
        #expect(error(secret, Foreign.mislabelled) == .invalid)
        #expect(error(secret, Foreign.critical) == .invalid)
        // `none`, and a public key used as a secret.
        let none = "eyJhbGciOiJub25lIn0.\(Foreign.claims)."
        for authenticator in [secret, keys] {
            #expect(error(authenticator, none) == .invalid)
        }
        for place in stride(from: 0, to: Foreign.hs256.utf8.count, by: 7) {
            var bytes = Array(Foreign.hs256.utf8)
            bytes[place] = bytes[place] == 0x41 ? 0x42 : 0x41
            let changed = String(decoding: bytes, as: UTF8.self)
            #expect(error(secret, changed) == .invalid, "changed at \(place)")
        }
        for noise in ["a", "a.b", "a.b.c", "...", String(repeating: "x", count: 100_000)] {
            #expect(error(secret, noise) == .invalid)
        }
    }

    @Test("issuer, audience and the longest lifetime are held to where they are set")
    func rules() throws {
        func outcome(
            _ token: String, _ change: (inout TokenRules) -> Void
        ) throws -> TokenError? {
            var rules = TokenRules()
            change(&rules)
            let authenticator = try authenticator(secret: Foreign.secret, rules: rules)
            do throws(TokenError) {
                _ = try authenticator.verify(token, now: 1_800_000_060)
                return nil
            } catch {
                return error
            }
        }
        #expect(try outcome(Foreign.addressed) { _ in } == nil)
        #expect(try outcome(Foreign.addressed) { $0.issuer = "https://id.example" } == nil)
        #expect(try outcome(Foreign.addressed) { $0.issuer = "id" } == .notForHere)
        #expect(try outcome(Foreign.hs256) { $0.issuer = "id" } == .notForHere)
        for audience in ["other", "scenes"] {
            #expect(try outcome(Foreign.addressed) { $0.audience = audience } == nil)
        }
        #expect(try outcome(Foreign.addressed) { $0.audience = "scene" } == .notForHere)
        #expect(try outcome(Foreign.hs256) { $0.audience = "scene" } == .notForHere)
        // From issue to end, 30 seconds of difference between clocks allowed.
        #expect(try outcome(Foreign.addressed) { $0.lifetimeSeconds = 3570 } == nil)
        #expect(
            try outcome(Foreign.addressed) { $0.lifetimeSeconds = 3569 }
                == .tooLong(seconds: 3569))
        // It does not say when it was issued: 4102444800 less the present.
        #expect(
            try outcome(Foreign.hs256) { $0.lifetimeSeconds = 86_400 }
                == .tooLong(seconds: 86_400))
    }

    @Test("rights are as the token says, and as ever where it says nothing")
    func rights() throws {
        let authenticator = try authenticator(secret: Foreign.secret)
        let addressed = try authenticator.verify(Foreign.addressed, now: 1_800_000_000)
        #expect(addressed.makesRooms == false && !addressed.seeks && addressed.inspects)
        let plain = try authenticator.verify(Foreign.hs256)
        #expect(plain.makesRooms == nil && plain.seeks && plain.inspects)
    }

    @Test("what we issue is what we take, until the second it ends")
    func issued() throws {
        let key = try SigningKey(
            secretFile: try files.write(Foreign.secret, "signing"))
        var grant = Grant()
        grant.subject = "bob"
        grant.rooms = ["demo"]
        grant.expires = 2000
        grant.makesRooms = true
        grant.inspects = false
        let token = try key.issue(grant, issuer: "us", audience: "here", now: 1000)
        var rules = TokenRules()
        (rules.issuer, rules.audience, rules.lifetimeSeconds) = ("us", "here", 1000)
        let authenticator = try authenticator(secret: Foreign.secret, rules: rules)
        #expect(try authenticator.verify(token, now: 1999.5) == grant)
        #expect(throws: TokenError.expired) {
            _ = try authenticator.verify(token, now: 2000)
        }
    }

    @Test("a key in a set that is private, or is there for something else, is refused by name")
    func misusedKeys() throws {
        func set(_ members: String) -> String {
            Foreign.keySet.replacing(#""kid": "two","#, with: #""kid": "two", \#(members),"#)
        }
        for (members, part) in [
            (#""d": "nnx9mQRqa4_9Y1TriL7SR3y4b0KyejExkcGLOtQ0nzc""#, "private key"),
            (#""key_ops": ["sign"]"#, "key_ops"), (#""key_ops": []"#, "key_ops"),
            (#""key_ops": "verify""#, "key_ops"), (#""key_ops": ["sign", "encrypt"]"#, "key_ops"),
        ] {
            do {
                _ = try authenticator(keySet: set(members))
                Issue.record("taken: \(members)")
            } catch {
                #expect("\(error)".contains("keys[1]: "), "\(error)")
                #expect("\(error)".contains(part), "\(error)")
            }
        }
        _ = try authenticator(keySet: set(#""key_ops": ["verify"]"#))
        // A key for encryption may stand beside; the other one is used.
        let other = try authenticator(keySet: set(#""key_ops": ["encrypt", "wrapKey"]"#))
        _ = try other.verify(Foreign.es256)
        #expect(throws: TokenError.invalid) { _ = try other.verify(Foreign.edDSA) }
    }

    @Test("a second key in a PEM file is told of")
    func secondKey() throws {
        let two = try authenticator(publicKeys: [Foreign.p256 + "\n" + Foreign.ed25519])
        #expect(two.notes.count == 1)
        #expect(two.notes.first?.contains("holds 2 keys, and only the first is used") == true)
        #expect(try authenticator(publicKeys: [Foreign.p256, Foreign.ed25519]).notes.isEmpty)
    }

    /// Signed by hmac of Python's library with the secret: sub is 256 and 257 times `a`.
    @Test("a subject above the limit is refused, and never cut to another person's")
    func longSubject() throws {
        let here = try authenticator(secret: Foreign.secret)
        #expect(try here.verify(Self.longestSubject).subject == String(repeating: "a", count: 256))
        #expect(throws: TokenError.subjectTooLong(bytes: 257)) {
            _ = try here.verify(Self.tooLongSubject)
        }
    }

    private static let longestSubject =
        """
        eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhY\
        WFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWF\
        hYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhY\
        WFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWF\
        hYWFhYWFhYWFhIiwiZXhwIjo0MTAyNDQ0ODAwLCJyb29tcyI6WyIqIl0sInJvbGUiOiJlZGl0b3IifQ._ADG_Zrqmz\
        JNeb9EzvITaM2xyJ-20izCJhCxcvN73Us
        """
    private static let tooLongSubject =
        """
        eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhY\
        WFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWF\
        hYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhY\
        WFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWF\
        hYWFhYWFhYWFhYSIsImV4cCI6NDEwMjQ0NDgwMCwicm9vbXMiOlsiKiJdLCJyb2xlIjoiZWRpdG9yIn0.rg0EvYW0w\
        0juWS3EiI0o_lYWPvJo0qoG1dsZkwKJ48U
        """

    @Test("keys that are none are refused when they are read")
    func badKeys() throws {
        #expect(throws: TokenError.self) { _ = try authenticator(secret: "short") }
        #expect(throws: TokenError.self) {
            _ = try authenticator(publicKeys: ["no key"])
        }
        #expect(throws: TokenError.self) { _ = try authenticator(keySet: "{}") }
        var sources = KeySources()
        sources.secretFile = "/nowhere"
        #expect(throws: TokenError.self) { _ = try Authenticator(sources) }
    }

    @Test(
        "patterns fit whole names",
        arguments: [
            ("*", "anything", true), ("team-*", "team-a", true), ("team-*", "team-", true),
            ("team-*", "steam-a", false), ("lobby", "lobby", true), ("lobby", "lobby2", false),
            ("a*b*c", "axxbyyc", true), ("a*b*c", "axxcyyb", false), ("*-x", "a-x-x", true),
            ("", "a", false), ("a**", "a", true),
        ])
    func patterns(_ pattern: String, _ room: String, _ fits: Bool) {
        var grant = Grant()
        grant.rooms = [pattern]
        #expect(grant.covers(room: room) == fits)
    }
}

@Suite("What an administrator may ask")
struct AdministratorRequestTests {
    @Test("requests are read by method and path, everything else is nothing")
    func requests() {
        func read(_ method: String, _ path: String) -> AdministratorRequest? {
            AdministratorRequest(method: method, path: path)
        }
        #expect(read("GET", "/admin/rooms") == .rooms)
        #expect(read("GET", "/admin/rooms/demo/members") == .members("demo"))
        #expect(read("DELETE", "/admin/rooms/demo/members/7") == .kick("demo", 7))
        #expect(read("GET", "/admin/rooms/demo/scene") == .export("demo"))
        #expect(read("PUT", "/admin/rooms/demo/scene") == .importScene("demo"))
        #expect(read("DELETE", "/admin/rooms/demo") == .delete("demo"))
        #expect(read("POST", "/admin/drain") == .drain)
        #expect(read("GET", "/admin/rooms/demo/snapshot") == .exportRoom("demo"))
        #expect(read("PUT", "/admin/rooms/demo/snapshot") == .importRoom("demo"))
        #expect(read("POST", "/admin/rooms/demo/copy") == .copy("demo"))
        #expect(read("POST", "/admin/rooms/demo/rename") == .rename("demo"))
        for (method, path) in [
            ("POST", "/admin/rooms"), ("GET", "/admin"), ("GET", "/admin/"),
            ("DELETE", "/admin/rooms/"), ("DELETE", "/admin/rooms/demo/members/-1"),
            ("GET", "/admin/rooms/..%2f/scene"), ("GET", "/admin/drain"),
            ("GET", "/admin/rooms/demo/scene/more"),
        ] {
            #expect(read(method, path) == nil, "\(method) \(path)")
        }
    }
}
