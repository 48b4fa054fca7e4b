import ClusterJournal
import JSON
import SceneDocument
import SceneSession
import SceneStore
import SceneWire

/// The requests to a node's journal that wait for an answer, by number. Belongs to the journal's
/// thread.
struct JournalCalls {
    /// A request, and the recipient of its answer.
    enum Call: Sendable {
        /// Sends mail to a room once it is proved that the room is this process's.
        case proof(room: String, RoomMail)
        /// Loads records of the past for a member that seeks.
        case history(room: String, MemberID, tick: UInt64)
        /// Deletes a room for an administrator.
        case deletion(room: String, @Sendable (_ failure: String?) -> Void)
    }

    private var calls: [UInt64: Call] = [:]
    private var lastNumber: UInt64 = 0

    private static let unknownOutcome =
        "the room went to another node, which may have the change or not; look at the room before you ask again"

    /// Numbers a request.
    mutating func begin(_ call: Call) -> JournalNode.Request {
        lastNumber += 1
        calls[lastNumber] = call
        switch call {
        case .proof(let room, let mail):
            var needsRoom = false
            if case .administer = mail { needsRoom = true }
            return .prove(room: room, lastNumber, needsRoom: needsRoom)
        case .history(let room, _, let tick): return .history(room: room, lastNumber, tick: tick)
        case .deletion(let room, _): return .delete(room: room, lastNumber)
        }
    }

    /// Ends a request.
    ///
    /// - Returns: The mail that its answer means, and the room that receives it.
    mutating func end(_ number: UInt64, _ answer: JournalAnswer) -> (RoomMail, room: String)? {
        guard let call = calls.removeValue(forKey: number) else { return nil }
        switch (call, answer) {
        case (.proof(let room, let mail), .done): return (mail, room)
        // A member that joins receives directions; a session's own proof ended with the session.
        case (.proof(let room, let mail), _):
            if case .member(.join) = mail { return (mail.unproved, room) }
            if case .administer(_, let reply) = mail { reply(.unknown(Self.unknownOutcome)) }
        case (.history(let room, let member, let tick), .history(let records)):
            return (.history(member, tick: tick, records), room)
        case (.history(let room, let member, let tick), _):
            return (.history(member, tick: tick, nil), room)
        case (.deletion(_, let done), .done): done(nil)
        case (.deletion(_, let done), _):
            done("this node does not serve the room; ask the node that does")
        }
        return nil
    }
}

extension RoomNotice {
    /// The notice as mail to the room's thread.
    func mail(to room: String) -> RoomMail {
        switch self {
        case .loaded(let records): .loaded(.success(records))
        case .unreadable(let reason): .loaded(.failure(.readFailed(reason)))
        case .handedOver(let hash): .handedOver(hash)
        case .elsewhere(let reason): .elsewhere(reason)
        case .durable(let sequence): .store(.durable(room: room, through: sequence))
        case .stalled(let reason): .store(.stalled(room: room, reason: reason))
        case .resumed: .store(.resumed(room: room))
        case .held(let isHeld): .store(.held(room: room, isHeld))
        case .moved(let reason): .store(.moved(room: room, reason: reason))
        case .lost(let reason): .store(.lost(room: room, reason: reason))
        }
    }
}
