import Foundation

/// `solver-bench script WORKLOAD VIEWS` prints the script that peers replay; `solver-bench replay WORKLOAD VIEWS` replays
/// it on our solver; `solver-bench compare DRIVER…` runs both side by side and prints the table.
let arguments = Array(CommandLine.arguments.dropFirst())

func workload() -> Script? {
    guard arguments.count >= 3, let workload = Workload(rawValue: arguments[1]),
        let views = Int(arguments[2])
    else { return nil }
    return workload.script(views: views)
}

switch arguments.first {
case "script":
    guard let script = workload() else { exit(64) }
    print(script.text, terminator: "")
case "replay":
    guard let script = workload() else { exit(64) }
    let replay = try Replay(script)
    for (section, source) in zip(replay.sections, script.sections) {
        let each = section.seconds * 1e9 / Double(source.count)
        print(section.name, Int(each), "ns", section.checksum, section.objective)
    }
default:
    exit(64)
}
