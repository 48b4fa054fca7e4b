/// The numbers that a server starts from; every limit can be set besides.
public enum ServerProfile: String, CaseIterable, Sendable {
    /// People who know one another: whatever the protocol allows.
    case trusted
    /// Anybody: small scenes, and as much of everything as one person at a screen needs.
    case internet

    /// The limits of connections and rooms.
    public var limits: ServerLimits {
        var limits = ServerLimits()
        guard self == .internet else { return limits }
        // A scene of that size whole; its layout takes some two million units.
        limits.messageBytes = 512 << 10
        limits.opsPerMessage = 2_000
        limits.textBytes = 8_192
        limits.views = 2_000
        limits.constraints = 8_000
        limits.workPerOp = 40_000_000
        limits.workPerMessage = 40_000_000
        limits.workPerTick = 2_000_000
        limits.workPerSecond = 40_000_000
        // Scenes of that size take some 10 MiB, on a few devices and with their past.
        limits.memoryPerRoomMebibytes = 128
        limits.memoryPerMemberMebibytes = 32
        // A pointer that is dragged sends 60 or 120 a second, and so does its presence.
        limits.messagesPerSecond = 120
        limits.opsPerSecond = 2_000
        limits.eventsPerSecond = 240
        limits.otherMessagesPerSecond = 240
        limits.bytesPerSecond = 256 << 10
        // An office behind one address, and all of its tabs when the server comes back.
        limits.connectionsPerAddress = 100
        limits.handshakesPerAddress = 20
        limits.roomsPerMinute = 120
        limits.membersPerRoom = 1_000
        limits.banSeconds = 3_600
        return limits
    }

    /// The longest lifetime of a token in seconds; 0 for any.
    public var tokenLifetimeSeconds: Int {
        switch self {
        case .trusted: 0
        case .internet: 86_400
        }
    }
}
