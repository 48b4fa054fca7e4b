import Digests

/// The name of a face: the SHA-256 of its file's bytes.
public struct FaceHash: Hashable, Sendable, CustomStringConvertible {
    /// The bytes of the digest in each number, the most significant first.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The hash of a file.
    public init(of file: [UInt8]) {
        self.init(digest: SHA256Digest.of(file))
    }

    /// Reads 64 hexadecimal digits in lower case; nil for anything else.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(digest: bytes)
    }

    private init(digest: [UInt8]) {
        func word(_ index: Int) -> UInt64 {
            digest[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The 64 digits.
    public var description: String {
        [words.0, words.1, words.2, words.3].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    /// Whether both name the same file.
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// Mixes the digest into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
