/// The escape sequences that turn one picture on a terminal into another.
public enum ScreenDiff {
    /// The bytes to write; none if nothing that can be seen changes.
    ///
    /// Only changed cells are written, and a few between them where that is shorter than moving the cursor. After a wide character or one of
    /// several scalars the cursor is placed absolutely, since terminals disagree on the width of such; to the
    /// right of the latter the whole row is written again, in case the terminal took more cells than we did.
    /// The bytes start and end with the terminal's own colours and no attributes set.
    /// - Parameters:
    ///   - old: What the terminal shows; nil, or another size, if that is not known.
    ///   - synchronized: Encloses the bytes in mode 2026, so that a terminal that knows it shows them at once.
    /// - Complexity: O(cells).
    /// - Source: ECMA-48 (CUF, CUP, ED, SGR).
    public static func bytes(
        from old: CellGrid?, to new: CellGrid, colors: ColorDepth, synchronized: Bool
    ) -> [UInt8] {
        var writer = ScreenWriter(colors: colors)
        var known = old
        if old?.size != new.size {
            writer.raw("\u{1B}[0m\u{1B}[2J")
            known = nil
        }
        let before = known ?? CellGrid(size: new.size)
        let (oldCells, newCells) = (before.cells, new.cells)
        for row in 0..<new.height {
            var rewritesRow = false
            for column in 0..<new.width {
                let index = row * new.width + column
                if !rewritesRow, newCells[index] == oldCells[index] { continue }
                let cell = newCells[index]
                guard !cell.isContinuation,
                    rewritesRow || !writer.looksAlike(cell, oldCells[index])
                else { continue }
                writer.write(cell, column: column, row: row, of: new)
                if cell.isCluster { rewritesRow = true }
            }
        }
        writer.finish()
        guard synchronized, !writer.bytes.isEmpty else { return writer.bytes }
        return Array("\u{1B}[?2026h".utf8) + writer.bytes + Array("\u{1B}[?2026l".utf8)
    }
}

/// Collects bytes and remembers what they have done to the terminal.
private struct ScreenWriter {
    /// What decides how a character looks.
    private struct Pen: Equatable {
        /// As `ColorDepth.code`.
        var foreground: UInt32 = 0
        var background: UInt32 = 0
        var attributes: Cell.Attributes = []
    }

    /// Writing so many cells takes no more bytes than placing the cursor.
    private static let bridgeMaximum = 4

    private let colors: ColorDepth
    private let plain = Pen()
    private var pen = Pen()
    /// The last cell whose pen was worked out: neighbours mostly share it.
    private var last: (cell: Cell, pen: Pen)?
    /// Where the cursor surely is.
    private var cursor: GridPoint?
    private(set) var bytes: [UInt8] = []

    init(colors: ColorDepth) {
        self.colors = colors
    }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Whether two cells cannot be told apart on this terminal.
    mutating func looksAlike(_ first: Cell, _ second: Cell) -> Bool {
        guard first.character == second.character, first.columns == second.columns else {
            return false
        }
        let (one, other) = (pen(for: first), pen(for: second))
        // A space has no ink.
        if first.character == " ", !one.attributes.contains(.reverse) {
            return one.background == other.background
                && !other.attributes.contains(.reverse)
        }
        return one == other
    }

    private mutating func pen(for cell: Cell) -> Pen {
        if let last, last.cell.foreground == cell.foreground,
            last.cell.background == cell.background, last.cell.attributes == cell.attributes
        {
            return last.pen
        }
        let pen = Pen(
            foreground: colors.code(cell.foreground), background: colors.code(cell.background),
            attributes: cell.attributes)
        last = (cell, pen)
        return pen
    }

    mutating func write(_ cell: Cell, column: Int, row: Int, of grid: CellGrid) {
        move(to: column, row, in: grid)
        var next = pen(for: cell)
        if cell.character == " ", !next.attributes.contains(.reverse) {
            next.foreground = pen.foreground
        }
        setPen(next)
        bytes.append(contentsOf: cell.character.utf8)
        // In the last column the cursor waits for the next character; where it is then, terminals disagree.
        let isCertain =
            cell.columns == 1 && column + 1 < grid.width && !cell.isCluster
        cursor = isCertain ? GridPoint(column: column + 1, row: row) : nil
    }

    /// Places the cursor; over a few cells that look like what was just written, by writing them once more.
    private mutating func move(to column: Int, _ row: Int, in grid: CellGrid) {
        guard cursor != GridPoint(column: column, row: row) else { return }
        if let cursor, cursor.row == row, cursor.column < column,
            column - cursor.column <= Self.bridgeMaximum
        {
            let between = (cursor.column..<column).map { grid[$0, row] }
            let isPlain = between.allSatisfy {
                $0.columns == 1 && !$0.isCluster && pen(for: $0) == pen
            }
            if isPlain {
                for cell in between { bytes.append(contentsOf: cell.character.utf8) }
                return
            }
        }
        if let cursor, cursor.row == row, cursor.column < column {
            raw("\u{1B}[\(column - cursor.column)C")
        } else {
            raw("\u{1B}[\(row + 1);\(column + 1)H")
        }
    }

    private mutating func setPen(_ next: Pen) {
        guard next != pen else { return }
        raw("\u{1B}[")
        if next.attributes != pen.attributes {
            // One code ends both bold and dim, so everything is set anew.
            if !pen.attributes.isSubset(of: next.attributes) {
                raw("0;")
                pen = plain
            }
            let added = next.attributes.subtracting(pen.attributes)
            if added.contains(.bold) { raw("1;") }
            if added.contains(.dim) { raw("2;") }
            if added.contains(.reverse) { raw("7;") }
        }
        if next.foreground != pen.foreground {
            colors.append(code: next.foreground, isBackground: false, to: &bytes)
            raw(";")
        }
        if next.background != pen.background {
            colors.append(code: next.background, isBackground: true, to: &bytes)
            raw(";")
        }
        // The last separator ends the sequence.
        bytes[bytes.count - 1] = UInt8(ascii: "m")
        pen = next
    }

    mutating func finish() {
        guard pen != plain else { return }
        raw("\u{1B}[0m")
        pen = plain
    }
}
