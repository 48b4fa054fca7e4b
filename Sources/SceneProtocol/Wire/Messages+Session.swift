/// What a client has applied.
public struct Ack: Sendable, Equatable {
    /// The last tick.
    public var tick: UInt64 = 0
    /// From arrival to application.
    public var lagMilliseconds: UInt32 = 0

    /// Makes an acknowledgement of tick 0.
    public init() {}
}

/// Changes that a client asks for.
///
/// The ops travel as JSON text in the binary format too: they are rare against frames, and so every client
/// writes them alike.
public struct Ops: Sendable, Equatable {
    /// Counts a client's messages; the same number twice is the same message.
    public var clientSequence: UInt64 = 0
    /// The tick that the member saw.
    public var baseTick: UInt64 = 0
    /// Messages that are undone together; 0 for none.
    public var undoGroup: UInt32 = 0
    /// Whether one refused op refuses all.
    public var isAtomic = false
    /// A list of ops, for `Op.parseEach`.
    public var ops = JSONValue.array([])

    /// Makes a message without ops.
    public init() {}
}

/// A client's state is not the server's.
public struct Resync: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// What the client has.
    public var hash: UInt64 = 0

    /// Makes a message about tick 0.
    public init() {}
}

/// Asks for the time.
public struct Ping: Sendable, Equatable {
    /// The client's clock in microseconds.
    public var t0: UInt64 = 0

    /// Makes a ping.
    public init() {}
}

/// Tells the time.
public struct Pong: Sendable, Equatable {
    /// As in the ping.
    public var t0: UInt64 = 0
    /// The server's clock when the ping came, in microseconds.
    public var t1: UInt64 = 0
    /// The server's clock when the pong left, in microseconds.
    public var t2: UInt64 = 0

    /// Makes a pong.
    public init() {}
}

/// Where a member is. Expires after 30 seconds.
public struct Presence: Sendable, Equatable {
    /// The member; 0 when a client speaks of itself.
    public var client: UInt32 = 0
    /// Counts up; an older one is ignored.
    public var clock: UInt32 = 0
    /// The member has left.
    public var isGone = false
    /// What people call them.
    public var name = ""
    /// Their colour.
    public var color: Color?
    /// Their pointer in root coordinates, in points.
    public var cursor: Point?
    /// The views they selected.
    public var selection: [String] = []

    /// Makes an empty presence.
    public init() {}
}

/// What became of committed ops.
public struct Commit: Sendable, Equatable {
    /// The frames that changed where `layoutIfNeeded` stood, in points.
    public var frames: [NamedRect] = []
    /// Constraints that a `moveView` removed.
    public var removedConstraints: [String] = []
    /// The ops of a message that is not atomic which were refused alone.
    public var refusals: [Refusal] = []

    /// Makes a commit that changed nothing.
    public init() {}
}

/// The answer to `ops`.
public struct OpsResult: Sendable, Equatable {
    /// What became of the message.
    public enum Outcome: Sendable, Equatable {
        /// It is in the scene and on disk.
        case committed(Commit)
        /// Nothing of it is in the scene.
        case refused(Refusal)
    }

    /// As in `ops`.
    public var clientSequence: UInt64 = 0
    /// The tick that took it in.
    public var tick: UInt64 = 0
    /// What became of it.
    public var outcome = Outcome.committed(Commit())

    /// Makes a result.
    public init() {}
}

/// What is wrong with the layout at a tick, by name.
public struct Diagnostics: Sendable, Equatable {
    /// The bit of `Hello.capabilities` with which a client asks for this message after its snapshot.
    public static let capability = Capability.diagnostics

    /// The tick that it is about.
    public var tick: UInt64 = 0
    /// Views whose place the constraints leave open, in preorder.
    public var ambiguous: [String] = []
    /// Constraints that were given up because they contradict others.
    public var broken: [String] = []
    /// Views that kept marking one another in the tick until the cycle was ended.
    public var feedbackLoop: [String] = []

    /// Says that nothing is wrong.
    public init() {}
}

/// Something went wrong that is no answer to an op.
public struct ErrorMessage: Sendable, Equatable {
    /// A close code.
    public var code: UInt32 = 0
    /// Whether to try again makes sense.
    public var isRetryable = false
    /// When.
    public var retryAfterMilliseconds: UInt32 = 0
    /// For people.
    public var text = ""

    /// Makes an error without a code.
    public init() {}
}

/// Bits of `Hello.capabilities`, what a client understands, and of `Welcome.capabilities`, what both ends do.
public enum Capability {
    /// `diagnostics` after the snapshot and when they change.
    public static let diagnostics: UInt64 = 1 << 0
    /// `anim` in place of each tick's frames.
    public static let animations: UInt64 = 1 << 1
    /// `undo` and `redo`.
    public static let undo: UInt64 = 1 << 2
    /// `subscribe`, and `hello.roots`.
    public static let subscribe: UInt64 = 1 << 3
    /// `seek`.
    public static let seek: UInt64 = 1 << 4
    /// `trace`.
    public static let trace: UInt64 = 1 << 5
    /// `keyframe`.
    public static let keyframes: UInt64 = 1 << 6
    /// A merged frame in place of the snapshot for one who comes back.
    public static let mergedResume: UInt64 = 1 << 7
    /// `inspect`.
    public static let inspect: UInt64 = 1 << 8
}

/// What clients send.
public enum ClientMessage: Sendable, Equatable {
    /// The first message.
    case hello(Hello)
    /// What was applied.
    case ack(Ack)
    /// Changes.
    case ops(Ops)
    /// States differ.
    case resync(Resync)
    /// Asks for the time.
    case ping(Ping)
    /// Where the member is.
    case presence(Presence)
    /// Takes back.
    case undo(UndoRequest)
    /// Does again.
    case redo(UndoRequest)
    /// Changes what the member gets.
    case subscribe(Subscribe)
    /// Shows the past.
    case seek(Seek)
    /// Turns the trace on or off.
    case trace(TraceRequest)
    /// Asks what stands behind the frames.
    case inspect(Inspect)
}

/// What the server sends.
public enum ServerMessage: Sendable, Equatable {
    /// The answer to `hello`.
    case welcome(Welcome)
    /// All views.
    case snapshot(Snapshot)
    /// Changed frames.
    case frame(Frame)
    /// A remembered selection.
    case select(Select)
    /// Changes of the tree.
    case tree(Tree)
    /// Changes of what is drawn.
    case content(Content)
    /// The state hash.
    case hash(StateHash)
    /// The answer to `ops`.
    case result(OpsResult)
    /// Something went wrong.
    case error(ErrorMessage)
    /// Tells the time.
    case pong(Pong)
    /// Where another member is.
    case presence(Presence)
    /// What is wrong with the layout, for those who asked in `hello`.
    case diagnostics(Diagnostics)
    /// Animations.
    case anim(Anim)
    /// What the update cycle did.
    case trace(Trace)
    /// A new numbering.
    case keyframe(Keyframe)
    /// What stands behind the frames.
    case inspection(Inspection)
}
