import CharacterWidth
import SceneProtocol

/// The list of keys, in a box in the middle of the screen.
enum HelpOverlay {
    /// The keys and what they do.
    static let entries: [(keys: String, meaning: String)] = [
        ("q  Ctrl-C", "quit"),
        ("?", "show or hide this help"),
        ("+  -", "zoom in, out"),
        ("0", "natural size"),
        ("f", "fit the whole scene"),
        ("arrows  h j k l", "move"),
        ("PgUp  PgDn", "move by a screen"),
        ("Home  End", "first, last corner"),
        ("Ctrl-L", "draw everything anew"),
        ("Ctrl-Z", "suspend"),
    ]

    /// Draws the box, or as much of it as fits.
    static func draw(on grid: inout CellGrid, area: GridSize) {
        let keyColumns = entries.map { displayWidth(of: $0.keys) }.max() ?? 0
        let meaningColumns = entries.map { displayWidth(of: $0.meaning) }.max() ?? 0
        // A border and a space on either side, three spaces between.
        let width = min(keyColumns + 3 + meaningColumns + 4, area.columns)
        let height = min(entries.count + 2, area.rows)
        let left = (area.columns - width) / 2
        let top = (area.rows - height) / 2
        let box = CellRect(left: left, top: top, right: left + width, bottom: top + height)
        grid.clear(box)
        let inner = CellRect(
            left: box.left + 2, top: box.top + 1, right: box.right - 2, bottom: box.bottom - 1)
        for (index, entry) in entries.enumerated() {
            let row = inner.top + index
            guard row < inner.bottom else { break }
            grid.write(
                entry.keys, column: inner.left, row: row, clip: inner, attributes: .bold)
            grid.write(
                fitted(entry.meaning, columns: inner.columns - keyColumns - 3),
                column: inner.left + keyColumns + 3, row: row, clip: inner)
        }
        if let glyphs = BorderGlyphs.of(.rounded) {
            grid.drawBorder(glyphs, around: box, clip: box, foreground: nil)
        }
    }
}
