/// Checks piece by piece whether bytes are UTF-8, and fails at the first byte that cannot be. RFC
/// 3629, section 4.
struct UTF8Checker {
    /// Continuation bytes that are still to come, and where the next has to lie.
    private var missing: UInt8 = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the bytes so far end with a whole character.
    var isComplete: Bool { missing == 0 }

    /// Takes the next piece.
    ///
    /// - Returns: False when no continuation could make it UTF-8.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            // Most texts are ASCII, which is passed over eight bytes at a time.
            while missing == 0, index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080
                    == 0
            {
                index += 8
            }
            guard index < bytes.count else { break }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard (lowest...highest).contains(byte) else { return false }
            missing -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
