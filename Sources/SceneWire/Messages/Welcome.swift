public import SceneDocument

/// What the server grants.
public struct GrantedLimits: Sendable, Equatable {
    /// Bytes of a message.
    public var messageBytes = UInt32(Limits.standard.messageBytesMaximum)
    /// Views of a scene.
    public var views = UInt32(Limits.standard.viewMaximum)
    /// Constraints of a scene.
    public var constraints = UInt32(Limits.standard.constraintMaximum)
    /// Ops of a message.
    public var ops = UInt32(Limits.standard.opMaximum)
    /// Op messages a second; 0 for no limit.
    public var messagesPerSecond: UInt32 = 0
    /// Levels of views below the root.
    public var depth = UInt32(Limits.standard.depthMaximum)
    /// Bytes of one text.
    public var textBytes = UInt32(Limits.standard.textBytesMaximum)
    /// Bytes that a deflated block inflates to.
    public var inflatedBytes = UInt32(Limits.standard.inflatedBytesMaximum)
    /// Frames that may be unacknowledged before no more are sent: half a second at 60 ticks a
    /// second.
    public var unacknowledgedFrames: UInt32 = 32
    /// Frames after which a client acknowledges (SPEC MSG-14): a quarter of those that it may owe,
    /// so that even one far away, whose acknowledgements take the time of many ticks, never owes
    /// too many.
    public var framesPerAcknowledgement: Int {
        Self.framesPerAcknowledgement(owing: Int(clamping: unacknowledgedFrames))
    }

    /// The same for a number of frames that may be unacknowledged.
    public static func framesPerAcknowledgement(owing maximum: Int) -> Int { max(1, maximum / 4) }

    /// Makes the standard limits.
    public init() {}
}

extension GrantedLimits: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("messageBytes", &messageBytes)
        try coder.u32("views", &views)
        try coder.u32("constraints", &constraints)
        try coder.u32("ops", &ops)
        try coder.u32("messagesPerSecond", &messagesPerSecond)
        try coder.u32("depth", &depth)
        try coder.u32("textBytes", &textBytes)
        try coder.u32("inflatedBytes", &inflatedBytes)
        try coder.u32("unacknowledgedFrames", &unacknowledgedFrames)
    }
}

extension Size {
    mutating func code<Coder: FieldCoder>(
        _ name: String, _ coder: inout Coder
    ) throws(Coder.Failure) {
        var values = [width, height]
        try coder.doubles(name, &values)
        self = Size(width: values[0], height: values[1])
    }
}

/// Other addresses of the room. SPEC.md, CONN-37.
public struct Alternates: Sendable, Equatable {
    /// The most addresses that a welcome names.
    public static let countMaximum = 8
    /// The bytes of the longest address that clients take.
    public static let urlBytesMaximum = 512

    /// `ws:` or `wss:` URLs of the room at other servers, the preferred first. What a peer sent is
    /// not checked: clients pass over what is none.
    public var urls: [String] = []

    /// Names none.
    public init() {}

    /// Names addresses.
    ///
    /// - Parameter urls: At most `countMaximum`.
    public init(urls: [String]) { self.urls = urls }
}

extension Alternates: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts(
            "urls", &urls, maximum: Self.countMaximum, textMaximum: coder.limits.textBytesMaximum)
    }
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
    /// Tells one life of the room in a server's memory from all others, for clients that exchange
    /// events: an epoch can come twice where a server died before it wrote anything.
    public var incarnation: UInt64?
    /// What work may cost; `nil` from a server that does not count.
    public var work: WorkBudget?
    /// Other addresses at which the client finds the room; `nil` for none.
    public var alternates: Alternates?
    /// The member's own number in presence and events; `nil` from a server that does not tell it.
    public var client: UInt64?
    /// What the annotations of the member's person name it by; `nil` without the capability.
    public var person: UInt64?

    /// Makes a welcome to a session without a name.
    public init() {}
}

extension Welcome: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("session", &session, maximum: FieldLimits.nameBytes)
        try coder.text("resumeToken", &resumeToken, maximum: FieldLimits.tokenBytes)
        try coder.u64("epoch", &epoch)
        try coder.u32("version", &version)
        try coder.u64("capabilities", &capabilities)
        try coder.u32("tickRate", &tickRate)
        try coder.u64("tick", &tick)
        try coder.u64("monotonicMilliseconds", &monotonicMilliseconds)
        try coder.f64("unitsPerPoint", &unitsPerPoint)
        try viewport.code("viewport", &coder)
        try coder.f64("scale", &scale)
        try cell.code("cell", &coder)
        try coder.value("limits", &limits)
        try coder.choice("role", &role)
        // Ends that know no events refuse it.
        if role == .participant, capabilities & Capability.events == 0 {
            try coder.invalid("role", "viewer or editor, without the capability for events")
        }
        try coder.extra(2, "work", &work)
        try coder.extra(4, "incarnation", &incarnation)
        try coder.extra(6, "alternates", &alternates)
        try coder.extra(8, "client", &client)
        try coder.extra(10, "person", &person)
    }
}
