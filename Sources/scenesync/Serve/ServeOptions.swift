import ArgumentParser
import SceneServer
import WebSocketTransport

/// Options of listening and of the journal.
struct ListenOptions: ParsableArguments {
    @Option(help: "A JSON file of settings by these names; flags and SCENESYNC_… variables win.")
    var config: String?

    @Option(
        help:
            "The numbers that limits start from: trusted, what the protocol allows, or internet, small scenes and little of everything for each client. (default: trusted)"
    )
    var profile: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port; 0 takes a free one. (default: 7070)")
    var port: Int?

    @Option(help: "The journal's directory. (default: .scenesync)")
    var data: String?

    @Flag(help: "Keep no journal: everything is lost when the server ends.")
    var inMemory = false

    @Option(help: "A scene document that fills the room \"demo\", unless that has a journal.")
    var scene: String?

    @Option(help: "Days for which every record of the journal is kept, 1 or more. (default: 7)")
    var retentionDays: Int?

    @Option(
        help:
            "The members that create rooms by joining them: editors or administrators. (default: editors)"
    )
    var roomMakers: String?

    @Option(help: "Seconds after which a room without members is unloaded. (default: 600)")
    var unloadAfter: Int?

    @Option(
        help:
            "Seconds without a change after which a room keeps its scene as bytes; 0: never. (default: 60)"
    )
    var freezeAfter: Int?

    @Option(help: "Update cycles in a second, 1 to 240. (default: 60)")
    var tickRate: Int?

    @Option(help: "Threads that serve connections. (default: 1)")
    var threads: Int?

    @Option(help: "Threads that update scenes. (default: 1)")
    var sceneThreads: Int?

    @Option(help: "Seconds within which SIGTERM ends the process. (default: 5)")
    var drainTimeout: Int?

    @Option(
        help:
            "The lowest level that is logged: trace, debug, info, notice, warning, error. (default: notice)"
    )
    var logLevel: String?

    @Option(help: "The format of log lines: text or json. (default: text)")
    var logFormat: String?

    func validate() throws {
        if let port, !(0...65_535).contains(port) {
            throw ValidationError("the port is \(port), expected 0 to 65535")
        }
        if let logFormat, logFormat != "text", logFormat != "json" {
            throw ValidationError("there is no log format \(logFormat)")
        }
    }
}

/// Options of access.
struct AccessOptions: ParsableArguments {
    @Option(help: "The TLS certificate chain, a PEM file; serves wss. SIGHUP reads it again.")
    var tlsCert: String?

    @Option(help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(
        help:
            "Make a certificate for this machine in the data directory and serve wss, for development."
    )
    var tlsSelfSigned = false

    @Option(
        help: "A file with a secret of 32 bytes or more: tokens signed with it (HS256) are needed.")
    var authSecretFile: String?

    @Option(
        parsing: .upToNextOption,
        help:
            "PEM files with public keys of P-256, RSA or Ed25519: tokens signed for them (ES256, RS256, EdDSA) are needed."
    )
    var authPublicKey: [String] = []

    @Option(help: "A JSON Web Key Set, whose tokens are needed.")
    var authJwks: String?

    @Option(help: "The issuer (iss) that tokens have to name; any by default.")
    var authIssuer: String?

    @Option(help: "The audience (aud) that tokens have to name; any by default.")
    var authAudience: String?

    @Option(
        help: .init(
            "The longest lifetime of a token in seconds, counted from its issue; 0: any. (default: \(ServerProfile.trusted.tokenLifetimeSeconds); with --profile internet: \(ServerProfile.internet.tokenLifetimeSeconds))"
        ))
    var authMaxLifetime: Int?

    @Option(
        parsing: .upToNextOption,
        help:
            "Origins whose pages may connect, * for all; by default those of this host and of this machine."
    )
    var allowOrigin: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "Addresses of proxies whose X-Forwarded-For header is trusted.")
    var trustedProxy: [String] = []

    @Flag(
        help: "Listen beyond this machine without keys; every client may edit.")
    var insecureBind = false
}

extension ArgumentHelp {
    /// The help of a limit, with its default in each profile.
    fileprivate static func limit(
        _ text: String, _ path: KeyPath<ServerLimits, Int>
    ) -> ArgumentHelp {
        let trusted = ServerProfile.trusted.limits[keyPath: path]
        let internet = ServerProfile.internet.limits[keyPath: path]
        let both = trusted == internet ? "" : "; with --profile internet: \(internet)"
        return "\(text) (default: \(trusted)\(both))"
    }
}

/// Options of limits.
struct LimitOptions: ParsableArguments {
    @Option(help: .limit("Bytes of one message.", \.messageBytes)) var maxMessageBytes: Int?
    @Option(help: .limit("Ops of one message.", \.opsPerMessage)) var maxOpsPerMessage: Int?
    @Option(help: .limit("Bytes of one text.", \.textBytes)) var maxTextBytes: Int?
    @Option(help: .limit("Views of a scene.", \.views)) var maxViews: Int?
    @Option(help: .limit("Constraints of a scene.", \.constraints)) var maxConstraints: Int?
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
}

/// The settings of `serve`, from all of their sources.
struct ServeConfiguration {
    var server = ServerOptions()
    private var profile = ServerProfile.trusted
    var scenePath: String?
    var makesCertificate = false
    var drainSeconds = 5
    var logLevel = "notice"
    var logFormat = "text"
    /// For `--print-config`.
    var settings: Settings

    /// Settles all settings.
    ///
    /// - Throws: `SettingError` for the first that cannot be used.
    init(
        _ listen: ListenOptions, _ access: AccessOptions, _ limits: LimitOptions,
        environment: [String: String]
    ) throws(SettingError) {
        settings = try Settings(
            file: listen.config ?? environment["SCENESYNC_CONFIG"], environment: environment)
        try settle(listen)
        try settle(access)
        try settle(limits)
        try settings.checkNames()
    }

    private mutating func settle(_ flags: ListenOptions) throws(SettingError) {
        let standard = ServerOptions()
        let name = try settings.text("profile", flags.profile, profile.rawValue)
        guard let profile = ServerProfile(rawValue: name) else {
            throw SettingError(description: "profile is \(name), expected trusted or internet")
        }
        self.profile = profile
        server.host = try settings.text("host", flags.host, standard.host)
        server.port = try settings.integer("port", flags.port, standard.port)
        guard (0...65_535).contains(server.port) else {
            throw SettingError(description: "the port is \(server.port), expected 0 to 65535")
        }
        let data = try settings.text("data", flags.data, ".scenesync")
        server.dataDirectory = try settings.isOn("in-memory", flags.inMemory) ? nil : data
        scenePath = try settings.optionalText("scene", flags.scene)
        let makers = try settings.text(
            "room-makers", flags.roomMakers, standard.roomMakers.rawValue)
        guard let roomMakers = RoomMakers(rawValue: makers) else {
            throw SettingError(
                description: "room-makers is \(makers), expected editors or administrators")
        }
        server.roomMakers = roomMakers
        server.retentionDays = try settings.integer(
            "retention-days", flags.retentionDays, standard.retentionDays)
        server.unloadSeconds = try settings.integer(
            "unload-after", flags.unloadAfter, standard.unloadSeconds)
        server.freezeSeconds = try settings.integer(
            "freeze-after", flags.freezeAfter, standard.freezeSeconds)
        for (name, value, range) in [
            ("retention-days", server.retentionDays, 1...36_500),
            ("freeze-after", server.freezeSeconds, 0...86_400),
            ("unload-after", server.unloadSeconds, 0...31_536_000),
        ] where !range.contains(value) {
            throw SettingError(
                description:
                    "\(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)")
        }
        server.tickRate = try settings.integer("tick-rate", flags.tickRate, standard.tickRate)
        server.loopThreads = try settings.integer("threads", flags.threads, standard.loopThreads)
        server.sceneThreads = try settings.integer(
            "scene-threads", flags.sceneThreads, standard.sceneThreads)
        for (name, count) in [
            ("threads", server.loopThreads), ("scene-threads", server.sceneThreads),
        ] where !(1...64).contains(count) {
            throw SettingError(description: "\(name) is \(count), expected 1 to 64")
        }
        drainSeconds = try settings.integer("drain-timeout", flags.drainTimeout, 5)
        guard (1...3600).contains(drainSeconds) else {
            throw SettingError(
                description: "drain-timeout is \(drainSeconds), expected 1 to 3600")
        }
        logLevel = try settings.text("log-level", flags.logLevel, "notice")
        logFormat = try settings.text("log-format", flags.logFormat, "text")
        guard logFormat == "text" || logFormat == "json" else {
            throw SettingError(description: "there is no log format \(logFormat)")
        }
    }

    private mutating func settle(_ flags: AccessOptions) throws(SettingError) {
        let certificate = try settings.optionalText("tls-cert", flags.tlsCert)
        let key = try settings.optionalText("tls-key", flags.tlsKey)
        makesCertificate = try settings.isOn("tls-self-signed", flags.tlsSelfSigned)
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            server.tls = .init(certificatePath: certificate, privateKeyPath: key)
        default: throw SettingError(description: "tls-cert and tls-key belong together")
        }
        server.keys.secretFile = try settings.optionalText(
            "auth-secret-file", flags.authSecretFile)
        server.keys.publicKeyFiles = try settings.texts("auth-public-key", flags.authPublicKey)
        server.keys.keySetFile = try settings.optionalText("auth-jwks", flags.authJwks)
        server.keys.rules.issuer = try settings.optionalText("auth-issuer", flags.authIssuer)
        server.keys.rules.audience = try settings.optionalText("auth-audience", flags.authAudience)
        let lifetime = try settings.integer(
            "auth-max-lifetime", flags.authMaxLifetime, profile.tokenLifetimeSeconds)
        guard (0...1_000_000_000).contains(lifetime) else {
            throw SettingError(
                description: "auth-max-lifetime is \(lifetime), expected 0 to 1000000000")
        }
        server.keys.rules.lifetimeSeconds = lifetime
        let origins = try settings.texts("allow-origin", flags.allowOrigin)
        server.origins =
            origins.isEmpty ? .sameHost : origins.contains("*") ? .any : .only(origins)
        server.trustedProxies = try settings.texts("trusted-proxy", flags.trustedProxy)
        server.allowsInsecureBind = try settings.isOn("insecure-bind", flags.insecureBind)
    }

    private mutating func settle(_ flags: LimitOptions) throws(SettingError) {
        var limits = profile.limits
        func settle(
            _ name: String, _ flag: Int?, _ path: WritableKeyPath<ServerLimits, Int>
        ) throws(SettingError) {
            limits[keyPath: path] = try settings.integer(name, flag, limits[keyPath: path])
        }
        try settle("max-message-bytes", flags.maxMessageBytes, \.messageBytes)
        try settle("max-ops-per-message", flags.maxOpsPerMessage, \.opsPerMessage)
        try settle("max-text-bytes", flags.maxTextBytes, \.textBytes)
        try settle("max-views", flags.maxViews, \.views)
        try settle("max-constraints", flags.maxConstraints, \.constraints)
        /// A limit of each address: whoever sets it means this machine's too, which by default has none.
        func settle(
            _ name: String, _ flag: Int?, _ path: WritableKeyPath<ServerLimits, Int>,
            alsoHere local: WritableKeyPath<ServerLimits, Int>
        ) throws(SettingError) {
            try settle(name, flag, path)
            if settings.isGiven(name) { limits[keyPath: local] = limits[keyPath: path] }
        }
        try settle("max-work-per-op", flags.maxWorkPerOp, \.workPerOp)
        try settle("max-work-per-message", flags.maxWorkPerMessage, \.workPerMessage)
        try settle("max-work-per-tick", flags.maxWorkPerTick, \.workPerTick)
        try settle("max-work-per-second", flags.maxWorkPerSecond, \.workPerSecond)
        try settle("max-bytes-per-second", flags.maxBytesPerSecond, \.bytesPerSecond)
        try settle("max-messages-per-second", flags.maxMessagesPerSecond, \.messagesPerSecond)
        try settle("max-ops-per-second", flags.maxOpsPerSecond, \.opsPerSecond)
        try settle(
            "max-other-messages-per-second", flags.maxOtherMessagesPerSecond,
            \.otherMessagesPerSecond)
        try settle("max-connections", flags.maxConnections, \.connections)
        try settle(
            "max-connections-per-address", flags.maxConnectionsPerAddress,
            \.connectionsPerAddress, alsoHere: \.connectionsOfThisMachine)
        try settle(
            "max-handshakes-per-second", flags.maxHandshakesPerSecond, \.handshakesPerAddress,
            alsoHere: \.handshakesOfThisMachine)
        try settle("max-members-per-room", flags.maxMembersPerRoom, \.membersPerRoom)
        try settle("max-rooms", flags.maxRooms, \.rooms)
        try settle(
            "max-rooms-per-minute", flags.maxRoomsPerMinute, \.roomsPerMinute,
            alsoHere: \.roomsPerMinuteOfThisMachine)
        try settle("max-outbox-bytes", flags.maxOutboxBytes, \.outboxBytes)
        try settle("max-memory", flags.maxMemory, \.memoryMebibytes)
        try settle("max-memory-per-room", flags.maxMemoryPerRoom, \.memoryPerRoomMebibytes)
        try settle("max-memory-per-member", flags.maxMemoryPerMember, \.memoryPerMemberMebibytes)
        try settle("hello-timeout", flags.helloTimeout, \.helloSeconds)
        try settle("idle-timeout", flags.idleTimeout, \.idleSeconds)
        try settle("ban-time", flags.banTime, \.banSeconds)
        server.pingSeconds = try settings.integer(
            "ping-interval", flags.pingInterval, server.pingSeconds)
        guard (1...3600).contains(server.pingSeconds) else {
            throw SettingError(
                description: "ping-interval is \(server.pingSeconds), expected 1 to 3600")
        }
        server.limits = limits
    }
}
