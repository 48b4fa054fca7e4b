import Bytes

/// The author of an annotation, as others see it.
public struct Person: Sendable, Hashable {
    /// Equal for what one person wrote, and says nothing else: a hash of the subject that a token
    /// proves, or of the session without a token.
    public var key: UInt64
    /// The name that the person went by; may be empty.
    public var name: String
    /// The subject of the token; empty without one.
    public var subject: String

    /// The longest name in bytes; that of presence.
    public static let nameByteMaximum = 256

    /// - Parameter session: The name of the client's session, which is a secret.
    public init(session: String, subject: String, name: String) {
        var hash = FNV1a()
        hash.add(subject.isEmpty ? 0 : 1)
        hash.add((subject.isEmpty ? session : subject).utf8)
        key = hash.value
        self.subject = subject
        self.name = name
    }

    init(key: UInt64, name: String, subject: String) {
        self.key = key
        self.name = name
        self.subject = subject
    }

    /// Whether both are one person; the names may differ.
    public func isSame(as other: Person) -> Bool { key == other.key }

    /// What to call the person in a sentence.
    public var title: String {
        name.isEmpty ? (subject.isEmpty ? "somebody" : subject) : name
    }
}
