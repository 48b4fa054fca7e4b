public import JSON

/// What people say about a scene, as a client was told.
public struct AnnotationTable: Sendable, Equatable {
    private var values: [AnnotationKind: [String: JSONValue]] = [:]

    /// Makes an empty table.
    public init() {}

    /// What an annotation says; `nil` where there is none.
    public subscript(kind: AnnotationKind, id: String) -> JSONValue? { values[kind]?[id] }

    /// All annotations of a kind by their names.
    public func all(_ kind: AnnotationKind) -> [String: JSONValue] { values[kind] ?? [:] }

    /// Whether nothing is said.
    public var isEmpty: Bool { values.values.allSatisfy { $0.isEmpty } }

    /// All of it as changes of an empty table, in an order of its own.
    public var changes: [AnnotationChange] {
        AnnotationKind.allCases.flatMap { kind in
            all(kind).sorted { $0.key < $1.key }.map { id, value in
                var change = AnnotationChange()
                (change.kind, change.id, change.value) = (kind, id, value)
                return change
            }
        }
    }

    /// Takes a message in.
    ///
    /// - Complexity: O(changes).
    public mutating func apply(_ message: AnnotationChanges) {
        if message.isWhole { values.removeAll() }
        for change in message.changes {
            let isGone = change.value.kind == .null
            values[change.kind, default: [:]][change.id] = isGone ? nil : change.value
            // A kind of which nothing is left equals one that there never was.
            if values[change.kind]?.isEmpty == true { values[change.kind] = nil }
        }
    }
}
