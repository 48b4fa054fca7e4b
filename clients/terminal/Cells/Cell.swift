import CharacterWidth
public import SceneDocument

/// One place of a character grid: its character, colours and attributes.
///
/// Sixteen bytes without references: a screen has thousands of them, and each is compared sixty
/// times a second.
public struct Cell: Hashable, Sendable {
    /// The attributes of a character, besides its colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Makes a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Faint.
        public static let dim = Attributes(rawValue: 1)
        /// Bold.
        public static let bold = Attributes(rawValue: 2)
        /// Inverse video.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
    }

    /// Glyph and ink, from the high bits down.
    private var front: UInt64
    /// Paper, picture, columns and attributes, from the high bits down.
    private var back: UInt64

    /// The character's number in `GlyphTable`; a space in the right half of a wide character.
    private(set) var glyph: UInt32 {
        get { UInt32(truncatingIfNeeded: front >> 32) }
        set { front = front & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }
    /// The foreground as `pack` has it.
    var ink: UInt32 {
        get { UInt32(truncatingIfNeeded: front) }
        set { front = front & ~0xFFFF_FFFF | UInt64(newValue) }
    }
    /// The background as `pack` has it.
    var paper: UInt32 {
        get { UInt32(truncatingIfNeeded: back >> 32) }
        set { back = back & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }
    /// The columns: 1, 2 for a wide character, 0 for the right half of the wide character to the
    /// left.
    public private(set) var columns: UInt8 {
        get { UInt8(truncatingIfNeeded: back >> 8) }
        set { back = back & ~0xFF00 | UInt64(newValue) << 8 }
    }
    /// The number in its grid of the picture that the cell shows a part of, or on which its
    /// character stands; 0 for none.
    var picture: UInt16 {
        get { UInt16(truncatingIfNeeded: back >> 16) }
        set { back = back & ~0xFFFF_0000 | UInt64(newValue) << 16 }
    }
    /// The attributes.
    public var attributes: Attributes {
        get { Attributes(rawValue: UInt8(truncatingIfNeeded: back)) }
        set { back = back & ~0xFF | UInt64(newValue.rawValue) }
    }

    /// Makes a cell.
    ///
    /// A character without a column, such as a control character, is replaced with a space, so that
    /// no control character of a server reaches the terminal. Colours count as opaque.
    public init(
        _ character: Character, foreground: Color? = nil, background: Color? = nil,
        attributes: Attributes = []
    ) {
        self.init(character, columns: displayWidth(of: character))
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Makes a cell without colours for a character that takes so many columns.
    init(_ character: Character, columns: Int) {
        front = UInt64(columns == 0 ? 0x20 : GlyphTable.code(of: character)) << 32
        back = columns == 2 ? 0x200 : 0x100
    }

    /// Makes a cell without colours for a printable ASCII character.
    init(ascii: UInt8) {
        front = UInt64(ascii) << 32
        back = 0x100
    }

    /// Makes a cell of a character on the background, or picture, of another one.
    ///
    /// - Parameter ink: As `pack` has it.
    init(_ character: Cell, on below: Cell, ink: UInt32) {
        front = character.front & ~0xFFFF_FFFF | UInt64(ink)
        back = below.back & ~0xFFFF | character.back & 0xFFFF
    }

    /// A space in the terminal's own colours.
    public static let blank = Cell(ascii: 0x20)

    /// The character; a space in the right half of a wide character.
    public var character: Character { GlyphTable.character(of: glyph) }
    /// The colour of the character; nil is the terminal's own.
    public var foreground: Color? {
        get { Self.unpack(ink) }
        set { ink = Self.pack(newValue) }
    }
    /// The colour behind the character; nil is the terminal's own.
    public var background: Color? {
        get { Self.unpack(paper) }
        set { paper = Self.pack(newValue) }
    }

    /// Whether it is the right half of the wide character to the left.
    public var isContinuation: Bool { columns == 0 }
    /// Whether the character has several scalars; terminals disagree on the width of such.
    var isCluster: Bool { GlyphTable.isCluster(glyph) }
    /// Whether the cell is empty except for its background.
    var isBlank: Bool { glyph == 0x20 && attributes.isDisjoint(with: [.reverse, .underline]) }

    /// The right half of a wide character; it looks like the left one, so that equal left halves
    /// mean equal pairs.
    static func continuation(of cell: Cell) -> Cell {
        var half = cell
        half.glyph = 0x20
        half.columns = 0
        return half
    }

    /// The rest of a wide character whose other half is painted over.
    var widowed: Cell {
        var cell = Cell.blank
        cell.paper = paper
        return cell
    }

    // MARK: Colours

    /// 0 for the terminal's own colour, else 1 in the fifth byte before red, green and blue.
    static func pack(_ color: Color?) -> UInt32 { color.map { 0x0100_0000 | $0.rgba >> 8 } ?? 0 }

    static func unpack(_ packed: UInt32) -> Color? {
        packed == 0 ? nil : Color(rgba: packed << 8 | 0xFF)
    }
}

extension Color {
    /// The colour blended over an opaque one, at a share of its own opacity.
    func over(_ below: Color, opacity: Double) -> Color {
        let share = Double(a) / 255 * opacity
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            let value = Double(top) * share + Double(bottom) * (1 - share)
            return UInt8(clamping: Int(value.rounded()))
        }
        return Color(r: mix(r, below.r), g: mix(g, below.g), b: mix(b, below.b))
    }

    /// Black or white, whichever is readable on the colour; by the luma of ITU-R BT.601.
    var readable: Color {
        let luma = 299 * Int(r) + 587 * Int(g) + 114 * Int(b)
        return luma >= 128_000 ? Color(rgba: 0x0000_00FF) : Color(rgba: 0xFFFF_FFFF)
    }
}
