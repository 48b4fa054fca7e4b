import CharacterWidth
import SceneDocument
import SceneWire

/// Drawings over a scene: the selection, other members' pointers, the views that a cycle laid out.
enum SceneOverlay {
    private static let accent = Color(rgba: 0x7AA2F7FF)
    private static let idle = Color(rgba: 0x7A82A8FF)

    /// Marks the selected view's outermost cells.
    static func drawSelection(_ id: String, _ walk: SceneWalk, on grid: inout CellGrid) {
        guard let number = walk.mirror.number(id: id), let (area, seen) = walk.place(of: number)
        else { return }
        outline(area, seen, on: &grid) { cell in
            // In reverse, which shows without colours as well; the foreground fills the cell then.
            cell.attributes.insert(.reverse)
            cell.ink = Cell.pack(accent)
        }
    }

    /// Draws a member's pointer, name and selection in their colour.
    static func draw(
        _ member: Members.Member, _ walk: SceneWalk, metrics: SceneMetrics?,
        on grid: inout CellGrid
    ) {
        let name = member.awareness.isHandRaised ? "\(member.title) !" : member.title
        let color = member.awareness.isIdle ? idle : member.color
        for id in member.selection {
            guard let number = walk.mirror.number(id: id),
                let (area, seen) = walk.place(of: number)
            else { continue }
            corners(area, seen, on: &grid) { cell in
                cell.attributes.insert(.reverse)
                cell.ink = Cell.pack(color)
            }
            if !member.points {
                label(name, color, column: area.left + 1, row: area.top, seen, on: &grid)
            }
        }
        guard let metrics, let pointer = member.pointer(in: walk.mirror, metrics) else { return }
        let column = walk.transform.column(containing: pointer.x)
        let row = walk.transform.row(containing: pointer.y)
        // What points beside the scene points at nothing.
        let clip = walk.bounds.intersection(walk.transform.rect(walk.transform.root))
        guard clip.contains(column: column, row: row) else { return }
        label("▲", color, column: column, row: row, clip, on: &grid)
        label(name, color, column: column + 1, row: row, clip, on: &grid)
    }

    /// Marks the views that a cycle laid out or displayed.
    static func draw(_ cycle: TraceLog.Cycle, _ walk: SceneWalk, on grid: inout CellGrid) {
        for (word, tone) in [("draw", Tone.accent), ("layoutSubviews", Tone.warning)] {
            for id in cycle.views(word).prefix(500) {
                guard let number = walk.mirror.number(id: id),
                    let (area, seen) = walk.place(of: number)
                else { continue }
                corners(area, seen, on: &grid) { cell in
                    cell.attributes.insert(.reverse)
                    cell.ink = Cell.pack(tone.color)
                }
            }
        }
    }

    private static func label(
        _ text: String, _ color: Color, column: Int, row: Int, _ clip: CellRect,
        on grid: inout CellGrid
    ) {
        let end = grid.write(
            fitted(text, columns: 16), column: column, row: row, clip: clip, foreground: color)
        let area = CellRect(left: column, top: row, right: end, bottom: row + 1)
        grid.restyle(area.intersection(clip)) { cell in
            cell.attributes = .reverse
            cell.ink = Cell.pack(color)
        }
    }

    private static func outline(
        _ area: CellRect, _ seen: CellRect, on grid: inout CellGrid, _ change: (inout Cell) -> Void
    ) {
        let rows = [area.top, area.bottom - 1]
        for row in Set(rows).sorted() {
            grid.restyle(
                CellRect(left: area.left, top: row, right: area.right, bottom: row + 1)
                    .intersection(seen), change)
        }
        for column in Set([area.left, area.right - 1]).sorted() {
            grid.restyle(
                CellRect(
                    left: column, top: area.top + 1, right: column + 1, bottom: area.bottom - 1
                ).intersection(seen), change)
        }
    }

    private static func corners(
        _ area: CellRect, _ seen: CellRect, on grid: inout CellGrid, _ change: (inout Cell) -> Void
    ) {
        for row in Set([area.top, area.bottom - 1]).sorted() {
            for column in Set([area.left, area.right - 1]).sorted() {
                grid.restyle(
                    CellRect(left: column, top: row, right: column + 1, bottom: row + 1)
                        .intersection(seen), change)
            }
        }
    }
}
