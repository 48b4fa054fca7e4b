/// Base64 with padding. Source: RFC 4648, section 4.
enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// - Complexity: O(bytes).
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for place in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - place)
            var group = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? Int(bytes[place + offset]) : 0)
            }
            for digit in 0..<4 {
                result.append(
                    digit <= count ? digits[group >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        return result
    }
}
