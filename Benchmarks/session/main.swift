import CMalloc
import Foundation
import JSON
import Measuring
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire

// session-bench NAME [DIR] measures one thing and prints its figures, so that a process does
// nothing else Names: see `measurements`. Seconds are of processor time unless a line says `wall`.

func wallTime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

/// Rows of a list: a box with a label in it, each under the one before, its width a constant of its
/// own.
func scene(views: Int) throws -> SceneModel {
    var document = SceneDocument(viewport: Viewport(width: 800, height: 600))
    var constraints: [String] = []
    for row in 0..<views / 2 {
        document.views.append(ViewSpec(id: "r\(row)"))
        var label = ViewProperties()
        label.kind = .label
        label.text = "Row \(row)"
        document.views.append(ViewSpec(id: "t\(row)", parent: "r\(row)", properties: label))
        constraints += [
            "r\(row).left == root.left + \(row % 7)", "r\(row).top == root.top + \(row * 3)",
            "r\(row).height == 20", "t\(row).left == r\(row).left + 4",
            "t\(row).centerY == r\(row).centerY",
        ]
    }
    var specs = try constraints.map { rule in
        try Op.parse(
            .object([
                JSONMember("op", .string("addConstraint")), JSONMember("rule", .string(rule)),
            ]))
    }
    for row in 0..<views / 2 {
        specs.append(
            try Op.parse(
                .object([
                    JSONMember("op", .string("addConstraint")),
                    JSONMember("id", .string("w\(row)")),
                    JSONMember("rule", .string("r\(row).width == 100")),
                ])))
    }
    for case .addConstraint(let spec, _) in specs { document.constraints.append(spec) }
    return try SceneModel(document)
}

func ops(_ count: Int, rows: Int, round: Int) -> JSONValue {
    .array(
        (0..<count).map { index in
            .object([
                JSONMember("op", .string("setConstraint")),
                JSONMember("id", .string("w\((index * 37 + round * 11) % rows)")),
                JSONMember("constant", .number(Double(100 + (round * 7 + index) % 150))),
            ])
        })
}

func admission(_ name: String, role: Role) -> Admission {
    Admission(
        session: name, resumeToken: name, role: role, format: .binary, monotonicMilliseconds: 0,
        hello: Hello())
}

/// A session with one editor, driven by hand.
final class Driver {
    let session: SceneSession
    let editor = MemberID(1)
    private(set) var records: [JournalRecord] = []
    private(set) var bytesSent = 0
    private var tick: UInt64 = 0
    private var sequence: UInt64 = 0

    init(_ model: SceneModel) {
        let (session, effects) = SceneSession.create(room: "bench", tickRate: 60, model: model)
        self.session = session
        carryOut(effects)
        carryOut(session.handle(.joined(editor, admission("editor", role: .editor))))
    }

    private func carryOut(_ effects: [SessionEffect]) {
        var last: UInt64?
        for effect in effects {
            switch effect {
            // Without a slice nothing does.
            case .overran: break
            case .append(let record):
                records.append(record)
                last = record.sequence
            case .send(let payloads, _, _), .offer(let payloads, _, _):
                bytesSent += payloads.reduce(0) { $0 + $1.count }
            case .record, .close, .readJournal, .prove, .abandon, .replacedScene,
                .readScene, .suggestionChanged:
                break
            }
        }
        if let last { carryOut(session.handle(.durable(through: last))) }
    }

    func send(_ ops: JSONValue) {
        sequence += 1
        var message = Ops()
        message.clientSequence = sequence
        message.ops = ops
        carryOut(session.handle(.received(editor, .ops(message))))
    }

    /// Lets go of what is in the journal, which no server holds.
    func forgetRecords() { records = [] }

    func runTick() {
        tick += 1
        carryOut(session.handle(.tick(tick)))
        var ack = Ack()
        ack.tick = tick
        carryOut(session.handle(.received(editor, .ack(ack))))
    }
}

/// Ops of a tick to its encoded frame, and to the journal record.
func tick(views: Int, mutations: Int, rounds: Int) throws -> [Double] {
    let driver = Driver(try scene(views: views))
    for round in 0..<20 {
        driver.send(ops(mutations, rows: views / 2, round: round))
        driver.runTick()
    }
    let messages = (0..<rounds).map { ops(mutations, rows: views / 2, round: 20 + $0) }
    let before = driver.bytesSent
    let start = processorTime()
    for message in messages {
        driver.send(message)
        driver.runTick()
    }
    let seconds = (processorTime() - start) / Double(rounds)
    precondition(driver.bytesSent > before + rounds * 4, "frames have to leave")
    return [seconds]
}

/// Rooms of 1,000 views with an editor in each, who changed something; then nothing happens any
/// more.
///
/// - Returns: Bytes of a room as it stands then, frozen as a server does it, and before that;
///   seconds to freeze one and to thaw it.
func memory() throws -> [Double] {
    func driver(_ number: Int) throws -> Driver {
        let driver = Driver(try scene(views: 1000))
        for round in 0..<20 {
            driver.send(ops(10, rows: 500, round: round + number))
            driver.runTick()
        }
        while driver.session.freezeTick.map({ $0 > driver.session.tick }) ?? true {
            driver.runTick()
        }
        return driver
    }
    func freeze(_ driver: Driver) {
        _ = driver.session.handle(.freeze)
        precondition(driver.session.isFrozen, "nothing is under way")
    }
    // What the first of its kind brings along counts for the program.
    let first = try driver(0)
    first.forgetRecords()
    freeze(first)
    giveFreeMemoryBack()
    let before = residentBytes()
    let rooms = try (1...20).map { try driver($0) }
    for room in rooms { room.forgetRecords() }
    let live = residentBytes() - before
    var start = processorTime()
    for room in rooms { freeze(room) }
    let freezing = processorTime() - start
    giveFreeMemoryBack()
    let frozen = residentBytes() - before
    start = processorTime()
    for room in rooms { precondition(room.session.wake()?.model.viewCount == 1001) }
    let thawing = processorTime() - start
    defer { withExtendedLifetime((first, rooms)) {} }
    return [frozen, live, freezing, thawing].map { $0 / Double(rooms.count) }
}

/// 200,000 ops, one at a tick, from the first record to the last.
func replay(ops count: Int) throws -> [Double] {
    let driver = Driver(try scene(views: 200))
    for round in 0..<count {
        driver.send(ops(1, rows: 100, round: round))
        driver.runTick()
    }
    let live = driver.session.wake()?.model.stateHash
    let records = driver.records
    let start = processorTime()
    let player = try JournalPlayer(records, tracksUndo: false)
    var budget = Int.max
    try player.advance(to: records.last?.tick ?? 0, budget: &budget)
    let seconds = processorTime() - start
    precondition(player.timeline.model.stateHash == live, "the replay has to end in the live state")
    return [seconds]
}

/// Seconds for 2,000 members who come back at once, from the last to the first, and the tick that
/// follows.
func stampede() throws -> [Double] {
    let driver = Driver(try scene(views: 1000))
    driver.runTick()
    driver.send(ops(10, rows: 500, round: 1))
    driver.runTick()
    let start = processorTime()
    for number in 0..<2000 {
        _ = driver.session.handle(
            .joined(MemberID(UInt64(10 + number)), admission("viewer\(number)", role: .viewer)))
    }
    let joins = processorTime() - start
    driver.send(ops(10, rows: 500, round: 2))
    let before = processorTime()
    driver.runTick()
    return [joins, processorTime() - before]
}

let measurements: [String: (String) throws -> [Double]] = [
    "tick-1k": { _ in try tick(views: 1000, mutations: 10, rounds: 2000) },
    "tick-10k": { _ in try tick(views: 10_000, mutations: 100, rounds: 200) },
    "memory": { _ in try memory() },
    "replay": { _ in try replay(ops: 200_000) },
    "stampede": { _ in try stampede() },
    "groups": { directory in try StoreBenchmark.groups(directory) },
    "floor": { directory in try StoreBenchmark.floor(directory) },
    "durable": { directory in try DurabilityBenchmark.measure(directory) },
    "open-1k": { directory in try OpeningBenchmark.open(directory) },
    "snapshot-10k": { _ in try SnapshotBenchmark.measure() },
    "threads-1": { _ in try ThreadsBenchmark.ticksASecond(threads: 1) },
    "threads-2": { _ in try ThreadsBenchmark.ticksASecond(threads: 2) },
]

let arguments = CommandLine.arguments
guard arguments.count >= 2, let measure = measurements[arguments[1]] else {
    FileHandle.standardError.write(
        Data("usage: session-bench \(measurements.keys.sorted().joined(separator: "|")) DIR\n".utf8)
    )
    exit(64)
}
do {
    let figures = try measure(arguments.count > 2 ? arguments[2] : "")
    print(figures.map { "\($0)" }.joined(separator: " "))
} catch {
    FileHandle.standardError.write(Data("session-bench: \(error)\n".utf8))
    exit(1)
}
