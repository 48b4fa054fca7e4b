import Deflate
import SeededRandom
import Testing

@Suite("Deflate")
struct DeflateTests {
    /// A stored block of three bytes, by RFC 1951, section 3.2.4: final, type 0, length, its
    /// complement, bytes.
    private let stored: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]

    @Test("streams of the standard are read")
    func standard() throws {
        #expect(try Deflate.inflate(stored[...], count: 3) == Array("abc".utf8))
        // Python: zlib.compressobj(9, zlib.DEFLATED, -15) of 100 letters a.
        let letters: [UInt8] = [0x4B, 0x4C, 0xA4, 0x3D, 0x00, 0x00]
        #expect(
            try Deflate.inflate(letters[...], count: 100) == Array(repeating: 0x61, count: 100))
    }

    @Test("random bytes come back", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alphabet = UInt8.random(in: 1...255, using: &random)
        let bytes = (0..<Int.random(in: 0...20_000, using: &random)).map { _ in
            UInt8.random(in: 0...alphabet, using: &random)
        }
        let packed = try Deflate.compress(bytes)
        #expect(try Deflate.inflate(packed[...], count: bytes.count) == bytes)
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate(packed.dropLast(), count: bytes.count)
        }
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate((packed + [0])[...], count: bytes.count)
        }
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate(packed[...], count: bytes.count + 1)
        }
    }

    @Test("a stream that holds more than it says takes no more memory than it says")
    func bombs() throws {
        let bomb = try Deflate.compress(Array(repeating: 0, count: 10_000_000))
        #expect(bomb.count < 20_000)
        #expect(throws: DeflateError.malformed) { try Deflate.inflate(bomb[...], count: 1000) }
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate(bomb[...], count: 4_000_000_000)
        }
        #expect(throws: DeflateError.tooLong) { try Deflate.inflate(stored[...], count: -1) }
        #expect(throws: DeflateError.tooLong) { try Deflate.inflate(stored[...], count: .max) }
    }
}
