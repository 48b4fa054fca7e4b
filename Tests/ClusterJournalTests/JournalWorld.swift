import SceneCluster
import SceneWire

@testable import ClusterJournal

/// Nodes that keep the journal of one shard in one engine, in a time that a test makes: no thread,
/// no NATS.
final class JournalWorld {
    struct Node {
        var node: JournalNode
        var notices: [RoomNotice] = []
        var answers: [UInt64: JournalAnswer] = [:]
        var copied: [JournalRecord] = []
        var requests: [ShadowRequest] = []
        var hasDrained = false
        var notes: [(kind: JournalNode.Note, text: String)] = []
        var isAlive = true
        /// Replies of the engine that are on their way; `nil` while they come at once.
        var withheld: [(UInt64, EngineReply)]?
    }

    var engine = FakeEngine()
    var nodes: [Node] = []
    private(set) var now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private static let cluster = ClusterID(7)

    /// - Parameter versions: Those of the nodes; by default all have the program's.
    init(nodes count: Int = 1, versions: [ReleaseVersion]? = nil) throws {
        let map = try ShardMap(count: 1)
        for number in 1...count {
            _ = engine.carryOut(
                .publish(
                    subject: ClusterSubjects().registration(of: NodeID(UInt16(number))),
                    bytes: Array("n\(number)".utf8), expectedLast: 0))
            let settings = NodeSettings(
                name: "n\(number)", node: NodeID(UInt16(number)), cluster: Self.cluster, map: map,
                version: versions?[number - 1] ?? ReleaseVersion(major: 1, minor: 1, patch: 0))
            nodes.append(
                Node(
                    node: JournalNode(
                        settings, life: UInt64(100 + number), address: "ws://n\(number)",
                        at: now)))
        }
    }

    /// Whether what is to be replayed ahead of time is replayed at once, or never.
    var replaysAtOnce = true

    /// What rooms tell of their states when they are held; those that are not named tell 0, none
    /// where there are no names.
    var holds: [String: UInt64] = ["": 0]

    /// Whether the engine's servers notice a node's death, as they do not where its machine is cut
    /// off.
    var knowsWhoIsThere = true

    /// Which requests are answered later, by `answerLate`.
    var isLate: (EngineRequest) -> Bool = { _ in false }
    /// The node whose requests these are; `nil` for any.
    var lateNode: Int?
    private var late: [(node: Int, UInt64, EngineRequest)] = []

    /// Carries out the requests whose turn it is to be late, as `isLate` had them before it is
    /// changed.
    func answerLate() {
        let waiting = late
        late = []
        for (index, id, request) in waiting {
            nodes[index].node.take(.replied(id, engine.carryOut(request)), at: now)
            carryOut(nodes[index].node.takeOutputs(at: now), of: index)
        }
    }

    /// Lets time pass in steps of ten milliseconds.
    func run(milliseconds: Int) {
        for _ in 0..<max(1, milliseconds / 10) {
            now = now.advanced(by: .milliseconds(10))
            for index in nodes.indices where nodes[index].isAlive {
                carryOut(nodes[index].node.advance(to: now), of: index)
            }
        }
    }

    func ask(_ request: JournalNode.Request, of index: Int = 0) {
        nodes[index].node.take(request, at: now)
        carryOut(nodes[index].node.takeOutputs(at: now), of: index)
    }

    /// The engine's replies reach a node.
    func deliverReplies(to index: Int) {
        for (id, reply) in nodes[index].withheld ?? [] {
            nodes[index].node.take(.replied(id, reply), at: now)
        }
        nodes[index].withheld = nil
        carryOut(nodes[index].node.takeOutputs(at: now), of: index)
    }

    /// An operator's order reaches all nodes.
    func order(_ order: ClusterOrder) {
        let bytes = order.encoded(cluster: Self.cluster)
        for index in nodes.indices where nodes[index].isAlive {
            nodes[index].node.take(
                .heard(subject: ClusterSubjects().order, bytes: bytes), at: now)
            carryOut(nodes[index].node.takeOutputs(at: now), of: index)
        }
    }

    /// An operator has the shard go to a node.
    func move(to index: Int) { order(.move(ShardID(0), to: NodeID(UInt16(index + 1)))) }

    /// The node that owns the shard.
    var owner: Int? { nodes.indices.first { nodes[$0].node.node.epoch(of: ShardID(0)) != nil } }

    private func carryOut(_ outputs: [JournalNode.Output], of index: Int) {
        for output in outputs {
            switch output {
            case .ask(let id, let request) where lateNode ?? index == index && isLate(request):
                late.append((index, id, request))
            case .ask(let id, let request):
                let reply = isUnheard(request) ? .unheard : engine.carryOut(request)
                if nodes[index].withheld?.append((id, reply)) != nil { break }
                nodes[index].node.take(.replied(id, reply), at: now)
            case .beat(let bytes):
                for other in nodes.indices where nodes[other].isAlive {
                    nodes[other].node.take(.heard(subject: "", bytes: bytes), at: now)
                    carryOut(nodes[other].node.takeOutputs(at: now), of: other)
                }
            case .notify(let notice, let room):
                nodes[index].notices.append(notice)
                if notice == .held(true), !holds.isEmpty {
                    ask(.held(room: room, holds[room] ?? 0), of: index)
                }
            case .answer(let number, let answer): nodes[index].answers[number] = answer
            case .drained: nodes[index].hasDrained = true
            case .copy(.record(let record)): nodes[index].copied.append(record.record)
            case .shadow(let request):
                nodes[index].requests.append(request)
                if case .follow(let room, let records) = request, replaysAtOnce {
                    ask(.shadowed(room: room, through: records.last?.sequence), of: index)
                }
            case .tellVersion(let bytes): tellVersion(bytes)
            case .note(let kind, let text): nodes[index].notes.append((kind, text))
            case .copy(.deletion), .committed, .tookOver: break
            }
        }
        let more = nodes[index].node.takeOutputs(at: now)
        if !more.isEmpty { carryOut(more, of: index) }
    }

    /// Whether a request asks for a node that is not there; the engine's servers know, unless
    /// `knowsWhoIsThere` is false.
    private func isUnheard(_ request: EngineRequest) -> Bool {
        guard case .probe(let subject) = request, knowsWhoIsThere else { return false }
        return nodes.contains {
            !$0.isAlive && ClusterSubjects().link(to: $0.node.identity.node) == subject
        }
    }

    private func tellVersion(_ bytes: [UInt8]) {
        for index in nodes.indices where nodes[index].isAlive {
            nodes[index].node.take(
                .heard(subject: ClusterSubjects().version, bytes: bytes), at: now)
        }
    }

    /// What a node knows of its cluster; `nil` where nothing is likely to have changed.
    func view(of index: Int) -> ClusterState? { nodes[index].node.takeView(at: now) }

    /// Removes the notices that rooms received.
    func takeNotices(of index: Int = 0) -> [RoomNotice] {
        defer { nodes[index].notices = [] }
        return nodes[index].notices
    }

    /// The same without those that end loads.
    func outcomes(of index: Int = 0) -> [RoomNotice] {
        takeNotices(of: index).filter { notice in
            switch notice {
            case .loaded, .unreadable, .handedOver, .elsewhere: false
            case .durable, .stalled, .resumed, .held, .moved, .lost: true
            }
        }
    }

    /// Removes the answers to numbered requests.
    func answers(of index: Int = 0) -> [UInt64: JournalAnswer] {
        defer { nodes[index].answers = [:] }
        return nodes[index].answers
    }

    /// Loads a room, and returns its records; `nil` where none were sent.
    func load(_ room: String, at index: Int = 0) -> [JournalRecord]? {
        ask(.load(room: room, from: nil), of: index)
        run(milliseconds: 50)
        for case .loaded(let records) in takeNotices(of: index) { return records }
        return nil
    }

    /// A record whose payload does not deflate, so that a large one has several parts.
    static func record(
        _ sequence: UInt64, after last: JournalRecord? = nil, bytes: Int = 20
    ) -> JournalRecord {
        var state = sequence &* 0x9E37_79B9_7F4A_7C15 | 1
        let payload = (0..<bytes).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        return JournalRecord(
            sequence: sequence, epoch: 1, tick: sequence, previous: last?.checksum ?? 0,
            kind: sequence == 1 ? .snapshot : .batch, payload: payload)
    }
}
