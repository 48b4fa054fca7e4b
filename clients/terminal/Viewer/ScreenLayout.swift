/// The division of the screen among the scene, a panel and the lines below them.
struct ScreenLayout: Hashable {
    private static let panelColumns = (least: 30, most: 56)
    /// The minimum number of the scene's columns beside a panel; otherwise the panel takes the
    /// whole width.
    private static let sceneColumnsLeast = 24
    /// The minimum number of columns of each of two devices.
    static let besideColumnsLeast = 16
    /// The minimum number of the scene's rows.
    private static let sceneRowsLeast = 3

    private(set) var scene: CellRect
    /// The scene on a second device.
    private(set) var beside: CellRect?
    /// The row below the two, with their names.
    private(set) var deviceNames: CellRect?
    private(set) var panel: CellRect?
    private(set) var timeline: CellRect?
    /// The last op, a notice, or the state of a drag.
    private(set) var message: CellRect?
    private(set) var prompt: CellRect?
    private(set) var status: CellRect

    /// Divides a screen among the visible parts.
    init(
        size: GridSize, hasPrompt: Bool, hasMessage: Bool, hasTimeline: Bool, hasPanel: Bool,
        hasBeside: Bool = false
    ) {
        func rows(_ top: Int, _ bottom: Int) -> CellRect {
            CellRect(left: 0, top: max(0, top), right: size.columns, bottom: max(0, bottom))
        }
        var bottom = size.rows - 1
        scene = rows(0, bottom)
        status = rows(bottom, size.rows)
        func take(_ count: Int) -> CellRect? {
            guard bottom - count >= Self.sceneRowsLeast else { return nil }
            bottom -= count
            return rows(bottom, bottom + count)
        }
        if hasPrompt { prompt = take(Prompt.height) ?? rows(0, Prompt.height) }
        if hasMessage { message = take(1) }
        if hasTimeline { timeline = take(Timeline.height) }
        scene.bottom = max(0, bottom)
        if hasPanel {
            let wanted = min(
                max(size.columns * 2 / 5, Self.panelColumns.least), Self.panelColumns.most)
            let columns = size.columns - wanted >= Self.sceneColumnsLeast ? wanted : size.columns
            var area = scene
            area.left = size.columns - columns
            panel = area
            scene.right = size.columns - columns
        }
        // A column between the two, and a row that names them.
        let half = (scene.columns - 1) / 2
        guard hasBeside, half >= Self.besideColumnsLeast, scene.rows > Self.sceneRowsLeast else {
            return
        }
        scene.bottom -= 1
        var names = scene
        (names.top, names.bottom) = (scene.bottom, scene.bottom + 1)
        deviceNames = names
        var other = scene
        other.left = scene.right - half
        beside = other
        scene.right = other.left - 1
    }
}
