/// What people can do with the views of a scene, as a client was told.
public struct InteractionTable: Sendable, Equatable {
    private var interactions: [String: Interaction] = [:]

    /// Makes an empty table.
    public init() {}

    /// What can be done with a view; `nil` for nothing.
    public subscript(id: String) -> Interaction? { interactions[id] }

    /// The views that something can be done with, in no order.
    public var ids: some Collection<String> { interactions.keys }

    /// Whether nothing can be done at all.
    public var isEmpty: Bool { interactions.isEmpty }

    /// Takes a message in.
    ///
    /// - Complexity: O(changes).
    public mutating func apply(_ message: Interactions) {
        if message.isWhole { interactions.removeAll() }
        for change in message.changes { interactions[change.id] = change.interaction }
    }
}
