import ArgumentParser
import JSON
import SceneDocument
import SceneModel

struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Run scenarios: behaviour described as data, with expected results.",
        discussion: """
            Prints what differs, and last `N passed, N failed`. With --json, an object:
              {"passed": N, "failed": N,
               "scenarios": [{"file": …, "name": …, "differences": […]}]}
            where a file that is no scenario has "error" instead of "differences".
            """)

    @Argument(help: "Scenario files.")
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        ReaderWatch.begin()
        var passed = 0
        var failed = 0
        var malformed = false
        var entries: [JSONValue] = []
        for file in files {
            let scenario: Scenario
            do {
                scenario = try Scenario.parse(try Input.read(file))
            } catch let error as DocumentError {
                Output.note("\(file): \(error)")
                entries.append(
                    .object([
                        JSONMember("file", .string(file)), JSONMember("error", .string("\(error)")),
                    ]))
                failed += 1
                malformed = true
                continue
            }
            let report = ScenarioRunner.run(scenario)
            entries.append(
                .object([
                    JSONMember("file", .string(file)), JSONMember("name", .string(report.name)),
                    JSONMember("differences", .array(report.differences.map { .string($0) })),
                ]))
            if report.passed {
                passed += 1
            } else {
                failed += 1
                for difference in report.differences where !json {
                    Output.note("\(file): \(report.name): \(difference)")
                }
            }
        }
        Output.result(
            json
                ? JSONValue.object([
                    JSONMember("passed", .number(Double(passed))),
                    JSONMember("failed", .number(Double(failed))),
                    JSONMember("scenarios", .array(entries)),
                ]).text(pretty: true) : "\(passed) passed, \(failed) failed")
        if malformed { throw ExitCode.badData }
        if failed > 0 { throw ExitCode.failure }
    }
}
