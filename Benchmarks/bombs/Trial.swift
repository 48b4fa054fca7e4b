import CMalloc
import Foundation
import JSON
import SceneDocument
import SceneFaces
import SceneModel
import SceneSession
import SceneWire

/// What a message cost.
struct Measurement {
    /// Units that the sender was charged.
    var units: UInt64 = 0
    /// Processor time of the thread in nanoseconds.
    var nanoseconds: UInt64 = 0
    /// The message's length.
    var bytes = 0
    /// Whether anything of it was refused for its price.
    var isRefused = false

    /// Nanoseconds for each unit.
    var rate: Double { Double(nanoseconds) / Double(max(units, 1)) }
    /// Units for each byte.
    var yield: Double { Double(units) / Double(max(bytes, 1)) }
}

/// A room with one member, who sends the messages of a case.
final class Trial {
    private let session: SceneSession
    private let editor = MemberID(1)
    private var tick: UInt64 = 0
    private var sequence: UInt64 = 0
    private var results: [OpsResult] = []

    /// A folder without faces.
    private static let emptyFolder: String = {
        let path =
            NSTemporaryDirectory() + "scenesync-bombs-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    /// Makes a room whose messages may take `limit` units each, in a process that has measured no
    /// words.
    init(limit: UInt64) throws {
        RegisteredFaces.register(try FaceFolder(folder: Self.emptyFolder))
        var options = SessionOptions()
        // Questions may take what a tick may.
        options.work = WorkBudget(op: limit, message: limit, tick: limit, second: .max / 4)
        let model = try SceneModel(SceneDocument(viewport: Viewport(width: 640, height: 384)))
        let (session, effects) = SceneSession.create(
            room: "bombs", tickRate: 60, model: model, options: options)
        self.session = session
        try carryOut(effects)
        var hello = Hello()
        hello.capabilities = SceneSession.capabilities
        let admission = Admission(
            session: "editor", resumeToken: "editor", role: .editor, format: .binary,
            monotonicMilliseconds: 0, hello: hello)
        try carryOut(session.handle(.joined(editor, admission)))
        try runTick()
    }

    /// Sends the case's document, and then measures its message. Also tells what the document cost.
    ///
    /// - Parameter isCounted: Whether a counter of instructions is to count the message.
    func measure(
        _ attack: Case, isCounted: Bool = false
    ) throws -> (document: Measurement, message: Measurement) {
        let document = try send("[\(attack.document)]")
        // What the document looks like is told with the next tick.
        _ = try send("[{\"op\":\"setNeedsLayout\"}]")
        // Memory that was freed before is put in order by whoever asks for much next: that is not
        // the message's work.
        if isCounted { malloc_trim(0) }
        if let question = attack.question {
            return (document, try isCounted ? countedAsk(question) : ask(question))
        }
        guard attack.ticks > 0 else {
            return (document, try isCounted ? countedSend(attack.ops) : send(attack.ops))
        }
        let message = try send(attack.ops)
        guard !message.isRefused else { return (document, message) }
        return (document, try run(attack.ticks, bytes: message.bytes, isCounted: isCounted))
    }

    /// Runs ticks in which nothing arrives, and that go on with what a message began. The room pays
    /// for them.
    private func run(_ count: Int, bytes: Int, isCounted: Bool) throws -> Measurement {
        let before = session.totalWork
        let start = threadNanoseconds()
        let effects = isCounted ? countedAnswer(ticks: count) : answer(ticks: count)
        var reading = Measurement(nanoseconds: threadNanoseconds() - start, bytes: bytes)
        reading.units = session.totalWork &- before
        for list in effects { try carryOut(list) }
        return reading
    }

    @inline(never)
    private func countedAnswer(ticks count: Int) -> [[SessionEffect]] { answer(ticks: count) }

    private func answer(ticks count: Int) -> [[SessionEffect]] {
        (0..<count).map { _ in
            tick += 1
            return session.handle(.tick(tick))
        }
    }

    /// Puts a question, from its bytes to the tick that answers it.
    private func ask(_ question: ClientMessage) throws -> Measurement {
        try ask(question, answer: answer(to:))
    }

    private func countedAsk(_ question: ClientMessage) throws -> Measurement {
        try ask(question, answer: countedAnswer(to:))
    }

    private func ask(
        _ question: ClientMessage, answer: ([UInt8]) throws -> [[SessionEffect]]
    ) throws -> Measurement {
        var bytes: [UInt8] = []
        question.encode(to: &bytes)
        // The tick that answers it may have other work, which the room pays: what is animated, sets
        // of constraints to and fro.
        let before = session.totalWork
        let start = threadNanoseconds()
        let effects = try answer(bytes)
        var reading = Measurement(nanoseconds: threadNanoseconds() - start, bytes: bytes.count)
        for list in effects { try carryOut(list) }
        reading.units = session.totalWork &- before
        return reading
    }

    @inline(never)
    private func countedAnswer(to bytes: [UInt8]) throws -> [[SessionEffect]] {
        try answer(to: bytes)
    }

    private func answer(to bytes: [UInt8]) throws -> [[SessionEffect]] {
        let message = try ClientMessage.decode(bytes)
        tick += 1
        return [session.handle(.received(editor, message)), session.handle(.tick(tick))]
    }

    /// Sends the message that is measured. A counter of instructions counts what `answer` does
    /// here.
    private func countedSend(_ ops: String) throws -> Measurement {
        try send(ops, answer: countedAnswer(to:_:))
    }

    /// Sends ops, from their text on the wire to the frame that answers them.
    private func send(_ ops: String) throws -> Measurement { try send(ops, answer: answer(to:_:)) }

    private func send(
        _ ops: String, answer: ([UInt8], Ops) throws -> [[SessionEffect]]
    ) throws -> Measurement {
        sequence += 1
        var message = Ops()
        message.clientSequence = sequence
        let bytes = Array(ops.utf8)
        results.removeAll()
        // The room pays for more than the result tells: for building the scene again after a
        // refusal half-way.
        let before = session.totalWork
        let start = threadNanoseconds()
        let effects = try answer(bytes, message)
        var reading = Measurement(nanoseconds: threadNanoseconds() - start, bytes: bytes.count)
        for list in effects { try carryOut(list) }
        for result in results where result.clientSequence == sequence {
            reading.units = session.totalWork &- before
            if case .refused(let refusal) = result.outcome {
                reading.isRefused = refusal.code == .tooExpensive
            }
        }
        return reading
    }

    @inline(never)
    private func countedAnswer(to bytes: [UInt8], _ ops: Ops) throws -> [[SessionEffect]] {
        try answer(to: bytes, ops)
    }

    /// What is measured.
    private func answer(to bytes: [UInt8], _ ops: Ops) throws -> [[SessionEffect]] {
        var message = ops
        message.ops = try JSONReader.read(bytes)
        tick += 1
        return [session.handle(.received(editor, .ops(message))), session.handle(.tick(tick))]
    }

    private func runTick() throws {
        tick += 1
        try carryOut(session.handle(.tick(tick)))
    }

    private func carryOut(_ effects: [SessionEffect]) throws {
        var last: UInt64?
        for effect in effects {
            switch effect {
            case .append(let record): last = record.sequence
            case .send(let payloads, _, _), .offer(let payloads, _, _):
                for payload in payloads {
                    if case .result(let result) = try ServerMessage.decode(payload) {
                        results.append(result)
                    }
                }
            case .overran, .record, .close, .readJournal, .prove, .abandon, .replacedScene,
                .readScene, .suggestionChanged:
                break
            }
        }
        if let last { try carryOut(session.handle(.durable(through: last))) }
        var ack = Ack()
        ack.tick = tick
        _ = session.handle(.received(editor, .ack(ack)))
    }
}

/// Processor time of this thread in nanoseconds.
func threadNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
