/// What a client asks to go on with.
public struct Resume: Sendable, Equatable {
    /// The session, as `welcome` named it.
    public var session = ""
    /// The token that `welcome` gave.
    public var token = ""
    /// The epoch it knows.
    public var epoch: UInt64 = 0
    /// The last tick it applied.
    public var lastTick: UInt64 = 0

    /// Makes an empty value.
    public init() {}
}

/// What a member may do.
public enum Role: String, CaseIterable, Sendable {
    /// Watch.
    case viewer
    /// Change the scene.
    case editor
}

/// The first message of a client.
public struct Hello: Sendable, Equatable {
    /// Bits of what it understands beyond version 1.
    public var capabilities: UInt64 = 0
    /// Proves who it is; empty without authentication.
    public var token = ""
    /// The room's name.
    public var room = ""
    /// The role it wants.
    public var role = Role.viewer
    /// What it wants to go on with.
    public var resume: Resume?
    /// The unit it would like, in units a point; 0 leaves it to the room.
    public var unitsPerPoint = 0.0
    /// The subtrees it wants; none for the whole scene.
    public var roots: [String] = []
    /// The most frames a second; 0 leaves it to the server.
    public var frameRateMaximum: UInt32 = 0

    /// Makes a hello to no room.
    public init() {}
}

/// What the server grants.
public struct GrantedLimits: Sendable, Equatable {
    /// Bytes of a message.
    public var messageBytes: UInt32 = 1 << 20
    /// Views of a scene.
    public var views: UInt32 = 10_000
    /// Constraints of a scene.
    public var constraints: UInt32 = 50_000
    /// Ops of a message.
    public var ops: UInt32 = 10_000
    /// Op messages a second; 0 for no limit.
    public var messagesPerSecond: UInt32 = 0
    /// Levels of views below the root.
    public var depth: UInt32 = 512
    /// Bytes of one text.
    public var textBytes: UInt32 = 65_536
    /// Bytes that a deflated block inflates to.
    public var inflatedBytes: UInt32 = 1 << 22
    /// Frames that may be unacknowledged before no more are sent: half a second at 60 ticks a second.
    public var unacknowledgedFrames: UInt32 = 32
    /// Frames after which a client acknowledges (SPEC MSG-7): a quarter of those that it may owe, so that even one far
    /// away, whose acknowledgements take the time of many ticks, never owes too many.
    public var framesPerAcknowledgement: Int {
        Self.framesPerAcknowledgement(owing: Int(unacknowledgedFrames))
    }

    /// The same for a number of frames that may be unacknowledged.
    public static func framesPerAcknowledgement(owing maximum: Int) -> Int { max(1, maximum / 4) }

    /// Makes the standard limits.
    public init() {}
}

/// The server's answer to `hello`.
public struct Welcome: Sendable, Equatable {
    /// The session's name.
    public var session = ""
    /// Lets this member come back.
    public var resumeToken = ""
    /// The session's epoch; it changes when the scene was rebuilt from the journal.
    public var epoch: UInt64 = 0
    /// The minor version of the protocol.
    public var version: UInt32 = 0
    /// Bits of what both ends understand beyond version 1.
    public var capabilities: UInt64 = 0
    /// Ticks a second.
    public var tickRate: UInt32 = 60
    /// The current tick.
    public var tick: UInt64 = 0
    /// The server's monotonic clock.
    public var monotonicMilliseconds: UInt64 = 0
    /// Units of frames a point: the scale, or 1024 where frames are not rounded.
    public var unitsPerPoint = 1.0
    /// The viewport's size in points.
    public var viewport = Size(width: 0, height: 0)
    /// Pixels a point.
    public var scale = 1.0
    /// The cell of the text grid, in points.
    public var cell = Size(width: 8, height: 16)
    /// The limits that hold for this member.
    public var limits = GrantedLimits()
    /// The role that was given.
    public var role = Role.viewer

    /// Makes a welcome to a session without a name.
    public init() {}
}

/// All views, or a chunk of them, in preorder.
public struct Snapshot: Sendable, Equatable {
    /// The session's epoch.
    public var epoch: UInt64 = 0
    /// The tick whose state it is.
    public var tick: UInt64 = 0
    /// Which chunk, from 0.
    public var chunkIndex: UInt32 = 0
    /// How many chunks.
    public var chunkCount: UInt32 = 1
    /// Whether the bytes of the views are deflated in the binary format.
    public var isDeflated = false
    /// The hash of the whole state.
    public var stateHash: UInt64 = 0
    /// The views; a superview comes before its subviews, subviews in their order.
    public var views: [ViewRecord] = []

    /// Makes an empty snapshot.
    public init() {}
}

/// Changed frames from one tick to another.
public struct Frame: Sendable, Equatable {
    /// The low eight bits of the tick after it, by which a receiver notices that it is elsewhere.
    ///
    /// A receiver knows the rest: it is at the tick that the frame builds on.
    public var tickLow: UInt8 = 0
    /// How many ticks it moves a mirror on.
    public var baseDistance: UInt64 = 0
    /// How many ticks before the one after it the last one lies whose ops are on disk.
    public var durableDistance: UInt64 = 0
    /// The changes.
    public var body = FrameBody()

    /// Makes a frame that changes nothing and moves on by no tick.
    public init() {}

    /// Makes a frame from ticks.
    ///
    /// - Parameters:
    ///   - tick: The tick after it.
    ///   - baseTick: The tick it builds on; at most `tick`.
    ///   - durableTick: The last tick whose ops are on disk; at most `tick`.
    public init(tick: UInt64, baseTick: UInt64, durableTick: UInt64, body: FrameBody = FrameBody())
    {
        setTicks(tick: tick, baseTick: baseTick, durableTick: durableTick)
        self.body = body
    }

    /// Says the ticks of a frame whose body is used again; as in the initialiser.
    public mutating func setTicks(tick: UInt64, baseTick: UInt64, durableTick: UInt64) {
        tickLow = UInt8(truncatingIfNeeded: tick)
        baseDistance = tick &- baseTick
        durableDistance = tick &- durableTick
    }

    /// The tick after it on a mirror at `tick`; nil if the frame was made for another one.
    public func tick(after tick: UInt64) -> UInt64? {
        let (next, overflows) = tick.addingReportingOverflow(baseDistance)
        let fits =
            !overflows && UInt8(truncatingIfNeeded: next) == tickLow && durableDistance <= next
        return fits ? next : nil
    }
}

/// A remembered selection, for a receiver that was not there when it was first used.
public struct Select: Sendable, Equatable {
    /// Where it goes; the next new selection goes to the slot after it.
    public var slot: UInt8 = 0
    /// The selection.
    public var selection = Selection(mask: .x, numbers: [0])
    /// The deltas it was used with last, one for each bit of its mask.
    public var deltas: FieldDeltas = [0]

    /// Makes a message about view 0.
    public init() {}
}

/// A change of the view tree.
public enum TreeChange: Sendable, Equatable {
    /// A new view, at that place among its siblings.
    case add(ViewRecord, index: UInt32)
    /// A view and its subviews are gone; its number is not used again in this generation.
    case remove(ViewNumber)
    /// A view has another superview or place.
    case move(ViewNumber, parent: ViewNumber, index: UInt32)
}

/// Changes of the view tree, in order.
public struct Tree: Sendable, Equatable {
    /// The tick of the frame that concludes them.
    public var tick: UInt64 = 0
    /// The changes.
    public var changes: [TreeChange] = []

    /// Makes a message that changes nothing.
    public init() {}
}

/// The new content of a view.
public struct ContentChange: Sendable, Equatable {
    /// The view.
    public var number = ViewNumber(0)
    /// What is drawn of it now.
    public var content = ViewContent()

    /// Makes a change of view 0.
    public init() {}
}

/// A rectangle that must be drawn anew though nothing in it changed.
public struct Invalidation: Sendable, Equatable {
    /// The view.
    public var number = ViewNumber(0)
    /// In the view's own coordinates.
    public var rect = QuantisedFrame.zero

    /// Makes an empty rectangle of view 0.
    public init() {}
}

/// Changes of what is drawn.
public struct Content: Sendable, Equatable {
    /// The tick of the frame that concludes them.
    public var tick: UInt64 = 0
    /// The changes.
    public var changes: [ContentChange] = []
    /// What must be drawn anew.
    public var invalidations: [Invalidation] = []

    /// Makes a message that changes nothing.
    public init() {}
}

/// The state hash at a tick.
public struct StateHash: Sendable, Equatable {
    /// The tick.
    public var tick: UInt64 = 0
    /// See `ViewHash`.
    public var hash: UInt64 = 0

    /// Makes a hash of nothing.
    public init() {}
}
