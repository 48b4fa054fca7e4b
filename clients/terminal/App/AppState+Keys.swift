import JSON
import SceneDocument
import SceneWire

/// Handles keys.
extension AppState {
    mutating func press(_ key: Key, now: Double) -> ViewerState.Action {
        keep(time: now)
        switch key {
        case .control("c"): return .quit
        case .control("z"): return .suspend
        case .control("l"): return .redrawEverything
        case .tab: moveFocus(1, now: now)
        case .backTab: moveFocus(-1, now: now)
        case .mouse(let event): return mouse(event, now: now)
        case .reply, .unknown: return .none
        default: return pressInFocus(key, now: now)
        }
        return .redraw
    }

    private mutating func pressInFocus(_ key: Key, now: Double) -> ViewerState.Action {
        let hearer = focus.flatMap { target(path(from: $0), .key) }
        if let hearer, let name = key.name { send(.key, hearer, value: .string(name)) }
        if editor != nil { return write(key, now: now) }
        // What the focus wants to hear itself does not end the program.
        if key == .character("q") { return hearer == nil ? quit(now: now) : .redraw }
        guard let focus, let interaction = interactions[focus], isEnabled(path(from: focus)) else {
            return scrollOrMove(key, now: now)
        }
        switch interaction.control {
        case .slider, .segmented:
            if pressRange(key, focus) { return .redraw }
        case .switch:
            if key == .enter || key == .character(" ") {
                choose(focus, .bool(value(of: focus) != .bool(true)), isTold: true)
                return .redraw
            }
        case .button, .none:
            if key == .enter || key == .character(" ") {
                if let target = target(path(from: focus), .tap) { send(.tap, target) }
                return .redraw
            }
        case .textField, .progress: break
        }
        return scrollOrMove(key, now: now)
    }

    /// Handles arrows along a slider or segments; returns false for other keys.
    private mutating func pressRange(_ key: Key, _ id: String) -> Bool {
        let forward = lines(of: id)?.isMirrored == true ? -1 : 1
        switch key {
        case .right: step(id, by: forward)
        case .left: step(id, by: -forward)
        case .home: step(id, by: -1, toEnd: true)
        case .end: step(id, by: 1, toEnd: true)
        default: return false
        }
        return true
    }

    private mutating func scrollOrMove(_ key: Key, now: Double) -> ViewerState.Action {
        if moveToRow(key, now: now) { return .redraw }
        switch key {
        case .down, .right: moveFocus(1, now: now)
        case .up, .left: moveFocus(-1, now: now)
        case .pageDown: scrollPage(1, now: now)
        case .pageUp: scrollPage(-1, now: now)
        default: return .none
        }
        return .redraw
    }

    /// Scrolls the scroll view around the focus, or else the first one, by a page less a row.
    private mutating func scrollPage(_ direction: Int, now: Double) {
        guard let scene = scene(now: now) else { return }
        var views = focus.map { scrollers(path(from: $0)) } ?? []
        if views.isEmpty {
            views = scene.steps.compactMap { step in
                let item = scene.outline.items[step.place]
                return item.isBars ? nil : scene.mirror.view(item.number)
            }.filter { interactions[$0.id]?.scrollsEach == true }
        }
        let row = Int(scene.transform.unitsPerRow)
        for view in views {
            let page = max(row, Int(view.frame.height) - row)
            if scroll(view, x: 0, y: direction * page) { return }
        }
    }

    // MARK: Writing

    private mutating func write(_ key: Key, now: Double) -> ViewerState.Action {
        guard let focus, var editor, let interaction = interactions[focus] else { return .none }
        switch key {
        case .enter: commit()
        case .escape: self.editor = LineEditor(Self.text(of: interaction.value))
        case .up: moveFocus(-1, now: now)
        case .down: moveFocus(1, now: now)
        default:
            guard editor.press(key) else { return .none }
            self.editor = editor
            if interaction.isContinuous { commit() }
        }
        return .redraw
    }
}

extension Key {
    /// Its name in UI Events; nil if it has none.
    fileprivate var name: String? {
        switch self {
        case .character(let character): String(character)
        case .up: "ArrowUp"
        case .down: "ArrowDown"
        case .left: "ArrowLeft"
        case .right: "ArrowRight"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PageUp"
        case .pageDown: "PageDown"
        case .enter: "Enter"
        case .tab, .backTab: "Tab"
        case .backspace: "Backspace"
        case .escape: "Escape"
        case .delete: "Delete"
        case .control, .mouse, .paste, .reply, .unknown: nil
        }
    }
}
