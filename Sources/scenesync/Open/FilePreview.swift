import SceneSession
import WebSocketTransport

/// Keeps a room's scene equal to a file.
protocol FilePreview: Sendable {
    /// What members must not change; `nil` for nothing.
    var policy: OpPolicy? { get }

    /// Connects to the room as an editor, and sends the present file.
    ///
    /// - Parameter report: Called with the outcome of each version of the file, on any thread.
    func start(
        _ url: String, token: String, report: @escaping @Sendable (PreviewOutcome) -> Void
    ) throws(TransportError)

    /// Reads the file, which has changed.
    func load()

    /// Ends; what is to be written is in the file afterwards.
    func close()
}

/// What became of a version of a file.
enum PreviewOutcome: Equatable, Sendable {
    /// It is shown.
    case shown
    /// What people have changed is in the file.
    case saved
    /// It has errors, or what people have changed is not in it; the text, with its line if known.
    case wrong(String)
    /// The server closed the connection.
    case ended(String)

    /// What is wrong at present.
    var problem: String? {
        switch self {
        case .wrong(let text): text
        case .shown, .saved, .ended: nil
        }
    }

    /// The outcome of a connection that has ended.
    init(ended code: UInt16?, _ text: String, _ error: TransportError?) {
        self = .ended(error?.description ?? (text.isEmpty ? "closed with \(code ?? 1006)" : text))
    }
}
