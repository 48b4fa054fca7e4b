public import SceneProtocol

/// One connection's place in a session; given by the session's driver, never used twice.
public struct MemberID: Hashable, Comparable, Sendable {
    /// The number behind it.
    public let rawValue: UInt64

    /// Makes an id from a number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// By number.
    public static func < (left: MemberID, right: MemberID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What the server decided about a member when it let it in.
public struct Admission: Sendable {
    /// The name under which its ops count, and which a reconnect may resume.
    public var session: String
    /// The secret that proves a reconnect to be the same client's.
    public var resumeToken: String
    /// What it may do.
    public var role: Role
    /// How it is spoken to.
    public var format: Subprotocol
    /// The server's monotonic clock, for clients that measure delays.
    public var monotonicMilliseconds: UInt64
    /// What it said when it came.
    public var hello: Hello
    /// The subject that it proved to be, or nothing; only the same may resume its session.
    public var subject = ""
    /// The limits that it is told of; the server holds it to them.
    public var limits = GrantedLimits()

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
}

/// What a session is told. Everything that it does follows from the list of these alone.
public enum SessionEvent: Sendable {
    /// A member was let in.
    case joined(MemberID, Admission)
    /// A member sent a message.
    case received(MemberID, ClientMessage)
    /// A member is gone.
    case left(MemberID)
    /// The time of an update cycle; ticks only grow.
    case tick(UInt64)
    /// Journal records up to this sequence are on disk.
    case durable(through: UInt64)
    /// The journal could not be written; nothing after the last durable record was kept.
    case storeFailed(String)
    /// The journal can be written again.
    case storeRecovered
    /// What a member asked to see of the past, oldest first, beginning with a snapshot; `nil` if it cannot be read.
    case journalRead(MemberID, tick: UInt64, [JournalRecord]?)
    /// An administrator puts a document in the place of the scene, as no member's op; answered by `replacedScene`, and
    /// members see it with the next tick.
    case replaceScene(SceneDocument)
    /// The room is about to be unloaded: what coming back would have to replay is to be written as a snapshot.
    case retire
    /// The room is to hold its scene in few bytes; nothing happens where anything is under way. See `freezeTick`.
    case freeze
}

/// What a session wants done, in order.
public enum SessionEffect: Sendable, Equatable {
    /// Messages for some members, encoded once; each of `payloads` is one WebSocket message.
    case send(payloads: [[UInt8]], format: Subprotocol, to: [MemberID])
    /// A record for the journal.
    case append(JournalRecord)
    /// A step of an event, for the record of events; only with `SessionOptions.recordsEvents`.
    case record(EventRecord)
    /// The journal is to be read for a member, from the last snapshot at or before a tick on, and handed back as
    /// `journalRead`.
    case readJournal(MemberID, tick: UInt64)
    /// What became of `replaceScene`: `nil` where it was done, else why the old scene stands.
    case replacedScene(Refusal?)
    /// The end of a connection.
    case close(MemberID, CloseCode, String)
    /// More work is needed than a tick's slice allows; what it was for has not happened. The room is to go on where it holds
    /// nobody else up.
    case overran
    /// The session cannot go on and is to be dropped with all its members; the room comes back from its journal.
    case abandon(String)
}
