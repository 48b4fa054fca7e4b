import SceneProtocol

/// Goes through what can be seen of a scene, in the order in which it is painted: preorder, later siblings in front.
///
/// Hidden and wholly transparent subtrees are left out, and what hangs over the root is cut. `clips` and scroll views
/// cut their subviews at their edges.
struct SceneWalk {
    /// A view on its way to the grid.
    struct Step {
        var number: ViewNumber
        var view: ViewRecord
        /// In the root's coordinates.
        var frame: AbsoluteFrame
        /// The cells that it takes.
        var area: CellRect
        /// The cells that may be painted.
        var clip: CellRect
        /// From 0 to 1, the superviews' included.
        var opacity: Double

        /// The cells that can be seen.
        var seen: CellRect { area.intersection(clip) }
    }

    private struct Waiting {
        var number: ViewNumber
        /// The superview's origin less what it is scrolled by.
        var x: Int
        var y: Int
        var clip: CellRect
        var opacity: Double
        /// Set for a scroll view whose subviews have been painted.
        var finished: Step?
    }

    let mirror: SceneMirror
    let transform: ViewTransform
    let bounds: CellRect
    /// The tick whose animated frames are shown; nil shows where animations end.
    var tick: UInt64?

    /// - Parameters:
    ///   - visit: Told of each view before its subviews.
    ///   - finish: Told of each scroll view after its subviews.
    /// - Complexity: O(views · animations under way).
    func run(visit: (Step) -> Void, finish: (Step) -> Void = { _ in }) {
        guard let root = mirror.root else { return }
        let clip = transform.rect(transform.root).intersection(bounds)
        let shownTick = mirror.animations.isEmpty ? nil : tick
        var stack = [Waiting(number: root, x: 0, y: 0, clip: clip, opacity: 1)]
        while let next = stack.popLast() {
            if let finished = next.finished {
                finish(finished)
                continue
            }
            guard !next.clip.isEmpty, let view = mirror.view(next.number) else { continue }
            let opacity = next.opacity * Double(view.content.opacity) / 255
            guard !view.content.hidden, opacity > 0 else { continue }
            let shown =
                shownTick.map { mirror.animations.shown(view.frame, of: next.number, at: $0) }
                ?? view.frame
            let frame = AbsoluteFrame(
                x: next.x + Int(shown.x), y: next.y + Int(shown.y), width: Int(shown.width),
                height: Int(shown.height))
            let step = Step(
                number: next.number, view: view, frame: frame, area: transform.rect(frame),
                clip: next.clip, opacity: opacity)
            visit(step)
            let isScroll = view.content.kind == .scroll
            if isScroll {
                stack.append(
                    Waiting(
                        number: next.number, x: 0, y: 0, clip: next.clip, opacity: opacity,
                        finished: step))
            }
            let inner = view.content.clips || isScroll ? step.seen : next.clip
            guard !inner.isEmpty else { continue }
            let x = frame.x - Int(view.content.contentOffsetX)
            let y = frame.y - Int(view.content.contentOffsetY)
            for subview in mirror.subviews(of: next.number).reversed() {
                stack.append(
                    Waiting(number: subview, x: x, y: y, clip: inner, opacity: opacity))
            }
        }
    }

    /// The cells that a view takes, and those of them that can be seen; nil if nothing of it is shown.
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
        run { step in
            if step.seen.contains(column: point.column, row: point.row) { found = step.number }
        }
        return found
    }
}
