import SceneDocument
import SceneWire

/// Paints charts in cells: a line as dots, of which a cell has two by four, areas and bars as
/// blocks of eighths.
extension PaintPass {
    private static let eighths: [Character] = Array(" ▁▂▃▄▅▆▇█")

    /// Paints the chart of a view over its area.
    ///
    /// - Parameter clip: The visible cells of the view.
    mutating func paint(_ chart: LookChart, area: CellRect, clip: CellRect, opacity: Double) {
        guard !chart.heights.isEmpty, !area.isEmpty else { return }
        switch chart.style {
        case .line: paintDots(chart, area, clip, opacity)
        case .area:
            let columns = Double(area.columns)
            paintBlocks(chart, area, clip, opacity) { column in
                chart.height(at: (Double(column) + 0.5) / columns)
            }
        case .bars:
            let wide = Double(area.columns) / Double(chart.heights.count)
            paintBlocks(chart, area, clip, opacity) { column in
                let place = (Double(column) + 0.5) / wide
                let within = place - place.rounded(.down)
                // Where there is room, its last column is the gap before the next one.
                guard wide < 3 || within < 1 - 1 / wide else { return nil }
                return chart.share(of: min(Int(place), chart.heights.count - 1))
            }
        }
    }

    /// - Parameter height: How far up a column is filled, 0...1; nil for not at all.
    private mutating func paintBlocks(
        _ chart: LookChart, _ area: CellRect, _ clip: CellRect, _ opacity: Double,
        height: (Int) -> Double?
    ) {
        let steps = Self.eighths.count - 1
        for column in max(clip.left, area.left)..<max(clip.left, min(clip.right, area.right)) {
            guard let height = height(column - area.left) else { continue }
            let filled = Int((height * Double(steps * area.rows)).rounded())
            for row in 0..<area.rows {
                let part = min(max(filled - row * steps, 0), steps)
                guard part > 0 else { break }
                grid.write(
                    String(Self.eighths[part]), column: column, row: area.bottom - 1 - row,
                    clip: clip, foreground: chart.color, opacity: opacity)
            }
        }
    }

    /// The bits of the dots of a cell of Braille, from the top, of its left and its right column.
    /// Source: Unicode, Braille Patterns.
    private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    private mutating func paintDots(
        _ chart: LookChart, _ area: CellRect, _ clip: CellRect, _ opacity: Double
    ) {
        let (across, down) = (2 * area.columns, 4 * area.rows)
        func place(_ column: Int) -> Int {
            let height = chart.height(at: (Double(column) + 0.5) / Double(across))
            return Int(((1 - height) * Double(down - 1)).rounded())
        }
        var last = place(0)
        for column in 0..<area.columns {
            var cells: [Int: UInt32] = [:]
            for side in 0...1 {
                let next = place(2 * column + side)
                // Without gaps: from beside the dot before on.
                let first = next == last ? next : last < next ? last + 1 : last - 1
                for dot in min(first, next)...max(first, next) {
                    cells[dot / 4, default: 0] |= Self.dots[side][dot % 4]
                }
                last = next
            }
            for (row, bits) in cells {
                guard let scalar = Unicode.Scalar(0x2800 + bits) else { continue }
                grid.write(
                    String(Character(scalar)), column: area.left + column, row: area.top + row,
                    clip: clip, foreground: chart.color, opacity: opacity)
            }
        }
    }
}
