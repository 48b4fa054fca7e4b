import SceneCluster
import SceneWire
import SeededRandom
import Testing

@testable import ClusterJournal

/// Three nodes, whose journals are cut all the time, over a stream whose servers lag, lose their
/// leader and lose answers; nodes die, stand still and come back. Whatever happens, what was told
/// durable is there, and once all is well the journal is short.
@Suite("The journal of nodes in a hostile world")
struct JournalNodePropertyTests {
    @Test("what is durable stays, and journals stay short", arguments: 0..<8)
    func faults(seed: UInt64) throws {
        let world = HostileWorld(seed: seed)
        try world.run(steps: 2500)
        try world.heal()
        #expect(world.faults == [], "seed \(seed)")
        #expect(world.durableCount > 60, "seed \(seed)")
        #expect(world.stream.purges > 0, "seed \(seed)")
        #expect(world.journalBytes < 6 << 20, "seed \(seed)")
    }
}

/// A room's only writer, who follows the room from node to node.
private struct HostileWriter {
    let room: String
    let bytes: Int
    /// The node that has the room open for it.
    var node: Int?
    var life = 0
    var isLoading = false
    var askAt = 0
    /// What was appended at this node, from the records that were loaded there on.
    var records: [JournalRecord] = []
    /// The durable records, by their sequence.
    var durable: [UInt64: UInt64] = [:]
    var durableThrough: UInt64 = 0
}

private final class HostileWorld {
    private struct Node {
        var life = 1
        var node: JournalNode?
        var pausedUntil = 0
        var deafUntil = 0
    }

    private enum Event {
        case request(node: Int, life: Int, UInt64, EngineRequest)
        case reply(node: Int, life: Int, UInt64, EngineReply)
        case beat(to: Int, [UInt8])
        case version(to: Int, [UInt8])
    }

    /// Milliseconds of a step.
    private static let step = 10
    private static let cluster = ClusterID(7)

    private var random: SplitMix64
    private(set) var stream = ReplicatedStream()
    private var nodes = [Node](repeating: Node(), count: 3)
    private var writers: [HostileWriter]
    private var events: [(time: Int, event: Event)] = []
    private var time = 0
    private var isHealed = false
    private var electAt: Int?
    private var retireAt = 0
    private var laggingUntil = [0, 0, 0]
    private(set) var faults: [String] = []
    private(set) var durableCount = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x24)
        // Large records, small ones, and a room that is written seldom, whose snapshot is the
        // oldest.
        writers = [
            HostileWriter(room: "large", bytes: 60_000), HostileWriter(room: "small", bytes: 400),
            HostileWriter(room: "seldom", bytes: 2000),
        ]
        for index in nodes.indices { start(index) }
    }

    private var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + UInt64(time) * 1_000_000)
    }

    private func start(_ index: Int) {
        guard let map = try? ShardMap(count: 1) else { return }
        let settings = NodeSettings(
            name: "n\(index + 1)", node: NodeID(UInt16(index + 1)), cluster: Self.cluster,
            map: map, version: ReleaseVersion(major: 1, minor: 1, patch: 0))
        nodes[index].life += 1
        nodes[index].pausedUntil = 0
        nodes[index].node = JournalNode(
            settings, life: UInt64(nodes[index].life * 10 + index), address: "ws://n\(index + 1)",
            at: now)
    }

    // MARK: The run

    func run(steps: Int) throws {
        for _ in 0..<steps where faults.isEmpty {
            time += Self.step
            if !isHealed, random.below(60) == 0 { fault() }
            mend()
            deliver()
            for index in nodes.indices where runs(index) {
                guard let outputs = nodes[index].node?.advance(to: now) else { continue }
                carryOut(outputs, of: index)
            }
            for index in writers.indices { write(index) }
        }
    }

    /// All is well from here on: everything that is durable is loaded in the end.
    func heal() throws {
        isHealed = true
        laggingUntil = [0, 0, 0]
        for index in nodes.indices {
            nodes[index].pausedUntil = 0
            nodes[index].deafUntil = 0
            if nodes[index].node == nil { start(index) }
        }
        try run(steps: 2000)
        for index in writers.indices where writers[index].node == nil && faults.isEmpty {
            faults.append("room \(writers[index].room) is not served")
        }
    }

    var journalBytes: Int {
        stream.messages(of: ClusterSubjects().journal(of: ShardID(0)))
            .reduce(0) { $0 + $1.bytes.count }
    }

    private func runs(_ index: Int) -> Bool {
        nodes[index].node != nil && nodes[index].pausedUntil <= time
    }

    // MARK: What goes wrong

    private func fault() {
        let index = random.below(nodes.count)
        switch random.below(6) {
        case 0 where nodes.filter({ $0.node != nil }).count > 1: nodes[index].node = nil
        case 1: nodes[index].pausedUntil = time + 50 + random.below(4000)
        case 2: nodes[index].deafUntil = time + 300 + random.below(1500)
        case 3 where stream.leader != nil:
            stream.loseLeader(staysOn: random.below(2) == 0)
            electAt = time + 300 + random.below(5000)
            retireAt = time + 8000
        default: laggingUntil[index] = time + 200 + random.below(3000)
        }
    }

    private func mend() {
        for index in nodes.indices where nodes[index].node == nil && random.below(200) == 0 {
            start(index)
        }
        if let at = electAt, at <= time || isHealed {
            stream.elect(random.below(3))
            electAt = nil
        }
        if retireAt <= time || isHealed { stream.retireOldLeader() }
        for server in 0..<3 where laggingUntil[server] <= time {
            stream.replicate(to: server, atMost: isHealed ? .max : random.below(20))
        }
    }

    // MARK: Messages

    private func deliver() {
        while let place = events.firstIndex(where: { $0.time <= time }) {
            switch events.remove(at: place).event {
            case .request(let node, let life, let id, let request):
                let reply = stream.carryOut(request, &random)
                let isLost = !isHealed && random.below(40) == 0
                plan(
                    .reply(
                        node: node, life: life, id,
                        isLost ? .unknown("no answer came within 2 seconds") : reply),
                    after: isLost ? 2000 : random.below(12))
            case .reply(let node, let life, let id, let reply):
                guard nodes[node].life == life, nodes[node].node != nil else { continue }
                guard runs(node) else {
                    plan(.reply(node: node, life: life, id, reply), after: 100)
                    continue
                }
                nodes[node].node?.take(.replied(id, reply), at: now)
                collect(node)
            case .beat(let node, let bytes):
                guard runs(node), nodes[node].deafUntil <= time else { continue }
                nodes[node].node?.take(.heard(subject: "", bytes: bytes), at: now)
                collect(node)
            case .version(let node, let bytes):
                guard runs(node), nodes[node].deafUntil <= time else { continue }
                nodes[node].node?.take(
                    .heard(subject: ClusterSubjects().version, bytes: bytes), at: now)
            }
        }
    }

    private func plan(_ event: Event, after delay: Int) {
        let at = time + delay
        // Behind what was planned for the same moment, so that the order stays.
        let place = events.firstIndex { $0.time > at } ?? events.count
        events.insert((at, event), at: place)
    }

    private func collect(_ index: Int) {
        if let outputs = nodes[index].node?.takeOutputs(at: now) { carryOut(outputs, of: index) }
    }

    private func carryOut(_ outputs: [JournalNode.Output], of index: Int) {
        for output in outputs {
            switch output {
            case .ask(let id, let request):
                let isLate = !isHealed && random.below(50) == 0
                plan(
                    .request(node: index, life: nodes[index].life, id, request),
                    after: isLate ? random.below(1500) : random.below(8))
            case .beat(let bytes):
                for other in nodes.indices where isHealed || random.below(25) > 0 {
                    plan(.beat(to: other, bytes), after: random.below(5))
                }
            case .tellVersion(let bytes):
                for other in nodes.indices where isHealed || random.below(25) > 0 {
                    plan(.version(to: other, bytes), after: random.below(5))
                }
            case .notify(let notice, let room): take(notice, of: room, at: index)
            case .note(.error, let text) where text.contains("is stopped"):
                faults.append("node \(index): \(text)")
            case .answer, .copy, .shadow, .note, .committed, .tookOver, .drained: break
            }
        }
    }

    // MARK: The writers

    private func write(_ index: Int) {
        guard let node = writers[index].node, nodes[node].life == writers[index].life,
            nodes[node].node != nil
        else {
            writers[index].node = nil
            return look(index)
        }
        guard !writers[index].isLoading, runs(node) else {
            if time >= writers[index].askAt { writers[index].node = nil }
            return
        }
        writers[index].askAt = time + 4000
        let waits = (writers[index].records.last?.sequence ?? 0) - writers[index].durableThrough
        guard waits < 3, random.below(writers[index].room == "seldom" ? 400 : 8) == 0 else {
            return
        }
        let record = record(after: writers[index].records.last, bytes: writers[index].bytes)
        writers[index].records.append(record)
        ask(.append([RoomRecord(room: writers[index].room, record: record)]), of: node)
    }

    /// Asks one node after another for the room.
    private func look(_ index: Int) {
        guard time >= writers[index].askAt else { return }
        writers[index].askAt = time + 3500
        let node = random.below(nodes.count)
        guard runs(node) else {
            writers[index].askAt = time + 50
            return
        }
        writers[index].node = node
        writers[index].life = nodes[node].life
        writers[index].isLoading = true
        ask(.load(room: writers[index].room, from: nil), of: node)
    }

    private func ask(_ request: JournalNode.Request, of node: Int) {
        nodes[node].node?.take(request, at: now)
        collect(node)
    }

    private func record(after last: JournalRecord?, bytes: Int) -> JournalRecord {
        JournalRecord(
            sequence: (last?.sequence ?? 0) + 1, epoch: 1, tick: (last?.tick ?? 0) + 1,
            previous: last?.checksum ?? 0,
            // A room stores its scene from time to time.
            kind: (last?.sequence ?? 0) % 30 == 0 ? .snapshot : .batch,
            // Not compressible.
            payload: (0..<bytes).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    private func take(_ notice: RoomNotice, of room: String, at node: Int) {
        for index in writers.indices
        where writers[index].node == node && writers[index].room == room {
            switch notice {
            case .loaded(let records) where writers[index].isLoading:
                writers[index].isLoading = false
                check(records, index)
                writers[index].records = records
                writers[index].durableThrough = records.last?.sequence ?? 0
            case .unreadable, .elsewhere:
                writers[index].node = nil
                writers[index].askAt = time + 100
            case .durable(let through): note(through, index)
            case .lost, .moved:
                writers[index].node = nil
                writers[index].askAt = time + 100
            case .loaded, .handedOver, .stalled, .resumed, .held: break
            }
        }
    }

    private func note(_ through: UInt64, _ index: Int) {
        for record in writers[index].records
        where record.sequence > writers[index].durableThrough && record.sequence <= through {
            writers[index].durable[record.sequence] = record.checksum
            durableCount += 1
        }
        writers[index].durableThrough = max(writers[index].durableThrough, through)
    }

    /// What is loaded is a chain that begins with a scene and has everything that was told durable.
    private func check(_ records: [JournalRecord], _ index: Int) {
        let writer = writers[index]
        if let first = records.first, first.kind != .snapshot {
            faults.append("room \(writer.room) begins with a batch")
        }
        for (before, record) in zip(records, records.dropFirst())
        where record.sequence != before.sequence + 1 || record.previous != before.checksum {
            faults.append(
                "room \(writer.room): record \(record.sequence) follows \(before.sequence)")
        }
        let found = Dictionary(uniqueKeysWithValues: records.map { ($0.sequence, $0.checksum) })
        for (sequence, checksum) in writer.durable
        where sequence >= records.first?.sequence ?? 0 && found[sequence] != checksum {
            faults.append("room \(writer.room): record \(sequence) was durable and is lost")
        }
    }
}
