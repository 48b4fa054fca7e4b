import ArgumentParser
import Dispatch
import Essentials
import FoundationEssentials
import Glibc
import JSON
import Logging
import NATSEngine
import SceneDocument
import SceneServer
import Synchronization
import Threads
import WebSocketTransport

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve rooms over WebSocket.",
        discussion: """
            A room's address is ws://HOST:PORT/ROOM. The first editor that joins creates it; --scene \
            fills the room "demo". Everything acknowledged is in the journal and comes back after a \
            restart. /healthz, /readyz, /metrics and /admin answer on the same port.

            Every setting may stand in the environment too (--max-rooms as SCENESYNC_MAX_ROOMS) or in \
            the file of --config ({"max-rooms": 20}); --print-config shows what holds and why.

            SIGTERM drains: no connection is admitted, the last tick runs, the journal is written, and \
            all clients are asked to come back. SIGHUP reads certificate, keys and limits again, and \
            opens the files of recorded events anew.

            Sockets that systemd passes (LISTEN_FDS) take the place of --host and --port.

            When connections are accepted, a line for each address goes to standard output:
              listening on ws://127.0.0.1:PORT
            """)

    @OptionGroup(title: "Listening") var listen: ListenOptions
    @OptionGroup(title: "Cluster") var cluster: ClusterSettings
    @OptionGroup(title: "Access") var access: AccessOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    @Flag(help: "Print all settings with their sources, and exit.")
    var printConfig = false

    func run() throws { try run(changing: { _ in }, beside: { _ in {} }) }

    /// Serves until the process receives a signal to end.
    ///
    /// - Parameters:
    ///   - change: Changes the resolved options.
    ///   - begin: Called when connections are accepted; its result is called before the server
    ///     ends.
    func run(
        changing change: (inout ServeConfiguration) throws -> Void,
        beside begin: (Running) throws -> () -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        // A file that exceeds its size limit is an error of one write; the signal would end the
        // process.
        signal(SIGXFSZ, SIG_IGN)
        var configuration = try resolved()
        guard !printConfig else {
            var bytes: [UInt8] = []
            configuration.settings.json.append(to: &bytes)
            Output.result(String(decoding: bytes, as: UTF8.self))
            return
        }
        configuration.server.faces = try FontOptions.register(configuration.fontFolder).served
        configuration.server.converter = InterfaceInput.converter
        if let path = configuration.scenePath {
            configuration.server.scene = try Input.document(path)
        }
        configuration.server.listeners += PassedSockets.take()
        try change(&configuration)
        try makeCertificate(&configuration)
        raiseDescriptorLimit(to: configuration.server.limits.connections)
        var clusterKeys: ClusterKeys?
        if let node = configuration.node {
            do throws(NATSError) {
                let engine = try node.configuration()
                clusterKeys = engine.clusterKeys
                configuration.server.node = try node.options(engine)
            } catch {
                throw Output.failure(.badConfiguration, error.fault, try: error.advice)
            }
        }
        let logger = logger(configuration)
        TransportLog.set { [logger] in logger.debug("libwebsockets: \($0)") }
        let options = configuration.server
        let server: SceneServer
        do {
            server = try SceneServer(options: options, logger: logger)
            try server.start()
        } catch {
            throw Output.failure(Self.code(error), "\(error)", try: Advice.after(error))
        }
        let stop = DispatchSemaphore(value: 0)
        if configuration.node != nil {
            for note in Self.notes(of: clusterKeys) { logger.warning("\(note)") }
        }
        let sources = watchSignals(stop, server, logger, clusterKeys)
        server.onDrainRequest { stop.signal() }
        let urls = server.urls.map { $0.replacing("://localhost:", with: "://127.0.0.1:") }
        let end = try begin(
            Running(server: server, address: Self.reachable(urls.first ?? ""), logger: logger))
        // In one piece: a starter may read no more than the first line.
        Output.result(urls.map { "listening on \($0)" }.joined(separator: "\n"))
        if let patience = ServiceManager.watchdogInterval {
            // A server that has hung is ended in time for its clients to reconnect to a new one.
            server.onHeartbeat(patience: patience / 2) { ServiceManager.notify("WATCHDOG=1") }
        }
        ServiceManager.notify("READY=1\nSTATUS=listening on \(urls.joined(separator: ", "))")
        stop.wait()
        ServiceManager.notify("STOPPING=1")
        end()
        try drain(server, seconds: configuration.drainSeconds)
        for source in sources { source.cancel() }
    }

    /// A server that accepts connections.
    struct Running {
        var server: SceneServer
        /// The address for a client in this process.
        var address: String
        var logger: Logger
    }

    /// This machine's address for a server that listens on all of its addresses.
    private static func reachable(_ url: String) -> String {
        // A room's path comes after the colon.
        if url.hasPrefix("ws+unix:") { return url + ":" }
        return url.replacing("://0.0.0.0:", with: "://127.0.0.1:")
            .replacing("://[::]:", with: "://[::1]:")
    }

    private func resolved() throws -> ServeConfiguration {
        do {
            return try ServeConfiguration(
                listen, cluster, access, limits, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw Output.failure(.badConfiguration, "\(error)", try: Self.help)
        }
    }

    private func logger(_ configuration: ServeConfiguration) -> Logger {
        var logger = Logger(label: "scenesync") { _ -> any LogHandler in
            switch configuration.logFormat {
            case .text: TextLogHandler()
            case .json: JSONLogHandler()
            }
        }
        logger.logLevel = configuration.logLevel
        return logger
    }

    private func makeCertificate(_ configuration: inout ServeConfiguration) throws {
        guard configuration.server.tls == nil, configuration.makesCertificate else { return }
        do {
            let directory =
                configuration.server.dataDirectory ?? FileManager.default.temporaryDirectory.path
                + "/scenesync"
            let made = try SelfSignedCertificate.make(directory: directory + "/tls")
            Output.note("made a certificate: \(made.certificatePath)")
            configuration.server.tls = made
        } catch {
            throw Output.failure(
                .badConfiguration, error.description,
                try: "give --data a directory that this user may write")
        }
    }

    /// Each connection needs a descriptor; most systems allow far more than the initial limit.
    private func raiseDescriptorLimit(to connections: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = rlim_t(2 * connections + 256)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func watchSignals(
        _ stop: DispatchSemaphore, _ server: SceneServer, _ logger: Logger,
        _ clusterKeys: ClusterKeys?
    ) -> [any DispatchSourceSignal] {
        let ends = [SIGTERM, SIGINT].map { number in
            SignalWatch.begin(number) { stop.signal() }
        }
        return ends + [SignalWatch.begin(SIGHUP) { [self] in reload(server, logger, clusterKeys) }]
    }

    /// What an operator should know of a node's keys, as sentences.
    static func notes(of keys: ClusterKeys?) -> [String] {
        guard let keys else {
            return [
                "without --cluster-key, whoever may publish to the cluster's subjects of NATS is taken for a node"
            ]
        }
        return keys.isOpen
            ? ["the cluster's key file says open: messages without proof are believed"] : []
    }

    /// Reads the file, keys and certificate again; on an error, reports it and keeps the old ones.
    private func reload(_ server: SceneServer, _ logger: Logger, _ clusterKeys: ClusterKeys?) {
        ServiceManager.notifyReloading()
        defer { ServiceManager.notify("READY=1") }
        do {
            let configuration = try ServeConfiguration(
                listen, cluster, access, limits, environment: ProcessInfo.processInfo.environment)
            try server.reload(
                keys: configuration.server.keys, limits: configuration.server.limits)
            try server.setAlternates(configuration.server.alternates)
            try clusterKeys?.reload()
            for note in clusterKeys.map({ Self.notes(of: $0) }) ?? [] { logger.warning("\(note)") }
            logger.notice("certificate, keys, limits and alternates were read again")
        } catch {
            logger.error("nothing was reloaded: \(error)")
        }
    }

    /// Drains, and gives up after a timeout: the journal's records are safe in any case.
    private func drain(_ server: SceneServer, seconds: Int) throws {
        let done = DispatchSemaphore(value: 0)
        OwnedThread(name: "drain").start {
            server.stop()
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(seconds)) == .success else {
            throw Output.failure(
                .failure, "not drained within \(seconds) s",
                try: "nothing acknowledged is lost; --drain-timeout waits longer")
        }
    }

    private static let help = "scenesync serve --help lists all settings and their values"

    private static func code(_ error: ServerError) -> ExitCode {
        switch error {
        case .insecureBind, .badOption, .store, .inUse, .cluster, .records, .keys, .transport:
            .badConfiguration
        case .room: .badData
        }
    }
}
