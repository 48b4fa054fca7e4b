private import Synchronization

/// What is wrong with the document that a server is a preview of, for the page to show. Safe from any thread.
public final class PreviewStatus: Sendable {
    private let text = Mutex<String?>(nil)

    /// Makes a status of a document that is right.
    public init() {}

    /// The problem, as a sentence for people; `nil` where there is none.
    public var problem: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
