public import JSON
import ConstraintLanguage

/// What a thing that people say about a scene is.
public enum AnnotationKind: String, CaseIterable, Sendable {
    /// What a number of comments are about, and whether that is settled.
    case thread
    /// A comment of a thread.
    case comment
    /// A view that one person has for themself.
    case lock
    /// A scene that was given a name.
    case version
    /// A branch of the room.
    case suggestion

    /// The bit without which a reader knows no such thing.
    public var capability: UInt64 {
        switch self {
        case .thread, .comment, .lock, .version: Capability.annotations
        case .suggestion: Capability.suggestions
        }
    }
}

/// How one annotation changed.
public struct AnnotationChange: Sendable, Equatable {
    /// What it is.
    public var kind = AnnotationKind.thread
    /// Its name within the kind.
    public var id = ""
    /// What it says from now on, as an object; `null` where it is gone.
    public var value = JSONValue.null

    /// The longest name in bytes: that of a comment.
    static let idByteMaximum = Identifier.byteMaximum + 8

    /// Makes a change of nothing.
    public init() {}
}

extension AnnotationChange: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("kind", &kind)
        try coder.text("id", &id, maximum: Self.idByteMaximum)
        try coder.json("value", &value)
    }
}

/// What people say about the scene: all of it after a snapshot, then what changes. No part of the
/// state that hashes cover.
public struct AnnotationChanges: Sendable, Equatable {
    /// Whether what was known before is forgotten.
    public var isWhole = false
    /// In order.
    public var changes: [AnnotationChange] = []

    /// The most changes of a message.
    public static let changeMaximum = 1024

    /// Makes a message that changes nothing.
    public init() {}

    /// The messages that tell changes, none of them too long for a client.
    ///
    /// - Parameter capabilities: What the clients understand; of other kinds they are not told.
    /// - Returns: Nothing where nothing is left and `whole` is false.
    public static func messages(
        _ changes: [AnnotationChange], whole: Bool, to capabilities: UInt64
    ) -> [ServerMessage] {
        let changes = changes.filter { $0.kind.capability & capabilities != 0 }
        if changes.isEmpty, !whole { return [] }
        var messages = [AnnotationChanges()]
        messages[0].isWhole = whole
        var bytes = 0
        for change in changes {
            let cost = 80 + change.id.utf8.count + change.value.text().utf8.count
            let last = messages[messages.count - 1]
            if bytes > 0, bytes + cost > byteMaximum || last.changes.count == changeMaximum {
                messages.append(AnnotationChanges())
                bytes = 0
            }
            bytes += cost
            messages[messages.count - 1].changes.append(change)
        }
        return messages.map { .annotations($0) }
    }

    /// Bytes of a message, unless one change alone has more.
    private static let byteMaximum = 1 << 18
}

extension AnnotationChanges: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("whole", &isWhole)
        try coder.list("changes", &changes, maximum: Self.changeMaximum)
    }
}
