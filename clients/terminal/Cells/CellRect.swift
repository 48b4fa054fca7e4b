/// A size in columns and rows.
public struct GridSize: Hashable, Sendable {
    /// Horizontal extent.
    public var columns: Int
    /// Vertical extent.
    public var rows: Int

    /// Makes a size; negative extents count as 0.
    public init(columns: Int = 0, rows: Int = 0) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

extension GridSize {
    /// Reads `COLUMNSxROWS`, each from 1 to `CellGrid.sideMaximum`; nil for anything else.
    public init?(text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
            (1...CellGrid.sideMaximum).contains(columns), (1...CellGrid.sideMaximum).contains(rows)
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}

/// A position in columns and rows.
public struct GridPoint: Hashable, Sendable {
    /// Distance from the left edge.
    public var column: Int
    /// Distance from the top edge.
    public var row: Int

    /// Makes a position.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// The top left corner.
    public static let zero = GridPoint(column: 0, row: 0)
}

/// A rectangle of cells by its edges; right and bottom are the first column and row outside.
struct CellRect: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var isEmpty: Bool { right <= left || bottom <= top }
    var columns: Int { max(0, right - left) }
    var rows: Int { max(0, bottom - top) }

    func intersection(_ other: CellRect) -> CellRect {
        CellRect(
            left: max(left, other.left), top: max(top, other.top),
            right: min(right, other.right), bottom: min(bottom, other.bottom))
    }

    /// The smallest rectangle that contains both; an empty one counts for nothing.
    func union(_ other: CellRect) -> CellRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return CellRect(
            left: min(left, other.left), top: min(top, other.top),
            right: max(right, other.right), bottom: max(bottom, other.bottom))
    }

    /// The rectangle moved to the right and down.
    func moved(columns: Int, rows: Int) -> CellRect {
        CellRect(
            left: left + columns, top: top + rows, right: right + columns,
            bottom: bottom + rows)
    }

    /// The rectangle inset by a number of cells at each edge.
    func inset(_ cells: Int) -> CellRect {
        CellRect(
            left: left + cells, top: top + cells, right: right - cells, bottom: bottom - cells)
    }

    func contains(column: Int, row: Int) -> Bool {
        column >= left && column < right && row >= top && row < bottom
    }
}
