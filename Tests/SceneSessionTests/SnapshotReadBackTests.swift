import SceneDocument
import SceneModel
import SceneWire
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

    private static let animation =
        #"[{"op":"animate","duration":1,"curve":"linear","ops":[{"op":"setConstraint","id":"w","constant":400},{"op":"layoutIfNeeded"}]}]"#

    /// Widths that a bar of 100 points passes through in that animation, in 60 ticks from the one
    /// after the op.
    private static func widths(_ ticks: ClosedRange<Int32>) -> [Int32] {
        ticks.map { 100 + 5 * $0 }
    }

    @Test(
        "what moves goes on moving over a snapshot, for members and in a replay, and nobody is told that it ends"
    )
    func animated() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let local = try room.join(2, role: .viewer, capabilities: Capability.animations)
        try room.apply(Self.animation, from: editor)
        var shown: [Int32] = []
        var snapshots: [Int] = []
        for _ in 0..<60 {
            try room.runTicks()
            shown.append(try #require(room.width(of: "bar", for: editor)))
            snapshots.append(snapshotCount(room))
            let replay = try JournalReplay(room.journal, through: room.session.tick)
            try #require(replay.timeline.model.records() == room.session.model.records())
        }
        #expect(shown == Self.widths(1...60))
        // One was written in the midst of it.
        #expect(snapshots[1] == 2 && snapshots[59] == 2)
        #expect(room.session.model.isIdle)
        let told = (room.received[local] ?? []).flatMap { message -> [Anim.Change] in
            if case .anim(let anim) = message { anim.changes } else { [] }
        }
        #expect(told.count == 1)
        #expect(room.width(of: "bar", for: local) == 400)
    }

    @Test("what moves goes on moving when the store recovers, for members and in a replay")
    func animatedWhileTheStoreFails() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(Self.animation, from: editor)
        try room.runTicks(4)
        try room.handle(.storeFailed("disk full"))
        try room.runTicks(6)
        #expect(room.width(of: "bar", for: editor) == Self.widths(10...10)[0])
        // The snapshot that comes first has a tick of its own, in which it moves on.
        try room.handle(.storeRecovered)
        #expect(snapshotCount(room) == 2)
        #expect(room.width(of: "bar", for: editor) == Self.widths(11...11)[0])
        for count in 12...60 as ClosedRange<Int32> {
            try room.runTicks()
            #expect(room.width(of: "bar", for: editor) == Self.widths(count...count)[0])
            let replay = try JournalReplay(room.journal, through: room.session.tick)
            try #require(replay.timeline.model.records() == room.session.model.records())
        }
        #expect(room.session.model.isIdle)
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
