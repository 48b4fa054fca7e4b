/// The points of edwards25519 whose order divides its cofactor, eight.
///
/// With such a point as a key, a signature proves nothing: for the neutral element, R = 1 and S = 0
/// sign every message. RFC 8032 does not have a verifier refuse them; RFC 8725 (section 2.2, weak
/// keys) and libsodium do.
enum SmallOrderPoints {
    /// The y-coordinates as keys encode them, the lowest byte first, and their other
    /// representatives below 2^255.
    private static let encodings: [[UInt8]] = [
        // The order is 4, 1, 8, 8 and 2.
        encoding(0x00, 0x00, 0x00),
        encoding(0x01, 0x00, 0x00),
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef,
            0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88,
            0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10,
            0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77,
            0x92, 0xac, 0x03, 0x7a,
        ],
        encoding(0xec, 0xff, 0x7f),
        // 0 and 1, with the modulus added.
        encoding(0xed, 0xff, 0x7f),
        encoding(0xee, 0xff, 0x7f),
    ]

    private static func encoding(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
        [first] + [UInt8](repeating: middle, count: 30) + [last]
    }

    /// Whether 32 bytes encode one of them, with any sign of x.
    static func contains(_ key: [UInt8]) -> Bool {
        guard key.count == 32 else { return false }
        var y = key
        y[31] &= 0x7F
        return encodings.contains(y)
    }
}
