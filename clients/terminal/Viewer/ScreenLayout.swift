/// How the screen is shared between the scene, a panel and the lines below them.
struct ScreenLayout: Hashable {
    private static let panelColumns = (least: 30, most: 56)
    /// Beside a panel so many columns of the scene are left at least; else the panel takes all.
    private static let sceneColumnsLeast = 24
    /// Rows that the scene keeps.
    private static let sceneRowsLeast = 3

    private(set) var scene: CellRect
    private(set) var panel: CellRect?
    private(set) var timeline: CellRect?
    /// The last op that was sent, a notice, or the state of a drag.
    private(set) var message: CellRect?
    private(set) var prompt: CellRect?
    private(set) var status: CellRect

    /// Shares a screen among the parts that are shown.
    init(size: GridSize, hasPrompt: Bool, hasMessage: Bool, hasTimeline: Bool, hasPanel: Bool) {
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
    }
}
