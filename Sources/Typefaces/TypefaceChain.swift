/// Faces in the order in which a character looks for a glyph.
///
/// The first face that has a character draws it; marks, joiners and modifiers stay with the
/// character before them. CSS Fonts 4, "Font Matching Algorithm".
public struct TypefaceChain: Sendable {
    /// The faces, one to eight of them; the first gives lines their height.
    public let faces: [Typeface]

    /// The most faces of a chain.
    public static let faceMaximum = 8
    /// The units of an advance in an em: 2²⁰. A face's own units are rounded to them.
    public static let unitsPerEm = 1 << 20

    /// A piece ends at this number of scalars, or of marks on one character: HarfBuzz before 7
    /// takes time quadratic in the latter.
    static let scalarMaximum = 64
    static let markMaximum = 16

    /// The advance of an emoji that no face has, as most faces of emoji have it.
    private static let emojiUnits = unitsPerEm / 4 * 5

    /// Makes a chain.
    ///
    /// - Precondition: One to eight faces.
    public init(_ faces: [Typeface]) {
        precondition((1...Self.faceMaximum).contains(faces.count))
        self.faces = faces
    }

    /// How far a word goes.
    public struct Advance: Hashable, Sendable {
        /// In units of 2⁻²⁰ em; not negative.
        public var units: Int
        /// Whether a character has no glyph in any face, so that a renderer has to fit the line to
        /// its width.
        public var isFitted: Bool

        /// Makes an advance.
        public init(units: Int, isFitted: Bool) {
            self.units = units
            self.isFitted = isFitted
        }
    }

    /// Measures text without spaces. Control characters take no room.
    ///
    /// - Complexity: O(*n*) in the number of scalars.
    public func advance(of word: Substring) -> Advance {
        var advance = Advance(units: 0, isFitted: false)
        let scalars = Array(word.unicodeScalars.lazy.filter { !Self.isControl($0) })
        var start = 0
        while start < scalars.count {
            let piece = piece(of: scalars, from: start)
            add(piece, to: &advance, of: scalars)
            start = piece.range.upperBound
        }
        return advance
    }

    /// Measures text without spaces. Control characters take no room.
    ///
    /// - Complexity: O(*n*) in the number of scalars.
    public func advance(of word: String) -> Advance { advance(of: word[...]) }

    // MARK: Pieces

    /// A run of one face and script that is shaped by itself.
    struct Piece {
        var range: Range<Int>
        /// The face's place in the chain; nil where no face has the characters.
        var face: Int?
        var script: Typeface.Script
        var isIdeographic: Bool
    }

    func piece(of scalars: [Unicode.Scalar], from start: Int) -> Piece {
        let first = scalars[start]
        let script = Typeface.Script(of: first)
        let isIdeographic = Self.isIdeographic(first, script)
        var piece = Piece(
            range: start..<(start + 1), face: face(of: first),
            script: script.isShared ? .latin : script, isIdeographic: isIdeographic)
        var hasScript = !script.isShared
        var marks = 0
        while piece.range.upperBound < scalars.count, piece.range.count < Self.scalarMaximum {
            let next = scalars[piece.range.upperBound]
            if Self.isAttached(next) {
                marks += 1
                guard marks <= Self.markMaximum else { break }
            } else {
                marks = 0
                // What follows a joiner belongs to the character before it.
                if scalars[piece.range.upperBound - 1] != Self.joiner {
                    let script = Typeface.Script(of: next)
                    guard !isIdeographic, !Self.isIdeographic(next, script),
                        face(of: next) == piece.face,
                        script.isShared || !hasScript || script == piece.script
                    else { break }
                    if !script.isShared {
                        piece.script = script
                        hasScript = true
                    }
                }
            }
            piece.range = start..<(piece.range.upperBound + 1)
        }
        return piece
    }

    private func add(_ piece: Piece, to advance: inout Advance, of scalars: [Unicode.Scalar]) {
        guard let index = piece.face else {
            advance.isFitted = true
            advance.units += Self.substitute(for: scalars[piece.range])
            return
        }
        let face = faces[index]
        let extent = face.extent(
            of: scalars[piece.range], script: piece.script, isKerned: !piece.isIdeographic)
        advance.units += (extent.units << 20 + face.unitsPerEm / 2) / face.unitsPerEm
        if extent.missing > 0 {
            advance.isFitted = true
            advance.units += extent.missing * Self.unitsPerEm
        }
    }

    /// The place of the first face that has a character; that of the first for characters that are
    /// never drawn.
    private func face(of scalar: Unicode.Scalar) -> Int? {
        faces.firstIndex { $0.covers(scalar) } ?? (Self.isInvisible(scalar) ? 0 : nil)
    }

    // MARK: Characters

    private static let joiner: Unicode.Scalar = "\u{200D}"

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint
    }

    /// Whether a scalar belongs to the character before it.
    private static func isAttached(_ scalar: Unicode.Scalar) -> Bool {
        // Before the first mark of Unicode.
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return scalar == joiner || scalar.properties.isEmojiModifier
        }
    }

    /// Whether a character is measured by itself, without kerning: of ideographic scripts, and the
    /// punctuation and full-width forms that stand among them.
    private static func isIdeographic(
        _ scalar: Unicode.Scalar, _ script: Typeface.Script
    ) -> Bool {
        switch scalar.value {
        case 0x3000...0x303F, 0x30FB...0x30FC, 0xFF00...0xFFEF: true
        default: script.isIdeographic
        }
    }

    /// The advance of characters that no face has: an em each, an em and a quarter for emoji.
    private static func substitute(for scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view).reduce(0) { sum, character in
            sum + (isEmoji(character) ? emojiUnits : unitsPerEm)
        }
    }

    private static func isEmoji(_ character: Character) -> Bool {
        character.unicodeScalars.contains { scalar in
            scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
        }
    }
}
