public import Annotations
public import SceneDocument

/// Another room's scene, which the session's driver read for a merge.
public enum OtherScene: Sendable {
    /// The scene; of a branch, with its own suggestion.
    case scene(SceneDocument, tick: UInt64, Suggestion?)
    /// There is no such room: nobody has joined the branch yet.
    case none
    /// It cannot be read at present; why.
    case failed(String)

    /// The approximate memory in bytes.
    var byteEstimate: Int {
        guard case .scene(let document, _, _) = self else { return 0 }
        return 600 * (document.views.count + document.constraints.count)
    }
}

/// Requests that wait for another room's scene, and what their senders sent after them: the
/// requests of one member are decided in order.
struct SceneReads {
    private var held: [MemberID: [Inbox.Request]] = [:]

    /// The approximate bytes of all held requests.
    var byteCount: Int { held.keys.reduce(0) { $0 + byteCount(of: $1) } }

    /// The same for a member's.
    func byteCount(of member: MemberID) -> Int {
        held[member]?.reduce(0) { $0 + $1.byteEstimate } ?? 0
    }

    /// Whether a request of a member waits.
    func isHolding(_ member: MemberID) -> Bool { held[member] != nil }

    /// Adds a request behind those that the member has here.
    mutating func hold(_ request: Inbox.Request, from member: MemberID) {
        held[member, default: []].append(request)
    }

    /// Removes and returns a member's requests, the one that waited first.
    mutating func take(_ member: MemberID) -> [Inbox.Request] {
        held.removeValue(forKey: member) ?? []
    }
}
