import ArgumentParser
import SceneProtocol
import SceneSimulation

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a room, its journal and many clients in a simulated world.",
        discussion: "Prints every fault with the seed that reproduces it.",
        shouldDisplay: false)

    @Option(help: "The first seed.")
    var seed: UInt64 = 0

    @Option(help: "The number of seeds, one after another.")
    var count: UInt64 = 1

    @Flag(help: "Print a line for every seed.")
    var verbose = false

    @Flag(help: "Print one line of JSON for every seed, and nothing else.")
    var json = false

    func validate() throws {
        guard !seed.addingReportingOverflow(count).overflow else {
            throw ValidationError(
                "there are no \(count) seeds from \(seed) on; give a lower --seed or --count")
        }
    }

    func run() throws {
        var failed: UInt64 = 0
        for seed in seed..<seed + count {
            let outcome = Simulation.run(seed: seed)
            if json {
                Output.result(Self.json(outcome).text())
            } else if verbose {
                Output.result(
                    "seed \(seed): \(outcome.ticks) ticks, \(outcome.committed) committed, "
                        + "\(outcome.crashes) crashes, \(outcome.failures) failures of the disk")
            }
            guard !outcome.faults.isEmpty else { continue }
            failed += 1
            for fault in outcome.faults where !json { Output.result("seed \(seed): \(fault)") }
        }
        if !json { Output.result("\(count - failed) passed, \(failed) failed") }
        if failed > 0 { throw ExitCode.failure }
    }

    private static func json(_ outcome: Simulation.Outcome) -> JSONValue {
        .object([
            JSONMember("seed", .number(Double(outcome.seed))),
            JSONMember("ticks", .number(Double(outcome.ticks))),
            JSONMember("committed", .number(Double(outcome.committed))),
            JSONMember("crashes", .number(Double(outcome.crashes))),
            JSONMember("failures", .number(Double(outcome.failures))),
            JSONMember("freezes", .number(Double(outcome.freezes))),
            JSONMember("faults", .array(outcome.faults.map { .string($0) })),
        ])
    }
}
