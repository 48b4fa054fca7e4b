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
        func draw(_ glyph: Cell, _ column: Int, _ row: Int) {
            guard seen.contains(column: column, row: row) else { return }
            self.draw(
                glyph, column: column, row: row, clip: seen, foreground: foreground,
                opacity: opacity)
        }
        let (last, lowest) = (area.right - 1, area.bottom - 1)
        for column in seen.left..<seen.right where column > area.left && column < last {
            draw(glyphs.horizontal, column, area.top)
            draw(glyphs.horizontal, column, lowest)
        }
        for row in seen.top..<seen.bottom where row > area.top && row < lowest {
            draw(glyphs.vertical, area.left, row)
            draw(glyphs.vertical, last, row)
        }
        draw(glyphs.topLeft, area.left, area.top)
        draw(glyphs.topRight, last, area.top)
        draw(glyphs.bottomLeft, area.left, lowest)
        draw(glyphs.bottomRight, last, lowest)
    }
}
