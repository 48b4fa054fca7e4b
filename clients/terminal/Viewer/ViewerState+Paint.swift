import CharacterWidth
import LayoutValues
import SceneDocument
import SceneWire

/// Divides the screen and paints its parts.
extension ViewerState {
    var layout: ScreenLayout {
        ScreenLayout(
            size: size, hasPrompt: prompt != nil,
            hasMessage: drag != nil || notice != nil || documentProblem != nil || showsOps,
            hasTimeline: timeline != nil,
            hasPanel: panel != nil, hasBeside: devices.beside != nil)
    }

    /// Whether the line with the last op is shown: after something was sent.
    private var showsOps: Bool { !log.entries.isEmpty }

    var sceneArea: GridSize {
        let area = layout.scene
        return GridSize(columns: area.columns, rows: area.rows)
    }

    var naturalSize: GridSize {
        scene.map { $0.metrics.naturalSize(of: $0.mirror) } ?? GridSize()
    }

    /// The visible lines of a panel, without its title.
    var panelHeight: Int { max(0, (layout.panel?.rows ?? 0) - 1) }

    mutating func clampPanel() {
        guard let content = panelContent else { return }
        let height = panelHeight
        panel?.clamp(to: content, height: height)
    }

    var panelContent: PanelContent? {
        guard let panel else { return nil }
        switch panel.kind {
        case .trace:
            guard has(Capability.trace) else {
                return PanelContent(
                    title: "passes", lines: [PanelLine("this server does not trace", .faint)])
            }
            return trace.content
        case .log: return log.content
        case .members: return memberContent
        case .sets: return ScenePanels.sets(inspected.document, canInspect: canInspect)
        case .tree: return scene.map { ScenePanels.tree($0.mirror, selection: selection) }
        case .inspector:
            guard let scene else { return nil }
            return InspectorPanel(
                mirror: scene.mirror, metrics: scene.metrics, selection: selection,
                facts: inspected.facts(of: selection), document: inspected.document,
                broken: inspected.broken,
                diagnostics: diagnostics, canInspect: canInspect
            ).content
        }
    }

    // MARK: Places

    /// A walk through the scene as it is shown; nil before the first picture.
    var walk: SceneWalk? { walk(tick: nil) }

    private func walk(tick: UInt64?) -> SceneWalk? {
        guard let scene else { return nil }
        let area = sceneArea
        let transform = ViewTransform(
            scene.mirror, metrics: scene.metrics, fit: navigation.fit(in: area),
            offset: navigation.offset(scene: naturalSize, in: area))
        return SceneWalk(
            mirror: scene.mirror, transform: transform,
            bounds: CellRect(left: 0, top: 0, right: area.columns, bottom: area.rows), tick: tick)
    }

    /// The cell of the whole picture that contains a point of the root, in units; not that of the
    /// nearest edge.
    func cell(of point: (x: Double, y: Double)) -> GridPoint {
        guard let walk else { return GridPoint(column: 0, row: 0) }
        let offset = navigation.offset(scene: naturalSize, in: sceneArea)
        return GridPoint(
            column: walk.transform.column(containing: point.x) + offset.column,
            row: walk.transform.row(containing: point.y) + offset.row)
    }

    /// The point of the root at the centre of a cell of the screen.
    func scenePoint(of place: GridPoint) -> Point? {
        guard let scene, let walk else { return nil }
        let unit = scene.metrics.unitsPerPoint
        return Point(
            x: ((walk.transform.x(ofColumn: place.column)) / unit).rounded(),
            y: ((walk.transform.y(ofRow: place.row)) / unit).rounded())
    }

    /// Pans by the minimum that makes a view's origin visible.
    mutating func reveal(_ id: String) {
        guard let scene, let number = scene.mirror.number(id: id), let walk,
            let (area, _) = walk.place(of: number)
        else { return }
        let offset = navigation.offset(scene: naturalSize, in: sceneArea)
        for corner in [(area.right - 1, area.bottom - 1), (area.left, area.top)] {
            navigation.reveal(
                GridPoint(column: corner.0 + offset.column, row: corner.1 + offset.row),
                scene: naturalSize, in: sceneArea)
        }
    }

    // MARK: Output

    /// The whole screen.
    mutating func paint(now: Double) -> CellGrid {
        var grid = CellGrid(size: size)
        paint(now: now, on: &grid)
        return grid
    }

    /// The whole screen, in the memory of an obsolete picture.
    mutating func paint(now: Double, on grid: inout CellGrid) {
        let layout = layout
        if let walk = walk(tick: clock.tick(now)) {
            canvas.paint(
                walk.mirror, walk.transform,
                size: GridSize(columns: layout.scene.columns, rows: layout.scene.rows),
                tick: walk.tick, pictures: pictures)
            grid.begin(size: size, with: canvas.grid)
            paintOverlays(walk, on: &grid)
        } else {
            grid.begin(size: size)
            let text = fitted(
                "\(connectionText(now)) \(address.url)", columns: layout.scene.columns)
            grid.write(
                text, column: (layout.scene.columns - displayWidth(of: text)) / 2,
                row: layout.scene.rows / 2, clip: layout.scene)
        }
        paintBeside(layout, now: now, on: &grid)
        pictures.want(
            canvas.imageHashes
                + (layout.beside == nil ? [] : devices.beside?.imageHashes ?? []))
        if let area = layout.panel, var panel, let content = panelContent {
            panel.clamp(to: content, height: panelHeight)
            grid.draw(content, panel, in: area, hasFocus: panelHasFocus)
        }
        if let area = layout.timeline { timeline?.draw(on: &grid, in: area, now: now) }
        if let area = layout.message { paintMessage(on: &grid, in: area) }
        if let area = layout.prompt { prompt?.draw(on: &grid, in: area) }
        if showsHelp {
            HelpOverlay.draw(on: &grid, area: GridSize(columns: size.columns, rows: size.rows - 1))
        }
        if figures.isDue(now: now) { figures.show(currentFigures(now), now: now) }
        statusRow.show(status(now: now), on: &grid, row: grid.height - 1)
    }

    /// Draws the second device, the line between the two, and their names.
    private mutating func paintBeside(
        _ layout: ScreenLayout, now: Double, on grid: inout CellGrid
    ) {
        guard let area = layout.beside, let names = layout.deviceNames else { return }
        for row in area.top..<names.bottom {
            grid.write(
                "│", column: area.left - 1, row: row, clip: grid.bounds,
                foreground: Tone.faint.color)
        }
        grid.clear(area)
        devices.drawBeside(
            on: &grid, in: area, selection: selection, members: members.all,
            pictures: pictures, now: now)
        var own = devices.main.text
        if let viewport = scene?.welcome.viewport {
            own += "  \(Int(viewport.width.rounded())) × \(Int(viewport.height.rounded()))"
        }
        let texts = [(own, layout.scene), (devices.beside?.text ?? "", area)]
        for (text, half) in texts {
            grid.write(
                fitted(" " + text, columns: half.columns), column: half.left, row: names.top,
                clip: names, foreground: Tone.accent.color)
        }
    }

    /// Draws the overlays of the scene, within its area.
    private func paintOverlays(_ walk: SceneWalk, on grid: inout CellGrid) {
        if panel?.kind == .trace, let cycle = trace.shown {
            SceneOverlay.draw(cycle, walk, on: &grid)
        }
        for member in members.all {
            SceneOverlay.draw(member, walk, metrics: scene?.metrics, on: &grid)
        }
        if let selection { SceneOverlay.drawSelection(selection, walk, on: &grid) }
    }

    private func paintMessage(on grid: inout CellGrid, in area: CellRect) {
        grid.clear(area)
        var spans: [Span] = []
        if let drag, !drag.isReleased || notice == nil {
            spans = [Span(" " + drag.text + "   ", .key)] + (log.last ?? [])
        } else if let notice {
            spans = [Span(" " + notice.text, notice.tone)]
        } else if let documentProblem {
            spans = [Span(" " + documentProblem, .bad)]
        } else if let last = log.last {
            spans = [Span(" ")] + last
        }
        grid.write(spans, column: area.left, row: area.top, clip: area)
    }

    /// The connection as text, with seconds counted down.
    func connectionText(_ now: Double) -> String {
        guard case .reconnecting(_, let url) = connection, let reconnectTime else {
            return connection.text
        }
        let seconds = Int(max(0, reconnectTime - now).rounded(.up))
        return ConnectionState.reconnecting(inSeconds: seconds, to: url).text
    }

    func status(now: Double) -> StatusLine {
        var status = StatusLine(
            room: address.room, connection: connectionText(now), zoom: navigation.text)
        switch connection {
        case .live: status.connectionTone = .good
        case .connecting, .catchingUp, .reconnecting, .readOnly:
            status.connectionTone = .warning
        case .ended: status.connectionTone = .bad
        }
        if connection == .live, let silence = meters.silence(now) {
            status.connection = "no answer for \(Int(silence)) s"
            status.connectionTone = .warning
        }
        let count = unsavedCount
        if count > 0, connection != .live || isLate(now: now) {
            if connection == .live, meters.isSilent(now) { status.connection = "no answer" }
            status.connection += ", \(count) unsaved"
            status.connectionTone = .warning
        }
        if let timeline, !timeline.isLive, connection == .live {
            status.connection = "past"
            status.connectionTone = .warning
        }
        guard let scene else { return status }
        status.role = isEditor ? "editor" : "viewer"
        status.figures = figures.shown ?? currentFigures(now)
        status.viewCount = scene.mirror.count
        status.sceneSize = naturalSize
        status.tickRate = scene.welcome.tickRate
        status.memberCount = members.all.count + 1
        return status
    }

    private func currentFigures(_ now: Double) -> Figures? {
        scene.map { meters.figures(tick: $0.mirror.tick, now: now) }
    }
}
