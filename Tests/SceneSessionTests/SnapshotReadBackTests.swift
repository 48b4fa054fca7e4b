import SceneModel
import SceneProtocol
import Testing

@testable import SceneSession

/// A snapshot takes the place of what came before it; one that is not read back would end the room.
@Suite("Snapshots are read back before they are written")
struct SnapshotReadBackTests {
    /// Makes the session keep what its own reader refuses.
    private func poison(_ rig: Rig) {
        rig.session.timeline.ledger.record(
            [
                Edit(
                    .wrote(.view("bar"), property: "kind"),
                    inverse: [.resetView(id: "bar", keys: [.kind])])
            ], author: "somebody", group: 0)
    }

    private func width(_ value: Int) -> String {
        #"[{"op":"setConstraint","id":"w","constant":\#(value)}]"#
    }

    private func snapshotCount(_ rig: Rig) -> Int {
        rig.journal.count { $0.kind == .snapshot }
    }

    @Test("one that is due and not read back is put off: the batches stay, and the room goes on")
    func putOff() throws {
        var options = SessionOptions()
        options.snapshotBytes = 400
        options.snapshotGrowth = 0
        let rig = try Rig(options: options)
        let editor = try rig.join(1)
        poison(rig)
        for value in 101...140 {
            try rig.apply(width(value), from: editor)
            try rig.runTicks(3)
        }
        #expect(snapshotCount(rig) == 1)
        #expect(rig.session.snapshotFault?.contains("kind") == true)
        #expect(rig.session.journal.bytesSinceSnapshot < 400)
        #expect(rig.abandoned == nil)
        #expect(rig.width(of: "bar", for: editor) == 140)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.stateHash == rig.session.model.stateHash)
        rig.session.timeline.ledger.reset()
        for value in 141...180 { try rig.apply(width(value), from: editor) }
        #expect(snapshotCount(rig) > 1)
        #expect(rig.session.snapshotFault == nil)
    }

    @Test("one without which the journal says another thing has the room read again, nothing lost")
    func readAgain() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(width(150), from: editor)
        let hash = rig.session.model.stateHash
        try rig.step(.storeFailed("disk full"))
        poison(rig)
        // A room begins anew in the journal with a snapshot.
        try rig.step(.storeRecovered)
        #expect(rig.abandoned != nil)
        #expect(rig.closed[editor] == .draining)
        #expect(snapshotCount(rig) == 1)
        #expect(try JournalReplay(rig.journal).timeline.model.stateHash == hash)
    }

    @Test("the live scene goes on from what was read, to the bit")
    func canonical() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let rig = try Rig(options: options)
        let editor = try rig.join(1)
        try rig.apply(
            #"[{"op":"setConstraint","id":"w","constant":33.333333333333336}]"#, from: editor)
        // What is due is written before the ops of the next tick.
        try rig.apply(#"[{"op":"setNeedsLayout"}]"#, from: editor)
        let last = try #require(rig.journal.last { $0.kind == .snapshot })
        #expect(last.sequence == 3)
        guard case .snapshot(let payload) = try JournalPayload(last) else {
            Issue.record("no snapshot")
            return
        }
        let live = rig.session.model.snapshot()
        #expect(payload.scene.document == live.document)
        #expect(payload.scene.numbers == live.numbers)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.stateHash == rig.session.model.stateHash)
    }
}
