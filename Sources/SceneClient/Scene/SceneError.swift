public import SceneDocument
public import WebSocketTransport

/// Why a scene could not do what it was asked.
public enum SceneError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The connection could not be made, or the address is none.
    case transport(TransportError)
    /// The server refused ops or an event. `Refusal.conflicting` names the constraints that
    /// contradict one another.
    case refused(Refusal)
    /// The connection has ended for good, with the peer's close code where it sent one.
    case ended(code: UInt16?, reason: String)
    /// The task that waited was cancelled; what was sent may be applied all the same.
    case cancelled

    /// The cause, and what to do next.
    public var description: String {
        switch self {
        case .transport(let error): error.description
        case .refused(let refusal): "\(refusal.code.rawValue): \(refusal.message)"
        case .ended(let code, let reason):
            "the connection has ended"
                + (code.map { " with code \($0)" } ?? "") + (reason.isEmpty ? "" : ": \(reason)")
        case .cancelled: "the task that waited was cancelled"
        }
    }
}
