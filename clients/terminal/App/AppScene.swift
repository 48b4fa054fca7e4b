import SceneWire

/// A scene as an application's screen shows it: with this screen's own selections and scroll
/// offsets.
struct AppScene {
    /// The state of this screen only, by view.
    struct Own {
        /// The lines of controls with chosen values that the scene does not have yet.
        var lines: [String: String] = [:]
        /// The local scroll offsets, in units.
        var offsets: [String: (x: Int32, y: Int32)] = [:]
    }

    let mirror: SceneMirror
    let transform: ViewTransform
    private(set) var outline: SceneOutline
    private(set) var steps: [SceneOutline.Step] = []
    /// By the view's number, its place among the steps.
    private var places: [ViewNumber: Int] = [:]

    /// - Complexity: O(views · animations under way).
    init(_ mirror: SceneMirror, _ metrics: SceneMetrics, _ own: Own, size: GridSize, tick: UInt64) {
        self.mirror = mirror
        transform = ViewTransform(mirror, metrics: metrics, fit: .fit(size), offset: .zero)
        outline = SceneOutline(mirror)
        for (id, text) in own.lines {
            guard let number = mirror.number(id: id) else { continue }
            outline.change(number) { content in
                if !content.lines.isEmpty { content.lines[0].text = text }
            }
        }
        for (id, offset) in own.offsets {
            guard let number = mirror.number(id: id) else { continue }
            outline.change(number) { content in
                (content.contentOffsetX, content.contentOffsetY) = (offset.x, offset.y)
            }
        }
        let bounds = CellRect(left: 0, top: 0, right: size.columns, bottom: size.rows)
        var steps: [SceneOutline.Step] = []
        outline.walk(mirror, transform, in: bounds, tick: tick) { steps.append($0) }
        self.steps = steps
        for (index, step) in steps.enumerated() where !outline.items[step.place].isBars {
            places[outline.items[step.place].number] = index
        }
    }

    /// The frame of a view; nil while it is hidden.
    func step(of number: ViewNumber) -> SceneOutline.Step? { places[number].map { steps[$0] } }

    /// The content of a view on this screen.
    func content(of step: SceneOutline.Step) -> ViewContent { outline.items[step.place].content }

    /// The frontmost view at a cell.
    func view(at place: GridPoint) -> ViewNumber? {
        steps.last { step in
            !outline.items[step.place].isBars
                && step.seen.contains(column: place.column, row: place.row)
        }.map { outline.items[$0.place].number }
    }

    /// The visible images, by their hashes.
    var imageHashes: [String] { steps.compactMap { outline.items[$0.place].image?.hash } }

    /// Paints everything, later siblings in front.
    func paint(on grid: inout CellGrid, pictures: PictureShelf) {
        var pass = PaintPass(
            transform: transform, pictures: pictures, grid: CellGrid(size: GridSize()))
        swap(&pass.grid, &grid)
        for step in steps {
            let item = outline.items[step.place]
            if item.isBars {
                ScrollBar.draw(
                    item.content, step, clip: step.clip,
                    size: SceneCanvas.extent(item.number, mirror), on: &pass.grid)
            } else {
                pass.paint(item, step, clip: step.clip)
            }
        }
        swap(&pass.grid, &grid)
    }
}
