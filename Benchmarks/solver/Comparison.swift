import Foundation

/// A driver that could not be run or made no sense.
enum DriverError: Error {
    case failed(String, status: Int32)
    case unreadable(String)
    /// Two solvers ended at different violations.
    case disagreement(String)
}

/// A measured figure beside a peer's, as `report.py` takes it; `targets.json` has its unit and its target.
struct Row: Encodable {
    var name: String
    var ours: Double
    var peer: Double
    var peerName: String
    var ratio: Double
    var runs: Int
}

/// Replays the workloads on our solver and on peers in turn, each run in a process of its own.
struct Comparison {
    /// The program that replays on our solver.
    let program: String
    /// Peers by name; the first is the one that targets are held against.
    var drivers: [(name: String, path: String)] = []
    private let rounds = 5
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "solver-bench-\(ProcessInfo.processInfo.processIdentifier)")

    init(program: String) { self.program = program }

    /// The rows that compare seconds of a section for each of its operations.
    private static let timed: [(title: String, workload: Workload, views: Int, section: String)] = [
        ("build tree 100", .tree, 100, "build"),
        ("build tree 1k", .tree, 1000, "build"),
        ("build chain 1k", .chain, 1000, "build"),
        ("build independent cells 1k", .cells, 1000, "build"),
        ("one edit, tree 1k", .tree, 1000, "edit"),
        ("shift chain 100", .chain, 100, "shift"),
        ("shift chain 1k", .chain, 1000, "shift"),
        ("remove + add, tree 1k", .tree, 1000, "replace"),
        ("remove + add, cells 1k", .cells, 1000, "replace"),
        ("batch of 100 constant changes, tree 1k", .tree, 1000, "batch"),
    ]

    func run() throws -> [Row] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var rows: [Row] = []
        var measured: [String: Measurement] = [:]
        for (title, workload, views, section) in Self.timed {
            let key = "\(workload.rawValue) \(views)"
            let measurement = try measured[key] ?? measure(workload, views)
            measured[key] = measurement
            for (position, driver) in drivers.enumerated() {
                let ours = measurement.ours[section] ?? .nan
                guard let peer = measurement.peers[position][section] else { continue }
                rows.append(
                    Row(
                        name: title, ours: ours, peer: peer, peerName: driver.name,
                        ratio: peer / ours, runs: rounds))
            }
        }
        rows += try scaling()
        rows += memory(measured)
        rows += try instructions()
        return rows
    }

    /// Medians by section, in nanoseconds for each operation.
    private struct Measurement {
        var ours: [String: Double]
        var peers: [[String: Double]]
        /// Bytes of memory for each constraint, after building.
        var ourBytes: Double
        var peerBytes: [Double]
    }

    private func measure(_ workload: Workload, _ views: Int) throws -> Measurement {
        let script = workload.script(views: views)
        let file = folder.appendingPathComponent("\(workload.rawValue)-\(views)").path
        try script.text.write(toFile: file, atomically: true, encoding: .utf8)
        var ourTimes: [String: [Double]] = [:]
        var peerTimes = [[String: [Double]]](repeating: [:], count: drivers.count)
        var ourBytes = 0.0
        var peerBytes = [Double](repeating: 0, count: drivers.count)
        for _ in 0..<rounds {
            let ours = try replay(program, ["replay", workload.rawValue, "\(views)"])
            note(ours, script, &ourTimes)
            ourBytes = Double(ours.sections[0].bytes) / Double(script.constraints.count)
            for (position, driver) in drivers.enumerated() {
                do {
                    let peer = try replay(driver.path, [file])
                    try compare(ours, peer, script, driver.name)
                    note(peer, script, &peerTimes[position])
                    peerBytes[position] =
                        Double(peer.sections[0].bytes) / Double(script.constraints.count)
                } catch  where position > 0 {
                    // Only the first peer's failure stops the comparison; others crash or err on some work.
                    print("\(driver.name), \(workload.rawValue) \(views): \(error)")
                }
            }
        }
        return Measurement(
            ours: ourTimes.mapValues(median), peers: peerTimes.map { $0.mapValues(median) },
            ourBytes: ourBytes, peerBytes: peerBytes)
    }

    private func note(_ replay: Replay, _ script: Script, _ times: inout [String: [Double]]) {
        for (section, source) in zip(replay.sections, script.sections) {
            times[section.name, default: []].append(section.seconds * 1e9 / Double(source.count))
        }
    }

    /// Holds the violation at every level after every section of one solver against the other's.
    private func compare(_ ours: Replay, _ peer: Replay, _ script: Script, _ name: String) throws {
        guard ours.sections.count == peer.sections.count else {
            throw DriverError.disagreement("\(name) ended early")
        }
        for index in ours.sections.indices {
            let left = script.objective(after: index + 1, values: ours.sections[index].values)
            let right = script.objective(after: index + 1, values: peer.sections[index].values)
            for level in left.indices
            where abs(left[level] - right[level]) > 1e-6 * max(1, abs(right[level])) {
                throw DriverError.disagreement(
                    "\(name), \(ours.sections[index].name), level \(level): \(left) and \(right)")
            }
        }
    }

    /// Cost for each constraint at 10,000 views against 1,000, both sizes in turn.
    private func scaling() throws -> [Row] {
        try [Workload.cells, .tree].map { workload in
            let scripts = [1_000, 10_000].map { ($0, workload.script(views: $0)) }
            var times = [[String: [Double]]](repeating: [:], count: scripts.count)
            for _ in 0..<rounds {
                for (position, (views, script)) in scripts.enumerated() {
                    let replay = try replay(program, ["replay", workload.rawValue, "\(views)"])
                    note(replay, script, &times[position])
                }
            }
            let costs = times.map { median($0["build"] ?? []) }
            return Row(
                name: "cost per constraint, 10k against 1k views, \(workload.rawValue)",
                ours: costs[1], peer: costs[0], peerName: "itself at 1k",
                ratio: costs[1] / costs[0], runs: rounds)
        }
    }

    private func memory(_ measured: [String: Measurement]) -> [Row] {
        guard let measurement = measured["tree 1000"] else { return [] }
        return zip(drivers, measurement.peerBytes).compactMap { driver, peer in
            guard peer > 0 else { return nil }
            return Row(
                name: "memory for each constraint, tree 1000", ours: measurement.ourBytes,
                peer: peer, peerName: driver.name, ratio: peer / measurement.ourBytes, runs: rounds)
        }
    }

    /// Instructions as callgrind counts them, where it is installed.
    private func instructions() throws -> [Row] {
        guard let driver = drivers.first,
            FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")
        else { return [] }
        let counts: [(title: String, Workload, views: Int, from: Int, to: Int)] = [
            ("instructions, build tree 100", .tree, 100, 0, 1),
            ("instructions, shift chain 1k", .chain, 1000, 2, 3),
        ]
        return try counts.map { title, workload, views, from, to in
            let file = folder.appendingPathComponent("\(workload.rawValue)-\(views)").path
            let ours =
                try countInstructions(program, ["replay", workload.rawValue, "\(views)", "\(to)"])
                - countInstructions(program, ["replay", workload.rawValue, "\(views)", "\(from)"])
            let peer =
                try countInstructions(driver.path, [file, "\(to)"])
                - countInstructions(driver.path, [file, "\(from)"])
            return Row(
                name: title, ours: ours, peer: peer, peerName: driver.name, ratio: peer / ours,
                runs: 1)
        }
    }

    private func countInstructions(_ path: String, _ arguments: [String]) throws -> Double {
        let output = folder.appendingPathComponent("callgrind.out").path
        let options = ["--tool=callgrind", "--callgrind-out-file=\(output)", path]
        _ = try Self.output(of: "/usr/bin/valgrind", options + arguments)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("totals:") {
            if let count = Double(
                line.dropFirst("totals:".count).trimmingCharacters(in: .whitespaces))
            {
                return count
            }
        }
        throw DriverError.unreadable("callgrind of \(path)")
    }

    private func replay(_ path: String, _ arguments: [String]) throws -> Replay {
        try Replay(text: Self.output(of: path, arguments))
    }

    private static func output(of path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw DriverError.failed(path, status: process.terminationStatus)
        }
        return String(decoding: data, as: UTF8.self)
    }
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
}
