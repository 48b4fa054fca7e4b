public import SceneProtocol

/// What a room may be told to do otherwise. Counts of time are ticks where nothing else is said.
public struct SessionOptions: Sendable, Equatable {
    /// Frames that a member may leave unacknowledged before it leaves the group that gets every frame.
    public var unacknowledgedMaximum = 32
    /// Bytes of batches after which the scene is written anew.
    public var snapshotBytes = 256 << 10
    /// How many times its own bytes have to be written before it is written anew.
    public var snapshotGrowth = 4
    /// Seconds after which a changed scene is written anew.
    public var snapshotSeconds = 900
    /// Views' changes that are kept to tell members what they missed; about 40 bytes each.
    public var historyCostMaximum = 16_384
    /// Seconds without any change after which the room holds its scene in few bytes; 0 for never. To be had again, a scene
    /// of 1,000 views takes as long as three ticks, so a pause between two edits should not freeze the room.
    public var freezeSeconds = 60
    /// Seconds at least between two renumberings.
    public var keyframeSeconds = 60
    /// Steps that each person can take back.
    public var undoMaximum = 200
    /// Bytes, about, that all steps of all people may take; of one person a quarter of that.
    public var undoByteMaximum = 8 << 20
    /// Clients that are remembered after they left, so that their ops are not applied twice.
    public var clientMaximum = 4096
    /// Seconds for which clients are remembered that left without asking for a change.
    public var visitorSeconds = 60
    /// Tells this life of the room from all others. A session makes no random numbers; who makes it does.
    public var incarnation: UInt64 = 1
    /// What is kept and taken of events.
    public var events = EventLimits()
    /// Whether each step of an event is given out as `SessionEffect.record`.
    public var recordsEvents = false
    /// What work may cost.
    public var work = WorkBudget.standard
    /// How much memory the room may take.
    public var memory = MemoryBudget.standard
    /// How large the scene may become.
    public var sceneLimits = SceneLimits()
    /// Different sets of subtrees that members may watch at one time.
    public var subtreeMaximum = 32
    /// Different devices that the room serves at one time, besides the main one.
    public var deviceMaximum = 16
    /// Members that may watch the past at one time.
    public var watcherMaximum = 8
    /// Records and cycles that all seeking members may cost in one tick.
    public var replayBudget = 256

    /// Makes the standard options.
    public init() {}
}
