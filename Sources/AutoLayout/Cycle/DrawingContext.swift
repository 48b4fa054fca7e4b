/// One thing that a view drew, in its own coordinates.
public enum DisplayItem: Equatable, Sendable {
    /// A line of text whose top left corner is at the origin given.
    case text(TextLine)
    /// A filled rectangle; the colour is the drawer's own notation.
    case fill(Rect, color: String)
}

/// Where a view's `draw` puts what it draws. Valid only until that `draw` returns.
public final class DrawingContext {
    private let view: String
    private var items: [DisplayItem] = []
    private var isValid = true

    init(view: String) {
        self.view = view
    }

    /// Adds one item in front of those drawn so far.
    ///
    /// - Throws: `LayoutError.contextExpired` once the `draw` that the context was made for has
    ///   returned.
    public func add(_ item: DisplayItem) throws(LayoutError) {
        guard isValid else { throw .contextExpired(view: view) }
        items.append(item)
    }

    func finish() -> [DisplayItem] {
        isValid = false
        return items
    }
}
