import SceneWire

/// Rows of lists: arrows move the focus within the list. LANGUAGE.md, "Rows".
extension AppState {
    private static let rowRoles: Set<String> = [
        "listitem", "option", "row", "treeitem", "menuitem",
    ]
    private static let listRoles: Set<String> = [
        "list", "listbox", "table", "grid", "tree", "menu",
    ]

    private func role(_ view: ViewRecord) -> String { interactions[view.id]?.role ?? "" }

    /// The list of a row; nil for a view that is not a row.
    private func list(ofRow id: String) -> ViewNumber? {
        let path = path(from: id)
        guard let row = path.first, Self.rowRoles.contains(role(row)) else { return nil }
        return path.dropFirst().first { Self.listRoles.contains(role($0)) }?.number
    }

    /// Moves the focus from a row to another in its list, and stops at the ends.
    ///
    /// - Returns: False if the focus is not on a row, and for other keys.
    /// - Complexity: O(focusable views · their depth).
    mutating func moveToRow(_ key: Key, now: Double) -> Bool {
        guard let focus, let list = list(ofRow: focus), let scene = scene(now: now) else {
            return false
        }
        let rows = stops(scene).filter { self.list(ofRow: $0) == list }
        guard let place = rows.firstIndex(of: focus) else { return false }
        let next: Int
        switch key {
        case .up: next = max(place - 1, 0)
        case .down: next = min(place + 1, rows.count - 1)
        case .home: next = 0
        case .end: next = rows.count - 1
        default: return false
        }
        setFocus(rows[next], now: now)
        return true
    }
}
