import Foundation
import JSON
import SceneModel
import SceneSession
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

/// Editors and viewers at all nodes while packets are lost, links are cut, and owners and other
/// nodes die.
@Suite("Members at other nodes, at random")
struct RelayPropertyTests {
    /// Somebody who edits, comes back by itself, and sends again what has no answer.
    private final class Editor {
        let name: String
        private var client: RelayWorld.Client
        private let world: RelayWorld
        private var connections = 0
        private var sequence: UInt64 = 0
        private let firstWidth: Double
        private var waiting: [(sequence: UInt64, ops: String)] = []
        private var resultsRead = 0
        /// Whether it was welcomed in this connection; nobody sends ops before.
        private var isWelcome = false
        /// What was acknowledged: the session, and the message's sequence.
        private(set) var kept: [String] = []
        private(set) var faults: [String] = []

        init(_ name: String, edge: Int?, firstWidth: Double, in world: RelayWorld) {
            (self.name, self.world, self.firstWidth) = (name, world, firstWidth)
            client = world.join(name, edge: edge, role: .editor)
        }

        var isWaiting: Bool { !waiting.isEmpty }
        var isConnected: Bool { client.closed == nil }

        /// Asks for an op, and for a width of the viewport that nobody else asks for, so that the
        /// journal has each message and shows what came twice.
        func edit(_ op: String) throws {
            sequence += 1
            let ops =
                "[\(op),{\"op\":\"setViewport\",\"width\":\(firstWidth + Double(sequence) / 64)}]"
            waiting.append((sequence, ops))
            if isConnected, isWelcome { try world.apply(ops, from: client, sequence: sequence) }
        }

        /// Comes back where the connection is gone, perhaps elsewhere.
        func comeBack(edge: Int?) throws {
            try read()
            guard !isConnected else { return }
            connections += 1
            client = world.join(
                "\(name)-\(connections)", edge: edge, role: .editor, resume: client.resume,
                mirror: client.mirror)
            resultsRead = 0
            isWelcome = false
        }

        private func read() throws {
            if let failure = client.failure, client.welcomes.isEmpty == false {
                faults.append("\(name) was sent what does not follow: \(failure)")
                client.failure = nil
            }
            guard let session = client.welcomes.last?.session else { return }
            if isConnected, !isWelcome {
                isWelcome = true
                for item in waiting {
                    try world.apply(item.ops, from: client, sequence: item.sequence)
                }
            }
            for result in client.results[resultsRead...] {
                guard
                    let place = waiting.firstIndex(where: { $0.sequence == result.clientSequence })
                else { continue }
                waiting.remove(at: place)
                if case .committed = result.outcome {
                    kept.append("\(session) \(result.clientSequence)")
                } else {
                    faults.append(
                        "\(name)'s message \(result.clientSequence) was refused: \(result.outcome)")
                }
            }
            resultsRead = client.results.count
        }
    }

    private static let kinds: [(name: String, capabilities: UInt64, roots: [String])] = [
        ("whole", Capability.keyframes | Capability.insets, []), ("plain", 0, []),
        (
            "animating",
            Capability.keyframes | Capability.mergedResume | Capability.animations
                | Capability.events, []
        ),
        (
            "part",
            Capability.keyframes | Capability.mergedResume | Capability.subscribe
                | Capability.insets, ["bar"]
        ),
    ]
    private static let chunk = 10

    /// The seed that `SCENESYNC_SEED` in the environment names, to run it alone.
    private static let onlySeed = ProcessInfo.processInfo.environment["SCENESYNC_SEED"].flatMap {
        Int($0)
    }

    @Test(
        "nothing acknowledged is lost or doubled, and all end with the same state",
        arguments: onlySeed.map { [$0 / chunk] } ?? Array(0..<12 * Soak.factor))
    func random(chunk: Int) throws {
        let first = chunk * Self.chunk
        let seeds = Self.onlySeed.map { [$0] } ?? Array(first..<first + Self.chunk)
        for seed in seeds.map(UInt64.init) {
            let faults = try Self.run(seed: seed, copiesComeLate: seed % 4 >= 2)
            #expect(faults.isEmpty, "seed \(seed): \(faults.joined(separator: "; "))")
        }
    }

    /// 34,364: a node with an earlier state came to a new owner first; those at another one had
    /// been shown a later tick. The others: the first pieces of a link that the owner had ended,
    /// sent once more, began it again, and ops were carried out twice.
    @Test(
        "seeds that failed once",
        arguments: [
            34_364, 3685, 7265, 8527, 11_941, 25_765, 42_117, 52_847, 56_349, 57_677, 64_095,
            76_321, 78_747, 83_005, 84_411, 89_387, 93_613,
        ] as [UInt64])
    func former(seed: UInt64) throws { #expect(try Self.run(seed: seed) == []) }

    @Test("a fault that is planted is found", arguments: RelayWorld.Plant.allCases)
    func plants(plant: RelayWorld.Plant) throws {
        for seed in UInt64(0)..<40 where try !Self.run(seed: seed, plant: plant).isEmpty { return }
        Issue.record("no seed below 40 finds it")
    }

    private static func place(_ random: inout SplitMix64) -> Int? {
        random.chance(1, of: 3) ? nil : random.below(2)
    }

    private static func run(
        seed: UInt64, copiesComeLate: Bool = false, plant: RelayWorld.Plant? = nil
    ) throws -> [String] {
        let world = try RelayWorld(seed: seed, plant: plant)
        if copiesComeLate { world.lateness = SplitMix64(seed: seed ^ 0x6969) }
        var random = SplitMix64(seed: ~seed)
        var ops = RandomOps(seed: Int(truncatingIfNeeded: seed))
        world.losses = random.pick([0, 0, 5, 20])
        var editors = [
            Editor("e0", edge: nil, firstWidth: 300, in: world),
            Editor("e1", edge: 0, firstWidth: 400, in: world),
            Editor("e2", edge: 1, firstWidth: 500, in: world),
        ]
        var viewers: [(client: RelayWorld.Client, kind: Int)] = []
        func join(_ kind: Int, edge: Int, as former: RelayWorld.Client? = nil) {
            let client = world.join(
                "v\(viewers.count)-\(random.below(1_000_000))", edge: edge,
                capabilities: kinds[kind].capabilities, roots: kinds[kind].roots,
                resume: former?.resume, mirror: former?.mirror ?? SceneMirror())
            viewers.append((client, kind))
        }
        for kind in kinds.indices {
            for edge in 0...1 { join(kind, edge: edge) }
        }
        var healAt: [Int: Int] = [:]
        // Half of the seeds, so that those which failed before take the course that they took.
        var absences = SplitMix64(seed: seed ^ 0x5A5A)
        // A third of the seeds, for the same reason.
        var moves = SplitMix64(seed: seed ^ 0x3C3C)
        for round in 0..<80 {
            if seed % 3 == 0, moves.chance(1, of: 15) {
                try world.moveOwner(openingTicks: moves.below(20))
            }
            if seed % 2 == 1, absences.chance(1, of: 20) { world.missEdge(absences.below(2)) }
            switch random.below(20) {
            case 0: join(random.below(kinds.count), edge: random.below(2))
            case 1:
                let index = random.below(viewers.count)
                world.leave(viewers[index].client)
            case 2, 3:
                // Perhaps at the other node, where nobody knows it.
                let index = random.below(viewers.count)
                guard viewers[index].client.closed != nil else { break }
                let gone = viewers.remove(at: index)
                join(gone.kind, edge: random.below(2), as: gone.client)
            case 4:
                let edge = random.below(2)
                world.cut.insert(edge)
                healAt[edge] = round + 1 + random.below(12)
            case 5 where random.chance(1, of: 3): world.killEdge(random.below(2))
            case 6 where random.chance(1, of: 2):
                try world.killOwner(absentTicks: random.below(30))
            default:
                let index = random.below(editors.count)
                try editors[index].edit(ops.op())
            }
            for (edge, time) in healAt where time <= round {
                world.cut.remove(edge)
                healAt[edge] = nil
            }
            world.run(ticks: 1 + random.below(4), acknowledge: !random.chance(1, of: 4))
            for editor in editors { try editor.comeBack(edge: place(&random)) }
        }
        world.losses = 0
        world.cut = []
        for _ in 0..<20 {
            world.run(ticks: 60)
            for editor in editors { try editor.comeBack(edge: place(&random)) }
        }
        return try check(world, &editors, viewers)
    }

    private static func check(
        _ world: RelayWorld, _ editors: inout [Editor],
        _ viewers: [(client: RelayWorld.Client, kind: Int)]
    ) throws -> [String] {
        var faults = world.troubles
        // What the journal has.
        var journalled: [String] = []
        var widths: Set<Double> = []
        for record in world.journal where record.kind == .batch {
            let batch = try JSONReader.read(record.payload)
            // What the room does of its own accord has no author.
            if let author = batch["author"]?.string, !author.isEmpty,
                let sequence = batch["clientSequence"]?.string
            {
                journalled.append("\(author) \(sequence)")
                if let ops = batch["ops"]?.array,
                    let width = ops.last?["width"]?.number,
                    !widths.insert(width).inserted
                {
                    faults.append("\(author)'s message \(sequence) is kept twice")
                }
            }
        }
        if Set(journalled).count != journalled.count { faults.append("a message is kept twice") }
        for editor in editors {
            faults += editor.faults
            if editor.isWaiting { faults.append("\(editor.name) waits for an answer") }
            let missing = Set(editor.kept).subtracting(journalled)
            if !missing.isEmpty { faults.append("acknowledged, and not kept: \(missing.sorted())") }
        }
        let controls = kinds.map { kind in
            world.join(
                "control-\(kind.name)", edge: nil, capabilities: kind.capabilities,
                roots: kind.roots)
        }
        // An animation may run for ever; then clients at other nodes have the state of a tick ago.
        var states: [[UInt64: [ViewRecord]]] = kinds.map { _ in [:] }
        for _ in 0..<10 {
            for (index, control) in controls.enumerated() {
                states[index][control.mirror.tick] = control.mirror.records
            }
            world.run(ticks: 1)
        }
        for (client, kind) in viewers where client.closed == nil {
            let name = "\(client.name) (\(kinds[kind].name), node \(client.edge ?? -1))"
            if let failure = client.failure { faults.append("\(name): \(failure)") }
            if client.ticksFell { faults.append("\(name) was told of ticks that fall") }
            let expected = states[kind][client.mirror.tick] ?? controls[kind].mirror.records
            if client.mirror.records != expected { faults.append("\(name) has another state") }
            if client.interactions != controls[kind].interactions {
                faults.append("\(name) has other interactions")
            }
            if client.mirror.insets != controls[kind].mirror.insets {
                faults.append("\(name) has other insets")
            }
        }
        return faults
    }
}
