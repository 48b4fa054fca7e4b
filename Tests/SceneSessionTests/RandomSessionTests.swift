import SceneModel
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

/// Ops of every kind, most of them refused, against two oracles: what a member was sent, and a
/// replay of the journal.
@Suite("Random ops in a room")
struct RandomSessionTests {
    /// The scene in which seeds 14, 16 and 366 found what was wrong.
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"]}
        """

    @Test(
        "after each tick the member has the scene, and the journal replays to it",
        arguments: 0..<400)
    func random(seed: Int) throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        var ops = RandomOps(seed: seed)
        var random = SplitMix64(seed: UInt64(1000 + seed))
        for _ in 0..<60 {
            let text = "[\(ops.op()),\(ops.op())]"
            try room.send(text, from: editor, sequence: room.nextSequence(editor))
            for _ in 0...random.below(4) {
                try room.runTicks()
                try #require(room.abandoned == nil, "\(text)")
                let scene = room.session.model.records()
                let replay = try JournalReplay(room.journal, through: room.session.tick)
                try #require(room.mirrors[editor]?.records == scene, "sent, after \(text)")
                try #require(
                    replay.timeline.model.records() == scene, "replayed, after \(text)")
            }
        }
    }
}
