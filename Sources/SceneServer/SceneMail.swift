import Dispatch
import SceneProtocol
import SceneSession
import SceneStore

/// A message to the thread of a room.
enum SceneMail: Sendable {
    /// A connection asks to be admitted.
    case join(room: String, MemberID, Applicant)
    /// A member said something; with the memory that it takes while it waits.
    case message(room: String, MemberID, ClientMessage, MailClaim? = nil)
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
    /// A room goes to the slow lane, with its session.
    case moved(room: String, RoomHandover)
    /// A room goes to the slow lane to be opened there.
    case openSlowly(room: String, LoadingRoom, [JournalRecord])
    /// What is to be told of a room in the slow lane, without asking it.
    case summary(RoomSummary)
    /// A room in the slow lane needs little time again, or is gone: it is to be recalled.
    case wantsBack(room: String)
    /// A room in the slow lane is to come back. All mail that was forwarded to it is before this.
    case recall(room: String)
    /// A room comes back from the slow lane.
    case cameBack(room: String, ReturningRoom)
    /// A last tick is to run in every room; the semaphore is signalled when it has.
    case drain(DispatchSemaphore)
    /// The thread is to end.
    case stop
}

/// A room with a session, on its way from one thread to another.
///
/// Unchecked: a session belongs to one thread. The sender gives its only reference away with the mail, and the mailbox's
/// lock orders what it did before with what the receiver does.
struct RoomHandover: @unchecked Sendable {
    let room: LiveRoom
}

/// A room that comes back from the slow lane.
struct ReturningRoom: Sendable {
    /// Its session; `nil` where it has none any more.
    var handover: RoomHandover?
    /// Why it could not be opened, if it could not.
    var reason: String?
    /// The tick of a snapshot that could not be read, and what waits: the home has the journal read from the one before.
    var unreadable: (tick: UInt64, loading: LoadingRoom)?
    /// Mail that came to it after it was gone.
    var mail: [SceneMail] = []
}

extension SceneMail {
    /// The room that the message is for, wherever it is; `nil` for messages to a thread.
    var addressee: String? {
        switch self {
        case .join(let room, _, _), .message(let room, _, _, _), .left(let room, _),
            .loaded(let room, _), .history(let room, _, _, _), .open(let room, _):
            room
        case .store(let outcome): outcome.room
        case .administer(let room, let request, _):
            if case .list = request { nil } else { room }
        case .moved, .openSlowly, .summary, .wantsBack, .recall, .cameBack, .drain, .stop: nil
        }
    }

    /// Whether the message is an acknowledgement, which can wait for the next tick.
    var isAcknowledgement: Bool {
        guard case .message(_, _, let message, _) = self else { return false }
        return switch message {
        case .ack: true
        case .hello, .ops, .resync, .ping, .presence, .undo, .redo, .subscribe, .seek, .trace,
            .inspect, .device, .event, .handle, .handled:
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
