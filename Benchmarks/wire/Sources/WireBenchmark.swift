import Foundation
import JSON
import SceneDocument
import SceneModel
import SceneSession
import SceneWire

/// Encodes the workloads of a JSON file with the product's encoder and says what came out: sizes,
/// times, and the bytes themselves, for a decoder in another language to be timed on.
/// `Benchmarks/wire/run` calls it.
///
/// Times are the best of several rounds, in passes some time apart: the machine's other work only
/// ever adds. Programs that do the same work in C take their passes in turn with ours.
@main
enum WireBenchmark {
    private static let firstTick: UInt64 = 100_000
    private static let rounds = 100
    private static let passes = 20
    private static let secondsBetweenPasses = 0.5

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            throw Failure(text: "usage: wire-bench WORKLOADS.json [TICKS ENCODER…]")
        }
        let encodersInC = try arguments.dropFirst(3).map {
            try EncoderInC(program: $0, ticks: arguments[2])
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
        let input = try JSONReader.read([UInt8](data))
        var output: [JSONMember] = []
        var timed: [(key: String, ticks: [[FrameChange]], start: SceneMirror)] = []
        for scene in try members(input, "scenes") {
            let records = try records(scene.value)
            let start = try mirror(records)
            output.append(JSONMember("snapshot-\(scene.key)", try snapshot(start)))
            for workload in try members(scene.value, "workloads") {
                let ticks = try ticks(workload.value, records)
                timed.append((workload.key, ticks, start))
            }
            if let whole = scene.value["whole"] {
                let tick = try ticks(JSONValue(.array([whole])), records)[0]
                output.append(JSONMember("descriptor", descriptor(tick)))
            }
            output.append(JSONMember("member-\(scene.key)", try memberState(records)))
        }
        var best = timed.map { _ in UInt64.max }
        var bestInC = encodersInC.map { _ in best }
        for pass in 0..<passes {
            if pass > 0 { Thread.sleep(forTimeInterval: secondsBetweenPasses) }
            for (index, workload) in timed.enumerated() {
                best[index] = min(best[index], time(workload.ticks))
                for (program, encoder) in encodersInC.enumerated() {
                    bestInC[program][index] = min(
                        bestInC[program][index], try encoder.time(workload: index))
                }
            }
        }
        for (index, workload) in timed.enumerated() {
            let inC = zip(encodersInC, bestInC).map { ($0.name, $1[index]) }
            output.append(
                JSONMember(
                    workload.key,
                    try measure(
                        workload.ticks, workload.start, nanoseconds: best[index],
                        nanosecondsInC: inC)))
        }
        print(JSONValue.object(output).text())
    }

    // MARK: Input

    private static func members(_ value: JSONValue, _ key: String) throws -> [JSONMember] {
        guard let members = value[key]?.members else { throw Failure(text: key) }
        return members
    }

    private static func list(_ value: JSONValue?) throws -> [JSONValue] {
        guard let values = value?.array else { throw Failure(text: "a list") }
        return values
    }

    private static func integers(_ value: JSONValue?) throws -> [Int32] {
        try list(value).map {
            guard let number = $0.number, let integer = Int32(exactly: number) else {
                throw Failure(text: "an integer")
            }
            return integer
        }
    }

    private static func frame(_ values: ArraySlice<Int32>) throws -> QuantisedFrame {
        guard values.count == 4, let first = values.indices.first else {
            throw Failure(text: "four numbers")
        }
        return QuantisedFrame(
            x: values[first], y: values[first + 1], width: values[first + 2],
            height: values[first + 3])
    }

    private static func records(_ scene: JSONValue) throws -> [ViewRecord] {
        try list(scene["views"]).enumerated().map { index, view in
            guard let id = view["id"]?.string,
                let text = view["text"]?.string
            else { throw Failure(text: "a view") }
            var content = ViewContent(kind: text.isEmpty ? .view : .label)
            if !text.isEmpty {
                content.lines = [
                    ContentLine(text: text, x: 0, y: 0, width: Int32(8 * text.utf8.count))
                ]
            }
            var parent: ViewNumber?
            if let number = view["parent"]?.number {
                parent = ViewNumber(UInt32(number))
            }
            return ViewRecord(
                number: ViewNumber(UInt32(index)), id: id, parent: parent,
                frame: try frame(try integers(view["frame"])[...]), content: content)
        }
    }

    private static func ticks(
        _ value: JSONValue, _ records: [ViewRecord]
    ) throws -> [[FrameChange]] {
        var frames = records.map(\.frame)
        return try list(value).map { tick in
            try list(tick).map { entry in
                let values = try integers(entry)
                let number = Int(values[0])
                let new = try frame(values[1...])
                defer { frames[number] = new }
                return FrameChange(
                    number: ViewNumber(UInt32(number)), old: frames[number], new: new)
            }
        }
    }

    private static func mirror(_ records: [ViewRecord]) throws -> SceneMirror {
        var snapshot = Snapshot()
        snapshot.tick = firstTick
        snapshot.views = records
        for record in records {
            let parent = record.parent.map { records[Int($0.rawValue)].id } ?? ""
            let prefix = ViewHash.prefix(id: record.id, parentID: parent, content: record.content)
            snapshot.stateHash &+= ViewHash.hash(prefix: prefix, frame: record.frame)
        }
        var mirror = SceneMirror()
        try mirror.apply(snapshot)
        return mirror
    }

    // MARK: Measurements

    /// Nanoseconds of a round, the best of several.
    private static func time(_ ticks: [[FrameChange]]) -> UInt64 {
        var best = UInt64.max
        var frame = FrameDiff()
        var buffer: [UInt8] = []
        // A round is timed as a whole: the clock takes longer than a small frame.
        for _ in 0..<rounds {
            var encoder = FrameEncoder()
            let begin = DispatchTime.now().uptimeNanoseconds
            for (index, changes) in ticks.enumerated() {
                buffer.removeAll(keepingCapacity: true)
                encode(changes, index, &encoder, &frame, &buffer)
            }
            best = min(best, DispatchTime.now().uptimeNanoseconds - begin)
        }
        return best
    }

    /// - Parameters:
    ///   - nanoseconds: What a round took.
    ///   - nanosecondsInC: What it took programs in C, by their names.
    private static func measure(
        _ ticks: [[FrameChange]], _ start: SceneMirror, nanoseconds: UInt64,
        nanosecondsInC: [(name: String, nanoseconds: UInt64)]
    ) throws -> JSONValue {
        var frame = FrameDiff()
        var buffer: [UInt8] = []
        var encoder = FrameEncoder()
        let messages = ticks.enumerated().map { index, changes in
            buffer.removeAll(keepingCapacity: true)
            encode(changes, index, &encoder, &frame, &buffer)
            return buffer
        }
        // What was measured has to be right.
        var mirror = start
        for (message, changes) in zip(messages, ticks) {
            try mirror.apply(try ServerMessage.decode(message))
            for change in changes where mirror.view(change.number)?.frame != change.new {
                throw Failure(text: "view \(change.number.rawValue) is not where it should be")
            }
        }
        let views = ticks.reduce(0) { $0 + $1.count }
        let bytes = messages.reduce(0) { $0 + $1.count }
        return .object([
            JSONMember("ticks", .number(Double(ticks.count))),
            JSONMember("views", .number(Double(views))),
            JSONMember("bytes", .number(Double(bytes))),
            JSONMember("nanosecondsPerView", .number(Double(nanoseconds) / Double(views))),
            JSONMember(
                "nanosecondsPerViewInC",
                .object(
                    nanosecondsInC.map {
                        JSONMember($0.name, .number(Double($0.nanoseconds) / Double(views)))
                    })),
            JSONMember("messages", .array(messages.map { .string(hex($0)) })),
        ])
    }

    private static func encode(
        _ changes: [FrameChange], _ index: Int, _ encoder: inout FrameEncoder,
        _ frame: inout FrameDiff, _ buffer: inout [UInt8]
    ) {
        let tick = firstTick + UInt64(index) + 1
        frame.setTicks(tick: tick, baseTick: tick - 1, durableTick: tick - 1)
        encoder.encode(changes, into: &frame.body)
        frame.encode(to: &buffer)
    }

    private static func descriptor(_ changes: [FrameChange]) -> JSONValue {
        var start = AnimationStart()
        start.id = 1
        start.durationTicks = 18
        start.curve = .easeInOut
        var encoder = FrameEncoder()
        start.body = encoder.encodeAnimation(changes)
        var anim = Anim()
        anim.tick = firstTick
        anim.changes = [.start(start)]
        var bytes: [UInt8] = []
        ServerMessage.anim(anim).encode(to: &bytes)
        return .object([
            JSONMember("views", .number(Double(changes.count))),
            JSONMember("bytes", .number(Double(bytes.count))),
        ])
    }

    private static func snapshot(_ mirror: SceneMirror) throws -> JSONValue {
        var bytes = 0
        var messages: [String] = []
        for chunk in mirror.snapshots() {
            var message: [UInt8] = []
            ServerMessage.snapshot(chunk).encode(to: &message)
            bytes += message.count
            messages.append(hex(message))
        }
        return .object([
            JSONMember("views", .number(Double(mirror.count))),
            JSONMember("bytes", .number(Double(bytes))),
            JSONMember("messages", .array(messages.map { .string($0) })),
        ])
    }

    /// Bytes of memory that a member of a session takes, from the process's resident memory with
    /// 20,000 members that owe as many acknowledgements as they may.
    private static func memberState(_ records: [ViewRecord]) throws -> JSONValue {
        let views = records.dropFirst().map { record in
            JSONValue.object([
                JSONMember("id", .string(record.id)),
                JSONMember("parent", .string(records[Int(record.parent?.rawValue ?? 0)].id)),
                JSONMember(
                    "frame",
                    .array(
                        [
                            record.frame.x, record.frame.y, record.frame.width, record.frame.height,
                        ].map { .number(Double($0)) })),
            ])
        }
        let document = JSONValue.object([
            JSONMember("scene", .number(1)),
            JSONMember(
                "viewport",
                .object([
                    JSONMember("width", .number(1280)), JSONMember("height", .number(800)),
                ])),
            JSONMember("views", .array(views)),
        ])
        let model = try SceneModel(try SceneDocument.parse(document))
        let (session, _) = SceneSession.create(room: "bench", tickRate: 60, model: model)
        var next: UInt64 = 1
        func join(_ count: UInt64) {
            for _ in 0..<count {
                var hello = Hello()
                hello.role = .editor
                let admission = Admission(
                    session: "session-\(next)", resumeToken: "0123456789abcdef0123456789abcdef",
                    role: .editor, format: .binary, monotonicMilliseconds: 0, hello: hello)
                _ = session.handle(.joined(MemberID(next), admission))
                next += 1
            }
        }
        join(1000)
        let before = try residentBytes()
        let count: UInt64 = 20_000
        join(count)
        var ops = Ops()
        for tick in 1...12 as ClosedRange<UInt64> {
            ops.clientSequence = tick
            ops.ops = .array([Op.setNeedsDisplay(id: "root", nil).json])
            _ = session.handle(.received(MemberID(1), .ops(ops)))
            _ = session.handle(.tick(tick))
        }
        let after = try residentBytes()
        return .object([
            JSONMember("bytesPerMember", .number(Double(max(0, after - before)) / Double(count)))
        ])
    }

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(text: "/proc/self/statm")
        }
        return pages * Int(getpagesize())
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
