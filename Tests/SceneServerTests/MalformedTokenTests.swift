import Bytes
import Foundation
import SceneWire
import Testing

@testable import SceneServer

/// What MalformedTokens/make_cases.py made, with Python's `cryptography`.
private struct Cases: Decodable {
    var secret: String
    var publicKeys: [String]
    var privateKeys: [String]
    var keySet: String
    /// By algorithm.
    var good: [String: String]
    /// With the names of keys of the set.
    var named: [String: String]
    var misnamed: String
    /// By what is wrong with them.
    var tokens: [String: String]
    /// Each with a part of what is said of it.
    var keySets: [String: [String]]
    var publicFiles: [String: [String]]
    var privateFiles: [String: [String]]

    static let all = Result {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("MalformedTokens/cases.json")
        return try JSONDecoder().decode(Cases.self, from: try Data(contentsOf: file))
    }
}

/// The cases of a list, by their names.
private func named<Value>(_ list: (Cases) -> [String: Value]) -> [String] {
    (try? Cases.all.get()).map { list($0).keys.sorted() } ?? []
}

@Suite("Malformed tokens and keys")
struct MalformedTokenTests {
    private let files: KeyFiles
    private let cases: Cases

    init() throws {
        files = try KeyFiles()
        cases = try Cases.all.get()
    }

    private var allKeys: Authenticator {
        get throws {
            var sources = KeySources()
            sources.secretFile = try files.write(cases.secret, "secret")
            sources.publicKeyFiles = try cases.publicKeys.enumerated().map {
                try files.write($1, "\($0).pem")
            }
            return try Authenticator(sources)
        }
    }

    private func error(_ body: () throws(TokenError) -> Void) -> TokenError? {
        do throws(TokenError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// Whether a file was refused, with those words.
    private func refuses(
        _ file: [String], _ body: (String) throws(TokenError) -> Void
    ) throws {
        let path = try files.write(file[0], "key")
        guard case .badKey(path, let reason)? = error({ () throws(TokenError) in try body(path) })
        else {
            Issue.record("it is taken")
            return
        }
        #expect(reason.contains(file[1]))
    }

    @Test("there are as many as there were, so that a file that is lost is found")
    func counts() throws {
        #expect(cases.tokens.count == 75)
        #expect(cases.keySets.count == 38)
        #expect(cases.publicFiles.count + cases.privateFiles.count == 18)
    }

    @Test("what was signed well is taken", arguments: ["HS256", "ES256", "RS256", "EdDSA"])
    func good(_ algorithm: String) throws {
        let token = try #require(cases.good[algorithm])
        let grant = try allKeys.verify(token)
        #expect(grant.subject == "ada" && grant.rooms == ["lobby"] && grant.role == .editor)
    }

    @Test(
        "a token that is malformed is refused as invalid, by a server that has the keys of all",
        arguments: named(\.tokens))
    func tokens(_ what: String) throws {
        let token = try #require(cases.tokens[what])
        let keys = try allKeys
        #expect(error { () throws(TokenError) in _ = try keys.verify(token) } == .invalid)
    }

    @Test("a set of keys proves what its keys signed, under their names")
    func keySet() throws {
        var sources = KeySources()
        sources.keySetFile = try files.write(cases.keySet, "set")
        let keys = try Authenticator(sources)
        for token in Array(cases.named.values)
            + ["ES256", "RS256", "EdDSA"].compactMap({ cases.good[$0] })
        {
            #expect(error { () throws(TokenError) in _ = try keys.verify(token) } == nil)
        }
        for token in [cases.misnamed, cases.good["HS256"] ?? ""] {
            #expect(error { () throws(TokenError) in _ = try keys.verify(token) } == .invalid)
        }
        // A key in a file of its own has no name, so any will do.
        #expect(try allKeys.verify(cases.misnamed).subject == "ada")
    }

    @Test("a set without keys, or with one that is none, is refused", arguments: named(\.keySets))
    func keySets(_ what: String) throws {
        try refuses(try #require(cases.keySets[what])) { file throws(TokenError) in
            var sources = KeySources()
            sources.keySetFile = file
            _ = try Authenticator(sources)
        }
    }

    @Test("a file without a public key is refused", arguments: named(\.publicFiles))
    func publicFiles(_ what: String) throws {
        try refuses(try #require(cases.publicFiles[what])) { file throws(TokenError) in
            var sources = KeySources()
            sources.publicKeyFiles = [file]
            _ = try Authenticator(sources)
        }
    }

    @Test("a file without a private key is refused", arguments: named(\.privateFiles))
    func privateFiles(_ what: String) throws {
        try refuses(try #require(cases.privateFiles[what])) { file throws(TokenError) in
            _ = try SigningKey(privateKeyFile: file)
        }
    }

    @Test("what each kind of key issues, its public part proves", arguments: 0..<3)
    func issued(_ index: Int) throws {
        let key = try SigningKey(
            privateKeyFile: try files.write(cases.privateKeys[index], "private"))
        var grant = Grant()
        grant.subject = "bob"
        grant.rooms = ["a", "b-*"]
        grant.expires = 2000
        grant.seeks = false
        let token = try key.issue(grant, now: 1000)
        var sources = KeySources()
        sources.publicKeyFiles = [try files.write(cases.publicKeys[index], "public")]
        #expect(try Authenticator(sources).verify(token, now: 1999) == grant)
        sources.publicKeyFiles = [try files.write(cases.publicKeys[(index + 1) % 3], "other")]
        let other = try Authenticator(sources)
        #expect(
            error { () throws(TokenError) in _ = try other.verify(token, now: 1999) } == .invalid)
    }
}

@Suite("Base64 for URLs")
struct Base64URLTests {
    /// RFC 4648, section 10, without padding; and the two characters that differ.
    @Test(
        "bytes and text as the RFC has them",
        arguments: [
            ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"),
            (Array("foo".utf8), "Zm9v"), (Array("foob".utf8), "Zm9vYg"),
            (Array("fooba".utf8), "Zm9vYmE"), (Array("foobar".utf8), "Zm9vYmFy"),
            ([0xFB, 0xFF, 0xBF], "-_-_"), ([0, 0, 0, 0], "AAAAAA"),
        ] as [([UInt8], String)])
    func both(_ bytes: [UInt8], _ text: String) {
        #expect(Base64URL.text(bytes) == text)
        #expect(Base64URL.bytes(text[...].utf8) == bytes)
    }

    @Test(
        "no other text stands for bytes",
        arguments: [
            "A", "AAAAA", "Zh", "Zm9", "Zg==", "Zg=", "+/+/", "Z g", "Zg\n", "é", "Zm9v.", "\0",
        ])
    func none(_ text: String) {
        #expect(Base64URL.bytes(text[...].utf8) == nil)
    }
}
