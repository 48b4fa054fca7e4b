public import Annotations
public import SceneDocument
public import SceneWire

/// One connection's membership in a session; assigned by the session's driver, never reused.
public struct MemberID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes an id from a number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// By number.
    public static func < (left: MemberID, right: MemberID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What the server decided about a member when it was admitted.
public struct Admission: Sendable {
    /// The name under which its ops are counted, and which a reconnect may resume.
    public var session: String
    /// The secret that a client presents to resume its session.
    public var resumeToken: String
    /// The member's permissions.
    public var role: Role
    /// The format of its messages.
    public var format: Subprotocol
    /// The server's monotonic clock, for clients that measure delays.
    public var monotonicMilliseconds: UInt64
    /// The client's hello.
    public var hello: Hello
    /// The subject that its token proves, or empty; only the same subject may resume the session.
    public var subject = ""
    /// What it may do in which parts of the scene.
    public var rights = MemberRights()
    /// The limits granted to the member and enforced by the server.
    public var limits = GrantedLimits()
    /// The room's addresses at other servers, which the member is told; `nil` for none.
    public var alternates: Alternates?

    /// Makes an admission.
    public init(
        session: String, resumeToken: String, role: Role, format: Subprotocol,
        monotonicMilliseconds: UInt64, hello: Hello
    ) {
        self.session = session
        self.resumeToken = resumeToken
        self.role = role
        self.format = format
        self.monotonicMilliseconds = monotonicMilliseconds
        self.hello = hello
    }

    /// Admits an applicant.
    public init(
        _ applicant: Applicant, session: String, resumeToken: String,
        monotonicMilliseconds: UInt64
    ) {
        self.init(
            session: session, resumeToken: resumeToken, role: applicant.role,
            format: applicant.format, monotonicMilliseconds: monotonicMilliseconds,
            hello: applicant.hello)
        subject = applicant.subject
        rights = applicant.rights
        limits = applicant.limits
        alternates = applicant.alternates
    }
}

/// The input of a session. Its behaviour follows from the list of events alone.
public enum SessionEvent: Sendable {
    /// A member was admitted.
    case joined(MemberID, Admission)
    /// A member sent a message.
    case received(MemberID, ClientMessage)
    /// A member left.
    case left(MemberID)
    /// The time of an update cycle; tick numbers increase.
    case tick(UInt64)
    /// Members at other nodes were shown this tick by the room's last owner, and ticks without a
    /// change leave no record: the room goes on after it.
    case shown(UInt64)
    /// Journal records up to this sequence are on disk.
    case durable(through: UInt64)
    /// The journal could not be written; nothing after the last durable record was kept.
    case storeFailed(String)
    /// The journal can be written again.
    case storeRecovered
    /// The journal has proved that the room was this process's when `SessionEffect.prove` asked;
    /// only with `SessionOptions.provesAnswers`.
    case proved(through: UInt64)
    /// The journal has kept nothing for a long time, and whether it keeps what waits is unknown.
    /// New ops are refused, and what was decided goes on waiting.
    case journalStalled(String)
    /// The journal keeps records again.
    case journalResumed
    /// The room is about to be another process's, or stays this one's after all. While it is held,
    /// ticks run on and are sent, requests wait, and nothing is written.
    case journalHeld(Bool)
    /// Another process serves the room: these members are told the reason and to connect elsewhere.
    /// The room, which is held, ticks on for the others until its journal is lost.
    case journalMoved([MemberID], String)
    /// The room is no longer this process's: its members are told the reason and to connect
    /// elsewhere, and nothing that waits is answered. The driver drops the session.
    case journalLost(String)
    /// The records for a member's seek, oldest first, starting with a snapshot; `nil` if they
    /// cannot be read.
    case journalRead(MemberID, tick: UInt64, [JournalRecord]?)
    /// The scene of another room that `readScene` asked for.
    case sceneRead(MemberID, OtherScene)
    /// What became of the suggestion of which this room is the branch.
    case suggestion(Suggestion)
    /// An administrator replaces the scene with a document; answered by `replacedScene`. Members
    /// receive it with the next tick.
    case replaceScene(SceneDocument)
    /// The room is about to be unloaded: records that would be slow to replay are replaced with a
    /// snapshot.
    case retire
    /// The room is to keep its scene as bytes; ignored while work is pending. See `freezeTick`.
    case freeze
}

/// The output of a session, to be executed in order.
public enum SessionEffect: Sendable, Equatable {
    /// Messages for some members, encoded once; each of `payloads` is one WebSocket message.
    case send(payloads: [[UInt8]], format: Subprotocol, to: [MemberID])
    /// The same for messages that a member can do without: a connection that lags drops them
    /// instead of being closed.
    case offer(payloads: [[UInt8]], format: Subprotocol, to: [MemberID])
    /// A record for the journal.
    case append(JournalRecord)
    /// A request for proof that the room is still this process's, answered with `proved`; numbers
    /// increase. Only with `SessionOptions.provesAnswers`.
    case prove(UInt64)
    /// A step of an event, for the record of events; only with `SessionOptions.recordsEvents`.
    case record(EventRecord)
    /// A request to read the journal for a member, from the last snapshot at or before a tick;
    /// answered with `journalRead`.
    case readJournal(MemberID, tick: UInt64)
    /// A request for another room's scene, on behalf of a member, answered with `sceneRead`.
    case readScene(MemberID, room: String)
    /// A suggestion of this room is now so, or gone; its branch is to learn that once what was
    /// decided until now is kept.
    case suggestionChanged(String, Suggestion?)
    /// The result of `replaceScene`: `nil` on success, else the reason why the old scene was kept.
    case replacedScene(Refusal?)
    /// Closes a connection.
    case close(MemberID, CloseCode, String)
    /// The tick needs more work than its slice allows; nothing of it has happened. The driver
    /// should continue the room on a thread where it delays no other room.
    case overran
    /// The session cannot continue: the driver drops it with all its members and reopens the room
    /// from its journal.
    case abandon(String)
}
