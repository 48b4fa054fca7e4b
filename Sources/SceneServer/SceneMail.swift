import Dispatch
import SceneProtocol
import SceneSession
import SceneStore

/// A message to the thread of a room.
enum SceneMail: Sendable {
    /// A connection asks to be admitted.
    case join(room: String, MemberID, Applicant)
    /// A member said something.
    case message(room: String, MemberID, ClientMessage)
    /// A member's connection is gone.
    case left(room: String, MemberID)
    /// The room's records, from the last snapshot on.
    case loaded(room: String, Result<[JournalRecord], StoreError>)
    /// The records that lead to a tick of the past, for a member that watches it; `nil` where they cannot be read.
    case history(room: String, MemberID, tick: UInt64, [JournalRecord]?)
    /// The store's report of the room's records.
    case store(StoreOutcome)
    /// The room is to be opened at the start, with this scene where it has no journal.
    case open(room: String, SceneDocument)
    /// An administrator's request; the reply is called on the thread.
    case administer(room: String, RoomRequest, @Sendable (RoomReply) -> Void)
    /// A last tick is to run in every room; the semaphore is signalled when it has.
    case drain(DispatchSemaphore)
    /// The thread is to end.
    case stop
}

extension SceneMail {
    /// Whether the message is an acknowledgement, which can wait for the next tick.
    var isAcknowledgement: Bool {
        guard case .message(_, _, let message) = self else { return false }
        return switch message {
        case .ack: true
        case .hello, .ops, .resync, .ping, .presence, .undo, .redo, .subscribe, .seek, .trace,
            .inspect:
            false
        }
    }
}

/// A connection that asks to be admitted to a room.
struct Applicant: Sendable {
    var role: Role
    /// Whether it may create rooms.
    var makesRooms: Bool
    var format: Subprotocol
    var hello: Hello
    /// The subject of its token; empty where there is none.
    var subject = ""
    /// The limits that `welcome` announces.
    var limits = GrantedLimits()
}

/// An administrator's request to a thread's rooms.
enum RoomRequest: Sendable {
    /// A list of the thread's rooms, whichever room is named.
    case list
    /// The scene as a document.
    case export
    /// Another scene, in the place of the present one or in a new room.
    case replace(SceneDocument)
    /// Nobody may resume the session of this member.
    case revoke(MemberID)
    /// The room's end, and that of its journal.
    case delete
}

/// The answer to a `RoomRequest`.
enum RoomReply: Sendable {
    case rooms([RoomSummary])
    case document(JSONValue)
    case done
    case refused(Refusal)
    case noSuchRoom
    case failed(String)
}

/// A room in a list.
struct RoomSummary: Sendable {
    var name: String
    var tick: UInt64
    var views: Int
    var hash: UInt64
    /// Whether the scene is held as bytes.
    var isFrozen: Bool
}

/// The store's report of the records that a room gave it.
enum StoreOutcome: Sendable, Equatable {
    /// All records up to a sequence are on disk.
    case durable(room: String, through: UInt64)
    /// A write failed; the records since the last durable one are lost.
    case failed(room: String, reason: String)
    /// Records can be written again; the first has to be a snapshot.
    case recovered(room: String)

    /// The room.
    var room: String {
        switch self {
        case .durable(let room, _), .failed(let room, _), .recovered(let room): room
        }
    }
}
