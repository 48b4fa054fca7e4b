import SceneDocument
import SceneWire

/// A scene at its position on a grid, for hit tests.
struct SceneWalk {
    let mirror: SceneMirror
    let transform: ViewTransform
    let bounds: CellRect
    /// The tick of animated frames; nil for the final frames.
    var tick: UInt64?

    /// Visits each visible view in painting order, with its visible cells.
    ///
    /// - Complexity: O(views · animations under way).
    func run(_ visit: (ViewNumber, _ seen: CellRect) -> Void) {
        let outline = SceneOutline(mirror)
        outline.walk(mirror, transform, in: bounds, tick: tick) { step in
            let item = outline.items[step.place]
            if !item.isBars { visit(item.number, step.seen) }
        }
    }

    /// The cells of a view, and the visible ones; nil if it is not visible.
    ///
    /// - Complexity: O(depth).
    func place(of number: ViewNumber) -> (area: CellRect, seen: CellRect)? {
        var path: [ViewNumber] = []
        var next: ViewNumber? = number
        while let current = next, path.count <= mirror.count {
            path.append(current)
            next = mirror.view(current)?.parent
        }
        var clip = transform.rect(transform.root).intersection(bounds)
        var (x, y) = (0, 0)
        var area = clip
        for current in path.reversed() {
            guard let view = mirror.view(current), !view.content.hidden else { return nil }
            let shown =
                tick.map { mirror.animations.shown(view.frame, of: current, at: $0) } ?? view.frame
            x += Int(shown.x)
            y += Int(shown.y)
            area = transform.rect(
                AbsoluteFrame(x: x, y: y, width: Int(shown.width), height: Int(shown.height)))
            if current != number, view.content.clips || view.content.kind == .scroll {
                clip = clip.intersection(area)
            }
            x -= Int(view.content.contentOffsetX)
            y -= Int(view.content.contentOffsetY)
        }
        return (area, area.intersection(clip))
    }

    /// The frontmost view at a cell.
    func view(at point: GridPoint) -> ViewNumber? {
        var found: ViewNumber?
        run { number, seen in
            if seen.contains(column: point.column, row: point.row) { found = number }
        }
        return found
    }
}
