import ArgumentParser
import Essentials
import FoundationEssentials
import Glibc
import JSON
import LoadGenerator

struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a server under load and measure it.",
        discussion: """
            Creates the rooms load-1, load-2 … (and replaces their scenes), connects viewers, and has \
            editors move a divider again and again. Reports the frames received, the time from an \
            edit to its frame at each other member, bytes, and the server's time and memory.

            With several addresses members come to them in turn: nodes of a cluster, for one. With \
            --cluster, to each node that clients reach at an address without TLS.

            Ends with 1 when a connection was dropped or failed.
            """)

    @Argument(help: "The server: ws://HOST:PORT; several are servers of the same rooms.")
    var urls: [String] = []

    @Option(help: "The NATS servers of a cluster whose nodes are the servers.")
    var cluster: String?

    @Option(help: "Members that only watch.") var viewers = 100
    @Option(help: "Members that edit; at least one a room.") var editors: Int?
    @Option(help: "Rooms.") var rooms = 1
    @Option(help: "Seconds of measuring.") var duration = 10.0
    @Option(help: "Edits of each editor in a second.") var rate = 60.0
    @Option(help: "Views of each scene.") var views = 50
    @Option(help: "Devices on which the viewers watch, in turn; one is the main one.")
    var devices = 1
    @Option(help: "Connections made in a second; 0: all at once.") var joins = 0.0
    @Option(help: "Viewers that leave and join again in a second.") var churn = 0.0
    @Option(help: "The server's process on this machine, to report its time and memory.")
    var serverPid: Int?
    @Option(help: "A file with a token; or SCENESYNC_TOKEN in the environment.")
    var tokenFile: String?
    @Option(help: "Percent by which the server's memory may grow; more ends with 1.")
    var growthMaximum: Double?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard urls.isEmpty != (cluster == nil) else {
            throw ValidationError("give the address of a server, ws://HOST:PORT, or --cluster")
        }
    }

    /// The servers' addresses.
    private func addresses() throws -> [String] {
        guard let cluster else { return urls }
        let beats = try ClusterBeats.open(try EngineOptions.parse([cluster]))
        defer { beats.close() }
        let environment = ProcessInfo.processInfo.environment["SCENESYNC_TOKEN"] ?? ""
        return try beats.addresses(forSecrets: tokenFile != nil || !environment.isEmpty)
    }

    func run() throws {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        signal(SIGPIPE, SIG_IGN)
        ReaderWatch.begin()
        var plan = LoadPlan(urls: try addresses())
        plan.viewers = viewers
        plan.editors = editors ?? rooms
        plan.rooms = rooms
        plan.seconds = duration
        plan.rate = rate
        plan.views = views
        plan.devices = devices
        plan.joinsPerSecond = joins
        plan.churnPerSecond = churn
        plan.serverProcess = serverPid
        plan.token =
            try tokenFile.map {
                String(decoding: try Input.read($0), as: UTF8.self)
                    .trimmed
            } ?? ProcessInfo.processInfo.environment["SCENESYNC_TOKEN"] ?? ""
        let report: LoadReport
        do {
            report = try LoadRun(plan).run { Output.note($0) }
        } catch {
            throw Output.failure(
                .unavailable, error.description,
                try: "start a server with scenesync serve, and give ws://HOST:PORT")
        }
        Output.result(json ? Self.json(report) : Self.text(report))
        if report.dropped > 0 || report.failed > 0 { throw ExitCode.failure }
        if let growthMaximum, let early = report.serverBytesEarly, let late = report.serverBytesLate
        {
            let percent = (Double(late) / Double(max(early, 1)) - 1) * 100
            Output.note(
                "memory: \(early >> 10) KiB early, \(late >> 10) KiB late (\(Int(percent.rounded())) %)"
            )
            if percent > growthMaximum { throw ExitCode.failure }
        }
    }

    private static func text(_ report: LoadReport) -> String {
        func line(_ name: String, _ values: LoadReport.Percentiles) -> String {
            func ms(_ value: UInt64) -> String { (Double(value) / 1000).text(digits: 1) }
            return
                "\(name) p50 \(ms(values.p50))  p90 \(ms(values.p90))  p99 \(ms(values.p99))  p99.9 \(ms(values.p999))  max \(ms(values.maximum)) ms  (\(values.count))"
        }
        var lines = [
            "members   \(report.joined) joined in \((report.joinSeconds).text(digits: 2)) s, \(report.dropped) dropped, \(report.failed) failed",
            "frames    \(report.frames) (\(Int(Double(report.frames) / report.seconds)) a second), \(report.ticks) ticks, \(report.missed) missed",
            "bytes     \(report.bytes) (\(report.frames > 0 ? report.bytes / report.frames : 0) a frame)",
            "edits     \(report.sent) sent, \(report.committed) committed, \(report.refused) refused",
            line("to frame ", report.latency), line("at editors", report.editorLatency),
            line("to result", report.resultLatency),
        ]
        if let seconds = report.serverSeconds {
            lines.append(
                "server    \((seconds / report.seconds).text(digits: 3)) cores, \((report.serverBytes ?? 0) >> 20) MiB"
            )
        }
        for (code, count) in report.closeCodes.sorted(by: { $0.key < $1.key }) {
            lines.append("closed    \(count) with \(code)")
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ report: LoadReport) -> String {
        func number(_ value: Int) -> JSONValue { .number(Double(value)) }
        func object(_ values: LoadReport.Percentiles) -> JSONValue {
            .object([
                JSONMember("count", number(values.count)),
                JSONMember("p50", .number(Double(values.p50))),
                JSONMember("p90", .number(Double(values.p90))),
                JSONMember("p99", .number(Double(values.p99))),
                JSONMember("p999", .number(Double(values.p999))),
                JSONMember("max", .number(Double(values.maximum))),
            ])
        }
        var bytes: [UInt8] = []
        JSONValue.object([
            JSONMember("seconds", .number(report.seconds)),
            JSONMember("joined", number(report.joined)),
            JSONMember("joinSeconds", .number(report.joinSeconds)),
            JSONMember("dropped", number(report.dropped)),
            JSONMember("failed", number(report.failed)),
            JSONMember("frames", number(report.frames)), JSONMember("ticks", number(report.ticks)),
            JSONMember("missed", number(report.missed)), JSONMember("bytes", number(report.bytes)),
            JSONMember("sent", number(report.sent)),
            JSONMember("committed", number(report.committed)),
            JSONMember("refused", number(report.refused)),
            JSONMember("frameMicroseconds", object(report.latency)),
            JSONMember("editorFrameMicroseconds", object(report.editorLatency)),
            JSONMember("resultMicroseconds", object(report.resultLatency)),
            JSONMember("serverSeconds", report.serverSeconds.map { .number($0) } ?? .null),
            JSONMember("serverBytes", report.serverBytes.map { number($0) } ?? .null),
            JSONMember(
                "closeCodes",
                .object(
                    report.closeCodes.sorted { $0.key < $1.key }.map {
                        JSONMember(String($0.key), number($0.value))
                    })),
        ]).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
