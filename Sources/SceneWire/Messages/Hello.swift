import ConstraintLanguage

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

extension Resume: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("session", &session, maximum: FieldLimits.nameBytes)
        try coder.text("token", &token, maximum: FieldLimits.tokenBytes)
        try coder.u64("epoch", &epoch)
        try coder.u64("lastTick", &lastTick)
    }
}

/// What a member may do.
public enum Role: String, CaseIterable, Sendable {
    /// Watch.
    case viewer
    /// Change the scene.
    case editor
    /// Watch, and use what programs put into the scene: send events, but no ops. Last, because the
    /// order is that of the wire.
    case participant

    /// Whether a member may send events.
    public var sendsEvents: Bool { self != .viewer }
    /// Whether a member may change the scene, and handle events.
    public var edits: Bool { self == .editor }

    /// The lesser of two roles: viewer, participant, editor.
    public static func least(_ one: Role, _ other: Role) -> Role {
        one.rank < other.rank ? one : other
    }

    /// How much it permits: 0 for the least.
    public var rank: Int {
        switch self {
        case .viewer: 0
        case .participant: 1
        case .editor: 2
        }
    }
}

/// The first message of a client.
public struct Hello: Sendable, Equatable {
    /// Bits of what it understands beyond version 1.
    public var capabilities: UInt64 = 0
    /// Proves the client's identity; empty without authentication.
    public var token = ""
    /// The room's name.
    public var room = ""
    /// The role that the client requests.
    public var role = Role.viewer
    /// The session to resume; `nil` for a new one.
    public var resume: Resume?
    /// The unit it would like, in units a point; 0 leaves it to the room.
    public var unitsPerPoint = 0.0
    /// The subtrees that the client subscribes to; empty for the whole scene.
    public var roots: [String] = []
    /// The most frames a second; 0 leaves it to the server.
    public var frameRateMaximum: UInt32 = 0
    /// The device that the client requests; `nil` for the main one.
    public var device: DeviceRequest?

    /// Makes a hello to no room.
    public init() {}
}

extension Hello: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("capabilities", &capabilities)
        try coder.text("token", &token, maximum: FieldLimits.tokenBytes)
        try coder.text("room", &room, maximum: FieldLimits.nameBytes)
        try coder.choice("role", &role)
        // Ends that know no events refuse it.
        if role == .participant, capabilities & Capability.events == 0 {
            try coder.invalid("role", "viewer or editor, without the capability for events")
        }
        try coder.optional("resume", &resume)
        try coder.f64("unitsPerPoint", &unitsPerPoint)
        try coder.texts("roots", &roots, maximum: 64, textMaximum: Identifier.byteMaximum)
        try coder.u32("frameRateMaximum", &frameRateMaximum)
        try coder.extra(2, "device", &device)
    }
}
