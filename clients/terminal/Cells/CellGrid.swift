import CharacterWidth
import SceneDocument

/// A picture of characters, row by row; wide characters are never cut.
public struct CellGrid: Hashable, Sendable {
    /// The maximum number of columns and of rows; larger sizes are reduced, so that no scene can
    /// exhaust the memory.
    public static let sideMaximum = 2048

    /// The number of columns.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Row by row.
    private(set) var cells: [Cell]
    /// The pictures of which cells show parts, by `Cell.picture`.
    var pictures: [UInt16: PlacedPicture] = [:]

    /// Makes a grid of spaces.
    public init(size: GridSize) {
        let size = Self.size(size)
        width = size.columns
        height = size.rows
        cells = Array(repeating: .blank, count: width * height)
    }

    /// The size of a grid for a requested size.
    static func size(_ wanted: GridSize) -> GridSize {
        GridSize(
            columns: min(wanted.columns, sideMaximum), rows: min(wanted.rows, sideMaximum))
    }

    /// Clears the grid; reuses the memory for the same size.
    mutating func begin(size: GridSize) { begin(size: size, clears: true) }

    private mutating func begin(size: GridSize, clears: Bool) {
        guard Self.size(size) == self.size else {
            self = CellGrid(size: size)
            return
        }
        pictures.removeAll()
        guard clears else { return }
        var span = cells.mutableSpan
        for index in span.indices { span[index] = .blank }
    }

    /// Resizes the picture at the top left corner, padded with blanks or cut.
    mutating func begin(size: GridSize, with picture: CellGrid) {
        begin(size: size, clears: picture.width != width)
        pictures = picture.pictures
        let (width, height) = (width, height)
        let columns = min(picture.width, width)
        let rows = min(picture.height, height)
        if picture.width == width {
            cells.withUnsafeMutableBufferPointer { target in
                picture.cells.withUnsafeBufferPointer { source in
                    guard let from = source.baseAddress else { return }
                    target.baseAddress?.update(from: from, count: rows * width)
                }
                target[(rows * width)...].update(repeating: .blank)
            }
            return
        }
        let source = picture.cells.span
        var target = cells.mutableSpan
        for row in 0..<rows {
            let (to, from) = (row * width, row * picture.width)
            for column in 0..<columns { target[to + column] = source[from + column] }
            // The left half of a wide character that is cut.
            let last = to + columns - 1
            if columns < picture.width, columns > 0, target[last].columns == 2 {
                target[last] = target[last].widowed
            }
        }
    }

    /// The size.
    public var size: GridSize { GridSize(columns: width, rows: height) }

    var bounds: CellRect { CellRect(left: 0, top: 0, right: width, bottom: height) }

    /// The cell at that place, a blank one outside the grid. Complexity: O(1).
    public subscript(column: Int, row: Int) -> Cell {
        guard bounds.contains(column: column, row: row) else { return .blank }
        return cells[row * width + column]
    }

    /// The cells of a row; none outside the grid.
    func row(_ row: Int) -> ArraySlice<Cell> {
        guard row >= 0, row < height else { return [] }
        return cells[row * width..<(row + 1) * width]
    }

    /// Replaces a row; ignored for a row of another width.
    mutating func setRow(_ row: Int, _ new: [Cell]) {
        let width = width
        guard row >= 0, row < height, new.count == width else { return }
        var span = cells.mutableSpan
        for column in 0..<width { span[row * width + column] = new[column] }
    }

    /// A row as text, without the spaces at its end.
    public func line(_ row: Int) -> String {
        guard row >= 0, row < height else { return "" }
        var text = ""
        var spaces = 0
        for cell in self.row(row) where !cell.isContinuation {
            if cell.character == " " {
                spaces += 1
            } else {
                text.append(String(repeating: " ", count: spaces))
                text.append(cell.character)
                spaces = 0
            }
        }
        return text
    }

    /// The rows as text, without the spaces at their ends.
    public var lines: [String] { (0..<height).map(line) }

    /// All rows, each with a line break at its end.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// Changes cells in place.
    mutating func change(_ body: (_ index: Int, inout Cell) -> Void) {
        cells.withUnsafeMutableBufferPointer { cells in
            for index in cells.indices { body(index, &cells[index]) }
        }
    }

    // MARK: Painting

    /// Sets a cell; a wide one takes the cell to its right too.
    ///
    /// Only the part within `clip` is painted. A wide character that is cut becomes a space, and so
    /// does the rest of one that is partly painted over.
    mutating func put(_ cell: Cell, column: Int, row: Int, clip: CellRect) {
        let clip = clip.intersection(bounds)
        guard row >= clip.top, row < clip.bottom else { return }
        if cell.columns == 2 {
            if column >= clip.left, column + 1 < clip.right {
                release(column, row)
                release(column + 1, row)
                cells[row * width + column] = cell
                cells[row * width + column + 1] = .continuation(of: cell)
                return
            }
            let half = cell.widowed
            put(half, column: column, row: row, clip: clip)
            put(half, column: column + 1, row: row, clip: clip)
            return
        }
        guard column >= clip.left, column < clip.right else { return }
        release(column, row)
        cells[row * width + column] = cell
    }

    /// Draws another picture with its top left corner at a cell; cut at `clip`.
    mutating func draw(_ picture: CellGrid, column: Int, row: Int, clip: CellRect) {
        // Its numbers of pictures may be in use here.
        let base = pictures.isEmpty ? 0 : PlacedPicture.numberMaximum
        for (number, placed) in picture.pictures where Int(number) + Int(base) <= UInt16.max {
            pictures[number + base] = placed.moved(columns: column, rows: row)
        }
        for line in 0..<picture.height {
            for (place, cell) in picture.row(line).enumerated() where !cell.isContinuation {
                var cell = cell
                if cell.picture > 0 {
                    cell.picture = UInt16(exactly: Int(cell.picture) + Int(base)) ?? 0
                }
                put(cell, column: column + place, row: row + line, clip: clip)
            }
        }
    }

    /// Clears the wide character that has a half at a place.
    @inline(__always)
    private mutating func release(_ column: Int, _ row: Int) {
        if cells[row * width + column].columns != 1 { part(column, row) }
    }

    private mutating func part(_ column: Int, _ row: Int) {
        let index = row * width + column
        if cells[index].isContinuation, column > 0 {
            cells[index - 1] = cells[index - 1].widowed
            cells[index] = cells[index].widowed
        } else if column + 1 < width {
            cells[index] = cells[index].widowed
            cells[index + 1] = cells[index + 1].widowed
        }
    }

    /// Clears an area.
    mutating func clear(_ area: CellRect) { cover(area, with: .blank) }

    /// Fills an area with a cell of one column.
    private mutating func cover(_ area: CellRect, with cell: Cell) {
        let area = area.intersection(bounds)
        guard !area.isEmpty else { return }
        for row in area.top..<area.bottom {
            release(area.left, row)
            release(area.right - 1, row)
        }
        let width = width
        cells.withUnsafeMutableBufferPointer { cells in
            for row in area.top..<area.bottom {
                cells[row * width + area.left..<row * width + area.right].update(repeating: cell)
            }
        }
    }

    /// Fills an area with a colour.
    ///
    /// An opaque colour hides the contents. A translucent one tints them; the terminal's own
    /// background, which is unknown, counts as black.
    mutating func fill(_ area: CellRect, with color: Color, opacity: Double = 1) {
        let area = area.intersection(bounds)
        guard !area.isEmpty, color.a > 0, opacity > 0 else { return }
        if color.a == 255, opacity >= 1 {
            var blank = Cell.blank
            blank.background = color
            cover(area, with: blank)
            return
        }
        let black = Color(rgba: 0x0000_00FF)
        for row in area.top..<area.bottom {
            for column in area.left..<area.right {
                let index = row * width + column
                // The terminal would show the picture as it is.
                cells[index].picture = 0
                cells[index].background = color.over(
                    cells[index].background ?? black, opacity: opacity)
                cells[index].foreground = cells[index].foreground.map {
                    color.over($0, opacity: opacity)
                }
            }
            unite(area, row)
        }
    }

    /// Changes the attributes of the characters in an area.
    mutating func restyle(_ area: CellRect, _ change: (inout Cell) -> Void) {
        let area = area.intersection(bounds)
        guard !area.isEmpty else { return }
        for row in area.top..<area.bottom {
            for column in area.left..<area.right {
                let index = row * width + column
                let before = cells[index]
                change(&cells[index])
                if cells[index] != before { cells[index].picture = 0 }
            }
            unite(area, row)
        }
    }

    /// Gives both halves of wide characters at the edges of an area the same look.
    private mutating func unite(_ area: CellRect, _ row: Int) {
        let start = row * width
        if cells[start + area.left].isContinuation, area.left > 0 {
            cells[start + area.left] = .continuation(of: cells[start + area.left - 1])
        }
        let last = start + area.right - 1
        if cells[last].columns == 2, area.right < width {
            cells[last + 1] = .continuation(of: cells[last])
        }
    }

    /// Writes a text and keeps backgrounds; skips characters without a column.
    ///
    /// - Returns: The column after the text.
    @discardableResult
    mutating func write(
        _ text: some StringProtocol, column: Int, row: Int, clip: CellRect,
        foreground: Color? = nil, opacity: Double = 1, attributes: Cell.Attributes = []
    ) -> Int {
        var column = column
        func draw(_ cell: Cell, _ grid: inout CellGrid) {
            grid.draw(
                cell, column: column, row: row, clip: clip, foreground: foreground,
                opacity: opacity, attributes: attributes)
            column += Int(cell.columns)
        }
        if isPrintableASCII(text) {
            for byte in text.utf8 {
                guard column < clip.right else { break }
                draw(Cell(ascii: byte), &self)
            }
            return column
        }
        for character in text {
            let width = displayWidth(of: character)
            guard width > 0 else { continue }
            guard column < clip.right else { break }
            draw(Cell(character, columns: width), &self)
        }
        return column
    }

    /// Writes a character into a cell and keeps the background.
    mutating func draw(
        _ cell: Cell, column: Int, row: Int, clip: CellRect, foreground: Color?, opacity: Double,
        attributes: Cell.Attributes = []
    ) {
        var cell = cell
        let below = self[max(column, clip.left), row]
        (cell.paper, cell.picture) = (below.paper, below.picture)
        cell.foreground = Self.ink(foreground, on: cell.background, opacity: opacity)
        cell.attributes = opacity < 0.5 ? attributes.union(.dim) : attributes
        put(cell, column: column, row: row, clip: clip)
    }

    /// Writes a character of one column into consecutive cells, keeping the backgrounds.
    mutating func stamp(
        _ cell: Cell, column: Int, row: Int, count: Int, _ pen: inout BorderPen
    ) {
        guard count > 0 else { return }
        // Wide characters in between are covered whole.
        release(column, row)
        release(column + count - 1, row)
        let start = row * width + column
        cells.withUnsafeMutableBufferPointer { cells in
            for index in start..<start + count {
                cells[index] = Cell(cell, on: cells[index], ink: pen.ink(on: cells[index].paper))
            }
        }
    }

    /// The foreground for a background, both as `Cell.pack` has them.
    static func ink(_ color: Color?, on paper: UInt32, opacity: Double) -> UInt32 {
        Cell.pack(ink(color, on: Cell.unpack(paper), opacity: opacity))
    }

    /// The foreground: on a known background a readable one, unless a colour was requested.
    private static func ink(_ color: Color?, on background: Color?, opacity: Double) -> Color? {
        guard let background else { return color }
        let color = color ?? background.readable
        return color.a == 255 && opacity >= 1 ? color : color.over(background, opacity: opacity)
    }
}

/// Whether a text is printable ASCII only, one column for each character.
func isPrintableASCII(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
}

/// A text cut to a number of columns, with an ellipsis if it was cut.
///
/// Skips characters without a column.
func fitted(_ text: some StringProtocol, columns: Int) -> String {
    if isPrintableASCII(text) {
        let count = text.utf8.count
        guard count > columns else { return String(text) }
        return columns > 0 ? String(text.prefix(columns - 1)) + "…" : ""
    }
    var result = ""
    var used = 0
    /// The part that leaves one column for an ellipsis.
    var shorter = ""
    for character in text {
        let width = displayWidth(of: character)
        guard width > 0 else { continue }
        guard used + width <= columns else { return columns > 0 ? shorter + "…" : "" }
        result.append(character)
        used += width
        if used <= columns - 1 { shorter = result }
    }
    return result
}
