import ArgumentParser
import Logging
import SceneServer
import WebSocketTransport

/// Options for listening and for the journal.
struct ListenOptions: ParsableArguments {
    @Option(
        help:
            "A JSON file of settings with these names; flags and SCENESYNC_… variables take precedence."
    )
    var config: String?

    @Option(
        help:
            "The numbers that limits start from: trusted, what the protocol allows, or internet, small scenes and little of everything for each client. (default: trusted)"
    )
    var profile: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port; 0 for a free one. (default: 7070)")
    var port: Int?

    @Option(
        parsing: .upToNextOption,
        help:
            "Listen here in place of --host and --port: unix:/PATH for a Unix socket, HOST:PORT, or several of them. A Unix socket has no TLS."
    )
    var listen: [String] = []

    @Option(
        help:
            "The permissions of Unix sockets' files, octal; who may write the file may connect. (default: 660)"
    )
    var socketMode: String?

    @Option(help: "The journal's directory. (default: .scenesync)")
    var data: String?

    @Flag(help: "Keep no journal: everything is lost when the server ends.")
    var inMemory = false

    @Option(
        help:
            "A scene document, .storyboard or .xib that fills the room \"demo\", unless that has a journal."
    )
    var scene: String?

    @Option(
        help:
            "A directory of .otf and .ttf files that documents may name as faces, besides Inter, which ships with the program. (default: none)"
    )
    var fonts: String?

    @Option(help: "Days for which every record of the journal is kept, 1 or more. (default: 7)")
    var retentionDays: Int?

    @Option(
        help:
            "A directory in which events and their results are recorded, as lines of JSON in a file for each room. (default: none)"
    )
    var recordEvents: String?

    @Option(help: "MiB of a file of recorded events after which a new one is begun. (default: 64)")
    var recordEventsSize: Int?

    @Option(
        help:
            "Full files of recorded events that are kept of each room; older ones are removed. (default: 8)"
    )
    var recordEventsKeep: Int?

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

    @Option(help: "Threads that serve connections. (default: a quarter of the processors, 1 to 8)")
    var threads: Int?

    @Option(help: "Threads that update scenes. (default: one for each other processor, 1 to 16)")
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
            throw ValidationError("there is no log format \(logFormat); name text or json")
        }
    }

    /// Resolves these settings and stores them.
    ///
    /// - Throws: `SettingError` for the first invalid one.
    func resolve(into configuration: inout ServeConfiguration) throws(SettingError) {
        var settings = configuration.settings
        var server = configuration.server
        configuration.profile = try settings.choice("profile", profile, ServerProfile.trusted)
        server.host = try settings.text("host", host, server.host)
        server.port = try settings.integer("port", port, server.port, in: 0...65_535)
        server.listeners = try listeners(&settings)
        let directory = try settings.text("data", data, ".scenesync")
        server.dataDirectory = try settings.isOn("in-memory", inMemory) ? nil : directory
        configuration.scenePath = try settings.optionalText("scene", scene)
        configuration.fontFolder = try settings.optionalText("fonts", fonts)
        server.roomMakers = try settings.choice("room-makers", roomMakers, server.roomMakers)
        server.retentionDays = try settings.integer(
            "retention-days", retentionDays, server.retentionDays, in: 1...36_500)
        try resolveRecords(&settings, &server)
        server.unloadSeconds = try settings.integer(
            "unload-after", unloadAfter, server.unloadSeconds, in: 0...31_536_000)
        server.freezeSeconds = try settings.integer(
            "freeze-after", freezeAfter, server.freezeSeconds, in: 0...86_400)
        server.tickRate = try settings.integer("tick-rate", tickRate, server.tickRate, in: 1...240)
        let processors = MachineProcessors()
        server.loopThreads = try settings.integer(
            "threads", threads, processors.loopThreads, in: 1...64)
        server.sceneThreads = try settings.integer(
            "scene-threads", sceneThreads, processors.sceneThreads, in: 1...64)
        configuration.drainSeconds = try settings.integer(
            "drain-timeout", drainTimeout, configuration.drainSeconds, in: 1...3600)
        configuration.logLevel = try settings.choice("log-level", logLevel, .notice)
        configuration.logFormat = try settings.choice("log-format", logFormat, .text)
        configuration.settings = settings
        configuration.server = server
    }

    private func listeners(_ settings: inout Settings) throws(SettingError) -> [ListenAddress] {
        let text = try settings.text("socket-mode", socketMode, "660")
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw SettingError(
                description: "socket-mode is \"\(text)\", expected octal permissions such as 660")
        }
        var addresses: [ListenAddress] = []
        for text in try settings.texts("listen", listen) {
            guard let address = ListenAddress(text, mode: mode) else {
                throw SettingError(
                    description: "listen is \"\(text)\", expected unix:/PATH or HOST:PORT")
            }
            addresses.append(address)
        }
        return addresses
    }

    private func resolveRecords(
        _ settings: inout Settings, _ server: inout ServerOptions
    ) throws(SettingError) {
        let folder = try settings.optionalText("record-events", recordEvents)
        var records = EventRecordOptions(folder: folder ?? "")
        records.fileBytesMaximum =
            try settings.integer(
                "record-events-size", recordEventsSize, records.fileBytesMaximum >> 20,
                in: 1...1_048_576) << 20
        records.keptFiles = try settings.integer(
            "record-events-keep", recordEventsKeep, records.keptFiles, in: 0...10_000)
        server.eventRecords = folder == nil ? nil : records
    }
}
