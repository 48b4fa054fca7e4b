import SceneModel
import SceneProtocol
import SceneSession
import SceneTestSupport
import SeededRandom
import Testing

/// Ops of every kind, most of them refused, against two oracles: what a member was sent, and a replay of the journal.
@Suite("Random ops in a room")
struct RandomSessionTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"]}
        """
    private static let editor = MemberID(1)

    @Test(
        "after each tick the member has the scene, and the journal replays to it",
        arguments: 0..<400)
    func random(seed: Int) throws {
        let model = try SceneModel(try SceneDocument.parse(Array(Self.document.utf8)))
        let (session, effects) = SceneSession.create(room: "hall", tickRate: 60, model: model)
        var journal: [JournalRecord] = []
        var mirror = SceneMirror()
        func carryOut(_ first: [SessionEffect]) throws {
            var effects = first
            while !effects.isEmpty {
                var next: [SessionEffect] = []
                for effect in effects {
                    switch effect {
                    case .append(let record):
                        journal.append(record)
                        next += session.handle(.durable(through: record.sequence))
                    case .send(let payloads, let format, _):
                        for payload in payloads {
                            _ = try mirror.apply(try ServerMessage.decode(payload, as: format))
                        }
                    case .abandon(let reason): Issue.record("the room gave up: \(reason)")
                    case .close, .prove, .record, .readJournal, .replacedScene, .overran: break
                    }
                }
                effects = next
            }
        }
        try carryOut(effects)
        var hello = Hello()
        hello.role = .editor
        let admission = Admission(
            session: "editor", resumeToken: "token", role: .editor, format: .binary,
            monotonicMilliseconds: 0, hello: hello)
        try carryOut(session.handle(.joined(Self.editor, admission)))
        var ops = RandomOps(seed: seed)
        var random = SplitMix64(seed: UInt64(1000 + seed))
        for round in 1...60 {
            var message = Ops()
            message.clientSequence = UInt64(round)
            message.ops = try JSONReader.read(Array("[\(ops.op()),\(ops.op())]".utf8))
            try carryOut(session.handle(.received(Self.editor, .ops(message))))
            for _ in 0...random.below(4) {
                try carryOut(session.handle(.tick(session.tick + 1)))
                var ack = Ack()
                ack.tick = mirror.tick
                try carryOut(session.handle(.received(Self.editor, .ack(ack))))
                let scene = try #require(session.wake()).model.records()
                let replay = try JournalReplay(journal, through: session.tick)
                guard mirror.records == scene, replay.timeline.model.records() == scene else {
                    Issue.record(
                        "after \(message.ops), tick \(session.tick): sent \(mirror.records == scene), replayed \(replay.timeline.model.records() == scene)"
                    )
                    return
                }
            }
        }
    }
}
