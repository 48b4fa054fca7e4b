/// The terminal viewer: a scene's mirror becomes a grid of cells, and grids become escape
/// sequences.
///
/// This module owns everything between a `SceneMirror` and a terminal: painting, scaling, keys,
/// status line and the terminal's modes. It does not receive messages (the owner of the connection
/// posts mirrors), compute layout or measure text. Painting and diffing are pure functions for any
/// thread; a `TerminalApplication` runs on the thread that calls `run()` and accepts events from
/// any other.

import CharacterWidth
import SceneDocument
public import SceneWire

/// Paints a scene's mirror on a grid of cells.
public enum ScenePainter {
    /// The picture of a scene.
    ///
    /// Views are painted in preorder, later siblings in front, cut at the root's edges. Hidden and
    /// fully transparent subtrees are skipped. `clips` and scroll views cut their subviews at their
    /// edges.
    /// - Parameters:
    ///   - size: The grid's size; the picture's own if nil.
    ///   - offset: The cell of the picture at the grid's top left corner.
    ///   - tick: The tick of animated frames; nil for the final frames.
    ///   - pictures: The pictures of image views, as blocks; by default they are not shown.
    /// - Complexity: O(views · animations under way + cells painted).
    public static func paint(
        _ mirror: SceneMirror, metrics: SceneMetrics, size: GridSize? = nil,
        fit: SceneFit = .natural, offset: GridPoint = .zero, tick: UInt64? = nil,
        pictures: PictureShelf = PictureShelf()
    ) -> CellGrid {
        let transform = ViewTransform(mirror, metrics: metrics, fit: fit, offset: offset)
        var canvas = SceneCanvas()
        canvas.paint(
            mirror, transform, size: size ?? transform.sceneSize, tick: tick, pictures: pictures)
        return canvas.grid
    }
}

/// Paints views on a grid.
struct PaintPass {
    let transform: ViewTransform
    let pictures: PictureShelf
    var grid: CellGrid

    /// Paints a view's own content, without its subviews.
    ///
    /// - Parameter clip: The cells that may be painted.
    mutating func paint(_ item: SceneOutline.Item, _ step: SceneOutline.Step, clip: CellRect) {
        let (content, frame, area, opacity) = (
            item.content, step.frame, step.area, step.opacity
        )
        let seen = area.intersection(clip)
        if !seen.isEmpty, let background = content.background {
            grid.fill(seen, with: background, opacity: opacity)
        }
        if !seen.isEmpty, let gradient = content.look?.gradient {
            paint(gradient, area: area, seen: seen, opacity: opacity)
        }
        // A picture may be larger than its view.
        if let image = item.image, let placement = transform.placement(of: item, step) {
            var placement = placement
            placement.seen = placement.seen.intersection(clip)
            paint(image, placement, number: step.place + 1, opacity: opacity, within: seen)
        }
        guard !seen.isEmpty else { return }
        if let glyphs = BorderGlyphs.of(content.border) {
            grid.drawBorder(
                glyphs, around: area, clip: clip, foreground: content.foreground, opacity: opacity)
        } else if let look = content.look, look.borderWidth > 0, area.columns >= 3, area.rows >= 3,
            let glyphs = BorderGlyphs.of(look.cornerRadius > 0 ? .rounded : .single)
        {
            grid.drawBorder(
                glyphs, around: area, clip: clip, foreground: look.borderColor, opacity: opacity)
        }
        if let look = content.look, let symbol = look.symbol {
            paint(symbol, tint: look.tint, area: area, clip: seen, opacity: opacity)
        }
        if let chart = content.look?.chart {
            paint(chart, area: area, clip: seen, opacity: opacity)
        }
        let ink = content.foreground ?? content.look?.tint
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
                text, column: column, row: row, clip: seen, foreground: ink, opacity: opacity)
        }
    }

    /// Writes the character that stands for a symbol, where there is one: at the edge that the
    /// symbol's place names, otherwise in the middle.
    private mutating func paint(
        _ symbol: LookSymbol, tint: Color?, area: CellRect, clip: CellRect, opacity: Double
    ) {
        guard let text = SymbolSet.shared[symbol.name]?.text, !text.isEmpty else { return }
        let shown = fitted(text, columns: area.columns)
        let free = area.columns - displayWidth(of: shown)
        let column =
            switch symbol.mode {
            case .left, .topLeft, .bottomLeft: area.left
            case .right, .topRight, .bottomRight: area.left + free
            case .scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw, .center, .top, .bottom:
                area.left + free / 2
            }
        let row =
            switch symbol.mode {
            case .top, .topLeft, .topRight: area.top
            case .bottom, .bottomLeft, .bottomRight: area.bottom - 1
            case .scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw, .center, .left, .right:
                area.top + (area.rows - 1) / 2
            }
        grid.write(
            shown, column: column, row: row, clip: clip, foreground: tint, opacity: opacity)
    }

    /// Fills each cell with the gradient's colour in its middle.
    private mutating func paint(
        _ gradient: LookGradient, area: CellRect, seen: CellRect, opacity: Double
    ) {
        for row in seen.top..<seen.bottom {
            for column in seen.left..<seen.right {
                let x = (Double(column - area.left) + 0.5) / Double(area.columns)
                let y = (Double(row - area.top) + 0.5) / Double(area.rows)
                let cell = CellRect(left: column, top: row, right: column + 1, bottom: row + 1)
                grid.fill(cell, with: gradient.color(x: x, y: y), opacity: opacity)
            }
        }
    }

    /// The part of a line that fits into its label's cells, and its position.
    ///
    /// At natural size the server's position applies. Otherwise characters keep their size while
    /// distances are scaled, so the text's alignment decides.
    private func place(
        _ line: ContentLine, align: TextAlignment, frame: AbsoluteFrame, area: CellRect
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
