/// How a terminal shows pixels.
public enum GraphicsProtocol: Hashable, Sendable {
    /// Pictures that are sent once and placed by number, below the text.
    ///
    /// - Source: kitty, "Terminal graphics protocol".
    case kitty
    /// Files within the text.
    ///
    /// - Source: iTerm2, "Inline Images Protocol" (OSC 1337).
    case iterm2
    /// Rows of six pixels within the text.
    ///
    /// - Source: DEC, "VT330/VT340 Programmer Reference Manual", volume 2, chapter 14.
    case sixel
}

/// The user's choice of how pictures are shown.
public enum PictureChoice: Hashable, Sendable {
    /// What the terminal says that it can do best.
    case auto
    /// That, whatever the terminal says.
    case pixels(GraphicsProtocol)
    /// As two coloured blocks a cell.
    case blocks
    /// Not at all.
    case none
}

/// The size of a cell in pixels.
struct CellPixels: Hashable, Sendable {
    let width: Int
    let height: Int

    /// The largest cell that is believed, on either side.
    private static let sideMaximum = 256

    /// Nil for a size that no cell has.
    init?(width: Int, height: Int) {
        guard (1...Self.sideMaximum).contains(width), (1...Self.sideMaximum).contains(height)
        else { return nil }
        (self.width, self.height) = (width, height)
    }

    /// For terminals that scale pictures to cells themselves.
    static let usual = CellPixels(unchecked: 10, 20)

    private init(unchecked width: Int, _ height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Whether a window of so many pixels may have that many cells; one of no known size may.
    func fits(_ size: GridSize, in pixels: (width: Int, height: Int)) -> Bool {
        func fits(_ cells: Int, _ side: Int, _ pixels: Int) -> Bool {
            pixels == 0 || (cells * side..<(cells + 2) * side).contains(pixels)
        }
        return fits(size.columns, width, pixels.width) && fits(size.rows, height, pixels.height)
    }

    /// The size halved, for pictures that are too large at the whole one.
    var halved: CellPixels? {
        guard width > 1 || height > 1 else { return nil }
        return CellPixels(unchecked: max(1, width / 2), max(1, height / 2))
    }
}

/// What a terminal can show, and the numbers that its protocol needs.
struct TerminalGraphics: Hashable, Sendable {
    var method: GraphicsProtocol
    var cell: CellPixels
    /// Colours of one sixel picture.
    var colorMaximum = 256
}
