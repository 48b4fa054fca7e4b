import ClusterJournal
import Dispatch
import Logging
import SceneCluster
import Threads

/// The work of the thread of a replicated journal. Belongs to that thread.
final class ReplicatedLoop {
    /// The parts of the server that the thread uses.
    struct Parts: Sendable {
        var rooms: RoomDirectory
        var view: ClusterView
        var memory: MemoryLedger
        var metrics: ServerMetrics
        var logger: Logger
        var activity: Activity
        /// Names the addresses of the other nodes to clients.
        var nameOthers: @Sendable ([String]) -> Void
        /// The members at other nodes than their rooms.
        var relay: RelayThread
        /// Replays rooms ahead of time that the node may own within a moment.
        var shadows: ShadowThread
        /// The page for watchers of the cluster.
        var page: MetricsSource
        /// The copy on this machine's disk; `nil` without a directory.
        var secondCopy: SecondCopy?
    }

    private static let tickNanoseconds: UInt64 = 10_000_000
    /// For so long a node that starts listens whether another process has its name: several beats.
    private static let listenNanoseconds: UInt64 = 500_000_000
    /// A process that died may be heard for a moment still; so many beats are of one that lives.
    private static let foreignBeatMinimum = 3
    /// How long after the loss of a connection another one is tried.
    private static let reconnectNanoseconds: UInt64 = 500_000_000
    /// The shortest time between two pages of metrics, however many watchers ask.
    private static let pageNanoseconds: UInt64 = 400_000_000

    private let options: NodeOptions
    private let life = UInt64.random(in: 1...UInt64.max)
    private let address: String
    private var engine: (any ClusterEngine)?
    private let inbox: Monitor<ReplicatedJournal.Inbox>
    private let parts: Parts
    private let reconnect: @Sendable () -> Void
    private var node: JournalNode
    private var calls = JournalCalls()
    private var nextTick: UInt64 = 0
    private var reconnectAt: UInt64?
    private var nextPage: UInt64 = 0
    /// The addresses of the other nodes, as they were named last.
    private var others: [String] = []
    /// Requests that the engine did not take.
    private var refused: [EngineNews] = []

    init(
        _ options: NodeOptions, address: String, engine: any ClusterEngine,
        inbox: Monitor<ReplicatedJournal.Inbox>, parts: Parts,
        reconnect: @escaping @Sendable () -> Void
    ) {
        self.options = options
        self.address = address
        self.engine = engine
        self.inbox = inbox
        self.parts = parts
        self.reconnect = reconnect
        node = JournalNode(options.settings, life: life, address: address, at: Self.now)
        engine.hear(options.subjects.beat)
    }

    private static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
    private static var now: MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

    // MARK: The beginning

    /// Listens for another process that is this node.
    ///
    /// - Returns: The failure if there is one.
    func listen() -> Result<Void, NodeFailure> {
        let end = Self.nanoseconds + Self.listenNanoseconds
        var heard: [NodeLife: Set<UInt64>] = [:]
        var before: [EngineNews] = []
        while Self.nanoseconds < end {
            let news = inbox.wait { inbox, hasTimedOut in
                guard inbox.news.isEmpty, !hasTimedOut else {
                    defer { inbox.news = [] }
                    return .finish(inbox.news)
                }
                let now = Self.nanoseconds
                return .waitAtMost(nanoseconds: end > now ? end - now : 0)
            }
            for item in news {
                guard case .heard(_, let bytes) = item,
                    let beat = try? Beat.decode(bytes, cluster: options.cluster),
                    beat.sender.node == options.node
                else {
                    if case .heard = item { continue }
                    before.append(item)
                    continue
                }
                heard[beat.sender, default: []].insert(beat.number)
            }
        }
        guard heard.values.contains(where: { $0.count >= Self.foreignBeatMinimum }) else {
            // It begins to listen now: what it heard so far is nothing that it has to know.
            node = JournalNode(options.settings, life: life, address: address, at: Self.now)
            for item in before { node.take(item, at: Self.now) }
            return .success(())
        }
        return .failure(
            NodeFailure(
                "another process is node \(options.name) of this cluster already; stop it, or give this one another --node"
            ))
    }

    // MARK: The work

    /// Works until it is told to stop.
    ///
    /// - Parameter drained: Called once all shards are handed over.
    func run(drained: () -> Void) {
        nextTick = Self.nanoseconds
        if let engine {
            engine.hear(options.subjects.metricsQuestion)
            engine.hear(options.subjects.order)
            engine.hear(options.subjects.version)
            engine.hear(options.subjects.link(to: options.node))
            parts.relay.start(as: node.identity, engine: engine)
        }
        while true {
            let work = take()
            if work.isStopping, work.requests.isEmpty { return }
            parts.activity.begin("the journal of a cluster")
            let now = Self.now
            for request in work.requests {
                switch request {
                case .journal(let request): node.take(request, at: now)
                case .call(let call): node.take(calls.begin(call), at: now)
                }
            }
            for item in refused { node.take(item, at: now) }
            refused = []
            for item in work.news { take(item, at: now) }
            if let made = work.engine { replace(made) }
            var outputs = node.takeOutputs(at: now)
            let time = Self.nanoseconds
            if time >= nextTick {
                nextTick = time + Self.tickNanoseconds
                outputs += node.advance(to: MonotonicInstant(nanoseconds: time))
                parts.memory.note(storeOf: node.byteCount)
                connectAgainIfDue(time)
            }
            for output in outputs { carryOut(output, drained) }
            if let view = node.takeView(at: Self.now) { show(view) }
        }
    }

    private func show(_ view: ClusterState) {
        if parts.view.replace(view) { parts.relay.post(.view) }
        guard view.others != others else { return }
        others = view.others
        parts.nameOthers(others)
    }

    private func take() -> ReplicatedJournal.Inbox {
        parts.activity.rest()
        return inbox.wait { inbox, hasTimedOut in
            let now = Self.nanoseconds
            guard !inbox.isPending, !hasTimedOut, now < nextTick, refused.isEmpty else {
                return .finish(inbox.takeAll())
            }
            return .waitAtMost(nanoseconds: nextTick - now)
        }
    }

    /// Closes the connection.
    func end() {
        parts.activity.rest()
        engine?.close()
        engine = nil
    }

    private func carryOut(_ output: JournalNode.Output, _ drained: () -> Void) {
        switch output {
        case .ask(let id, let request):
            // The owner paces itself after such a reply.
            if engine?.ask(request, as: id) != true {
                refused.append(.replied(id, .unknown("there is no connection to the engine")))
            }
        case .beat(let bytes): engine?.send(bytes, to: options.subjects.beat)
        case .tellVersion(let bytes): engine?.send(bytes, to: options.subjects.version)
        case .notify(let notice, let room): parts.rooms.post(notice.mail(to: room), to: room)
        case .answer(let number, let answer):
            if let (mail, room) = calls.end(number, answer) { parts.rooms.post(mail, to: room) }
        case .copy(.record(let record)): parts.secondCopy?.add([record])
        case .copy(.deletion(let room)): parts.secondCopy?.delete(room)
        case .shadow(let request): parts.shadows.post(request)
        case .note(let kind, let text): log(kind, text)
        case .committed(let time):
            parts.metrics.engineCommits.add(nanoseconds: Self.nanoseconds(of: time))
        case .tookOver(let time):
            parts.metrics.takeovers.add(nanoseconds: Self.nanoseconds(of: time))
        case .drained: drained()
        }
    }

    private static func nanoseconds(of span: Duration) -> UInt64 {
        UInt64(exactly: (span / .nanoseconds(1)).rounded()) ?? .max
    }

    private func log(_ kind: JournalNode.Note, _ text: String) {
        switch kind {
        case .info: parts.logger.info("\(text)")
        case .notice: parts.logger.notice("\(text)")
        case .warning: parts.logger.warning("\(text)")
        case .error: parts.logger.error("\(text)")
        }
    }

    // MARK: The connection

    private func take(_ news: EngineNews, at now: MonotonicInstant) {
        if case .heard(options.subjects.metricsQuestion, _) = news { return sendMetrics() }
        node.take(news, at: now)
        guard case .closed = news, engine != nil else { return }
        // The library has given up; a connection that was closed stays so.
        engine = nil
        reconnectAt = Self.nanoseconds
    }

    /// Sends the page of metrics to watchers. They need no token: who may hear the cluster's
    /// subjects sees more.
    private func sendMetrics() {
        let time = Self.nanoseconds
        guard time >= nextPage, let page = parts.page.page else { return }
        nextPage = time + Self.pageNanoseconds
        engine?.send(Array(page.utf8), to: options.subjects.metrics(of: options.node))
    }

    private func connectAgainIfDue(_ time: UInt64) {
        guard let at = reconnectAt, time >= at else { return }
        reconnectAt = nil
        reconnect()
    }

    private func replace(_ made: Result<any ClusterEngine, NodeFailure>) {
        switch made {
        case .success(let engine):
            self.engine = engine
            engine.hear(options.subjects.beat)
            engine.hear(options.subjects.order)
            engine.hear(options.subjects.version)
            engine.hear(options.subjects.metricsQuestion)
            engine.hear(options.subjects.link(to: options.node))
            parts.relay.post(.engine(engine))
        case .failure(let failure):
            parts.logger.error("\(failure)")
            reconnectAt = Self.nanoseconds + Self.reconnectNanoseconds
        }
    }
}
