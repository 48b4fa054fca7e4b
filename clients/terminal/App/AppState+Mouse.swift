import JSON
import SceneDocument
import SceneWire

/// Handles the mouse.
extension AppState {
    /// The target of a pressed button.
    struct Held {
        /// The view that receives a tap if the button is released over it.
        var taps: String?
        /// The view that receives the press itself.
        var presses: String?
        /// The slider that follows the pointer.
        var slider: String?
    }

    private static let wheelRows = 3

    mutating func mouse(_ event: MouseEvent, now: Double) -> ViewerState.Action {
        guard let scene = scene(now: now) else { return .none }
        let path = path(from: scene.view(at: event.place))
        switch event.kind {
        case .press: press(path, at: event.place, scene, now: now)
        case .move:
            hover(target(path, .hover), at: event.place, scene)
            return .none
        case .drag:
            hover(target(path, .hover), at: event.place, scene)
            guard let slider = held?.slider else { return .none }
            let isContinuous = interactions[slider]?.isContinuous == true
            slide(slider, to: event.place, scene, isTold: isContinuous)
        case .release: release(path, at: event.place, scene)
        case .wheelUp, .wheelDown:
            wheel(path, rows: event.kind == .wheelUp ? -Self.wheelRows : Self.wheelRows, scene)
        case .other: return .none
        }
        return .redraw
    }

    private mutating func press(
        _ path: [ViewRecord], at place: GridPoint, _ scene: AppScene, now: Double
    ) {
        var held = Held()
        held.taps = target(path, .tap)
        held.presses = target(path, .press)
        setFocus(path.first { canFocus($0.id) }?.id, now: now)
        if let id = held.presses { send(.press, id, at: place, scene, value: .string("began")) }
        // A control is used only where nothing lies over it.
        if let view = path.first, isEnabled(path), let interaction = interactions[view.id] {
            switch interaction.control {
            case .slider:
                held.slider = view.id
                slide(view.id, to: place, scene, isTold: interaction.isContinuous)
            case .textField: placeCursor(in: view, at: place, scene)
            case .none, .button, .switch, .segmented, .progress: break
            }
        }
        self.held = held
    }

    private mutating func release(
        _ path: [ViewRecord], at place: GridPoint, _ scene: AppScene
    ) {
        guard let held else { return }
        self.held = nil
        if let id = held.presses {
            if let over = target(path, .press), over != id {
                send(.press, over, at: place, scene, value: .string("dropped"))
            }
            send(.press, id, at: place, scene, value: .string("ended"))
        }
        if let slider = held.slider { return slide(slider, to: place, scene, isTold: true) }
        if let taps = held.taps, target(path, .tap) == taps { send(.tap, taps, at: place, scene) }
        guard let view = path.first, isEnabled(path), focus == view.id,
            let interaction = interactions[view.id]
        else { return }
        switch interaction.control {
        case .switch: choose(view.id, .bool(value(of: view.id) != .bool(true)), isTold: true)
        case .segmented:
            guard let column = column(in: view, at: place, scene),
                let index = lines(of: view.id)?.segment(atColumn: column)
            else { return }
            choose(view.id, .number(Double(index)), isTold: true)
        case .none, .button, .slider, .textField, .progress: break
        }
    }

    // MARK: Hovering

    /// Tells that the pointer left one view and came to another.
    private mutating func hover(_ id: String?, at place: GridPoint, _ scene: AppScene) {
        guard id != hovered else { return }
        if let left = hovered { send(.hover, left, value: .bool(false)) }
        hovered = id
        if let id { send(.hover, id, at: place, scene, value: .bool(true)) }
    }

    /// A view that is gone, or asks no more, is not told that the pointer went.
    mutating func forgetHover() {
        guard let hovered else { return }
        let asks = interactions[hovered]?.events.contains(.hover) == true
        if !asks || view(hovered) == nil { self.hovered = nil }
    }

    /// The column of a control's line at a cell of the screen.
    private func column(in view: ViewRecord, at place: GridPoint, _ scene: AppScene) -> Int? {
        guard let step = scene.step(of: view.number), let line = view.content.lines.first else {
            return nil
        }
        return place.column - scene.transform.column(step.frame.x + Int(line.x))
    }

    private mutating func slide(
        _ id: String, to place: GridPoint, _ scene: AppScene, isTold: Bool
    ) {
        guard let view = view(id), let column = column(in: view, at: place, scene),
            let value = lines(of: id)?.value(atColumn: column)
        else { return }
        choose(id, .number(value), isTold: isTold)
    }

    private mutating func placeCursor(
        in view: ViewRecord, at place: GridPoint, _ scene: AppScene
    ) {
        guard let step = scene.step(of: view.number), var editor else { return }
        let window = FieldWindow(editor, columns: step.area.columns)
        editor.move(to: window.character(atColumn: place.column - step.area.left))
        self.editor = editor
    }

    private mutating func wheel(_ path: [ViewRecord], rows: Int, _ scene: AppScene) {
        let units = rows * Int(scene.transform.unitsPerRow)
        for view in scrollers(path) where scroll(view, x: 0, y: units) { return }
        guard let id = target(path, .scroll), let metrics = received?.metrics else { return }
        let points = Double(rows) * metrics.cell.height
        send(.scroll, id, value: .array([.number(0), .number(points)]))
    }

    /// Sends an event at the middle of a cell of the screen, in points of the view.
    private mutating func send(
        _ kind: EventKind, _ id: String, at place: GridPoint, _ scene: AppScene,
        value: JSONValue = .null
    ) {
        guard let view = view(id), let step = scene.step(of: view.number),
            let unit = received?.metrics.unitsPerPoint
        else { return }
        send(
            kind, id,
            x: (scene.transform.x(ofColumn: place.column) - Double(step.frame.x)) / unit,
            y: (scene.transform.y(ofRow: place.row) - Double(step.frame.y)) / unit, value: value)
    }
}
