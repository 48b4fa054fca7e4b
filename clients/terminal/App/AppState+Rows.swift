import SceneProtocol

/// Rows of lists: arrows go from one to the next within their list. LANGUAGE.md, "Rows".
extension AppState {
    private static let rowRoles: Set<String> = [
        "listitem", "option", "row", "treeitem", "menuitem",
    ]
    private static let listRoles: Set<String> = [
        "list", "listbox", "table", "grid", "tree", "menu",
    ]

    private func role(_ view: ViewRecord) -> String { interactions[view.id]?.role ?? "" }

    /// The list that a row belongs to; nil for a view that is no row of one.
    private func list(ofRow id: String) -> ViewNumber? {
        let path = path(from: id)
        guard let row = path.first, Self.rowRoles.contains(role(row)) else { return nil }
        return path.dropFirst().first { Self.listRoles.contains(role($0)) }?.number
    }

    /// Moves the focus from a row to another of its list, and stays at the ends.
    ///
    /// - Returns: False where the focus is on no row, and for keys that move nothing.
    /// - Complexity: O(views that can have the focus · their depth).
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
