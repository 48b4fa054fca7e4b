/// The adjusted content insets of a scene's scroll views, as a client was told.
public struct InsetTable: Sendable, Equatable {
    private var insets: [String: ContentInset] = [:]

    /// Makes an empty table.
    public init() {}

    /// The inset of a view; zero for one that has none.
    public subscript(id: String) -> ContentInset { insets[id] ?? .zero }

    /// Whether no view has an inset.
    public var isEmpty: Bool { insets.isEmpty }

    /// About how many bytes of memory it takes.
    public var byteEstimate: Int { 120 * insets.count }

    /// The views that have an inset, in no order.
    public var ids: some Collection<String> { insets.keys }

    /// The whole table as changes, by id.
    ///
    /// - Complexity: O(*n* log *n*).
    public var changes: [InsetChange] {
        insets.sorted { $0.key < $1.key }.map { InsetChange(id: $0.key, inset: $0.value) }
    }

    /// Applies a message.
    ///
    /// - Complexity: O(changes).
    public mutating func apply(_ message: Insets) {
        if message.isWhole { insets.removeAll() }
        apply(message.changes)
    }

    /// Applies changes.
    ///
    /// - Complexity: O(changes).
    public mutating func apply(_ changes: [InsetChange]) {
        for change in changes { insets[change.id] = change.inset == .zero ? nil : change.inset }
    }
}
