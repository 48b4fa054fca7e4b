import ArgumentParser
import SceneServer

extension ArgumentHelp {
    /// The help text of a limit, with its default in each profile.
    fileprivate static func limit(
        _ text: String, _ path: KeyPath<ServerLimits, Int>
    ) -> ArgumentHelp {
        let trusted = ServerProfile.trusted.limits[keyPath: path]
        let internet = ServerProfile.internet.limits[keyPath: path]
        let both = trusted == internet ? "" : "; with --profile internet: \(internet)"
        return "\(text) (default: \(trusted)\(both))"
    }
}

/// Options for limits.
struct LimitOptions: ParsableArguments {
    @Option(help: .limit("Bytes of one message.", \.messageBytes)) var maxMessageBytes: Int?
    @Option(help: .limit("Ops of one message.", \.opsPerMessage)) var maxOpsPerMessage: Int?
    @Option(help: .limit("Bytes of one text.", \.textBytes)) var maxTextBytes: Int?
    @Option(help: .limit("Views of a scene.", \.views)) var maxViews: Int?
    @Option(help: .limit("Constraints of a scene.", \.constraints)) var maxConstraints: Int?
    @Option(help: .limit("Seconds of an animation, and of its delay.", \.animationSeconds))
    var maxAnimationSeconds: Int?
    @Option(
        help: .limit("Units of work of one op (scenesync layout --work counts them).", \.workPerOp))
    var maxWorkPerOp: Int?
    @Option(help: .limit("Units of work of one message.", \.workPerMessage)) var maxWorkPerMessage:
        Int?
    @Option(help: .limit("Units of work of a room's messages of one tick.", \.workPerTick))
    var maxWorkPerTick: Int?
    @Option(help: .limit("Units of work of a room in a second on average.", \.workPerSecond))
    var maxWorkPerSecond: Int?
    @Option(
        help: .limit("Bytes of all messages of one client in a second; 0: any.", \.bytesPerSecond))
    var maxBytesPerSecond: Int?
    @Option(
        help: .limit("Messages with ops of one client in a second; 0: any.", \.messagesPerSecond))
    var maxMessagesPerSecond: Int?
    @Option(help: .limit("Ops of one client in a second; 0: any.", \.opsPerSecond))
    var maxOpsPerSecond: Int?
    @Option(help: .limit("Events of one client in a second; 0: any.", \.eventsPerSecond))
    var maxEventsPerSecond: Int?
    @Option(
        help: .limit(
            "Bytes of the copies of one client's messages to everyone in a second; 0: any.",
            \.copiedBytesPerSecond)) var maxCopiedBytesPerSecond: Int?
    @Option(
        help: .limit("Other messages of one client in a second; 0: any.", \.otherMessagesPerSecond))
    var maxOtherMessagesPerSecond: Int?
    @Option(help: .limit("WebSocket connections.", \.connections)) var maxConnections: Int?
    @Option(
        help: .limit(
            "WebSocket connections of one address, unless set not of this machine's; 0: any.",
            \.connectionsPerAddress)) var maxConnectionsPerAddress: Int?
    @Option(
        help: .limit(
            "Opening handshakes of one address in a second, unless set not of this machine's; 0: any.",
            \.handshakesPerAddress)) var maxHandshakesPerSecond: Int?
    @Option(help: .limit("Members of one room.", \.membersPerRoom)) var maxMembersPerRoom: Int?
    @Option(help: .limit("Rooms with members or in memory.", \.rooms)) var maxRooms: Int?
    @Option(
        help: .limit(
            "Rooms among these that one person has opened, by subject or else by address, unless set not this machine's; 0: any.",
            \.roomsPerPerson)) var maxRoomsPerPerson: Int?
    @Option(
        help: .limit(
            "Rooms that one address opens in a minute, unless set not of this machine's; 0: any.",
            \.roomsPerMinute)) var maxRoomsPerMinute: Int?
    @Option(help: .limit("Bytes that may wait for one connection.", \.outboxBytes))
    var maxOutboxBytes: Int?
    @Option(
        help: .limit(
            "MiB of memory that the process may take; 0 for three quarters of what the machine or the control group has.",
            \.memoryMebibytes)) var maxMemory: Int?
    @Option(help: .limit("MiB of memory that one room may take.", \.memoryPerRoomMebibytes))
    var maxMemoryPerRoom: Int?
    @Option(
        help: .limit("MiB of memory that is kept for one member alone.", \.memoryPerMemberMebibytes)
    )
    var maxMemoryPerMember: Int?
    @Option(help: .limit("Seconds in which a connection has to say hello.", \.helloSeconds))
    var helloTimeout: Int?
    @Option(
        help: .limit(
            "Seconds of silence after which a member's connection is closed; 0: never.",
            \.idleSeconds)) var idleTimeout: Int?
    @Option(
        help: .limit(
            "Seconds for which a member that an administrator removed may not come back; 0: none.",
            \.banSeconds)) var banTime: Int?
    @Option(
        help: .init(
            "Seconds of silence after which a ping is sent. (default: \(ServerOptions().pingSeconds))"
        ))
    var pingInterval: Int?

    /// Resolves these settings and stores them.
    ///
    /// - Throws: `SettingError` for the first invalid one.
    func resolve(into configuration: inout ServeConfiguration) throws(SettingError) {
        var settings = configuration.settings
        var limits = configuration.profile.limits
        func resolve(
            _ name: String, _ flag: Int?, _ path: WritableKeyPath<ServerLimits, Int>
        ) throws(SettingError) {
            limits[keyPath: path] = try settings.integer(name, flag, limits[keyPath: path])
        }
        try resolve("max-message-bytes", maxMessageBytes, \.messageBytes)
        try resolve("max-ops-per-message", maxOpsPerMessage, \.opsPerMessage)
        try resolve("max-text-bytes", maxTextBytes, \.textBytes)
        try resolve("max-views", maxViews, \.views)
        try resolve("max-constraints", maxConstraints, \.constraints)
        try resolve("max-animation-seconds", maxAnimationSeconds, \.animationSeconds)
        /// A limit of each address: an explicit value applies to this machine's addresses too,
        /// which by default have no limit.
        func resolve(
            _ name: String, _ flag: Int?, _ path: WritableKeyPath<ServerLimits, Int>,
            alsoHere local: WritableKeyPath<ServerLimits, Int>
        ) throws(SettingError) {
            try resolve(name, flag, path)
            if settings.isGiven(name) { limits[keyPath: local] = limits[keyPath: path] }
        }
        try resolve("max-work-per-op", maxWorkPerOp, \.workPerOp)
        try resolve("max-work-per-message", maxWorkPerMessage, \.workPerMessage)
        try resolve("max-work-per-tick", maxWorkPerTick, \.workPerTick)
        try resolve("max-work-per-second", maxWorkPerSecond, \.workPerSecond)
        try resolve("max-bytes-per-second", maxBytesPerSecond, \.bytesPerSecond)
        try resolve("max-messages-per-second", maxMessagesPerSecond, \.messagesPerSecond)
        try resolve("max-ops-per-second", maxOpsPerSecond, \.opsPerSecond)
        try resolve("max-events-per-second", maxEventsPerSecond, \.eventsPerSecond)
        try resolve(
            "max-copied-bytes-per-second", maxCopiedBytesPerSecond, \.copiedBytesPerSecond)
        try resolve(
            "max-other-messages-per-second", maxOtherMessagesPerSecond,
            \.otherMessagesPerSecond)
        try resolve("max-connections", maxConnections, \.connections)
        try resolve(
            "max-connections-per-address", maxConnectionsPerAddress,
            \.connectionsPerAddress, alsoHere: \.connectionsOfThisMachine)
        try resolve(
            "max-handshakes-per-second", maxHandshakesPerSecond, \.handshakesPerAddress,
            alsoHere: \.handshakesOfThisMachine)
        try resolve("max-members-per-room", maxMembersPerRoom, \.membersPerRoom)
        try resolve("max-rooms", maxRooms, \.rooms)
        try resolve(
            "max-rooms-per-person", maxRoomsPerPerson, \.roomsPerPerson,
            alsoHere: \.roomsPerPersonOfThisMachine)
        try resolve(
            "max-rooms-per-minute", maxRoomsPerMinute, \.roomsPerMinute,
            alsoHere: \.roomsPerMinuteOfThisMachine)
        try resolve("max-outbox-bytes", maxOutboxBytes, \.outboxBytes)
        try resolve("max-memory", maxMemory, \.memoryMebibytes)
        try resolve("max-memory-per-room", maxMemoryPerRoom, \.memoryPerRoomMebibytes)
        try resolve("max-memory-per-member", maxMemoryPerMember, \.memoryPerMemberMebibytes)
        try resolve("hello-timeout", helloTimeout, \.helloSeconds)
        try resolve("idle-timeout", idleTimeout, \.idleSeconds)
        try resolve("ban-time", banTime, \.banSeconds)
        configuration.server.pingSeconds = try settings.integer(
            "ping-interval", pingInterval, configuration.server.pingSeconds, in: 1...3600)
        configuration.server.limits = limits
        configuration.settings = settings
    }
}
