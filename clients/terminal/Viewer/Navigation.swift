/// The visible part of a scene, and its scale.
struct Navigation: Hashable {
    /// The zoom factors; all are exact in binary, so that text cells stay whole.
    static let steps: [Double] = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8]

    /// The multiple of the natural size; nil fits the whole scene.
    private(set) var zoom: Double?
    private var offset = GridPoint.zero

    init(zoom: Double? = nil) {
        self.zoom = zoom
    }

    /// The size of the picture for a scene's natural size and an area.
    private func picture(of scene: GridSize, in area: GridSize) -> GridSize {
        guard let zoom else { return area }
        return GridSize(
            columns: Int((Double(scene.columns) * zoom).rounded(.up)),
            rows: Int((Double(scene.rows) * zoom).rounded(.up)))
    }

    func fit(in area: GridSize) -> SceneFit { zoom.map { .zoom($0) } ?? .fit(area) }

    /// The cell of the picture at the top left corner; clamped so that as little as possible
    /// outside the picture is visible.
    func offset(scene: GridSize, in area: GridSize) -> GridPoint {
        let picture = picture(of: scene, in: area)
        return GridPoint(
            column: min(max(offset.column, 0), max(0, picture.columns - area.columns)),
            row: min(max(offset.row, 0), max(0, picture.rows - area.rows)))
    }

    /// The zoom as text.
    var text: String { zoom.map { "\(Int($0 * 100))%" } ?? "fit" }

    /// Handles a key; returns false if it has no meaning here.
    mutating func handle(_ key: Key, scene: GridSize, in area: GridSize) -> Bool {
        switch key {
        case .character("f"): self = Navigation()
        case .character("0"): change(zoom: 1, scene: scene, in: area)
        case .character("+"), .character("="):
            let present = effectiveZoom(scene: scene, in: area)
            change(zoom: Self.steps.first { $0 > present }, scene: scene, in: area)
        case .character("-"):
            let present = effectiveZoom(scene: scene, in: area)
            change(zoom: Self.steps.last { $0 < present }, scene: scene, in: area)
        case .left: pan(-2, 0, scene: scene, in: area)
        case .right: pan(2, 0, scene: scene, in: area)
        case .up: pan(0, -1, scene: scene, in: area)
        case .down: pan(0, 1, scene: scene, in: area)
        case .pageUp: pan(0, -area.rows, scene: scene, in: area)
        case .pageDown: pan(0, area.rows, scene: scene, in: area)
        case .home: offset = .zero
        case .end: pan(1 << 30, 1 << 30, scene: scene, in: area)
        default: return false
        }
        return true
    }

    /// Pans by the minimum that makes a cell of the whole picture visible.
    mutating func reveal(_ point: GridPoint, scene: GridSize, in area: GridSize) {
        let start = offset(scene: scene, in: area)
        func moved(_ start: Int, _ extent: Int, _ place: Int) -> Int {
            place < start ? place : place >= start + extent ? place - extent + 1 : start
        }
        offset = GridPoint(
            column: moved(start.column, area.columns, point.column),
            row: moved(start.row, area.rows, point.row))
        offset = offset(scene: scene, in: area)
    }

    private func effectiveZoom(scene: GridSize, in area: GridSize) -> Double {
        if let zoom { return zoom }
        guard scene.columns > 0, scene.rows > 0 else { return 1 }
        return min(
            Double(area.columns) / Double(scene.columns), Double(area.rows) / Double(scene.rows))
    }

    /// Changes the zoom around the centre of the visible part.
    private mutating func change(zoom next: Double?, scene: GridSize, in area: GridSize) {
        guard let next, next != zoom else { return }
        let before = picture(of: scene, in: area)
        let start = offset(scene: scene, in: area)
        zoom = next
        let after = picture(of: scene, in: area)
        func follow(_ start: Int, _ extent: Int, _ before: Int, _ after: Int) -> Int {
            guard before > 0 else { return 0 }
            let middle = Double(start) + Double(extent) / 2
            return Int((middle * Double(after) / Double(before) - Double(extent) / 2).rounded())
        }
        offset = GridPoint(
            column: follow(start.column, area.columns, before.columns, after.columns),
            row: follow(start.row, area.rows, before.rows, after.rows))
        offset = offset(scene: scene, in: area)
    }

    private mutating func pan(_ columns: Int, _ rows: Int, scene: GridSize, in area: GridSize) {
        let start = offset(scene: scene, in: area)
        offset = GridPoint(column: start.column + columns, row: start.row + rows)
        offset = offset(scene: scene, in: area)
    }
}
