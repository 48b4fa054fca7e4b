import ConstraintLanguage
import JSON
import SceneDocument
import SceneWire

/// Handles the mouse: selecting, dragging edges, choosing lines, scrolling.
extension ViewerState {
    private static let wheelRows = 3

    mutating func mouse(_ event: MouseEvent, now: Double) -> Action {
        if showsHelp, event.kind == .press {
            showsHelp = false
            return .redraw
        }
        let layout = layout
        // A drag that was let go of goes on by itself.
        if drag?.isReleased == false { return continueDrag(event, now: now) }
        let place = event.place
        if let area = layout.panel, area.contains(column: place.column, row: place.row) {
            return mouseInPanel(event, area, now: now)
        }
        if let area = layout.timeline, area.contains(column: place.column, row: place.row) {
            return mouseInTimeline(event, area, now: now)
        }
        guard layout.scene.contains(column: place.column, row: place.row) else { return .none }
        switch event.kind {
        case .press:
            panelHasFocus = false
            timelineHasFocus = false
            point(at: place)
            if beginDrag(at: place, now: now) { return .redraw }
            select(walk?.view(at: place).flatMap { scene?.mirror.view($0)?.id })
        case .wheelUp, .wheelDown:
            let isUp = event.kind == .wheelUp
            if scrollView(at: place, isUp: isUp, now: now) { return .redraw }
            _ = navigation.handle(isUp ? .up : .down, scene: naturalSize, in: sceneArea)
        case .drag, .move, .release, .other: return .none
        }
        return .redraw
    }

    private mutating func mouseInPanel(_ event: MouseEvent, _ area: CellRect, now: Double) -> Action
    {
        guard var panel, let content = panelContent else { return .none }
        switch event.kind {
        case .press:
            let line = panel.scroll + event.place.row - area.top - 1
            let isAgain = panelHasFocus && panel.cursor == line
            panelHasFocus = true
            timelineHasFocus = false
            guard line >= 0, line < content.count, content.line(line).item != nil else {
                return .redraw
            }
            panel.cursor = line
            self.panel = panel
            if case .view(let id)? = panel.item(in: content) {
                select(id)
            } else if isAgain {
                return press(.enter, now: now)
            }
        case .wheelUp, .wheelDown:
            let distance = event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows
            panel.scroll = min(
                max(panel.scroll + distance, 0), max(0, content.count - panelHeight))
            self.panel = panel
        case .drag, .move, .release, .other: return .none
        }
        return .redraw
    }

    private mutating func mouseInTimeline(
        _ event: MouseEvent, _ area: CellRect, now: Double
    ) -> Action {
        guard event.kind == .press || event.kind == .drag, let timeline else { return .none }
        timelineHasFocus = true
        panelHasFocus = false
        let tick = timeline.tick(
            atColumn: event.place.column - area.left, columns: area.columns, now: now)
        if event.place.column >= area.right - 1 {
            if let seek = self.timeline?.goLive() { ask(seek, now: now) }
        } else if let seek = self.timeline?.seek(to: tick, now: now) {
            ask(seek, now: now)
        }
        return .redraw
    }

    // MARK: Scrolling

    /// Scrolls the scroll view at a position for all members, if the role allows it.
    private mutating func scrollView(at place: GridPoint, isUp: Bool, now: Double) -> Bool {
        guard isEditor, timeline?.isLive ?? true, let scene, let walk else { return false }
        var next = walk.view(at: place)
        while let number = next, let view = scene.mirror.view(number) {
            if view.content.kind == .scroll {
                let height =
                    scene.mirror.subviews(of: number).compactMap {
                        scene.mirror.view($0).map { Int($0.frame.y) + Int($0.frame.height) }
                    }.max() ?? 0
                let inset = scene.mirror.insets[view.id]
                let near = -Int(inset.top)
                let end = max(near, height - Int(view.frame.height) + Int(inset.bottom))
                let unit = scene.metrics.unitsPerPoint
                let distance = Double(Self.wheelRows) * scene.metrics.cell.height * unit
                let old = Double(view.content.contentOffsetY)
                let new = min(
                    max(old + (isUp ? -distance : distance), Double(near)), Double(end))
                guard new != old else { return true }
                let x = Double(view.content.contentOffsetX) / unit
                let op = EditOps.op(
                    "setContentOffset", EditOps.id(view.id),
                    JSONMember("offset", .array([.number(x), .number(new / unit)])))
                send([op], undoGroup: undoGroups.forScrolling(view.id, now: now), now: now)
                return true
            }
            next = view.parent
        }
        return false
    }

    // MARK: Dragging

    /// Starts dragging an edge of the selected view, if the position is on one.
    private mutating func beginDrag(at place: GridPoint, now: Double) -> Bool {
        guard isEditor, timeline?.isLive ?? true, let scene, let walk, let selection,
            let number = scene.mirror.number(id: selection),
            let (area, seen) = walk.place(of: number),
            seen.contains(column: place.column, row: place.row)
        else { return false }
        let edges = Edge.at(place, of: area)
        guard !edges.isEmpty, let document = inspected.document else { return false }
        guard drag == nil else {
            say("the last drag still waits for the server", .warning, now)
            return true
        }
        let grips = grips(of: edges, view: selection, document)
        guard !grips.isEmpty else {
            // Something in front may be meant.
            guard walk.view(at: place) == number else { return false }
            say(
                "no constraint with a constant holds this edge; c adds one", .warning, now)
            return true
        }
        drag = EdgeDrag(
            view: selection, start: place, undoGroup: undoGroups.begin(),
            pointsPerColumn: walk.transform.unitsPerColumn / scene.metrics.unitsPerPoint,
            pointsPerRow: walk.transform.unitsPerRow / scene.metrics.unitsPerPoint, grips: grips)
        // What is known may be old, and a later change of another member must stay: the drag goes
        // by the answer.
        askForDocument()
        return true
    }

    private func grips(
        of edges: [Edge], view: String, _ document: ConstraintBook
    ) -> [EdgeDrag.Grip] {
        let facts = inspected.facts(of: view)
        return edges.compactMap { edge in
            EdgeHolder.of(edge, view: view, facts: facts, document: document).map {
                EdgeDrag.Grip(edge: edge, holder: $0)
            }
        }
    }

    private mutating func continueDrag(_ event: MouseEvent, now: Double) -> Action {
        switch event.kind {
        case .drag:
            drag?.move(to: event.place)
            point(at: event.place)
        case .release:
            drag?.move(to: event.place)
            drag?.release(now: now)
        // A button that goes down twice was let go outside.
        case .press: drag?.release(now: now)
        case .move, .wheelUp, .wheelDown, .other: return .none
        }
        sendDrag(now: now)
        return .redraw
    }

    /// Continues with the constraints of the server's answer.
    mutating func continueDrag(answer request: UInt32, now: Double) {
        guard let current = drag, let document = inspected.document else { return }
        switch current.meaning(of: request) {
        case .none: return
        case .start:
            let grips = grips(of: current.grips.map(\.edge), view: current.view, document)
            guard !grips.isEmpty else {
                drag = nil
                return say("nothing holds this edge any more", .warning, now)
            }
            drag?.begin(with: grips)
        case .since: drag?.follow { document[$0]?.parsed?.constant }
        }
        sendDrag(now: now)
    }

    /// Sends the drag's constants, unless the last message has no answer yet: so a slow server
    /// receives fewer messages, and always the last one.
    mutating func sendDrag(now: Double) {
        guard var current = drag, current.isReady, !current.isWaiting || current.isReleased
        else { return }
        let changes = current.takeChanges()
        drag = current.isReleased ? nil : current
        guard !changes.isEmpty else { return }
        let ops = changes.map { EditOps.setConstant($0.id, $0.constant) }
        send(ops, undoGroup: current.undoGroup, now: now)
    }
}
