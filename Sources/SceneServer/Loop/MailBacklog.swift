import SceneSession
import SceneWire

/// The mail that a thread has taken and not handled yet, in order.
struct MailBacklog {
    private var mail: ArraySlice<SceneMail> = []

    var isEmpty: Bool { mail.isEmpty }

    /// Adds mail. Questions of members that leave with it are dropped, however long they have
    /// waited: nobody receives the answers, and those who stay would wait for them.
    ///
    /// - Complexity: O(mail added); O(all mail) if a member left.
    mutating func add(_ more: [SceneMail]) {
        mail += more
        var departed: Set<MemberID> = []
        for case .room(_, .member(.left(let member))) in more { departed.insert(member) }
        guard !departed.isEmpty else { return }
        mail.removeAll { item in
            guard case .room(_, .member(.message(let member, let message, _))) = item else {
                return false
            }
            return message.isQuestion && departed.contains(member)
        }
    }

    mutating func popFirst() -> SceneMail? {
        guard let item = mail.popFirst() else { return nil }
        if mail.isEmpty { mail = [] }
        return item
    }
}

extension ClientMessage {
    /// Whether it only asks for something to be sent to its sender.
    fileprivate var isQuestion: Bool {
        switch self {
        case .ack, .resync, .ping, .subscribe, .seek, .trace, .inspect, .device, .follow: true
        case .hello, .ops, .presence, .undo, .redo, .event, .handle, .handled: false
        }
    }
}
