/// The terminal viewer: a scene's mirror becomes a grid of cells, and grids become escape sequences.
///
/// This module owns everything between a `SceneMirror` and a terminal: painting, scaling, keys, status line and the
/// terminal's modes. It must not know how messages arrive (the owner of the connection posts mirrors), how layout is computed or
/// how text is measured. Painting and diffing are pure functions for any thread; a `TerminalApplication` runs on the
/// thread that calls `run()` and takes events from any other.

import CharacterWidth
public import SceneProtocol

/// Paints a scene's mirror on a grid of cells.
public enum ScenePainter {
    /// The picture of a scene.
    ///
    /// Views are painted in preorder, later siblings in front; what hangs over the root is cut. Hidden and wholly
    /// transparent subtrees are left out. `clips` and scroll views cut their subviews at their edges.
    /// - Parameters:
    ///   - size: The grid's size; the picture's own if nil.
    ///   - offset: Which cell of the picture stands in the grid's top left corner.
    ///   - tick: The tick whose animated frames are shown; nil shows where animations end.
    /// - Complexity: O(views · animations under way + cells painted).
    public static func paint(
        _ mirror: SceneMirror, metrics: SceneMetrics, size: GridSize? = nil,
        fit: SceneFit = .natural, offset: GridPoint = .zero, tick: UInt64? = nil
    ) -> CellGrid {
        let transform = ViewTransform(mirror, metrics: metrics, fit: fit, offset: offset)
        var canvas = SceneCanvas()
        canvas.paint(mirror, transform, size: size ?? transform.sceneSize, tick: tick)
        return canvas.grid
    }
}

/// Paints views on a grid, one after another.
struct PaintPass {
    let transform: ViewTransform
    var grid: CellGrid

    /// Paints what a view shows itself, its subviews apart.
    ///
    /// - Parameters:
    ///   - area: The cells that it takes.
    ///   - clip: The cells that may be painted.
    mutating func paint(
        _ content: ViewContent, frame: AbsoluteFrame, area: CellRect, clip: CellRect,
        opacity: Double
    ) {
        let seen = area.intersection(clip)
        guard !seen.isEmpty else { return }
        if let background = content.background {
            grid.fill(seen, with: background, opacity: opacity)
        }
        if let glyphs = BorderGlyphs.of(content.border) {
            grid.drawBorder(
                glyphs, around: area, clip: clip, foreground: content.foreground, opacity: opacity)
        }
        var lowest = area.top - 1
        for (index, line) in content.lines.enumerated() {
            var row = transform.row(frame.y + Int(line.y))
            // A label that has a row at all shows the beginning of its text.
            if index == 0 { row = min(row, area.bottom - 1) }
            // Where lines are squeezed onto the same row, the first one stays.
            guard row > lowest, row < area.bottom else { continue }
            lowest = row
            let (text, column) = place(line, align: content.align, frame: frame, area: area)
            grid.write(
                text, column: column, row: row, clip: seen, foreground: content.foreground,
                opacity: opacity)
        }
    }

    /// What of a line fits into its label's cells, and where it begins.
    ///
    /// At natural size that is where the server put it. Otherwise characters keep their size while distances are
    /// scaled, so the side that the text is aligned to decides.
    private func place(
        _ line: TextLine, align: TextAlignment, frame: AbsoluteFrame, area: CellRect
    ) -> (text: String, column: Int) {
        let start = transform.column(frame.x + Int(line.x))
        let end = transform.column(frame.x + Int(line.x) + Int(line.width))
        let text = fitted(line.text, columns: area.columns)
        let columns = displayWidth(of: text)
        let column: Int
        switch align {
        case .center: column = start + (end - start - columns) / 2
        case .right: column = end - columns
        case .natural where line.x > 0 && Int(line.x) + Int(line.width) == frame.width:
            // A natural line at the right edge is one of a text that runs from the right.
            column = end - columns
        case .left, .natural, .justified: column = start
        }
        return (text, min(max(column, area.left), area.right - columns))
    }
}
