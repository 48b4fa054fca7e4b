import SceneDocument
import SceneWire

/// The bars of a scroll view.
struct ScrollBar {
    private static let thumb = (vertical: Cell("┃"), horizontal: Cell("━"))
    private static let track = (vertical: Cell("│"), horizontal: Cell("─"))

    /// The cells of the thumb in a track; nil if everything is visible.
    ///
    /// - Parameters:
    ///   - offset: The scroll offset; clamped to its range.
    ///   - cells: The track's length.
    static func thumb(content: Int, shown: Int, offset: Int, cells: Int) -> Range<Int>? {
        guard content > shown, shown > 0, cells > 0 else { return nil }
        let length = min(
            max(1, Int((Double(cells) * Double(shown) / Double(content)).rounded())), cells)
        let share = Double(min(max(offset, 0), content - shown)) / Double(content - shown)
        let start = Int((share * Double(cells - length)).rounded())
        return start..<start + length
    }

    /// Draws the bars of a scroll view on its last column and row, or on its border, if there is
    /// space.
    ///
    /// - Parameters:
    ///   - clip: The cells that may be painted.
    ///   - size: The size of the content, in units.
    static func draw(
        _ content: ViewContent, _ step: SceneOutline.Step, clip: CellRect,
        size: (width: Int, height: Int), on grid: inout CellGrid
    ) {
        let area = step.area
        let isBordered = content.border != .none
        // Corners stay the border's.
        let margin = isBordered ? 1 : 0
        let seen = area.intersection(clip)
        func draw(_ cell: Cell, _ column: Int, _ row: Int) {
            guard seen.contains(column: column, row: row) else { return }
            grid.draw(
                cell, column: column, row: row, clip: seen, foreground: content.foreground,
                opacity: step.opacity)
        }
        if area.columns >= 3, area.rows >= 2 + 2 * margin,
            let thumb = thumb(
                content: size.height, shown: step.frame.height, offset: Int(content.contentOffsetY),
                cells: area.rows - 2 * margin)
        {
            let top = area.top + margin
            for row in max(top, seen.top)..<max(top, min(area.bottom - margin, seen.bottom)) {
                draw(
                    thumb.contains(row - top) ? Self.thumb.vertical : track.vertical,
                    area.right - 1, row)
            }
        }
        if area.rows >= 4, area.columns >= 3 + 2 * margin,
            let thumb = thumb(
                content: size.width, shown: step.frame.width, offset: Int(content.contentOffsetX),
                cells: area.columns - 2 * margin)
        {
            let left = area.left + margin
            for column in max(left, seen.left)..<max(left, min(area.right - margin, seen.right)) {
                draw(
                    thumb.contains(column - left) ? Self.thumb.horizontal : track.horizontal,
                    column, area.bottom - 1)
            }
        }
    }
}
