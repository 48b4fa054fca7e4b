import Bytes
import Testing

@Suite("Numbers and digests as bytes and as text")
struct BytesTests {
    /// By hand: 300 is 2 × 128 + 44; the largest number has 64 = 9 × 7 + 1 bits.
    private static let varints: [(number: UInt64, bytes: [UInt8])] = [
        (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
        (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
    ]

    @Test("a varint has seven bits a byte, the lowest first", arguments: varints)
    func varint(number: UInt64, bytes: [UInt8]) {
        var written: [UInt8] = [9]
        Varint.append(number, to: &written)
        #expect(written == [9] + bytes)
        #expect(Varint.byteCount(number) == bytes.count)
        var offset = 1
        #expect(Varint.take(written[...], &offset) == number)
        #expect(offset == written.count)
    }

    @Test("a varint that is cut short, or has more than ten bytes, is none")
    func noVarint() {
        for bytes in [[], [0x80], [UInt8](repeating: 0x80, count: 11)] as [[UInt8]] {
            var offset = 0
            #expect(Varint.take(bytes[...], &offset) == nil)
        }
    }

    @Test("integers have their lowest byte first")
    func littleEndian() {
        var bytes: [UInt8] = []
        LittleEndian.append(UInt16(0x0102), to: &bytes)
        LittleEndian.append(UInt32(0x0102_0304), to: &bytes)
        LittleEndian.append(UInt64(1), to: &bytes)
        #expect(bytes == [2, 1, 4, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(LittleEndian.number(bytes[0..<2]) == 0x0102 as UInt16)
        #expect(LittleEndian.number(bytes[2..<6]) == 0x0102_0304 as UInt32)
        #expect(LittleEndian.number(bytes[6...]) == 1 as UInt64)
    }

    /// RFC 9923 has these for no bytes and for "a".
    @Test("the hash is FNV-1a")
    func hash() {
        #expect(FNV1a.hash([]) == 0xCBF2_9CE4_8422_2325)
        #expect(FNV1a.hash("a".utf8) == 0xAF63_DC4C_8601_EC8C)
    }

    @Test("hexadecimal digits are two a byte, in lower case, and are read in either")
    func hexadecimal() {
        #expect(Hexadecimal.text([0x0A, 0xFF]) == "0aff")
        #expect(Hexadecimal.text(UInt64(0xAB)) == "00000000000000ab")
        #expect(Hexadecimal.bytes("0aFF") == [0x0A, 0xFF])
        #expect(Hexadecimal.bytes("0a0") == nil && Hexadecimal.bytes("0g") == nil)
    }

    /// RFC 4648, section 10, without padding, and two characters of the alphabet for URLs.
    @Test(
        "base64url has no padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("\u{FB}\u{3F}", "w7s_"),
        ])
    func base64URL(plain: String, text: String) {
        #expect(Base64URL.text(Array(plain.utf8)) == text)
        #expect(Base64URL.bytes(Substring(text).utf8) == Array(plain.utf8))
    }

    @Test("each byte sequence has one text in base64url", arguments: ["Zg==", "Zh", "Z", "+A"])
    func noBase64URL(text: String) {
        #expect(Base64URL.bytes(Substring(text).utf8) == nil)
    }

    @Test("decimals have no fraction where the number has none, and zero has no sign")
    func decimals() {
        #expect([8, -0.0, 0.5, 1e300].map(NumberText.of) == ["8", "0", "0.5", "1e+300"])
    }
}
