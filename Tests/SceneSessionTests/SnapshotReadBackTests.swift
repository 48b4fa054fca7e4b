import SceneModel
import SceneProtocol
import Testing

@testable import SceneSession

/// A snapshot takes the place of what came before it; one that is not read back would end the room.
@Suite("Snapshots are read back before they are written")
struct SnapshotReadBackTests {
    /// Makes the session keep what its own reader refuses.
    private func poison(_ room: TestRoom) {
        room.session.timeline.ledger.record(
            [
                Edit(
                    .wrote(.view("bar"), property: "kind"),
                    inverse: [.resetView(id: "bar", keys: [.kind])])
            ], author: "somebody", group: 0)
    }

    private func width(_ value: Int) -> String {
        #"[{"op":"setConstraint","id":"w","constant":\#(value)}]"#
    }

    private func snapshotCount(_ room: TestRoom) -> Int {
        room.journal.count { $0.kind == .snapshot }
    }

    @Test("one that is due and not read back is put off: the batches stay, and the room goes on")
    func putOff() throws {
        var options = SessionOptions()
        options.snapshotBytes = 400
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        poison(room)
        for value in 101...140 {
            try room.apply(width(value), from: editor)
            try room.runTicks(3)
        }
        #expect(snapshotCount(room) == 1)
        #expect(room.session.snapshotFault?.contains("kind") == true)
        #expect(room.session.journal.bytesSinceSnapshot < 400)
        #expect(room.abandoned == nil)
        #expect(room.width(of: "bar", for: editor) == 140)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
        room.session.timeline.ledger.reset()
        for value in 141...180 { try room.apply(width(value), from: editor) }
        #expect(snapshotCount(room) > 1)
        #expect(room.session.snapshotFault == nil)
    }

    @Test("one without which the journal says another thing has the room read again, nothing lost")
    func readAgain() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(width(150), from: editor)
        let hash = room.session.model.stateHash
        try room.handle(.storeFailed("disk full"))
        poison(room)
        // What a room writes first once its store is back.
        try room.handle(.storeRecovered)
        #expect(room.abandoned != nil)
        #expect(room.closed[editor] == .draining)
        #expect(snapshotCount(room) == 1)
        #expect(try JournalReplay(room.journal).timeline.model.stateHash == hash)
    }

    @Test("the live scene goes on from what was read, to the bit")
    func canonical() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        try room.apply(
            #"[{"op":"setConstraint","id":"w","constant":33.333333333333336}]"#, from: editor)
        // What is due is written before the ops of the next tick.
        try room.apply(#"[{"op":"setNeedsLayout"}]"#, from: editor)
        let last = try #require(room.journal.last { $0.kind == .snapshot })
        #expect(last.sequence == 3)
        guard case .snapshot(let payload) = try JournalPayload(last) else {
            Issue.record("no snapshot")
            return
        }
        let live = room.session.model.snapshot()
        #expect(payload.scene.document == live.document)
        #expect(payload.scene.numbers == live.numbers)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
    }
}
