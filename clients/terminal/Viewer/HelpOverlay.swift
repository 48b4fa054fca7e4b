import CharacterWidth
import SceneDocument

/// The list of keys, in a box at the centre of the screen.
enum HelpOverlay {
    /// The keys and their effects, by groups.
    static let groups: [(title: String, entries: [(keys: String, meaning: String)])] = [
        (
            "Look",
            [
                ("arrows", "move"), ("PgUp PgDn Home End", "move further"),
                ("+  -  0  f", "zoom in, out; natural size; fit"),
                ("v  V", "next device: this terminal, the scene's, the shared one"),
                ("b", "another device beside it: the next, or none"),
                ("F  M", "follow the next member; list of members"),
                ("R  B", "raise a hand; ask everybody to follow you"),
                ("/  n  N", "find; next, previous"),
                ("Tab  Shift-Tab", "select the next, previous view"),
                ("[  ]  {  }", "superview, subview, siblings"), ("Esc", "back, nothing selected"),
            ]
        ),
        (
            "Understand",
            [
                ("i", "inspector: why a view is where it is"),
                ("t", "passes of each tick; space freezes, , . step"),
                ("h", "time line: ← → , . space < > r End"), ("o", "outline: the tree of views"),
                ("g", "constraint sets"), ("L", "ops that were sent"),
            ]
        ),
        (
            "Change (--edit)",
            [
                ("drag an edge", "changes the constant that holds it"),
                ("c", "add a constraint; Tab completes"), ("a", "add a view"),
                ("x  m  e  H", "remove, move, text, hide the view"),
                ("w", "size of the viewport"), ("u  U  Ctrl-R", "undo, redo, redo"),
                (":", "send an op as JSON"),
                ("Enter space p = + - x", "on a constraint: edit, in force, priority,"),
                ("", "constant, ±8, remove"),
                ("Enter space x A", "on a set: in force, out of force, by condition"),
            ]
        ),
        (
            "Program",
            [
                ("?", "this list"), ("q  Ctrl-C", "quit"), ("Ctrl-L", "draw everything anew"),
                ("Ctrl-Z", "suspend"),
            ]
        ),
    ]

    private static var lines: [[Span]] {
        let columns = groups.flatMap(\.entries).map { displayWidth(of: $0.keys) }.max() ?? 0
        var lines: [[Span]] = []
        for group in groups {
            lines.append([Span(group.title, .heading)])
            for entry in group.entries {
                let gap = String(repeating: " ", count: columns - displayWidth(of: entry.keys) + 2)
                lines.append([
                    Span(" " + entry.keys, .key), Span(gap), Span(entry.meaning),
                ])
            }
        }
        return lines
    }

    /// Draws the box, or as much of it as fits; in two columns if it is too high for one.
    static func draw(on grid: inout CellGrid, area: GridSize) {
        let lines = lines
        let columnWidth = lines.map { displayWidth(of: $0.map(\.text).joined()) }.max() ?? 0
        let usesTwo = lines.count + 2 > area.rows && 2 * columnWidth + 6 <= area.columns
        let rowCount = usesTwo ? (lines.count + 1) / 2 : lines.count
        let width = min((usesTwo ? 2 * columnWidth + 2 : columnWidth) + 4, area.columns)
        let height = min(rowCount + 2, area.rows)
        let left = (area.columns - width) / 2
        let top = (area.rows - height) / 2
        let box = CellRect(left: left, top: top, right: left + width, bottom: top + height)
        grid.clear(box)
        let inner = CellRect(
            left: box.left + 2, top: box.top + 1, right: box.right - 2, bottom: box.bottom - 1)
        for (index, line) in lines.enumerated() {
            let isSecond = index >= rowCount
            let row = inner.top + (isSecond ? index - rowCount : index)
            guard row < inner.bottom else { continue }
            let column = isSecond ? inner.left + columnWidth + 2 : inner.left
            guard column < inner.right else { continue }
            grid.write(line, column: column, row: row, clip: inner)
        }
        if let glyphs = BorderGlyphs.of(.rounded) {
            grid.drawBorder(
                glyphs, around: box, clip: box, foreground: Tone.heading.color)
        }
    }
}
