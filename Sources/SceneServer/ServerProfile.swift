/// Presets of a server's limits; each limit can be set individually as well.
public enum ServerProfile: String, CaseIterable, Sendable {
    /// For people who know one another: all limits of the protocol.
    case trusted
    /// For the public: small scenes, and as much of everything as one person at a screen needs.
    case internet

    /// The limits of connections and rooms.
    public var limits: ServerLimits {
        var limits = ServerLimits()
        guard self == .internet else { return limits }
        // A whole scene of that size; its layout takes about two million units.
        limits.messageBytes = 512 << 10
        limits.opsPerMessage = 2_000
        limits.textBytes = 8_192
        limits.views = 2_000
        limits.constraints = 8_000
        limits.animationSeconds = 60
        limits.workPerOp = 40_000_000
        limits.workPerMessage = 40_000_000
        limits.workPerTick = 2_000_000
        limits.workPerSecond = 40_000_000
        // Scenes of that size take about 10 MiB, with a few devices and their past.
        limits.memoryPerRoomMebibytes = 128
        limits.memoryPerMemberMebibytes = 32
        // A dragged pointer sends 60 or 120 messages a second, and its presence as many.
        limits.messagesPerSecond = 120
        limits.opsPerSecond = 2_000
        limits.eventsPerSecond = 240
        limits.otherMessagesPerSecond = 240
        limits.copiedBytesPerSecond = 2 << 20
        limits.bytesPerSecond = 256 << 10
        // An office behind one address, with all of its tabs when the server restarts.
        limits.connectionsPerAddress = 100
        limits.handshakesPerAddress = 20
        limits.roomsPerMinute = 120
        limits.roomsPerPerson = 100
        limits.membersPerRoom = 1_000
        limits.banSeconds = 3_600
        return limits
    }

    /// The maximum lifetime of a token in seconds; 0 for no limit.
    public var tokenLifetimeSeconds: Int {
        switch self {
        case .trusted: 0
        case .internet: 86_400
        }
    }
}
