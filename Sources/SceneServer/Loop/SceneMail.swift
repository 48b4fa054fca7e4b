import Annotations
import Dispatch
import JSON
import SceneDocument
import SceneSession
import SceneStore
import SceneWire

/// A message to a thread of rooms.
enum SceneMail: Sendable {
    /// For a room of the thread, wherever it is at present.
    case room(String, RoomMail)
    /// Lists the thread's rooms; the reply is called on the thread.
    case list(@Sendable ([RoomSummary]) -> Void)
    /// A room moves to the slow lane, with its session.
    case moved(room: String, RoomHandover)
    /// A room moves to the slow lane to be opened there.
    case openSlowly(room: String, LoadingRoom, [JournalRecord])
    /// The summary of a room in the slow lane, so that lists need not wait for it.
    case summary(RoomSummary)
    /// A room in the slow lane is light again, or was removed: its home should recall it.
    case wantsBack(room: String)
    /// Recalls a room from the slow lane. All forwarded mail precedes this.
    case recall(room: String)
    /// A room returns from the slow lane.
    case cameBack(room: String, ReturningRoom)
    /// Runs a last tick in every room, then signals the semaphore.
    case drain(DispatchSemaphore)
    /// Ends the thread.
    case stop
}

/// A message to a room.
enum RoomMail: Sendable {
    /// A connection wants something.
    case member(MemberMail)
    /// The room's records, from the last snapshot on.
    case loaded(Result<[JournalRecord], StoreError>)
    /// The room's former owner handed it over with a state of this hash, as the room's records,
    /// which come next, lead to it.
    case handedOver(UInt64)
    /// The room cannot be loaded here; why, and where it is, in a sentence.
    case elsewhere(String)
    /// The records that lead to a tick of the past, for a member that seeks; `nil` if they cannot
    /// be read.
    case history(MemberID, tick: UInt64, [JournalRecord]?)
    /// The store's report of the room's records.
    case store(StoreOutcome)
    /// Opens the room at the server's start, with this scene if it has no journal.
    case open(SceneDocument)
    /// An administrator's request; the reply is called on the thread.
    case administer(RoomRequest, @Sendable (RoomReply) -> Void)
    /// What the room of a suggestion says of it, for the branch, which is about to be opened.
    case origin(BranchOrigin)
    /// The scene of another room, for a request of a member.
    case sceneRead(MemberID, OtherScene)
    /// What became of the suggestion of which the room is the branch; `nil` once it is gone, and
    /// the branch with it.
    case suggestion(Suggestion?)
    /// Unloads the room if it has no members, to make room for another one.
    case evict
}

/// A message of a connection to its room, here or at the node that owns the room.
enum MemberMail: Sendable {
    /// It requests admission.
    case join(MemberID, Applicant)
    /// It sent a message, with its memory claim.
    case message(MemberID, ClientMessage, MailClaim? = nil)
    /// It closed.
    case left(MemberID)
    /// Its resume token is revoked.
    case revoke(MemberID)
}

/// A room with a session, moving from one thread to another.
///
/// Unchecked: a session belongs to one thread. The sender passes its only reference with the mail,
/// and the mailbox's lock orders its accesses before the receiver's.
struct RoomHandover: @unchecked Sendable {
    let room: LiveRoom
}

/// A room that returns from the slow lane.
struct ReturningRoom: Sendable {
    /// Its session; `nil` if it has none.
    var handover: RoomHandover?
    /// The reason why it could not be opened, if any.
    var reason: String?
    /// The tick of an unreadable snapshot, and the waiting requests: the home loads the journal
    /// from the snapshot before.
    var unreadable: (tick: UInt64, loading: LoadingRoom)?
    /// Mail that arrived after the room was removed.
    var mail: [RoomMail] = []
}

extension SceneMail {
    /// Whether the message is an acknowledgement, which can wait for the next tick.
    var isAcknowledgement: Bool {
        guard case .room(_, .member(.message(_, let message, _))) = self else { return false }
        return switch message {
        case .ack: true
        case .hello, .ops, .resync, .ping, .presence, .undo, .redo, .subscribe, .seek, .trace,
            .inspect, .device, .follow, .event, .handle, .handled:
            false
        }
    }
}

extension RoomMail {
    /// The same before it was proved that the room is this process's.
    var unproved: RoomMail {
        guard case .member(.join(let member, var applicant)) = self else { return self }
        applicant.isProved = false
        return .member(.join(member, applicant))
    }
}

/// What a suggestion's room says of it to the branch.
enum BranchOrigin: Sendable {
    case suggestion(Suggestion)
    /// There is no such suggestion, or no such room.
    case none
    /// Nothing can be said at present; why.
    case failed(String)

    init(_ reply: RoomReply) {
        self =
            switch reply {
            case .suggestion(let suggestion?): .suggestion(suggestion)
            case .suggestion(nil), .noSuchRoom: .none
            case .failed(let reason), .unknown(let reason): .failed(reason)
            case .refused(let refusal): .failed(refusal.message)
            case .document, .done, .record, .made, .suggestions, .scene, .nameTaken:
                .failed("an answer to another question")
            }
    }
}

/// An administrator's, or another room's, request to a room.
enum RoomRequest: Sendable {
    /// Exports the scene as a document.
    case export
    /// Replaces the scene with a document, or creates the room.
    case replace(SceneDocument)
    /// Exports the scene as the first record of another room; loads a room that is not in memory.
    case exportRecord
    /// Creates a room from an exported record; refused where there is one.
    case importRecord(JournalRecord)
    /// Tells of one of the room's suggestions; loads a room that is not in memory.
    case suggestion(String)
    /// Names the room's suggestions; loads a room that is not in memory.
    case suggestions
    /// Tells the scene for a merge in another room; loads a room that is not in memory.
    case sceneForOthers
    /// Keeps a name for a room that is about to get it: members that join wait. Ended by `open`.
    case reserve
    /// Opens a room whose name was kept, for the members that wait.
    case open
    /// Gives the room another name, which `reserve` keeps.
    case rename(to: String)
    /// Tells the room what became of its renaming; sent by the journal.
    case endRenaming(to: String, RoomReply)
    /// Replies that what the room decided before is done; sent by the journal once it is kept.
    case confirm
    /// Closes the room and deletes its journal.
    case delete
}

/// The answer to a `RoomRequest`.
enum RoomReply: Sendable {
    case document(JSONValue)
    case done
    /// The bytes of an exported room.
    case record([UInt8])
    /// The room was made, with a scene of this hash.
    case made(hash: UInt64)
    /// A suggestion of the room; `nil` where there is none of that name.
    case suggestion(Suggestion?)
    /// The names of the room's suggestions, in order.
    case suggestions([String])
    /// The scene for a merge.
    case scene(OtherScene)
    case refused(Refusal)
    case noSuchRoom
    /// There is a room of that name already.
    case nameTaken
    case failed(String)
    /// Whether it was done is unknown.
    case unknown(String)
}

/// A room in a list.
struct RoomSummary: Sendable {
    var name: String
    var tick: UInt64
    var views: Int
    var hash: UInt64
    /// Whether the scene is kept as bytes.
    var isFrozen: Bool
}

/// The store's report of a room's records.
enum StoreOutcome: Sendable, Equatable {
    /// All records up to a sequence are on disk.
    case durable(room: String, through: UInt64)
    /// A write failed; the records since the last durable one are lost.
    case failed(room: String, reason: String)
    /// Records can be written again; the first has to be a snapshot.
    case recovered(room: String)
    /// The room was this process's when its session asked for this proof.
    case proved(room: String, through: UInt64)
    /// Nothing is written at present, and whether what waits is kept is unknown.
    case stalled(room: String, reason: String)
    /// Records are written again.
    case resumed(room: String)
    /// The room is about to be another process's, or stays here after all.
    case held(room: String, Bool)
    /// Another process serves the room. Members with connections here are sent to it. For viewers
    /// at other nodes the room ticks on until `lost` follows.
    case moved(room: String, reason: String)
    /// The room is another process's, or nobody's.
    case lost(room: String, reason: String)

    /// The room.
    var room: String {
        switch self {
        case .durable(let room, _), .failed(let room, _), .recovered(let room),
            .proved(let room, _), .stalled(let room, _), .resumed(let room),
            .held(let room, _), .moved(let room, _), .lost(let room, _):
            room
        }
    }
}
