import LayoutValues
public import SceneWire

/// Events of the second connection, which watches the scene on another device.
public enum BesideEvent: Sendable {
    /// The state there; only the latest counts.
    case mirror(SceneMirror, Welcome)
    /// The granted device.
    case device(DeviceGrant)
    /// The diagnostics of the layout there.
    case diagnostics(Diagnostics)
    /// The connection failed or ended; with the reason.
    case ended(String)
}

/// The scene on a second device, shown beside the first. It is not interactive.
struct BesideScene {
    let choice: DeviceChoice
    private var asked: DeviceRequest?
    private(set) var scene: ReceivedScene?
    private var clock = TickClock()
    private var canvas = SceneCanvas()
    private var device = DeviceGrant()
    private var problemCount = 0
    /// The reason why there is no picture.
    private(set) var reason = "asking"

    init(_ choice: DeviceChoice) { self.choice = choice }

    /// The request for the present device; `nil` if it was sent already.
    mutating func takeRequest(in area: GridSize) -> DeviceRequest? {
        let request = choice.request(in: area)
        guard request != asked else { return nil }
        asked = request
        return request
    }

    mutating func take(_ event: BesideEvent, now: Double) {
        switch event {
        case .mirror(let mirror, let welcome):
            guard !mirror.needsSnapshot, let received = try? ReceivedScene(mirror, welcome)
            else { return }
            scene = received
            clock.note(tick: mirror.tick, rate: welcome.tickRate, now: now)
        case .device(let grant):
            device = grant
            if grant.fit != .exact { reason = grant.reason }
        case .diagnostics(let diagnostics):
            problemCount =
                diagnostics.broken.count + diagnostics.ambiguous.count
                + diagnostics.feedbackLoop.count
        case .ended(let text):
            scene = nil
            reason = text
        }
    }

    /// The visible images, by their hashes.
    var imageHashes: [String] { canvas.imageHashes }

    /// Whether an animation is running.
    func isAnimating(now: Double) -> Bool {
        guard let end = scene?.mirror.animations.endTick else { return false }
        return clock.tick(now) <= end
    }

    /// The device's name, size and number of problems.
    var text: String {
        var text = choice.text
        guard let scene else { return text }
        let size = scene.welcome.viewport
        text += "  \(Int(size.width.rounded())) × \(Int(size.height.rounded()))"
        if device.fit != .exact { text += "  \(device.reason)" }
        if problemCount > 0 {
            text += problemCount == 1 ? "  1 problem" : "  \(problemCount) problems"
        }
        return text
    }

    /// Draws the whole scene into an area, with the selection.
    mutating func draw(
        on grid: inout CellGrid, in area: CellRect, selection: String?, members: [Members.Member],
        pictures: PictureShelf, now: Double
    ) {
        let size = GridSize(columns: area.columns, rows: area.rows)
        guard let scene else {
            grid.write(
                fitted(reason, columns: area.columns), column: area.left,
                row: area.top + area.rows / 2, clip: area)
            return
        }
        let tick = clock.tick(now)
        let transform = ViewTransform(
            scene.mirror, metrics: scene.metrics, fit: .fit(size), offset: .zero)
        canvas.paint(scene.mirror, transform, size: size, tick: tick, pictures: pictures)
        var picture = canvas.grid
        let walk = SceneWalk(
            mirror: scene.mirror, transform: transform, bounds: picture.bounds, tick: tick)
        for member in members {
            SceneOverlay.draw(member, walk, metrics: scene.metrics, on: &picture)
        }
        if let selection { SceneOverlay.drawSelection(selection, walk, on: &picture) }
        grid.draw(picture, column: area.left, row: area.top, clip: area)
    }
}
