private import Synchronization

/// The present error in the document that a server previews, for the page. Safe from any thread.
public final class PreviewStatus: Sendable {
    private let text = Mutex<String?>(nil)

    /// Makes a status without an error.
    public init() {}

    /// The error as a sentence; `nil` for none.
    public var problem: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
