import NATSEngine
import Testing

@Suite("Seeds of nkeys")
struct NKeySeedTests {
    /// Seeds and public keys: the first of NATS's documentation, the others of the 32 bytes 0…31
    /// and 32…63, by the project's library for Python.
    static let pairs = [
        (
            "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY",
            "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
        ),
        (
            "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y",
            "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK"
        ),
        (
            "SUACAIJCEMSCKJRHFAUSUKZMFUXC6MBRGIZTINJWG44DSOR3HQ6T4PY7UE",
            "UAU2ZOXBIG6MV4FSFYNJJU2NBPDTMHSSNUF74EWIS6KLZEZCSZW5PMRM"
        ),
    ]

    @Test("the public key follows from the seed", arguments: pairs)
    func publicKey(_ seed: String, _ key: String) throws {
        #expect(try NKeySeed(file: "f", Array(seed.utf8)).publicKey == key)
        let commented = "-----BEGIN-----\n# mine\n  \(seed)  \n------END------\n"
        #expect(try NKeySeed(file: "f", Array(commented.utf8)).publicKey == key)
    }

    @Test("a seed with any one character changed is refused")
    func changed() {
        let seed = Array(Self.pairs[0].0.utf8)
        for index in seed.indices {
            var other = seed
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: NATSError.self) { try NKeySeed(file: "f", other) }
        }
    }

    @Test(
        "what is no seed of a user is refused with a reason",
        arguments: [
            ("", "no line begins with S"),
            ("UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4", "no line begins with S"),
            ("SUA", "58 characters"), ("S!", "58 characters"),
            ("S" + String(repeating: "A", count: 100_000), "58 characters"),
            // An account's, of 32 zeros, by the project's library for Python.
            (
                "SAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHT5A",
                "another kind of key"
            ),
        ])
    func refused(_ text: String, _ reason: String) {
        do throws(NATSError) {
            _ = try NKeySeed(file: "f", Array(text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
        }
    }

    @Test("bytes that are no text are refused")
    func bytes() {
        #expect(throws: NATSError.self) { try NKeySeed(file: "f", [0x53, 0xFF, 0x00, 0x80]) }
    }
}
