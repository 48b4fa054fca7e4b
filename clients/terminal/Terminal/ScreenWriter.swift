/// Collects bytes and tracks their effect on the terminal.
struct ScreenWriter: ~Copyable {
    let colors: ColorDepth
    let encoding: TextEncoding
    private let plain = Pen()
    private var pen = Pen()
    /// The known position of the cursor.
    private var cursor: GridPoint?
    private var bytes = ByteBuffer()
    /// The number of bytes before the picture's own.
    private var prefixCount = 0

    init(colors: ColorDepth, encoding: TextEncoding = .utf8) {
        self.colors = colors
        self.encoding = encoding
    }

    mutating func reset() {
        pen = plain
        cursor = nil
    }

    // MARK: A picture

    mutating func begin(synchronized: Bool) {
        bytes.removeAll()
        if synchronized { bytes.append("\u{1B}[?2026h") }
        prefixCount = bytes.count
    }

    mutating func clear() {
        bytes.append("\u{1B}[m\u{1B}[2J")
        reset()
    }

    mutating func end(plainly: Bool) -> [UInt8] {
        if plainly, pen != plain {
            bytes.append("\u{1B}[m")
            pen = plain
        }
        guard bytes.count > prefixCount else { return [] }
        if prefixCount > 0 { bytes.append("\u{1B}[?2026l") }
        return bytes.array
    }

    // MARK: Pixels

    /// Appends commands that change neither cells nor pen.
    mutating func append(_ commands: [UInt8]) { bytes.append(contentsOf: commands) }

    /// Draws pixels at a cell; where the cursor is afterwards, terminals disagree.
    mutating func draw(_ pixels: [UInt8], at point: GridPoint) {
        if pen != plain {
            bytes.append("\u{1B}[m")
            pen = plain
        }
        if cursor != point { place(point.column, point.row) }
        bytes.append(contentsOf: pixels)
        cursor = nil
    }

    // MARK: Pens

    /// Whether two cells look the same on this terminal.
    mutating func looksAlike(_ first: Cell, _ second: Cell) -> Bool {
        guard first.glyph == second.glyph, first.columns == second.columns else { return false }
        return pen(for: first) == pen(for: second)
    }

    func pen(for cell: Cell) -> Pen {
        Pen(
            foreground: cell.isBlank ? Pen.anyForeground : code(cell.ink),
            background: code(cell.paper), attributes: cell.isBlank ? [] : cell.attributes)
    }

    private func code(_ packed: UInt32) -> UInt32 {
        guard packed != 0 else { return 0 }
        switch colors {
        case .none: return 0
        case .trueColor: return 1 + (packed & 0xFF_FFFF)
        case .ansi16, .ansi256: return PaletteCache.code(packed, colors)
        }
    }

    private mutating func setPen(_ wanted: Pen) {
        var next = wanted
        if next.foreground == Pen.anyForeground {
            next.foreground = pen.foreground
            // Nothing of these shows on a blank.
            next.attributes = pen.attributes.subtracting([.reverse, .underline])
        }
        guard next != pen else { return }
        if next == plain {
            bytes.append("\u{1B}[m")
            pen = plain
            return
        }
        bytes.append("\u{1B}[")
        // One code ends both bold and dim, so everything is set anew.
        if !pen.attributes.isSubset(of: next.attributes) {
            bytes.append("0;")
            pen = plain
        }
        let added = next.attributes.subtracting(pen.attributes)
        if added.contains(.bold) { bytes.append("1;") }
        if added.contains(.dim) { bytes.append("2;") }
        if added.contains(.underline) { bytes.append("4;") }
        if added.contains(.reverse) { bytes.append("7;") }
        if next.foreground != pen.foreground {
            colors.append(code: next.foreground, isBackground: false, to: &bytes)
            bytes.append(";")
        }
        if next.background != pen.background {
            colors.append(code: next.background, isBackground: true, to: &bytes)
            bytes.append(";")
        }
        // The last separator ends the sequence.
        bytes.replaceLast(UInt8(ascii: "m"))
        pen = next
    }

    // MARK: Cells

    mutating func write(_ run: ScreenRun, of grid: CellGrid) {
        setPen(run.pen)
        let start = run.row * grid.width
        var column = run.start
        while column < run.end {
            let cell = grid.cells[start + column]
            move(to: column, run.row, width: grid.width)
            append(cell)
            column += max(1, Int(cell.columns))
            // In the last column the cursor waits for the next character; where it is then,
            // terminals disagree.
            let isCertain =
                column < grid.width && !cell.isCluster
                && (cell.columns == 1 || GlyphTable.isSurelyWide(cell.glyph))
            cursor = isCertain ? GridPoint(column: column, row: run.row) : nil
        }
    }

    private mutating func append(_ cell: Cell) {
        if cell.glyph >= 0x80, encoding == .ascii {
            bytes.append(contentsOf: TextEncoding.ascii(cell.character).utf8)
        } else if GlyphTable.isCluster(cell.glyph) {
            bytes.append(contentsOf: cell.character.utf8)
        } else {
            GlyphTable.append(cell.glyph, to: &bytes)
        }
    }

    /// Writes a row without moving the cursor, and without trailing plain spaces.
    mutating func line(_ row: Int, of grid: CellGrid) -> [UInt8] {
        begin(synchronized: false)
        let cells = grid.cells[row * grid.width..<(row + 1) * grid.width]
        let end = cells.lastIndex { !($0.isBlank && pen(for: $0).background == 0) }
        guard let end else { return [] }
        for cell in cells[...end] where !cell.isContinuation {
            setPen(pen(for: cell))
            append(cell)
        }
        return self.end(plainly: true)
    }

    // MARK: The cursor

    /// Moves the cursor with the fewest bytes.
    private mutating func move(to column: Int, _ row: Int, width: Int) {
        guard let cursor else { return place(column, row) }
        guard cursor.row != row || cursor.column != column else { return }
        let absolute =
            3 + Self.digits(row + 1) + (column > 0 ? 1 + Self.digits(column + 1) : 0)
        let down = row - cursor.row
        let vertical =
            down == 0 ? 0 : down > 0 ? min(down, Self.relative(down)) : Self.relative(-down)
        // From the left edge, or from where the cursor is.
        let fromEdge = 1 + (column == 0 ? 0 : Self.relative(column))
        let right = column - cursor.column
        let horizontal =
            right == 0
            ? 0 : right > 0 ? Self.relative(right) : min(-right, Self.relative(-right))
        guard vertical + min(fromEdge, horizontal) < absolute else { return place(column, row) }
        step(
            down, forward: UInt8(ascii: "B"), back: UInt8(ascii: "A"), short: 0x0B, isForward: true)
        if fromEdge < horizontal {
            bytes.append(0x0D)
            step(column, forward: UInt8(ascii: "C"), back: 0, short: 0, isForward: false)
        } else {
            step(
                right, forward: UInt8(ascii: "C"), back: UInt8(ascii: "D"), short: 0x08,
                isForward: false)
        }
        self.cursor = GridPoint(column: column, row: row)
    }

    /// Moves along one axis.
    ///
    /// - Parameters:
    ///   - short: A control character that moves by one, forward or back.
    private mutating func step(
        _ distance: Int, forward: UInt8, back: UInt8, short: UInt8, isForward: Bool
    ) {
        guard distance != 0 else { return }
        let count = distance.magnitude
        let hasShort = short != 0 && isForward == (distance > 0)
        if hasShort, Int(count) <= Self.relative(Int(count)) {
            for _ in 0..<count { bytes.append(short) }
            return
        }
        bytes.append("\u{1B}[")
        if count > 1 { bytes.append(decimal: UInt32(clamping: count)) }
        bytes.append(distance > 0 ? forward : back)
    }

    private mutating func place(_ column: Int, _ row: Int) {
        bytes.append("\u{1B}[")
        if row > 0 || column > 0 { bytes.append(decimal: UInt32(clamping: row + 1)) }
        if column > 0 {
            bytes.append(UInt8(ascii: ";"))
            bytes.append(decimal: UInt32(clamping: column + 1))
        }
        bytes.append(UInt8(ascii: "H"))
        cursor = GridPoint(column: column, row: row)
    }

    /// The bytes of a sequence that moves by a number of cells.
    private static func relative(_ count: Int) -> Int { count == 1 ? 3 : 3 + digits(count) }

    private static func digits(_ value: Int) -> Int {
        value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : 4
    }
}
