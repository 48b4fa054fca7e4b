import ClusterJournal
import SceneCluster
import SceneModel
import SceneSession
import SceneWire
import SeededRandom

/// Nodes of a cluster with the journals, sessions, links and clients that ship, over one stream,
/// in virtual time: everything that happens follows from one seed.
///
/// Clients come to any node; members of rooms that another node owns are served over a link, whose
/// packets are lost, doubled and late. Nodes die, pause and miss beats; operators move shards; the
/// stream loses its leader and answers, and its servers lag. After a while everything heals. Then
/// every acknowledged request is in its room's journal once, no refused one is, durable records
/// form one chain, and the owner and its clients have the state that the journal leads to.
public final class JournalSimulation {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The seed.
        public var seed: UInt64
        /// Violations; empty when all was well.
        public var faults: [String] = []
        /// Requests that were committed.
        public var committed = 0
        /// Requests that were refused.
        public var refused = 0
        /// Sessions that were opened from records.
        public var openings = 0
        /// States of handed-over rooms that receivers compared with their own.
        public var comparisons = 0
        /// Links to owners that were begun for members at other nodes.
        public var links = 0
        /// Processes that died.
        public var kills = 0
        /// Leaders that the stream lost.
        public var elections = 0
        /// Cuts of a journal behind its directory.
        public var cuts = 0
        /// A hash of the state of all rooms at the end.
        public var hash: UInt64 = 0
    }

    enum Event {
        case tick(node: Int, life: Int)
        case rooms(node: Int, life: Int)
        case request(node: Int, life: Int, UInt64, EngineRequest)
        case reply(node: Int, life: Int, UInt64, EngineReply)
        case heard(node: Int, subject: String, [UInt8])
        case packet(node: Int, [UInt8])
        case connect(client: Int)
        case act(client: Int)
        case wake(client: Int)
        case arrive(connection: Int, ClientMessage)
        case deliver(connection: Int, [UInt8])
        case close(connection: Int)
        case fault
        case stream
        case start(node: Int)
        case inspect
    }

    /// A connection between a client and a node.
    struct Connection {
        var client: Int
        var node: Int
        var life: Int
        var isOpen = true
        /// Whether its room is served over a link.
        var isRelayed = false
        /// When the last message of each direction arrives; a connection keeps the order.
        var upstream = 0
        var downstream = 0
    }

    static let cluster = ClusterID(7)
    static let tickRate = 50
    static let roomTickSpan = 1000 / tickRate
    private static let healingMaximum = 60_000
    /// A journal at rest is no longer than that: what an owner keeps before it asks for snapshots,
    /// and half as much again.
    static let journalBytesMaximum = OwnerLimits.tailBytesMaximum * 3 / 2

    let seed: UInt64
    let plant: JournalPlant?
    let map: ShardMap
    let subjects = ClusterSubjects()
    let roomNames = ["r0", "r1", "r2"]
    var random: SplitMix64
    var queue = EventQueue<Event>()
    /// Milliseconds of the world.
    var now = 0
    var isHealed = false
    var stream = ReplicatedStream()
    var electAt: Int?
    var retireAt = 0
    var laggingUntil = [0, 0, 0]
    var nodes: [SimulatedMachine]
    var clients: [SimulatedClient] = []
    var roomOf: [String] = []
    var nextNode: [Int] = []
    var connections: [Connection] = []
    var connectionOf: [Int: Int] = [:]
    /// When the last packet from each node to each other one arrives: the engine keeps the order.
    var packetsDue: [[Int]]
    var ops: SimulatedOps
    var judge = RecordJudge()
    var nextName = 0
    var incarnation: UInt64 = 0
    var outcome: Outcome
    /// Of eight messages, how many take much of a journal: where most do, journals are cut.
    let longShare: Int
    private let end: Int
    private var isOver = false
    /// Since when nothing has been left to do; a member that joins has its state to come.
    var settledAt: Int?

    /// Runs one seed.
    ///
    /// - Complexity: Some ten thousand events and a thousand ticks of small scenes.
    public static func run(seed: UInt64, plant: JournalPlant? = nil) throws -> Outcome {
        let simulation = try JournalSimulation(seed: seed, plant: plant)
        // Not those of the program, which may be registered while this runs.
        RegisteredFaces.withLibrary(SimulatedFaces()) { simulation.run() }
        return simulation.outcome
    }

    private init(seed: UInt64, plant: JournalPlant?) throws(ShardMapError) {
        self.seed = seed
        self.plant = plant
        var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x10A)
        map = try ShardMap(count: 1 + random.below(2))
        nodes = Array(repeating: SimulatedMachine(), count: 3)
        packetsDue = Array(repeating: [0, 0, 0], count: 3)
        ops = SimulatedOps(seed: seed)
        longShare = random.chance(1, of: 3) ? 6 : 1
        end = 6000 + random.below(8000)
        outcome = Outcome(seed: seed)
        // Beats of nodes that are not registered do not count.
        for number in 1...nodes.count {
            _ = stream.carryOut(
                .publish(
                    subject: subjects.registration(of: NodeID(UInt16(number))),
                    bytes: Array("n\(number)".utf8), expectedLast: 0), &random)
        }
        self.random = random
    }

    /// The present moment on the monotonic clock of all nodes.
    var instant: MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + UInt64(now) * 1_000_000)
    }

    /// The present moment in nanoseconds, as clients count them.
    var nanoseconds: UInt64 { UInt64(now) * 1_000_000 }

    // MARK: The run

    private func run() {
        for node in nodes.indices { queue.plan(.start(node: node), at: random.below(200)) }
        for number in 0..<3 + random.below(4) {
            let isViewer = number > 1 && random.chance(1, of: 2)
            let capability =
                isViewer ? Capability.keyframes | Capability.inspect : Capability.undo
            clients.append(
                SimulatedClient(
                    number: number, role: isViewer ? .viewer : .editor,
                    format: random.chance(1, of: 4) ? .json : .binary,
                    capabilities: isViewer || random.chance(1, of: 2) ? capability : 0, roots: [],
                    rate: 0, device: nil, lies: false))
            roomOf.append(random.pick(roomNames))
            nextNode.append(random.below(nodes.count))
            queue.plan(.connect(client: number), at: 500 + random.below(500))
            queue.plan(.act(client: number), at: 500 + random.below(1000))
        }
        queue.plan(.stream, at: 10)
        queue.plan(.fault, at: 2000 + random.below(1000))
        queue.plan(.inspect, at: end)
        while !isOver, let (time, event) = queue.next(), outcome.faults.count < 5 {
            now = time
            if !isHealed, now >= end { heal() }
            if now > end + Self.healingMaximum { break }
            handle(event)
        }
        check()
    }

    private func handle(_ event: Event) {
        switch event {
        case .tick(let node, let life): tick(node, life)
        case .rooms(let node, let life): tickRooms(node, life)
        case .request(let node, let life, let id, let request): carry(request, id, node, life)
        case .reply(let node, let life, let id, let reply): deliver(reply, id, node, life)
        case .heard(let node, let subject, let bytes): hear(subject, bytes, at: node)
        case .packet(let node, let bytes): hear(packet: bytes, at: node)
        case .connect(let client): connect(client)
        case .act(let client): act(client)
        case .wake(let client): wake(client)
        case .arrive(let connection, let message): arrive(message, over: connection)
        case .deliver(let connection, let payload): deliver(payload, over: connection)
        case .close(let connection): cut(connection)
        case .fault: fault()
        case .stream: advanceStream()
        case .start(let node): start(node)
        case .inspect: inspect()
        }
    }

    func journalBytes(of shard: ShardID) -> Int {
        stream.messages(of: subjects.journal(of: shard)).reduce(0) { $0 + $1.bytes.count }
    }

    /// The nodes at which a room is open.
    func owners(of room: String) -> [Int] {
        nodes.indices.filter { nodes[$0].process?.rooms[room] != nil }
    }

    /// Whether all clients in a room have one state: links may still have packets to send again.
    private func isShownToAll(_ room: String) -> Bool {
        Set(clients.filter { roomOf[$0.number] == room }.map(\.mirror.stateHash)).count <= 1
    }

    /// Ends the run once every request has had its answer for a second.
    private func inspect() {
        queue.plan(.inspect, at: now + 100)
        let isDone =
            clients.allSatisfy {
                $0.unanswered.isEmpty && $0.inspections.isEmpty && $0.isWelcomed
            }
            && nodes.allSatisfy { ($0.process?.rooms.values.allSatisfy { $0.isAtRest } ?? true) }
            && Set(roomOf).allSatisfy { owners(of: $0).count == 1 }
            && map.shards.allSatisfy { journalBytes(of: $0) <= Self.journalBytesMaximum }
            && roomNames.allSatisfy(isShownToAll)
        guard isDone else { return settledAt = nil }
        let settled = settledAt ?? now + 1000
        settledAt = settled
        if now >= settled { isOver = true }
    }
}
