import SceneDocument
import SceneWire

/// A scene's tree as a list in painting order: preorder, later siblings in front, a scroll view's
/// bars after its subviews.
///
/// It does not depend on frames, so it is valid as long as the mirror's `contentStamp` does not
/// change.
struct SceneOutline {
    struct Item {
        var number: ViewNumber
        /// The index of the first item after this one and its subtree.
        var end: Int
        /// Whether it is the bars of the scroll view with that number, after its subviews.
        var isBars: Bool
        var content: ViewContent

        /// Whether its content depends on its position to a fraction of a cell.
        var hasText: Bool { !isBars && !content.lines.isEmpty }

        /// The image of the view.
        var image: LookImage? { isBars ? nil : content.look?.image }
    }

    /// A view, or a scroll view's bars, with its position.
    struct Step {
        /// The index in the outline.
        var place: Int
        /// In the root's coordinates.
        var frame: AbsoluteFrame
        /// Its cells.
        var area: CellRect
        /// The cells that may be painted.
        var clip: CellRect
        /// From 0 to 1, the superviews' included.
        var opacity: Double

        /// The visible cells.
        var seen: CellRect { area.intersection(clip) }
    }

    /// The context for the subviews of a view.
    private struct Level {
        var end: Int
        /// The view's origin minus its scroll offset.
        var x: Int
        var y: Int
        var inner: CellRect
        /// The view's own item, for its bars.
        var step: Step
    }

    private(set) var items: [Item] = []
    private(set) var contentStamp: UInt64 = 0
    /// Whether a view has an image.
    private(set) var hasImages = false

    /// An empty outline.
    init() {}

    /// - Complexity: O(views).
    init(_ mirror: SceneMirror) {
        contentStamp = mirror.contentStamp
        items.reserveCapacity(mirror.count)
        /// Views to visit, and those whose subtrees are complete.
        var stack = mirror.root.map { [(number: $0, start: -1)] } ?? []
        while let next = stack.popLast() {
            if next.start >= 0 {
                let content = items[next.start].content
                if content.kind == .scroll {
                    items.append(
                        Item(
                            number: next.number, end: items.count + 1, isBars: true,
                            content: content))
                }
                items[next.start].end = items.count
                continue
            }
            guard let content = mirror.content(next.number) else { continue }
            if content.look?.image != nil { hasImages = true }
            stack.append((next.number, items.count))
            items.append(
                Item(number: next.number, end: items.count + 1, isBars: false, content: content))
            for subview in mirror.subviews(of: next.number).reversed() {
                stack.append((subview, -1))
            }
        }
    }

    /// Replaces the content of a view.
    ///
    /// - Complexity: O(views).
    mutating func change(_ number: ViewNumber, _ change: (inout ViewContent) -> Void) {
        // A scroll view's bars stand for it a second time.
        for place in items.indices where items[place].number == number {
            change(&items[place].content)
        }
    }

    /// Visits the visible views.
    ///
    /// Hidden and fully transparent subtrees are skipped, and everything is cut at the root's
    /// edges. `clips` and scroll views cut their subviews at their edges.
    /// - Parameters:
    ///   - mirror: A mirror with the outline's stamp.
    ///   - tick: The tick of animated frames; nil for the final frames.
    /// - Complexity: O(views · animations under way).
    func walk(
        _ mirror: SceneMirror, _ transform: ViewTransform, in bounds: CellRect, tick: UInt64?,
        visit: (Step) -> Void
    ) {
        let moment = mirror.animations.isEmpty ? nil : tick.map { mirror.animations.moment(at: $0) }
        let whole = transform.rect(transform.root).intersection(bounds)
        guard !whole.isEmpty else { return }
        var levels: [Level] = []
        var place = 0
        while place < items.count {
            while let last = levels.last, last.end <= place { levels.removeLast() }
            let (x, y, clip, outer) =
                levels.last.map { ($0.x, $0.y, $0.inner, $0.step.opacity) } ?? (0, 0, whole, 1)
            if items[place].isBars {
                if let owner = levels.last?.step {
                    var step = owner
                    step.place = place
                    visit(step)
                }
                place += 1
                continue
            }
            let end = items[place].end
            let opacity = outer * Double(items[place].content.opacity) / 255
            guard !items[place].content.hidden, opacity > 0,
                var shown = mirror.frame(items[place].number)
            else {
                place = end
                continue
            }
            if let moment { shown = moment.shown(shown, of: items[place].number) }
            let frame = AbsoluteFrame(
                x: x + Int(shown.x), y: y + Int(shown.y), width: Int(shown.width),
                height: Int(shown.height))
            let step = Step(
                place: place, frame: frame, area: transform.rect(frame), clip: clip,
                opacity: opacity)
            visit(step)
            place += 1
            guard end > place else { continue }
            let content = items[step.place].content
            let inner = content.clips || content.kind == .scroll ? step.seen : clip
            guard !inner.isEmpty else {
                place = end
                continue
            }
            levels.append(
                Level(
                    end: end, x: frame.x - Int(content.contentOffsetX),
                    y: frame.y - Int(content.contentOffsetY), inner: inner, step: step))
        }
    }
}
