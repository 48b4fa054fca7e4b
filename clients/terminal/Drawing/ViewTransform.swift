public import SceneDocument
public import SceneWire

/// The factors from a mirror's units to points and cells.
public struct SceneMetrics: Hashable, Sendable {
    /// The reason why a server's numbers are unusable.
    public enum Failure: Error, Equatable, Sendable {
        /// The unit is not a finite number above 0.
        case badUnit(Double)
        /// The cell's size is not finite and above 0.
        case badCell(Size)
    }

    /// Units in a point.
    public let unitsPerPoint: Double
    /// The cell of the text grid, in points.
    public let cell: Size

    /// Validates the numbers.
    public init(unitsPerPoint: Double, cell: Size) throws(Failure) {
        guard unitsPerPoint.isFinite, unitsPerPoint > 0 else { throw .badUnit(unitsPerPoint) }
        guard cell.width.isFinite, cell.width > 0, cell.height.isFinite, cell.height > 0 else {
            throw .badCell(cell)
        }
        self.unitsPerPoint = unitsPerPoint
        self.cell = cell
    }

    /// Takes the numbers of a server's announcement.
    public init(_ welcome: Welcome) throws(Failure) {
        try self.init(unitsPerPoint: welcome.unitsPerPoint, cell: welcome.cell)
    }

    /// The size of the scene in cells, with one cell of the terminal for each cell of the text
    /// grid.
    public func naturalSize(of mirror: SceneMirror) -> GridSize {
        let transform = ViewTransform(mirror, metrics: self, fit: .natural, offset: .zero)
        return transform.sceneSize
    }
}

/// The scale of a scene.
public enum SceneFit: Hashable, Sendable {
    /// One cell of the terminal is one cell of the scene's text grid.
    case natural
    /// A multiple of the natural size.
    case zoom(Double)
    /// The whole scene fits exactly into that many cells, each axis separately, to use all of a
    /// small terminal.
    case fit(GridSize)
}

/// Converts units, from the root's top left corner, to cells.
///
/// An edge at u maps to floor(u · cells / units + 0.5), in the root's coordinates, so that adjacent
/// views are adjacent in cells.
struct ViewTransform: Hashable {
    /// One axis; the factor stays a fraction, since its quotient may not be representable.
    private struct Scale: Hashable {
        var cells: Double
        var units: Double
        var origin: Int
        var offset: Int

        /// Beyond any grid, within any integer.
        private static let limit = 1e9

        func cell(_ position: Int) -> Int {
            guard units > 0 else { return -offset }
            let value = (Double(position - origin) * cells / units + 0.5).rounded(.down)
            return Int(min(max(value, -Self.limit), Self.limit)) - offset
        }

        func cell(containing position: Double) -> Int {
            guard units > 0, position.isFinite else { return -offset }
            let value = (position * cells / units).rounded(.down)
            return Int(min(max(value, -Self.limit), Self.limit)) - offset
        }

        func middle(of cell: Int) -> Double {
            cells > 0 ? (Double(cell + offset) + 0.5) * units / cells : 0
        }
    }

    private var horizontal: Scale
    private var vertical: Scale
    /// Units in a point.
    let unitsPerPoint: Double
    /// The root's frame in units; empty without a state.
    let root: AbsoluteFrame
    /// The size of the root in cells.
    private(set) var sceneSize = GridSize(columns: 0, rows: 0)

    /// - Parameter offset: The cell of the whole picture at the top left corner.
    init(_ mirror: SceneMirror, metrics: SceneMetrics, fit: SceneFit, offset: GridPoint) {
        root =
            mirror.root.flatMap { mirror.absoluteFrame($0) }
            ?? AbsoluteFrame(x: 0, y: 0, width: 0, height: 0)
        unitsPerPoint = metrics.unitsPerPoint
        horizontal = Scale(
            cells: 1, units: metrics.unitsPerPoint * metrics.cell.width, origin: root.x, offset: 0)
        vertical = Scale(
            cells: 1, units: metrics.unitsPerPoint * metrics.cell.height, origin: root.y,
            offset: 0)
        switch fit {
        case .natural: break
        case .zoom(let factor):
            let factor = factor.isFinite ? max(0, factor) : 1
            horizontal.cells = factor
            vertical.cells = factor
        case .fit(let size):
            // A scene that already has the size keeps its scale, though it may not be a whole
            // number of cells.
            if horizontal.cell(root.x + root.width) != size.columns {
                horizontal.cells = Double(size.columns)
                horizontal.units = Double(root.width)
            }
            if vertical.cell(root.y + root.height) != size.rows {
                vertical.cells = Double(size.rows)
                vertical.units = Double(root.height)
            }
        }
        sceneSize = GridSize(
            columns: horizontal.cell(root.x + root.width),
            rows: vertical.cell(root.y + root.height))
        horizontal.offset = offset.column
        vertical.offset = offset.row
    }

    /// The size of a cell in units.
    var unitsPerColumn: Double { horizontal.units / max(horizontal.cells, 1e-9) }
    var unitsPerRow: Double { vertical.units / max(vertical.cells, 1e-9) }

    /// The cell that contains a position in units from the root's edge.
    func column(containing x: Double) -> Int { horizontal.cell(containing: x) }
    func row(containing y: Double) -> Int { vertical.cell(containing: y) }

    /// The middle of a cell, in units from the root's edge.
    func x(ofColumn column: Int) -> Double { horizontal.middle(of: column) }
    func y(ofRow row: Int) -> Double { vertical.middle(of: row) }

    func column(_ x: Int) -> Int { horizontal.cell(x) }
    func row(_ y: Int) -> Int { vertical.cell(y) }

    func rect(_ frame: AbsoluteFrame) -> CellRect {
        CellRect(
            left: column(frame.x), top: row(frame.y), right: column(frame.x + frame.width),
            bottom: row(frame.y + frame.height))
    }
}
