import ArgumentParser
import FoundationEssentials
import Glibc
import NATSEngine
import SceneCluster
import Synchronization
import TerminalViewer
import Threads

struct ClusterTop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch the nodes of a cluster in the terminal.",
        discussion: """
            Shows each node with the shards that it owns, its members, rates and times, shards without an \
            owner, and takeovers as they happen. What is there comes from the nodes' beats, and numbers from \
            their metrics, which nodes send over NATS when they are asked: no token is needed. Nodes that never \
            registered are named and ignored. Arrow keys scroll, q ends.
            """)

    @OptionGroup var engine: EngineOptions

    @Option(help: .init("No longer needed: metrics come over NATS.", visibility: .hidden))
    var tokenFile: String?

    @Flag(help: "Print it once, as soon as rates are known, for pipes.")
    var once = false

    private func refuseUselessTerminal() throws {
        guard !once, let obstacle = TerminalApplication.obstacle else { return }
        throw Output.failure(.usage, obstacle, try: "use --once, which prints text")
    }

    func run() throws {
        ReaderWatch.begin()
        if tokenFile != nil {
            Output.note("--token-file is not read: metrics come over NATS, and need no token")
        }
        // A terminal of no use comes first; in a pipe an engine that is away does.
        if isatty(STDOUT_FILENO) == 1 { try refuseUselessTerminal() }
        let feed: ClusterFeed
        do throws(NATSError) {
            feed = try ClusterFeed(
                engine.configuration(), layout: engine.layout(), prefix: engine.prefix)
        } catch {
            throw Output.failure(error)
        }
        defer { feed.close() }
        try refuseUselessTerminal()
        if once {
            feed.waitForRates()
            for line in feed.lines() { Output.result(line.text) }
            return
        }
        let colors = ColorDepth.detect(environment: ProcessInfo.processInfo.environment)
        let screen = LiveText(every: 0.25, colors: colors, encoding: Output.encoding) { size in
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

/// Hears a cluster's beats, and asks its nodes for their metrics each second, on a thread of its
/// own.
private final class ClusterFeed: Sendable {
    private struct State {
        var watch: ClusterWatch
        var isClosing = false
    }

    private let state: Monitor<State>
    private let thread = OwnedThread(name: "metrics")
    private let engine: any ClusterEngine
    private static let interval: UInt64 = 1_000_000_000
    /// Nodes that register while the command runs are looked for as often as this.
    private static let namesInterval: UInt64 = 5_000_000_000
    /// A node that was asked twice and has not answered is said to have no metrics.
    private static let patience = Duration.milliseconds(2500)

    init(
        _ configuration: NATSConfiguration, layout: ClusterLayout, prefix: String
    ) throws(NATSError) {
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        guard let description = try administrator.description() else {
            throw .noCluster(prefix: prefix)
        }
        let subjects = ClusterSubjects(prefix: prefix)
        let names = try administrator.nodes()
        let state = Monitor(State(watch: ClusterWatch(description.shards, names: names)))
        self.state = state
        let engine = try NATSEngine.connect(configuration, layout: layout) { news in
            guard case .heard(let subject, let bytes) = news else { return }
            if subject == subjects.beat {
                guard let beat = try? Beat.decode(bytes, cluster: description.cluster) else {
                    return
                }
                let clock = Self.clock
                state.withLock { $0.watch.hear(beat, at: Self.now, clock: clock) }
            } else if let node = Self.node(of: subject, subjects) {
                let page = MetricsPage(String(decoding: bytes, as: UTF8.self))
                state.withLock { $0.watch.take(.success(page), of: node, at: Self.now) }
            }
        }
        self.engine = engine
        engine.hear(subjects.beat)
        engine.hear(subjects.metricsQuestion + ".*")
        thread.start { Self.ask(state, engine, subjects, administrator) }
    }

    /// The node that a page of metrics is of, by its subject.
    private static func node(of subject: String, _ subjects: ClusterSubjects) -> NodeID? {
        guard subject.hasPrefix(subjects.metricsQuestion + ".") else { return nil }
        let number = UInt16(subject.dropFirst(subjects.metricsQuestion.count + 1))
        return number.map { NodeID($0) }
    }

    /// - Parameter columns: Those of the screen; `nil` for as many as there is to tell.
    func lines(columns: Int? = nil) -> [ClusterWatch.Line] {
        state.withLock { $0.watch.lines(at: Self.now, columns: columns) }
    }

    /// Waits until the rates of all nodes are known that were heard within the first second or so,
    /// for at most ten seconds.
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

    /// Asks all nodes for their metrics until the command ends.
    private static func ask(
        _ state: Monitor<State>, _ engine: any ClusterEngine, _ subjects: ClusterSubjects,
        _ administrator: ClusterAdministrator
    ) {
        var next = now.nanoseconds
        var nextNames = next + namesInterval
        while true {
            let due = next
            let isClosing: Bool = state.wait { state, hasTimedOut in
                let present = now.nanoseconds
                guard state.isClosing || hasTimedOut || present >= due else {
                    return .waitAtMost(nanoseconds: due - present)
                }
                return .finish(state.isClosing)
            }
            guard !isClosing else { return }
            state.withLock { $0.watch.missPages(olderThan: patience, at: now) }
            engine.send([], to: subjects.metricsQuestion)
            next = now.nanoseconds + interval
            guard now.nanoseconds >= nextNames, state.withLock({ $0.watch.hasStrangers }) else {
                continue
            }
            nextNames = now.nanoseconds + namesInterval
            if let names = try? administrator.nodes() { state.withLock { $0.watch.know(names) } }
        }
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
