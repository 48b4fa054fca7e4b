import SceneDocument

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
    /// Draws a border on the outermost cells of an area of at least 2 by 2 cells.
    mutating func drawBorder(
        _ glyphs: BorderGlyphs, around area: CellRect, clip: CellRect, foreground: Color?,
        opacity: Double = 1
    ) {
        guard area.columns >= 2, area.rows >= 2 else { return }
        // Only what can be seen is walked through: a view may be far larger than the grid.
        let seen = area.intersection(clip).intersection(bounds)
        guard !seen.isEmpty else { return }
        let attributes: Cell.Attributes = opacity < 0.5 ? .dim : []
        var pen = BorderPen(foreground: foreground, opacity: opacity)
        func draw(_ glyph: Cell, _ column: Int, _ row: Int, count: Int) {
            var glyph = glyph
            glyph.attributes = attributes
            stamp(glyph, column: column, row: row, count: count, &pen)
        }
        let (end, lowest) = (area.right - 1, area.bottom - 1)
        let inner =
            max(seen.left, area.left + 1)..<max(min(seen.right, end), max(seen.left, area.left + 1))
        for isTop in [true, false] {
            let row = isTop ? area.top : lowest
            guard row >= seen.top, row < seen.bottom else { continue }
            draw(glyphs.horizontal, inner.lowerBound, row, count: inner.count)
            if area.left >= seen.left {
                draw(isTop ? glyphs.topLeft : glyphs.bottomLeft, area.left, row, count: 1)
            }
            if end < seen.right {
                draw(isTop ? glyphs.topRight : glyphs.bottomRight, end, row, count: 1)
            }
        }
        let (top, bottom) = (max(seen.top, area.top + 1), min(seen.bottom, lowest))
        guard top < bottom else { return }
        for row in top..<bottom {
            if area.left >= seen.left { draw(glyphs.vertical, area.left, row, count: 1) }
            if end < seen.right { draw(glyphs.vertical, end, row, count: 1) }
        }
    }
}

/// The ink of a border: a border is mostly on one background, so the ink for the last one is
/// cached.
struct BorderPen {
    let foreground: Color?
    let opacity: Double
    private var last: (paper: UInt32, ink: UInt32)?

    init(foreground: Color?, opacity: Double) {
        self.foreground = foreground
        self.opacity = opacity
    }

    /// The ink for a background, both as `Cell.pack` has them.
    mutating func ink(on paper: UInt32) -> UInt32 {
        if let last, last.paper == paper { return last.ink }
        let ink = CellGrid.ink(foreground, on: paper, opacity: opacity)
        last = (paper, ink)
        return ink
    }
}
