import SceneProtocol

/// The characters of a border.
struct BorderGlyphs {
    let horizontal: Cell
    let vertical: Cell
    let topLeft: Cell
    let topRight: Cell
    let bottomLeft: Cell
    let bottomRight: Cell

    /// The characters of a style; nil for the style without a line.
    static func of(_ style: BorderStyle) -> BorderGlyphs? {
        switch style {
        case .none: nil
        case .single: single
        case .rounded: rounded
        case .double: double
        case .heavy: heavy
        }
    }

    private static let single = BorderGlyphs("─│┌┐└┘")
    private static let rounded = BorderGlyphs("─│╭╮╰╯")
    private static let double = BorderGlyphs("═║╔╗╚╝")
    private static let heavy = BorderGlyphs("━┃┏┓┗┛")

    /// Reads horizontal, vertical and the corners from the top left by rows.
    private init?(_ glyphs: String) {
        let glyphs = glyphs.map { Cell($0, columns: 1) }
        guard glyphs.count == 6 else { return nil }
        horizontal = glyphs[0]
        vertical = glyphs[1]
        topLeft = glyphs[2]
        topRight = glyphs[3]
        bottomLeft = glyphs[4]
        bottomRight = glyphs[5]
    }
}

extension CellGrid {
    /// Draws a border on the outermost cells of an area, if that has 2 by 2 cells at least.
    mutating func drawBorder(
        _ glyphs: BorderGlyphs, around area: CellRect, clip: CellRect, foreground: Color?,
        opacity: Double = 1
    ) {
        guard area.columns >= 2, area.rows >= 2 else { return }
        // Only what can be seen is walked through: a view may be far larger than the grid.
        let seen = area.intersection(clip).intersection(bounds)
        guard !seen.isEmpty else { return }
        // A border mostly stands on one background.
        var last: (paper: UInt32, ink: UInt32)?
        let attributes: Cell.Attributes = opacity < 0.5 ? .dim : []
        func ink(_ paper: UInt32) -> UInt32 {
            if let last, last.paper == paper { return last.ink }
            let ink = CellGrid.ink(foreground, on: paper, opacity: opacity)
            last = (paper, ink)
            return ink
        }
        func draw(_ glyph: Cell, _ column: Int, _ row: Int, _ grid: inout CellGrid) {
            var glyph = glyph
            glyph.attributes = attributes
            grid.stamp(glyph, column: column, row: row, ink)
        }
        let (end, lowest) = (area.right - 1, area.bottom - 1)
        for (row, left, right) in [
            (area.top, glyphs.topLeft, glyphs.topRight),
            (lowest, glyphs.bottomLeft, glyphs.bottomRight),
        ] where row >= seen.top && row < seen.bottom {
            for column in seen.left..<seen.right {
                let glyph =
                    column == area.left ? left : column == end ? right : glyphs.horizontal
                draw(glyph, column, row, &self)
            }
        }
        for column in [area.left, end] where column >= seen.left && column < seen.right {
            for row in max(
                seen.top, area.top + 1)..<max(min(seen.bottom, lowest), max(seen.top, area.top + 1))
            {
                draw(glyphs.vertical, column, row, &self)
            }
        }
    }
}
