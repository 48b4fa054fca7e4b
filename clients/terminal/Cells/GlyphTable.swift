import Synchronization

/// Characters as numbers: a scalar is its own number; a cluster of several is numbered on first
/// use.
///
/// Numbers are valid for the process, so that cells of all grids can be compared. The table is
/// bounded, so that no server can exhaust the memory.
enum GlyphTable {
    private struct Clusters {
        var codes: [Character: UInt32] = [:]
        var characters: [Character] = []
    }

    /// The maximum number of clusters; further ones become the replacement character.
    static let clusterMaximum = 65_536
    /// The maximum number of scalars in a cluster; further ones, such as many combining marks, are
    /// dropped.
    static let scalarMaximum = 16

    private static let clusterBit: UInt32 = 1 << 31
    private static let replacement: UInt32 = 0xFFFD
    private static let clusters = Mutex(Clusters())

    static func isCluster(_ code: UInt32) -> Bool { code & clusterBit != 0 }

    static func code(of character: Character) -> UInt32 {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0x20 }
        guard scalars.index(after: scalars.startIndex) != scalars.endIndex else {
            return first.value
        }
        var kept = character
        if scalars.count > scalarMaximum {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars.prefix(scalarMaximum))
            // A part of a cluster is one too.
            kept = String(view).first ?? character
        }
        return clusters.withLock { clusters in
            if let code = clusters.codes[kept] { return code }
            guard clusters.characters.count < clusterMaximum else { return replacement }
            let code = clusterBit | UInt32(clusters.characters.count)
            clusters.characters.append(kept)
            clusters.codes[kept] = code
            return code
        }
    }

    static func character(of code: UInt32) -> Character {
        guard isCluster(code) else {
            return Character(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        let index = Int(code & ~clusterBit)
        return clusters.withLock { clusters in
            index < clusters.characters.count ? clusters.characters[index] : "\u{FFFD}"
        }
    }

    /// Appends a character in UTF-8.
    static func append(_ code: UInt32, to bytes: inout ByteBuffer) {
        switch code {
        case 0..<0x80: bytes.append(UInt8(truncatingIfNeeded: code))
        case 0x80..<0x800:
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | code >> 6))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | code & 0x3F))
        case 0x800..<0x1_0000:
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | code >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | code >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | code & 0x3F))
        default: bytes.append(contentsOf: character(of: code).utf8)
        }
    }

    /// The bytes that `append` appends, for characters of one scalar.
    static func byteCount(_ code: UInt32) -> Int {
        code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
    }

    /// Whether terminals agree that a wide character takes two columns: East Asian scripts, of one
    /// scalar.
    static func isSurelyWide(_ code: UInt32) -> Bool {
        switch code {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x2_0000...0x3_FFFD:
            true
        default: false
        }
    }
}
