public import SceneWire

/// Options of a room. Durations are in ticks unless the name says otherwise.
public struct SessionOptions: Sendable, Equatable {
    /// The maximum number of frames that a member may leave unacknowledged before it leaves the
    /// group that receives every frame.
    public var unacknowledgedMaximum = 32
    /// Bytes of batches after which a snapshot is written.
    public var snapshotBytes = 256 << 10
    /// A snapshot is written after this many times its own bytes in batches.
    public var snapshotGrowth = 4
    /// Seconds after which a changed scene is written as a snapshot.
    public var snapshotSeconds = 900
    /// The number of view changes kept to bring lagging members up to date; about 40 bytes each.
    public var historyCostMaximum = 16_384
    /// Seconds without any change after which the room freezes its scene; 0 for never. Rebuilding a
    /// scene of 1,000 views takes as long as three ticks, so a pause between two edits should not
    /// freeze the room.
    public var freezeSeconds = 60
    /// The minimum number of seconds between two renumberings.
    public var keyframeSeconds = 60
    /// The number of steps that each person can undo.
    public var undoMaximum = 200
    /// Approximate bytes that all steps of all people may take; one person's may take a quarter of
    /// that.
    public var undoByteMaximum = 8 << 20
    /// The number of departed clients that are remembered, so that their ops are not applied twice.
    public var clientMaximum = 4096
    /// Seconds for which departed clients that requested no change are remembered.
    public var visitorSeconds = 60
    /// Distinguishes this life of the room from all others. The creator chooses it, since a session
    /// makes no random numbers.
    public var incarnation: UInt64 = 1
    /// The limits of events.
    public var events = EventLimits()
    /// Whether each step of an event is emitted as `SessionEffect.record`.
    public var recordsEvents = false
    /// Whether an answer leaves only once the journal has proved that it was this room's to give:
    /// where another node may have taken the room over without this one knowing, what is refused
    /// here may have been kept there.
    public var provesAnswers = false
    /// A snapshot is due once a replay takes this part of what a message may take, one in so many,
    /// or eight times what a snapshot takes.
    public var replayDivisor: UInt64 = 4
    /// The pictures that ops and documents may name; without a library every image is taken as it
    /// is given.
    public var images: ImageLibrary?
    /// What a program behind the room refuses; `nil` for nothing.
    public var policy: OpPolicy?
    /// The limits of work.
    public var work = WorkBudget.standard
    /// The memory that the room may take.
    public var memory = MemoryBudget.standard
    /// The maximum size of the scene.
    public var sceneLimits = SceneLimits()
    /// The maximum number of different sets of subtrees watched at one time.
    public var subtreeMaximum = 32
    /// The maximum number of devices served at one time, besides the main one.
    public var deviceMaximum = 16
    /// The maximum number of members that watch the past at one time.
    public var watcherMaximum = 8
    /// Records and cycles that all seeking members may replay in one tick.
    public var replayBudget = 256

    /// Makes the standard options.
    public init() {}

    /// What makes a snapshot due, up to half as much more, as the room's incarnation has it: rooms
    /// that began together and are edited alike would otherwise write theirs in the same tick, and
    /// everybody on their thread would wait for all of them.
    func apart(_ due: UInt64) -> UInt64 {
        let (scaled, fraction) = due.multipliedFullWidth(by: 512 + incarnation % 256)
        return scaled >> 9 == 0 ? (scaled << 55) | (UInt64(fraction) >> 9) : .max
    }
}
