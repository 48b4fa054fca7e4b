/// Rows of cells in columns that are as wide as what they have, on a screen that may not have room
/// for all columns.
struct WatchTable {
    /// A column.
    struct Column {
        /// Its heading.
        var title: String
        /// Its place among the columns by weight: of those that do not fit, the highest goes first.
        var rank: Int
        /// Whether its cells begin at the left; numbers end at the right.
        var isText: Bool

        init(_ title: String, rank: Int, isText: Bool = false) {
            self.title = title
            self.rank = rank
            self.isText = isText
        }
    }

    /// The titles of the columns that are shown.
    let heading: String
    /// The rows, in their order.
    let rows: [String]

    /// Lays a table out.
    ///
    /// - Parameters:
    ///   - rows: The cells of each row. One with fewer cells than there are columns ends with a
    ///     text instead of numbers, which takes the rest of its line and widens no column.
    ///   - screen: The columns of the screen; `nil` for no limit. One column at least is shown.
    /// - Complexity: O(cells + columns²).
    init(_ columns: [Column], rows: [[String]], within screen: Int?) {
        var widths = columns.map(\.title.count)
        for row in rows {
            let isShort = row.count < columns.count
            for (index, cell) in row.dropLast(isShort ? 1 : 0).enumerated()
            where index < widths.count {
                widths[index] = max(widths[index], cell.count)
            }
        }
        var shown = Array(columns.indices)
        if let screen {
            while shown.count > 1,
                shown.reduce(shown.count - 1, { $0 + widths[$1] }) > screen,
                let least = shown.max(by: { columns[$0].rank < columns[$1].rank })
            {
                shown.removeAll { $0 == least }
            }
        }
        func line(_ cells: [String]) -> String {
            let end = cells.count < columns.count ? cells.count - 1 : cells.count
            var parts = shown.filter { $0 < end }.map { index in
                let space = String(
                    repeating: " ", count: max(0, widths[index] - cells[index].count))
                return columns[index].isText ? cells[index] + space : space + cells[index]
            }
            if end < cells.count, end >= 0 { parts.append(cells[end]) }
            return parts.joined(separator: " ")
        }
        heading = line(columns.map(\.title))
        self.rows = rows.map(line)
    }
}
