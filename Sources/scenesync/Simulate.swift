import ArgumentParser
import Essentials
import FoundationEssentials
import JSON
import SceneSimulation

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a room, its journal and many clients in a simulated world.",
        discussion: """
            Prints every fault with the seed that reproduces it. With --nodes, it runs the nodes of \
            a cluster, their replicated engine and clients that write to rooms. With --model, it computes \
            from measured costs how a large cluster does, and where it is full:

              scenesync simulate --nodes 60 --viewers 1000000 --model
            """,
        shouldDisplay: false)

    /// A fault to plant, in one of the worlds.
    enum Plant: Equatable {
        case cluster(ClusterPlant)
        case room(RoomPlant)
        case sessions(JournalPlant)

        init?(_ name: String) {
            if let plant = ClusterPlant(rawValue: name) {
                self = .cluster(plant)
            } else if let plant = RoomPlant(rawValue: name) {
                self = .room(plant)
            } else if let plant = JournalPlant(rawValue: name) {
                self = .sessions(plant)
            } else {
                return nil
            }
        }
    }

    private static let clusterPlants = ClusterPlant.allCases.map(\.rawValue)
        .joined(separator: ", ")
    private static let roomPlants = RoomPlant.allCases.map(\.rawValue).joined(separator: ", ")
    private static let sessionsPlants = JournalPlant.allCases.map(\.rawValue)
        .joined(separator: ", ")

    @Option(help: "The first seed.")
    var seed: UInt64 = 0

    @Option(help: "The number of seeds, one after another.")
    var count: UInt64 = 1

    @Option(help: "Simulate a cluster of this many nodes, 1 to 9; with --model 2 to 1000.")
    var nodes: Int?

    @Option(
        help: ArgumentHelp(
            "Plant a fault, which the checks must find, in a room: " + Self.roomPlants
                + "; in a cluster: " + Self.clusterPlants
                + "; or with --sessions: " + Self.sessionsPlants + ".",
            valueName: "name"),
        transform: { name in
            guard let plant = Plant(name) else {
                throw ValidationError(
                    "no fault is named \(name); give one of \(Simulate.roomPlants), \(Simulate.clusterPlants), \(Simulate.sessionsPlants)"
                )
            }
            return plant
        })
    var plant: Plant?

    private var clusterPlant: ClusterPlant? {
        if case .cluster(let plant) = plant { plant } else { nil }
    }

    private var sessionsPlant: JournalPlant? {
        if case .sessions(let plant) = plant { plant } else { nil }
    }

    private var roomPlant: RoomPlant? { if case .room(let plant) = plant { plant } else { nil } }

    @Flag(
        help:
            "Simulate a cluster of three nodes with the journals, rooms and clients that ship.")
    var sessions = false

    @Option(
        help: ArgumentHelp(
            "Write what the cluster's clients asked for and were told, and the journals, to this "
                + "file, for Tests/Cluster/check_history.py. Takes one seed.",
            valueName: "file"))
    var history: String?

    @Flag(help: "Model a large cluster by events with measured costs.")
    var model = false

    @OptionGroup var scale: ScaleOptions

    @Flag(help: "Print a line for every seed.")
    var verbose = false

    @Flag(help: "Print one line of JSON for every seed, and nothing else.")
    var json = false

    func validate() throws {
        guard !seed.addingReportingOverflow(count).overflow else {
            throw ValidationError(
                "there are no \(count) seeds from \(seed) on; give a lower --seed or --count")
        }
        try scale.validate(isModel: model)
        let range = model ? 2...1000 : 1...9
        if let nodes, !(range ~= nodes) {
            throw ValidationError(
                "--nodes is \(nodes), expected \(range.lowerBound) to \(range.upperBound); give one of these"
            )
        }
        if model, plant != nil || history != nil || count != 1 {
            throw ValidationError(
                "--model takes one seed, and neither --plant nor --history; leave them out")
        }
        if sessions,
            model || nodes != nil || clusterPlant != nil || roomPlant != nil || history != nil
        {
            throw ValidationError(
                "--sessions takes none of --model, --nodes and --history, and faults of its own; leave them out"
            )
        }
        if sessionsPlant != nil, !sessions {
            throw ValidationError("this --plant belongs to --sessions; add it")
        }
        if nodes == nil, clusterPlant != nil || history != nil {
            throw ValidationError(
                "--history and this --plant belong to the simulation of a cluster; add --nodes 3")
        }
        if nodes != nil, roomPlant != nil {
            throw ValidationError(
                "this --plant belongs to the simulation of a room; leave --nodes out")
        }
        if history != nil, count != 1 {
            throw ValidationError(
                "--history takes one seed, \(count) are asked for; leave --count out")
        }
    }

    func run() throws {
        ReaderWatch.begin()
        if model {
            for line in try scale.lines(nodes: nodes ?? 60, seed: seed) { Output.result(line) }
            return
        }
        var failed: UInt64 = 0
        for seed in seed..<seed + count {
            let outcome =
                sessions
                ? try self.sessions(seed)
                : try nodes.map { try cluster(seed, nodes: $0) } ?? room(seed)
            if json {
                Output.result(outcome.json.text())
            } else if verbose {
                Output.result("seed \(seed): \(outcome.line)")
            }
            guard !outcome.faults.isEmpty else { continue }
            failed += 1
            for fault in outcome.faults where !json { Output.result("seed \(seed): \(fault)") }
        }
        if !json { Output.result("\(count - failed) passed, \(failed) failed") }
        if failed > 0 { throw ExitCode.failure }
    }

    /// What is printed of a run.
    private struct Summary {
        var faults: [String]
        var line: String
        var json: JSONValue
    }

    private func room(_ seed: UInt64) -> Summary {
        let outcome = Simulation.run(seed: seed, plant: roomPlant)
        return Summary(
            faults: outcome.faults,
            line: "\(outcome.ticks) ticks, \(outcome.committed) committed, "
                + "\(outcome.crashes) crashes, \(outcome.failures) failures of the disk, "
                + "\(outcome.repairs) repairs",
            json: .object([
                JSONMember("seed", .number(Double(outcome.seed))),
                JSONMember("ticks", .number(Double(outcome.ticks))),
                JSONMember("committed", .number(Double(outcome.committed))),
                JSONMember("crashes", .number(Double(outcome.crashes))),
                JSONMember("failures", .number(Double(outcome.failures))),
                JSONMember("freezes", .number(Double(outcome.freezes))),
                JSONMember("repairs", .number(Double(outcome.repairs))),
                JSONMember("faults", .array(outcome.faults.map { .string($0) })),
            ]))
    }

    private func cluster(_ seed: UInt64, nodes: Int) throws -> Summary {
        let outcome = try ClusterSimulation.run(
            seed: seed, nodes: nodes, plant: clusterPlant, isRecording: history != nil)
        if let history { try write(outcome.history, to: history) }
        return Summary(
            faults: outcome.faults,
            line: "\(outcome.engine), \(outcome.acknowledged) acknowledged, "
                + "\(outcome.refused) refused, \(outcome.takeovers) takeovers, "
                + "\(outcome.kills) kills, \(outcome.elections) elections",
            json: .object([
                JSONMember("seed", .number(Double(outcome.seed))),
                JSONMember("engine", .string(outcome.engine)),
                JSONMember("acknowledged", .number(Double(outcome.acknowledged))),
                JSONMember("refused", .number(Double(outcome.refused))),
                JSONMember("takeovers", .number(Double(outcome.takeovers))),
                JSONMember("resignations", .number(Double(outcome.resignations))),
                JSONMember("stalls", .number(Double(outcome.stalls))),
                JSONMember("kills", .number(Double(outcome.kills))),
                JSONMember("pauses", .number(Double(outcome.pauses))),
                JSONMember("elections", .number(Double(outcome.elections))),
                JSONMember("skipped", .number(Double(outcome.skipped))),
                JSONMember("milliseconds", .number(Double(outcome.milliseconds))),
                JSONMember("faults", .array(outcome.faults.map { .string($0) })),
            ]))
    }

    private func sessions(_ seed: UInt64) throws -> Summary {
        let outcome = try JournalSimulation.run(seed: seed, plant: sessionsPlant)
        return Summary(
            faults: outcome.faults,
            line: "\(outcome.committed) committed, \(outcome.refused) refused, "
                + "\(outcome.openings) openings, \(outcome.comparisons) comparisons, "
                + "\(outcome.kills) kills, \(outcome.elections) elections, \(outcome.cuts) cuts",
            json: .object([
                JSONMember("seed", .number(Double(outcome.seed))),
                JSONMember("committed", .number(Double(outcome.committed))),
                JSONMember("refused", .number(Double(outcome.refused))),
                JSONMember("openings", .number(Double(outcome.openings))),
                JSONMember("comparisons", .number(Double(outcome.comparisons))),
                JSONMember("kills", .number(Double(outcome.kills))),
                JSONMember("elections", .number(Double(outcome.elections))),
                JSONMember("cuts", .number(Double(outcome.cuts))),
                JSONMember("faults", .array(outcome.faults.map { .string($0) })),
            ]))
    }

    private func write(_ lines: [String], to path: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw Output.failure(
                .badConfiguration, "cannot write \(path): \(FileFailure.reason(of: error))",
                try: "name a file in a directory that this user may write")
        }
    }
}
