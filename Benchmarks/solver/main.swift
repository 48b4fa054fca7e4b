import Foundation

// solver-bench script WORKLOAD VIEWS prints the script that peers replay solver-bench replay
// WORKLOAD VIEWS [COUNT] replays it on our solver, its first COUNT sections if that is given
// solver-bench soak changes a layout a million times and compares it with a fresh solve
// solver-bench compare OUTPUT NAME=DRIVER… replays all workloads side by side and writes the
// figures solver-bench orders OUTPUT NAME=DRIVER… only one layout in many orders of its constraints
let arguments = Array(CommandLine.arguments.dropFirst())

func script() throws -> Script {
    guard arguments.count >= 3, let workload = Workload(rawValue: arguments[1]),
        let views = Int(arguments[2])
    else { throw UsageError() }
    var script = workload.script(views: views)
    if arguments.count > 3, let count = Int(arguments[3]) {
        script.sections.removeLast(max(0, script.sections.count - count))
    }
    return script
}

struct UsageError: Error {}

do {
    switch arguments.first {
    case "script": print(try script().text, terminator: "")
    case "replay": print(try Replay(try script()).text, terminator: "")
    case "soak":
        let isSound = try Soak().run()
        print(isSound ? "1 passed, 0 failed" : "0 passed, 1 failed")
        exit(isSound ? 0 : 1)
    case "compare" where arguments.count >= 3, "orders" where arguments.count >= 3:
        var comparison = Comparison(program: CommandLine.arguments[0])
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError() }
            comparison.drivers.append((parts[0], parts[1]))
        }
        let rows = try arguments[0] == "orders" ? comparison.orders() : comparison.run()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: arguments[1]))
    default: throw UsageError()
    }
} catch is UsageError {
    FileHandle.standardError.write(
        Data(
            """
            usage: solver-bench script|replay tree|cells|chain|split VIEWS
                   solver-bench soak
                   solver-bench compare|orders OUTPUT NAME=DRIVER…

            """.utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("solver-bench: \(error)\n".utf8))
    exit(1)
}
