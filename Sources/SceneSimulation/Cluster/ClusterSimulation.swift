public import SceneCluster
import SeededRandom

/// Some nodes of a cluster, the replicated stream that their shards live in, and clients that write
/// to their rooms, in a world of virtual clocks: everything that happens follows from one seed.
///
/// Nodes die, stand still, and are cut off; clocks run wrong and jump; beats are lost, doubled and
/// late; the engine loses its leader, answers late, not at all or from the past, and refuses
/// without a reason. After a while everything heals, and then every op that was acknowledged is in
/// its shard's journal once, and none that was refused.
public final class ClusterSimulation {
    /// What a run came to.
    public struct Outcome: Sendable {
        /// The seed that it followed from.
        public var seed: UInt64
        /// How the engine took conditions: `fencing` or `racy`.
        public var engine: String
        /// What was wrong; empty when all was well.
        public var faults: [String]
        /// Ops that were acknowledged.
        public var acknowledged = 0
        /// Ops that were refused.
        public var refused = 0
        /// How often a node began to serve a shard.
        public var takeovers = 0
        /// How often an owner gave a shard up.
        public var resignations = 0
        /// How often an owner refused ops because the engine kept nothing.
        public var stalls = 0
        /// How often a node's process died.
        public var kills = 0
        /// How often a node's process stood still.
        public var pauses = 0
        /// How often the engine lost its leader.
        public var elections = 0
        /// Messages of the stream that are part of no chain.
        public var skipped = 0
        /// How long it took, in milliseconds of the simulated world.
        public var milliseconds = 0
        /// A hash of what the journals hold at the end.
        public var hash: UInt64 = 0
        /// What clients asked for and were told, and the journals, one JSON object each; empty
        /// unless asked for.
        public var history: [String] = []
    }

    enum Event {
        case tick(node: Int, life: Int)
        case beat(node: Int, life: Int, Beat)
        case unheard(node: Int, life: Int, NodeLife)
        case call(EngineCall)
        case commit(proposal: Int)
        case replicate(server: Int, sequence: UInt64)
        case catchUp(server: Int)
        case reply(EngineCall, EngineReply)
        case connect(client: Int)
        case act(client: Int)
        case check(client: Int)
        case upstream(link: Int, ClientCall)
        case downstream(link: Int, NodeAnswer)
        case frames(node: Int, life: Int)
        case frame(observer: Int, RoomFrame)
        case fault
        case mend(Mending)
        case start(node: Int)
        case elect
        case inspect
    }

    /// What a client sends.
    enum ClientCall {
        case hello
        case op(SimulatedOp, isResent: Bool)
    }

    /// What a node answers.
    enum NodeAnswer {
        case welcome
        case elsewhere
        case result(UInt32, ClusterClient.Answer)
    }

    /// The end of a fault.
    enum Mending {
        case server(Int)
        case site(Int)
        case node(Int)
        case busy
        case slow(Int)
    }

    /// A connection between a client and a node.
    struct Link {
        var client: Int
        var node: Int
        var life: Int
        var isOpen = true
        var isWelcomed = false
        var sentThrough: UInt32
        /// When the last message of each direction comes; a connection keeps the order.
        var upstream = 0
        var downstream = 0
    }

    static let millisecond = 1000
    static let second = 1_000_000
    static let tickSpan = 20 * millisecond
    private static let healingMaximum = 60 * second
    static let cluster = ClusterID(0x5CE2_E517)

    let seed: UInt64
    let plant: ClusterPlant?
    let isRecording: Bool
    var random: SplitMix64
    var queue = EventQueue<Event>()
    var now = 0
    let end: Int
    var isHealed = false
    var isOver = false
    var settleAt: Int?
    let map: ShardMap
    let subjects = ClusterSubjects()
    var engine: SimulatedEngine
    var nodes: [SimulatedNode] = []
    var clients: [ClusterClient] = []
    var links: [Link] = []
    var linkOf: [Int?] = []
    var observers: [ClusterObserver]
    var serverIsDown = [Bool](repeating: false, count: SimulatedEngine.serverCount)
    var slowUntil = [Int](repeating: 0, count: SimulatedEngine.serverCount)
    var siteIsCut: [Bool]
    var nodeIsCut: [Bool]
    var isBusyWithoutReason = false
    var isElectionPlanned = false
    var lastLife: UInt64 = 0
    var records = ClusterRecords()
    var outcome: Outcome

    /// Runs one seed.
    ///
    /// - Parameters:
    ///   - nodes: How many nodes, from 1.
    ///   - plant: A fault to plant.
    ///   - isRecording: Whether the outcome has a history.
    /// - Complexity: Some ten thousand events.
    public static func run(
        seed: UInt64, nodes: Int = 3, plant: ClusterPlant? = nil, isRecording: Bool = false
    ) throws(ShardMapError) -> Outcome {
        let simulation = try ClusterSimulation(
            seed: seed, nodes: nodes, plant: plant, isRecording: isRecording)
        simulation.run()
        return simulation.outcome
    }

    private init(
        seed: UInt64, nodes nodeCount: Int, plant: ClusterPlant?, isRecording: Bool
    ) throws(ShardMapError) {
        precondition(nodeCount >= 1, "a cluster has a node")
        self.seed = seed
        self.plant = plant
        self.isRecording = isRecording
        var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xC1)
        map = try ShardMap(count: 1 + random.below(2))
        let kind: SimulatedEngine.Kind =
            plant == .noFence ? .unconditional : random.below(2) == 0 ? .fencing : .racy
        engine = SimulatedEngine(
            kind: kind, leader: random.below(SimulatedEngine.serverCount))
        end = (4 + random.below(9)) * Self.second
        siteIsCut = Array(repeating: false, count: max(nodeCount, SimulatedEngine.serverCount))
        nodeIsCut = Array(repeating: false, count: nodeCount)
        observers = Array(
            repeating: ClusterObserver(acceptsOldEpochs: plant == .oldEpochs), count: 2)
        outcome = Outcome(seed: seed, engine: kind.rawValue, faults: [])
        for _ in 0..<nodeCount {
            nodes.append(SimulatedNode(shardCount: map.count, &random))
        }
        for session in 0..<3 + random.below(3) {
            let room = "room-\(random.below(3))"
            clients.append(
                ClusterClient(
                    session: UInt16(session + 1), room: room,
                    shard: Int(map.shard(ofRoom: room).rawValue), node: random.below(nodeCount)))
        }
        linkOf = Array(repeating: nil, count: clients.count)
        self.random = random
    }

    // MARK: The run

    private func run() {
        for node in nodes.indices { queue.plan(.start(node: node), at: random.below(500_000)) }
        for client in clients.indices {
            queue.plan(.connect(client: client), at: random.below(Self.second))
            queue.plan(.act(client: client), at: random.below(Self.second))
        }
        queue.plan(.fault, at: Self.second + random.below(Self.second))
        queue.plan(.inspect, at: end)
        while !isOver, let (time, event) = queue.next(), outcome.faults.count < 10 {
            now = time
            if !isHealed, now >= end { heal() }
            if now > end + Self.healingMaximum { break }
            handle(event)
        }
        outcome.milliseconds = now / Self.millisecond
        check()
    }

    private func handle(_ event: Event) {
        switch event {
        case .tick(let node, let life): tick(node, life)
        case .beat(let node, let life, let beat): hear(beat, at: node, life)
        case .unheard(let node, let life, let other): miss(other, at: node, life)
        case .call(let call): arrive(call)
        case .commit(let proposal): commit(proposal)
        case .replicate(let server, let sequence): replicate(sequence, to: server)
        case .catchUp(let server): catchUp(server)
        case .reply(let call, let reply): deliver(reply, to: call)
        case .connect(let client): connect(client)
        case .act(let client): act(client)
        case .check(let client): checkPatience(client)
        case .upstream(let link, let call): receive(call, over: link)
        case .downstream(let link, let answer): receive(answer, over: link)
        case .frames(let node, let life): showFrames(node, life)
        case .frame(let observer, let frame): observers[observer].take(frame)
        case .fault: fault()
        case .mend(let mending): mend(mending)
        case .start(let node): start(node)
        case .elect: elect()
        case .inspect: inspect()
        }
    }

    /// Whether a node's process lives; where it stands still, the event is planned for when it goes
    /// on.
    func runs(_ node: Int, _ life: Int, _ event: @autoclosure () -> Event) -> Bool {
        guard nodes[node].life == life, nodes[node].process != nil else { return false }
        guard nodes[node].pausedUntil <= now else {
            queue.plan(event(), at: nodes[node].pausedUntil)
            return false
        }
        return true
    }

    /// Looks whether everything is answered. It has to stay so for a moment, so that what is on its
    /// way arrives.
    private func inspect() {
        let isDone =
            clients.allSatisfy { $0.unanswered.isEmpty }
            && map.shards.allSatisfy { shard in
                nodes.filter { $0.process?.epoch(of: shard) != nil }.count == 1
            }
        if isDone {
            let settled = settleAt ?? now + Self.second
            settleAt = settled
            if now >= settled { isOver = true }
        } else {
            settleAt = nil
        }
        queue.plan(.inspect, at: now + 100 * Self.millisecond)
    }
}
