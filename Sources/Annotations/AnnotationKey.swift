public import SceneWire

/// One thing that is said about a scene, as messages name it.
public enum AnnotationKey: Sendable, Hashable {
    /// A thread without its comments.
    case thread(String)
    /// A comment of a thread.
    case comment(String, Int)
    /// A lock, by its view.
    case lock(String)
    /// A version without its scene.
    case version(String)
    /// A suggestion without its scene.
    case suggestion(String)

    /// Its kind as messages have it.
    public var kind: AnnotationKind {
        switch self {
        case .thread: .thread
        case .comment: .comment
        case .lock: .lock
        case .version: .version
        case .suggestion: .suggestion
        }
    }

    /// Its name within the kind: a comment's is that of its thread, a dot, and its number.
    public var id: String {
        switch self {
        case .thread(let id), .lock(let id), .version(let id), .suggestion(let id): id
        case .comment(let id, let number): "\(id).\(number)"
        }
    }
}
