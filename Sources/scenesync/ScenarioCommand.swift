import ArgumentParser
import SceneModel
import SceneProtocol

struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Run scenarios: behaviour as data, compared from the outside.",
        discussion: "Prints what differs, and last `N passed, N failed`.")

    @Argument(help: "Scenario files.")
    var files: [String]

    func run() throws {
        var passed = 0
        var failed = 0
        var malformed = false
        for file in files {
            let scenario: Scenario
            do {
                scenario = try Scenario.parse(try Input.read(file))
            } catch let error as DocumentError {
                Output.note("\(file): \(error)")
                failed += 1
                malformed = true
                continue
            }
            let report = ScenarioRunner.run(scenario)
            if report.passed {
                passed += 1
            } else {
                failed += 1
                for difference in report.differences {
                    Output.note("\(file): \(report.name): \(difference)")
                }
            }
        }
        Output.result("\(passed) passed, \(failed) failed")
        if malformed { throw ExitCode.badData }
        if failed > 0 { throw ExitCode.failure }
    }
}
