import ArgumentParser
import FoundationEssentials
import Glibc
import NATSEngine
import SceneCluster
import SceneProtocol
import Synchronization
import TerminalViewer
import Threads
import WebSocketAddress

struct ClusterTop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch the nodes of a cluster in the terminal.",
        discussion: """
            Shows each node with the shards that it owns, its members, rates and times, shards without an \
            owner, and takeovers as they happen. What is there comes from the nodes' beats, and numbers from \
            their /metrics, at the addresses that they give to clients: over plain HTTP, which nodes answer to \
            their own machine, to others with an administrator's token. Arrow keys scroll, q ends.
            """)

    @OptionGroup var engine: EngineOptions

    @Option(help: "A file with an administrator's token for the nodes' metrics.")
    var tokenFile: String?

    @Flag(help: "Print it once, as soon as rates are known, for pipes.")
    var once = false

    func run() throws {
        let token = try tokenFile.map {
            String(decoding: try Input.read($0), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        }
        let feed: ClusterFeed
        do throws(NATSError) {
            feed = try ClusterFeed(
                engine.configuration(), layout: engine.layout(), prefix: engine.prefix,
                token: token)
        } catch {
            throw Output.failure(error)
        }
        defer { feed.close() }
        if once {
            feed.waitForRates()
            for line in feed.lines() { Output.result(line.text) }
            return
        }
        let colors = ColorDepth.detect(environment: ProcessInfo.processInfo.environment)
        let screen = LiveText(every: 0.25, colors: colors) { size in
            feed.lines(columns: size.columns).map { line in
                let style: LiveText.Line.Style =
                    switch line.kind {
                    case .heading: .heading
                    case .plain: .plain
                    case .dim: .dim
                    case .alarm: .alarm
                    }
                return LiveText.Line(line.text, style)
            }
        }
        let code = screen.run()
        if code != 0 { throw ExitCode(code) }
    }
}

/// Hears a cluster's beats and reads its nodes' metrics, each second, on a thread of its own.
private final class ClusterFeed: Sendable {
    private struct State {
        var watch: ClusterWatch
        var isClosing = false
    }

    private let state: Monitor<State>
    private let thread = OwnedThread(name: "metrics")
    private let engine: NATSEngine
    private static let interval: UInt64 = 1_000_000_000
    private static let patience = Duration.milliseconds(500)

    init(
        _ configuration: NATSConfiguration, layout: ClusterLayout, prefix: String, token: String?
    ) throws(NATSError) {
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        guard let description = try administrator.description() else {
            throw .noCluster(prefix: prefix)
        }
        let state = Monitor(
            State(watch: ClusterWatch(description.shards, names: try administrator.nodes())))
        self.state = state
        engine = try NATSEngine.connect(configuration, layout: layout) { news in
            guard case .heard(_, let bytes) = news,
                let beat = try? Beat.decode(bytes, cluster: description.cluster)
            else { return }
            let clock = Self.clock
            state.withLock { $0.watch.hear(beat, at: Self.now, clock: clock) }
        }
        engine.hear(ClusterSubjects(prefix: prefix).beat)
        thread.start { Self.read(state, token) }
    }

    /// - Parameter columns: Those of the screen; `nil` for as many as there is to tell.
    func lines(columns: Int? = nil) -> [ClusterWatch.Line] {
        state.withLock { $0.watch.lines(at: Self.now, columns: columns) }
    }

    /// Waits until the rates of all nodes are known that were heard within the first second or so, for at most ten seconds.
    func waitForRates() {
        let (least, most) = (
            Self.now.advanced(by: .seconds(1)), Self.now.advanced(by: .seconds(10))
        )
        state.wait { state, _ in
            let now = Self.now
            guard now < most, now < least || !state.watch.hasRates else { return .finish(()) }
            return .waitAtMost(nanoseconds: 50_000_000)
        }
    }

    func close() {
        state.withLock { $0.isClosing = true }
        state.wakeAll()
        thread.join()
        engine.close()
    }

    private static func read(_ state: Monitor<State>, _ token: String?) {
        var next = now.nanoseconds
        while true {
            let due = next
            // No addresses once it is to end.
            let found: [NodeID: String]? = state.wait { state, hasTimedOut in
                let present = now.nanoseconds
                guard state.isClosing || hasTimedOut || present >= due else {
                    return .waitAtMost(nanoseconds: due - present)
                }
                return .finish(state.isClosing ? nil : state.watch.addresses)
            }
            guard let addresses = found else { return }
            next = now.nanoseconds + interval
            for (node, address) in addresses {
                let page = page(address, token)
                state.withLock { $0.watch.take(page, of: node, at: now) }
            }
        }
    }

    private static func page(_ address: String, _ token: String?) -> ClusterWatch.Page {
        guard let parts = URLParts(address) else {
            return .failure(.init(reason: "its address is no URL"))
        }
        guard !parts.isSecure else {
            return .failure(.init(reason: "its metrics are behind TLS, which top does not speak"))
        }
        return PlainHTTP.get(
            "/metrics", host: parts.host, port: parts.port, token: token, timeout: patience
        ).map { MetricsPage(String(decoding: $0, as: UTF8.self)) }
            .mapError { ClusterWatch.PageFailure(reason: "metrics: \($0.reason)") }
    }

    private static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// The time of the day, in this machine's zone.
    private static var clock: String {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
