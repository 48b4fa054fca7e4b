import SceneCluster
import Testing

@Suite("A node places shards by beats")
struct ClusterNodeTests {
    private static let cluster = ClusterID(7)
    private static let me = NodeLife(node: NodeID(1), life: 11)
    private static let other = NodeLife(node: NodeID(2), life: 22)

    /// A node alone with the beats that the test lets it hear.
    private struct World {
        var node: ClusterNode
        var time: UInt64 = 1000
        var hearsItself = true
        var effects: [ClusterNode.Effect] = []
        var otherBeats: UInt64 = 0

        init(shards: Int) throws {
            node = ClusterNode(
                me, cluster: cluster, map: try ShardMap(count: shards),
                at: .init(nanoseconds: 1_000_000_000))
        }

        mutating func send(_ event: ClusterNode.Event) {
            let new = node.handle(event, at: .init(nanoseconds: time * 1_000_000))
            effects += new
            for case .beat(let beat) in new where hearsItself { send(.heard(beat)) }
        }

        mutating func pass(_ milliseconds: UInt64, with claims: [Beat.Claim]? = nil) {
            for step in 0..<milliseconds / 10 {
                time += 10
                if let claims, step % 5 == 0 { hearOther(claims) }
                send(.tick)
            }
        }

        mutating func hearOther(_ claims: [Beat.Claim]) {
            otherBeats += 1
            send(
                .heard(
                    Beat(sender: other, number: otherBeats, claims: claims, isDraining: false)))
        }

        /// How many shards the node claims.
        var claimed: Int {
            (0..<16).count { node.phase(of: ShardID($0)) == .sealing }
        }

        /// How often it was asked whether anybody listens for the other node.
        var questions: Int { effects.filter { $0 == .probe(other) }.count }

        /// The shards that the node asks the engine about.
        var asked: Set<ShardID> {
            Set(
                effects.compactMap {
                    if case .shard(let shard, .request) = $0 { shard } else { nil }
                })
        }

        /// The shards that the node claimed in its last beat.
        var lastClaims: [UInt16]? {
            effects.compactMap {
                if case .beat(let beat) = $0 { beat.claims.map(\.shard.rawValue) } else { nil }
            }.last
        }

        /// Answers each request so that the shard is served.
        mutating func serve() {
            var subjects: [String: [EngineMessage]] = [:]
            while let index = effects.firstIndex(where: {
                if case .shard(_, .request) = $0 { true } else { false }
            }), case .shard(_, .request(let ticket, let request)) = effects.remove(at: index) {
                switch request {
                case .publish(let subject, let bytes, _):
                    let sequence = UInt64((subjects[subject]?.count ?? 0) + 1)
                    subjects[subject, default: []].append(
                        EngineMessage(subject: subject, sequence: sequence, bytes: bytes))
                    send(.reply(ticket, .kept(sequence: sequence)))
                case .read(let subject, let from, _, _):
                    let messages = subjects[subject, default: []].filter { $0.sequence >= from }
                    send(.reply(ticket, .messages(messages, isEnd: true)))
                case .last, .purge, .probe: send(.reply(ticket, .failed("not asked for")))
                }
            }
        }
    }

    @Test("a node that is alone takes all shards, once it has listened for 300 ms")
    func alone() throws {
        var world = try World(shards: 4)
        world.pass(300)
        #expect(world.asked.isEmpty)
        world.pass(50)
        #expect(world.asked == Set((0..<4).map { ShardID($0) }))
        world.serve()
        #expect((0..<4).allSatisfy { world.node.epoch(of: ShardID($0)) == 1 })
        // Who waits for the rooms is told at once, and again as time passes.
        #expect(world.lastClaims == [0, 1, 2, 3])
        world.effects = []
        world.pass(80)
        #expect(world.lastClaims == [0, 1, 2, 3])
    }

    @Test("who is to receive a shard is told at once")
    func handsOver() throws {
        var world = try World(shards: 1)
        world.pass(400, with: [])
        world.serve()
        world.effects = []
        world.send(.move(ShardID(0), to: Self.other.node, states: []))
        let beats = world.effects.compactMap {
            if case .beat(let beat) = $0 { beat } else { nil }
        }
        #expect(beats.last?.claims.map(\.receiver) == [Self.other.node])
    }

    @Test("a node that does not hear itself takes nothing")
    func mute() throws {
        var world = try World(shards: 4)
        world.hearsItself = false
        world.pass(2000)
        #expect(world.asked.isEmpty)
    }

    @Test("of two nodes each takes the shards that placement gives it, and none that is claimed")
    func shared() throws {
        var world = try World(shards: 16)
        world.pass(1000, with: [.init(shard: ShardID(0), epoch: 3)])
        let own = Set(
            (0..<16).map { ShardID($0) }.filter {
                Placement.next(
                    for: $0, among: [.init(node: Self.me.node), .init(node: Self.other.node)])
                    == Self.me.node
            })
        #expect(!own.isEmpty && own.count < 16)
        let taken = (0..<16).map { ShardID($0) }.filter { world.node.phase(of: $0) != .follower }
        #expect(Set(taken) == own.subtracting([ShardID(0)]))
        // It reads along with the one that is claimed, whose next owner it is.
        #expect(world.asked == own.union([ShardID(0)]))
    }

    @Test("a beat of its own that was held up for 300 ms proves nothing")
    func lateOwnBeat() throws {
        var world = try World(shards: 1)
        world.pass(400)
        world.serve()
        world.hearsItself = false
        world.effects = []
        world.pass(80)
        let held = try #require(
            world.effects.compactMap { if case .beat(let beat) = $0 { beat } else { nil } }.first)
        world.pass(320)
        #expect(world.effects.contains(.shard(ShardID(0), .suspect)))
        world.effects = []
        world.send(.heard(held))
        world.pass(10)
        #expect(!world.effects.contains(.shard(ShardID(0), .trusted)))
        world.hearsItself = true
        world.pass(100)
        #expect(world.effects.contains(.shard(ShardID(0), .trusted)))
    }

    @Test(
        "whether anybody listens for a node is asked once nothing was heard of it for 100 ms, each 30 ms until it is silent"
    )
    func asksForTheQuiet() throws {
        var world = try World(shards: 1)
        world.pass(400, with: [])
        world.hearOther([])
        world.effects = []
        world.pass(100)
        #expect(world.questions == 0)
        world.pass(10)
        #expect(world.questions == 1)
        // At 110, 140, 170, 200, 230, 260 and 290 ms.
        world.pass(190)
        #expect(world.questions == 7)
        world.pass(100)
        #expect(world.questions == 7)
        // It does not ask for itself, heard or not.
        #expect(!world.effects.contains(.probe(Self.me)))
    }

    @Test(
        "the shards of a node for which nobody listens are taken at the second answer, and not where it was heard in between"
    )
    func missed() throws {
        let claims = (0..<16).map { Beat.Claim(shard: ShardID($0), epoch: 1) }
        for isHeardBetween in [false, true] {
            var world = try World(shards: 16)
            world.pass(400, with: claims)
            world.hearOther(claims)
            world.effects = []
            world.pass(110)
            #expect(world.questions == 1)
            world.send(.unheard(Self.other))
            #expect(world.claimed == 0)
            #expect(
                !world.node.shardsToComeSoon(at: .init(nanoseconds: world.time * 1_000_000)).isEmpty
            )
            if isHeardBetween { world.hearOther(claims) }
            world.pass(30)
            world.send(.unheard(Self.other))
            #expect(world.claimed == (isHeardBetween ? 0 : 16))
            // What it claims counts again once it is heard again.
            let now = MonotonicInstant(nanoseconds: world.time * 1_000_000)
            #expect(world.node.claims(at: now).isEmpty == !isHeardBetween)
            world.hearOther(claims)
            #expect(world.node.claims(at: now).count == 16)
        }
    }

    @Test("an answer about a process that nobody asked for changes nothing")
    func unaskedAnswer() throws {
        var world = try World(shards: 4)
        let claims = (0..<4).map { Beat.Claim(shard: ShardID($0), epoch: 1) }
        world.pass(400, with: claims)
        for _ in 0..<3 { world.send(.unheard(Self.other)) }
        for _ in 0..<3 { world.send(.unheard(NodeLife(node: NodeID(9), life: 1))) }
        #expect(world.node.claims(at: .init(nanoseconds: world.time * 1_000_000)).count == 4)
    }

    @Test("a shard is handed only to a node that is heard")
    func move() throws {
        var world = try World(shards: 1)
        let shard = ShardID(0)
        world.pass(400)
        world.serve()
        #expect(world.node.epoch(of: shard) == 1)
        world.send(.move(shard, to: NodeID(2), states: []))
        #expect(world.effects.contains(.receiverSilent(shard, NodeID(2))))
        world.hearOther([])
        world.send(.move(shard, to: NodeID(2), states: []))
        #expect(
            world.node.phase(of: shard)
                == .handing(epoch: 1, to: NodeLife(node: NodeID(2), life: 22)))
    }

    @Test("two processes with one number are told")
    func twice() throws {
        var world = try World(shards: 1)
        let beat = { (life: UInt64, number: UInt64) in
            ClusterNode.Event.heard(
                Beat(
                    sender: NodeLife(node: NodeID(9), life: life), number: number, claims: [],
                    isDraining: false))
        }
        world.send(beat(1, 1))
        world.send(beat(2, 1))
        world.pass(2000)
        world.send(beat(2, 2))
        world.send(beat(1, 2))
        #expect(world.effects.contains(.numberTakenTwice(NodeID(9))))
    }

    @Test("a shard that the cluster does not have is nobody's")
    func noShard() throws {
        var world = try World(shards: 1)
        world.send(.commit(ShardID(1), number: 1, []))
        world.send(.reply(EngineTicket(shard: ShardID(9), number: 1), .busy))
        world.hearOther([.init(shard: ShardID(77), epoch: 1)])
        #expect(world.node.phase(of: ShardID(1)) == nil)
        #expect(world.asked.isEmpty)
    }
}
