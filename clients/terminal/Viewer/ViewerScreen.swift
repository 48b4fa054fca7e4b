import CharacterWidth
import SceneProtocol

/// Everything that decides what the viewer shows; follows keys and events without doing anything itself.
struct ViewerScreen {
    /// What the owner of the screen must do after a key.
    enum Action: Hashable {
        case none
        case redraw
        case redrawEverything
        case quit
        case suspend
    }

    let url: String
    private let room: String
    private(set) var connection = ConnectionState.connecting
    private var scene: (mirror: SceneMirror, metrics: SceneMetrics)?
    private var navigation: Navigation
    private(set) var showsHelp = false
    var size: GridSize

    init(url: String, fitsAtFirst: Bool, size: GridSize) {
        self.url = url
        room = Self.room(of: url)
        navigation = Navigation(zoom: fitsAtFirst ? nil : 1)
        self.size = size
    }

    /// The last part of a room's URL.
    static func room(of url: String) -> String {
        var text = Substring(url)
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        text = text.prefix { $0 != "?" && $0 != "#" }
        guard let slash = text.firstIndex(of: "/") else { return "" }
        return String(text[text.index(after: slash)...])
    }

    /// The screen without the status line.
    private var area: GridSize { GridSize(columns: size.columns, rows: size.rows - 1) }
    private var naturalSize: GridSize {
        scene.map { $0.metrics.naturalSize(of: $0.mirror) } ?? GridSize(columns: 0, rows: 0)
    }

    // MARK: Input

    mutating func take(connection: ConnectionState) { self.connection = connection }

    mutating func take(_ mirror: SceneMirror, _ welcome: Welcome) {
        guard !mirror.needsSnapshot else { return }
        do throws(SceneMetrics.Failure) {
            scene = (mirror, try SceneMetrics(welcome))
        } catch {
            scene = nil
            connection = .ended("the server's unit or cell cannot be used: \(error)")
        }
    }

    mutating func press(_ key: Key) -> Action {
        switch key {
        case .character("q"), .character("Q"), .control("c"): return .quit
        case .control("z"): return .suspend
        case .control("l"): return .redrawEverything
        case .character("?"):
            showsHelp.toggle()
            return .redraw
        case .escape where showsHelp:
            showsHelp = false
            return .redraw
        default:
            return navigation.handle(key, scene: naturalSize, in: area) ? .redraw : .none
        }
    }

    // MARK: Output

    /// The whole screen.
    func paint() -> CellGrid {
        var grid = CellGrid(size: size)
        let area = area
        if let scene {
            let natural = naturalSize
            let picture = ScenePainter.paint(
                scene.mirror, metrics: scene.metrics, size: area,
                fit: navigation.fit(in: area), offset: navigation.offset(scene: natural, in: area))
            grid.copy(picture)
        } else {
            let text = fitted("\(connection.text) \(url)", columns: area.columns)
            grid.write(
                text, column: (area.columns - displayWidth(of: text)) / 2, row: area.rows / 2,
                clip: CellRect(left: 0, top: 0, right: area.columns, bottom: area.rows))
        }
        if showsHelp { HelpOverlay.draw(on: &grid, area: area) }
        grid.write(
            status.text(columns: grid.width), column: 0, row: grid.height - 1, clip: grid.bounds,
            attributes: .reverse)
        return grid
    }

    private var status: StatusLine {
        var status = StatusLine(room: room, connection: connection, zoom: navigation.text)
        if let scene {
            status.tick = scene.mirror.tick
            status.viewCount = scene.mirror.count
            status.sceneSize = naturalSize
        }
        return status
    }
}
