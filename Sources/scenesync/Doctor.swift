import ArgumentParser
import FoundationEssentials
import Glibc
import JSON
import SceneDocument
import SceneFaces
import SceneServer
import SceneSession
import SceneStore
import WebSocketTransport

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether `serve` with the same settings would work, and work well.",
        discussion: """
            Looks at settings, port, TLS files, keys, journal, rooms, descriptors, clock and memory. Each \
            line begins with ok, note or FAULT; a fault ends the command with 1. Rooms are looked at one \
            by one, as a server opens them: what keeps one from opening is said. With --json, an object:
              {"faults": N, "findings": [{"check": "port", "level": "ok", "text": …}]}
            where level is ok, note or fault. With --cluster, the cluster's NATS servers too: their versions, \
            streams, replicas and disks, whether they fence (a race on a stream of its own, which is removed \
            afterwards), and how fast they are.
            """)

    @OptionGroup(title: "Listening") var listen: ListenOptions
    @OptionGroup(title: "Access") var access: AccessOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Cluster") var cluster: ClusterSettings
    @OptionGroup(title: "Cluster") var monitors: MonitorOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let configuration: ServeConfiguration
        do {
            configuration = try ServeConfiguration(
                listen, cluster, access, limits,
                environment: ProcessInfo.processInfo.environment, needsNode: false)
        } catch {
            try report([("settings", .fault("\(error)"))])
            return
        }
        try report(findings(configuration))
    }

    /// Prints findings, and exits with an error if one is a fault.
    private func report(_ findings: [(String, Finding)]) throws {
        let faults = findings.count { $0.1.isFault }
        if json {
            Output.result(
                JSONValue.object([
                    JSONMember("faults", .number(Double(faults))),
                    JSONMember("findings", .array(findings.map { $1.json($0) })),
                ]).text(pretty: true))
        }
        for (name, finding) in findings where !json { Output.result(finding.line(name)) }
        if faults > 0 { throw ExitCode.failure }
    }

    private func findings(_ configuration: ServeConfiguration) -> [(String, Finding)] {
        [
            ("settings", settings(configuration)), ("access", openness(configuration.server)),
            ("port", port(configuration.server)), ("TLS", tls(configuration)),
            ("keys", keys(configuration.server.keys)), ("faces", faces(configuration.fontFolder)),
            ("journal", journal(configuration.server)),
            ("rooms", rooms(configuration.server)),
            ("recorded events", eventRecords(configuration.server)),
            ("crashes", crashes(configuration.server)),
            ("scene", scene(configuration.scenePath)),
            ("descriptors", descriptors(configuration.server.limits)), ("clock", clock()),
            ("memory", memory()),
        ]
            + EngineDoctor.findings(configuration.node, ports: monitors.clusterMonitor).map {
                ("engine, \($0.check)", $0.finding)
            }
    }

    private func settings(_ configuration: ServeConfiguration) -> Finding {
        let given = configuration.settings.resolved.filter { $0.source != .standard }
        return .ok("\(given.count) given, the others are defaults")
    }

    private func openness(_ options: ServerOptions) -> Finding {
        switch (options.isLoopback, options.keys.isEmpty) {
        case (true, _): .ok("listens on this machine only")
        case (false, true) where options.allowsInsecureBind:
            .note("every client that reaches \(options.host) may edit: --insecure-bind")
        case (false, true):
            .fault(
                "\(options.host) is reachable from other machines: give keys, or --insecure-bind")
        case (false, false) where options.tls == nil:
            .note("tokens are sent without encryption unless a TLS proxy is in front")
        case (false, false) where options.limits.views > ServerProfile.internet.limits.views:
            .note(
                "tokens are required, over TLS; the limits are those for trusted clients: see --profile internet"
            )
        case (false, false): .ok("tokens are required, over TLS")
        }
    }

    private func port(_ options: ServerOptions) -> Finding {
        let addresses =
            options.listeners.isEmpty
            ? [.tcp(host: options.host, port: options.port)] : options.listeners
        do {
            for address in addresses { try WebSocketServer.check(address) }
            let names = addresses.map { address in
                switch address {
                case .tcp(let host, let port): "\(host):\(port)"
                case .unix(let path, _): path
                case .inherited(let descriptor): "descriptor \(descriptor)"
                }
            }
            return .ok("\(names.joined(separator: ", ")) is free")
        } catch {
            return .fault("\(error.description); \(Advice.after(error))")
        }
    }

    private func tls(_ configuration: ServeConfiguration) -> Finding {
        guard let tls = configuration.server.tls else {
            return configuration.makesCertificate
                ? .note("self-signed, for development") : .ok("off")
        }
        do {
            let days = (try tls.check() - Int(Date().timeIntervalSince1970)) / 86_400
            if days < 0 { return .fault("\(tls.certificatePath) has expired; renew it") }
            return days < 14
                ? .note("\(tls.certificatePath) expires in \(days) days")
                : .ok("certificate and key match and are valid for \(days) days")
        } catch {
            return .fault("\(error.description); \(Advice.after(error))")
        }
    }

    private func keys(_ sources: KeySources) -> Finding {
        guard !sources.isEmpty else { return .ok("none") }
        do {
            let notes = try Authenticator(sources).notes
            return notes.isEmpty ? .ok("can be used") : .note(notes.joined(separator: "; "))
        } catch {
            return .fault("\(error); \(Advice.after(error))")
        }
    }

    /// Registers the faces, too: rooms are laid out with them.
    private func faces(_ folder: String?) -> Finding {
        do {
            let faces = try FaceFolder.registered(folder)
            let refused = faces.refused.map { "\($0.path): \($0.reason)" }
            guard refused.isEmpty else { return .note(refused.joined(separator: "; ")) }
            let names = faces.entries.map { entry in
                let spec = entry.spec
                return "\(spec.name) \(spec.weight) (\(spec.hash.prefix(12))…"
                    + (entry.path.map { ", \($0))" } ?? ")")
            }
            return .ok(names.joined(separator: ", "))
        } catch {
            return .fault("\(error)")
        }
    }

    private func journal(_ options: ServerOptions) -> Finding {
        guard let directory = options.dataDirectory else {
            return .note("in memory: everything is lost when the server ends")
        }
        do {
            let loss = JournalFile.loss(in: directory)
            let store = try SQLiteStore(directory: directory)
            try store.probe()
            let faults = try store.verify()
            guard faults.isEmpty else {
                return .fault(
                    "\(directory): " + faults.joined(separator: "; ")
                        + "; scenesync repair shows what can be restored, or restore a backup")
            }
            if let loss { return .note(loss.description) }
            return .ok("\(directory) is intact and writable, \(try store.rooms().count) rooms")
        } catch {
            return .fault("\(error.description); \(Advice.after(error))")
        }
    }

    private func eventRecords(_ options: ServerOptions) -> Finding {
        guard let records = options.eventRecords else { return .ok("events are not recorded") }
        do {
            try records.prepareFolder()
            return .ok("files can be created in \(records.folder)")
        } catch {
            return .fault("\(error.description); \(Advice.after(error))")
        }
    }

    /// Opens every room, as a server would.
    private func rooms(_ options: ServerOptions) -> Finding {
        guard let directory = options.dataDirectory else { return .ok("none are kept") }
        var faults: [String] = []
        var notes: [String] = []
        do {
            let store = try SQLiteStore(directory: directory, isReadOnly: true)
            let names = try store.rooms()
            for name in names {
                do {
                    let replay = try JournalReplay(try store.records(of: name))
                    notes += replay.notes.map { "room \(name) opens with parts missing: \($0)" }
                    if let note = replay.layoutNote { notes.append("room \(name): \(note)") }
                } catch {
                    faults.append("room \(name) would be put aside: \(error)")
                }
            }
            guard faults.isEmpty else { return .fault(faults.joined(separator: "; ")) }
            guard notes.isEmpty else { return .note(notes.joined(separator: "; ")) }
            return .ok("\(names.count) open")
        } catch {
            return .fault(error.description)
        }
    }

    /// Rooms that were put aside after crashes.
    private func crashes(_ options: ServerOptions) -> Finding {
        guard let directory = options.dataDirectory else { return .ok("none are kept") }
        do {
            let rooms = try PutAsideRooms.known(in: directory)
            return rooms.isEmpty
                ? .ok("no room is put aside")
                : .fault(
                    rooms.map { "room \($0.room) is put aside: \($0.reason)" }
                        .joined(separator: "; "))
        } catch {
            return .note("\(error.description); serve would move it away and count crashes anew")
        }
    }

    private func scene(_ path: String?) -> Finding {
        guard let path else { return .ok("none") }
        guard let data = FileManager.default.contents(atPath: path) else {
            return .fault("\(path) cannot be read; give --scene a file that this user may read")
        }
        do {
            let document = try SceneDocument.parse([UInt8](data))
            return .ok("\(path): \(document.views.count) views")
        } catch {
            return .fault(
                "\(path): \(error); scenesync open \(path) shows it while you correct it")
        }
    }

    private func descriptors(_ limits: ServerLimits) -> Finding {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .note("the system does not report the limit")
        }
        let needed = UInt64(limits.connections) + 64
        return limit.rlim_max < needed
            ? .fault(
                "\(limit.rlim_max) are allowed, \(limits.connections) connections need \(needed): raise LimitNOFILE or lower --max-connections"
            ) : .ok("\(limit.rlim_max) are allowed")
    }

    private func clock() -> Finding {
        // The validity of tokens and certificates depends on it.
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        guard year >= 2024 else {
            return .fault("it says the year is \(year); set it, or start a time service")
        }
        let files = ["/run/systemd/timesync/synchronized", "/run/chrony/chronyd.pid"]
        return files.contains { FileManager.default.fileExists(atPath: $0) }
            ? .ok("kept by a time service")
            : .note("\(Date().formatted(.iso8601)); no time service was found that keeps it")
    }

    private func memory() -> Finding {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return .note("the system does not report the amount") }
        return kilobytes < 256 << 10
            ? .note("only \(kilobytes >> 10) MiB are free") : .ok("\(kilobytes >> 10) MiB are free")
    }
}
