internal import Essentials
private import Signatures

/// The seed of a user's nkey: what signs the server's nonce, and what the public key is made from.
///
/// A seed is 36 bytes in base 32 (RFC 4648, without padding): two bytes of prefixes, 32 bytes of an
/// Ed25519 seed, and the CRC-16/XMODEM of these, little-endian. The public key has one byte of
/// prefix.
///
/// - Source: The NATS project's description of nkeys.
public struct NKeySeed: Equatable, Sendable {
    /// The seed as text, which begins with `SU`.
    let text: String
    /// The public key as text, which begins with `U`.
    public let publicKey: String

    private static let seedPrefix: UInt8 = 18 << 3
    private static let userPrefix: UInt8 = 20 << 3
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Reads the contents of a file. Lines that begin with `#` or `-` are comments, as in files of
    /// credentials.
    ///
    /// - Throws: `NATSError.badSeed`.
    public init(file: String, _ contents: [UInt8]) throws(NATSError) {
        let lines = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(\.trimmed).filter { !$0.isEmpty && $0.first != "#" && $0.first != "-" }
        guard let line = lines.first(where: { $0.hasPrefix("S") }) else {
            throw .badSeed(file: file, reason: "no line begins with S")
        }
        guard let bytes = Self.decode(Array(line.utf8)), bytes.count == 36 else {
            throw .badSeed(file: file, reason: "it is not 58 characters of base 32")
        }
        let payload = Array(bytes[..<34])
        guard Self.checksum(payload) == UInt16(bytes[34]) | UInt16(bytes[35]) << 8 else {
            throw .badSeed(file: file, reason: "its checksum does not fit")
        }
        // The upper five bits of the first byte say that it is a seed, the eight bits after them
        // whose.
        let kind = (payload[0] & 7) << 5 | payload[1] >> 3
        guard payload[0] & 0xF8 == Self.seedPrefix, kind == Self.userPrefix else {
            throw .badSeed(file: file, reason: "it is the seed of another kind of key")
        }
        guard let key = try? Ed25519Seed(Array(payload[2...])).publicKey else {
            throw .badSeed(file: file, reason: "OpenSSL makes no key of it")
        }
        text = line
        publicKey = Self.encode([Self.userPrefix] + key)
    }

    private static func encode(_ payload: [UInt8]) -> String {
        let sum = checksum(payload)
        var text: [UInt8] = []
        var bits = 0
        var buffer: UInt32 = 0
        for byte in payload + [UInt8(sum & 0xFF), UInt8(sum >> 8)] {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard text.count <= 64 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        var buffer: UInt32 = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
        }
        return sum
    }
}
