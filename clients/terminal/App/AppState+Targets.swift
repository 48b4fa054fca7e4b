import SceneDocument
import SceneWire

/// Finds the targets of input. SPEC.md, EVT-8.
extension AppState {
    func view(_ id: String) -> ViewRecord? { received?.mirror.view(id: id) }

    /// A view and its superviews, the view first.
    func path(from number: ViewNumber?) -> [ViewRecord] {
        var path: [ViewRecord] = []
        var next = number
        while let current = next, let view = received?.mirror.view(current) {
            path.append(view)
            next = view.parent
        }
        return path
    }

    func path(from id: String) -> [ViewRecord] { path(from: received?.mirror.number(id: id)) }

    /// Whether a view and all its superviews are enabled.
    func isEnabled(_ path: [ViewRecord]) -> Bool {
        path.allSatisfy { interactions[$0.id]?.isEnabled ?? true }
    }

    /// The nearest view that asks for a kind of event; nil if there is none, or if it is disabled.
    func target(_ path: [ViewRecord], _ kind: EventKind) -> String? {
        guard isEnabled(path) else { return nil }
        return path.first { interactions[$0.id]?.events.contains(kind) == true }?.id
    }

    /// The nearest view that this screen scrolls locally.
    func scrollers(_ path: [ViewRecord]) -> [ViewRecord] {
        path.filter { interactions[$0.id]?.scrollsEach == true }
    }

    // MARK: Focus

    func canFocus(_ id: String) -> Bool {
        guard let interaction = interactions[id],
            interaction.isFocusable || interaction.scrollsEach
        else { return false }
        return isEnabled(path(from: id))
    }

    /// The focusable views, in preorder.
    func stops(_ scene: AppScene) -> [String] {
        scene.steps.compactMap { step in
            let item = scene.outline.items[step.place]
            guard !item.isBars, let id = scene.mirror.view(item.number)?.id, canFocus(id) else {
                return nil
            }
            return id
        }
    }

    /// Moves the focus forward or back, cyclically.
    mutating func moveFocus(_ distance: Int, now: Double) {
        guard let scene = scene(now: now) else { return }
        let stops = stops(scene)
        guard !stops.isEmpty else { return setFocus(nil, now: now) }
        let next: Int
        if let place = focus.flatMap({ stops.firstIndex(of: $0) }) {
            next = (place + distance + stops.count) % stops.count
        } else {
            next = distance > 0 ? 0 : stops.count - 1
        }
        setFocus(stops[next], now: now)
    }

    /// Moves the focus to a view; commits the text of the former one.
    mutating func setFocus(_ id: String?, now: Double) {
        guard id != focus else { return }
        commit()
        focus = id
        editor = nil
        guard let id else { return }
        if let interaction = interactions[id], interaction.control == .textField {
            editor = LineEditor(Self.text(of: choices[id]?.value ?? interaction.value))
        }
        reveal(id, now: now)
    }

    // MARK: Scrolling

    /// Scrolls a view on this screen, by units; returns whether it moved.
    mutating func scroll(_ view: ViewRecord, x: Int, y: Int) -> Bool {
        guard let mirror = received?.mirror else { return false }
        let extent = SceneCanvas.extent(view.number, mirror)
        let before =
            offsets[view.id] ?? (view.content.contentOffsetX, view.content.contentOffsetY)
        let told = mirror.view(view.number)?.content ?? view.content
        let inset = mirror.insets[view.id]
        // SPEC AREA-20. A program may have scrolled it further: there it may stay.
        func moved(
            _ value: Int32, _ by: Int, near: Int32, told: Int32, to most: Int
        ) -> Int32 {
            let near = -Int(near)
            return Int32(clamping: max(min(Int(value) + by, max(near, most)), min(near, Int(told))))
        }
        let next = (
            x: moved(
                before.x, x, near: inset.left, told: told.contentOffsetX,
                to: extent.width - Int(view.frame.width) + Int(inset.right)),
            y: moved(
                before.y, y, near: inset.top, told: told.contentOffsetY,
                to: extent.height - Int(view.frame.height) + Int(inset.bottom))
        )
        guard next != (before.x, before.y) else { return false }
        offsets[view.id] = next
        return true
    }

    /// Scrolls until a view is visible.
    private mutating func reveal(_ id: String, now: Double) {
        for scroller in scrollers(Array(path(from: id).dropFirst())) {
            guard let scene = scene(now: now), let number = scene.mirror.number(id: id),
                let inner = scene.step(of: number)?.frame,
                let outer = scene.step(of: scroller.number)?.frame
            else { return }
            func beyond(_ start: Int, _ length: Int, _ from: Int, _ room: Int) -> Int {
                if start < from { return start - from }
                return max(0, min(start + length - from - room, start - from))
            }
            _ = scroll(
                scroller, x: beyond(inner.x, inner.width, outer.x, outer.width),
                y: beyond(inner.y, inner.height, outer.y, outer.height))
        }
    }
}
