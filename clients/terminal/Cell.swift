public import SceneProtocol
import CharacterWidth

/// One place of a character grid: what stands there and how it looks.
public struct Cell: Hashable, Sendable {
    /// How a character is set, besides its colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Makes a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Less bright than usual.
        public static let dim = Attributes(rawValue: 1)
        /// Thicker than usual.
        public static let bold = Attributes(rawValue: 2)
        /// With foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 4)
    }

    /// What stands there; a space in the right half of a wide character.
    public private(set) var character: Character
    /// 1, 2 for a wide character, 0 for the right half of the wide character to the left.
    public private(set) var columns: UInt8
    /// Whether the character has several scalars; terminals disagree on the width of such.
    let isCluster: Bool
    /// The colour of the character; nil is the terminal's own.
    public var foreground: Color?
    /// The colour behind the character; nil is the terminal's own.
    public var background: Color?
    /// How the character is set.
    public var attributes: Attributes

    /// Makes a cell.
    ///
    /// A character that takes no column, such as a control character, becomes a space: nothing that a server sends
    /// reaches a terminal as a command.
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
        self.character = columns == 0 ? " " : character
        self.columns = columns == 2 ? 2 : 1
        let scalars = character.unicodeScalars
        isCluster = columns > 0 && scalars.index(after: scalars.startIndex) != scalars.endIndex
        foreground = nil
        background = nil
        attributes = []
    }

    /// A space in the terminal's own colours.
    public static let blank = Cell(" ")

    /// Whether it is the right half of the wide character to the left.
    public var isContinuation: Bool { columns == 0 }

    /// The right half of a wide character; it looks like the left one, so that equal left halves mean equal pairs.
    static func continuation(of cell: Cell) -> Cell {
        var half = cell
        half.character = " "
        half.columns = 0
        return half
    }

    /// What is left of a wide character when the other half is painted over.
    var widowed: Cell {
        var cell = Cell.blank
        cell.background = background
        return cell
    }
}

extension Color {
    /// The colour as it looks over another one, which counts as opaque, at that share of its own opacity.
    func over(_ below: Color, opacity: Double) -> Color {
        let share = Double(a) / 255 * opacity
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            let value = Double(top) * share + Double(bottom) * (1 - share)
            return UInt8(clamping: Int(value.rounded()))
        }
        return Color(r: mix(r, below.r), g: mix(g, below.g), b: mix(b, below.b))
    }

    /// Black or white, whichever can be read on the colour; by the luma of ITU-R BT.601.
    var readable: Color {
        let luma = 299 * Int(r) + 587 * Int(g) + 114 * Int(b)
        return luma >= 128_000 ? Color(rgba: 0x0000_00FF) : Color(rgba: 0xFFFF_FFFF)
    }
}
