import Foundation

/// A driver that could not be run or made no sense.
enum DriverError: Error {
    case failed(String, status: Int32)
    case unreadable(String)
    /// It did not end in the time that it was given.
    case endless
    /// Two solvers ended at different violations.
    case disagreement(String)
}

/// A measured figure beside a peer's, as `report.py` takes it; `targets.json` has its unit and its
/// target.
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
    /// Seconds of processor time that a peer has for one of the `orders`, hundreds of times what we
    /// take.
    private static let orderLimit = 5
    /// How many other orders than the first a peer gets in each round.
    private static let peerOrders = 4
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
        rows += try orders()
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
                    // Only the first peer's failure stops the comparison; others crash or err on
                    // some work.
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
            if let level = Self.difference(left, right) {
                throw DriverError.disagreement(
                    "\(name), \(ours.sections[index].name), level \(level): \(left) and \(right)")
            }
        }
    }

    /// The strongest level at which the violations differ by more than rounding.
    private static func difference(
        _ left: [Double], _ right: [Double], rounding: Double = 1e-6
    ) -> Int? {
        left.indices.first { level in
            abs(left[level] - right[level]) > max(rounding, 1e-6 * abs(right[level]))
        }
    }

    /// 24 least heights in an area just as high, in the order in which ratatui enters their
    /// constraints, and in others: what a build takes, and how many came to the violations of our
    /// first. We build all orders in each round; a peer some of them, and ratatui's as often, each
    /// in a process of its own, which is stopped when it has taken `orderLimit`.
    func orders() throws -> [Row] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let title = "24 least heights that fill their area"
        let script = Workload.split.script(views: 24)
        /// Nanoseconds of each build; those that failed or were stopped count as the limit.
        struct Builds {
            var times: [Double] = []
            var solved = 0.0

            var share: Double { 100 * solved / Double(times.count) }
        }
        // Of ratatui's order, and of the others.
        var ours = [Builds(), Builds()]
        var peers = drivers.map { _ in [Builds(), Builds()] }
        var wanted: [Double]?
        func note(_ section: Replay.Section, order: Int, _ name: String, _ builds: inout Builds) {
            // A section is a build of its own, with the same constraints as all others.
            let found = script.objective(after: 1, values: section.values)
            wanted = wanted ?? found
            builds.times.append(section.seconds * 1e9)
            // Ratatui rounds to whole numbers here, which are hundredths of its cells.
            if let wanted, let level = Self.difference(wanted, found, rounding: 0.01) {
                print("\(name), order \(order), level \(level): \(wanted) and \(found)")
            } else {
                builds.solved += 1
            }
        }
        for round in 0..<rounds {
            let replayed = try replay(program, ["replay", Workload.split.rawValue, "24"])
            for (order, section) in replayed.sections.enumerated() {
                note(section, order: order, "we", &ours[min(order, 1)])
            }
            let first = 1 + round * Self.peerOrders
            let others = Array(first..<(first + Self.peerOrders))
            for order in others.flatMap({ [0, $0] }) {
                var single = script
                single.sections = [script.sections[order]]
                let file = folder.appendingPathComponent("order").path
                try single.text.write(toFile: file, atomically: true, encoding: .utf8)
                for (position, driver) in drivers.enumerated() {
                    let kind = min(order, 1)
                    do {
                        let limit = "--cpu=\(Self.orderLimit):\(Self.orderLimit + 1)"
                        let peer = try Replay(
                            text: Self.output(of: "/usr/bin/prlimit", [limit, driver.path, file]))
                        for section in peer.sections {
                            note(
                                section, order: order, driver.name, &peers[position][kind])
                        }
                    } catch {
                        print("\(driver.name), order \(order) of the \(title): \(error)")
                        peers[position][kind].times.append(Double(Self.orderLimit) * 1e9)
                    }
                }
            }
        }
        var rows: [Row] = []
        for (driver, peer) in zip(drivers, peers) {
            func add(_ figure: String, _ ours: Double, _ peer: Double, ratio: Double) {
                rows.append(
                    Row(
                        name: "\(title), \(figure)", ours: ours, peer: peer, peerName: driver.name,
                        ratio: ratio, runs: rounds))
            }
            for (index, order) in ["ratatui's order", "other orders"].enumerated() {
                let (ours, peer) = (ours[index], peer[index])
                add(
                    "\(order), median", median(ours.times), median(peer.times),
                    ratio: median(peer.times) / median(ours.times))
                add(
                    "\(order), slowest", ours.times.max() ?? .nan, peer.times.max() ?? .nan,
                    ratio: (peer.times.max() ?? .nan) / (ours.times.max() ?? .nan))
                add(
                    "\(order), solved", ours.share, peer.share,
                    ratio: ours.share / max(1, peer.share))
            }
        }
        return rows
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
        if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGXCPU {
            throw DriverError.endless
        }
        guard process.terminationStatus == 0 else {
            throw DriverError.failed(path, status: process.terminationStatus)
        }
        return String(decoding: data, as: UTF8.self)
    }
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
