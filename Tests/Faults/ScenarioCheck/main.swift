import Foundation
import SceneDocument
import SceneModel

// Runs the scenarios named as arguments, until five have failed; prints their files and ends with 1
// if any did.

// Past any buffer, so that what failed before a crash is known.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

var failed = 0
for path in CommandLine.arguments.dropFirst() where failed < 5 {
    do {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let scenario = try Scenario.parse(bytes)
        // There are no faces here.
        guard scenario.statement?.hasPrefix("TEXT") != true, !ScenarioRunner.run(scenario).passed
        else { continue }
    } catch {
        say("\(path): \(error)")
    }
    failed += 1
    say(URL(fileURLWithPath: path).lastPathComponent)
}
exit(failed == 0 ? 0 : 1)
