import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("The scene that a damaged journal still leads to")
struct JournalSalvageTests {
    private static let script = [
        #"[{"op":"setConstraint","id":"w","constant":150}]"#,
        #"[{"op":"addView","id":"a","parent":"bar","kind":"label","text":"x"}]"#,
        #"[{"op":"setView","id":"title","text":"Changed"}]"#,
        #"[{"op":"addConstraint","rule":"a.leading == title.trailing + 4"}]"#,
        #"[{"op":"setViewport","width":500}]"#,
        #"[{"op":"addView","id":"b"}]"#,
    ]

    /// A room in which the script ran, without some of its messages.
    private func room(
        without omitted: Set<Int> = [], options: SessionOptions = SessionOptions()
    ) throws -> TestRoom {
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        for (index, ops) in Self.script.enumerated() {
            if !omitted.contains(index) {
                try room.send(ops, from: editor, sequence: UInt64(index + 1))
            }
            try room.runTicks(3)
        }
        return room
    }

    private func salvage(
        _ records: [JournalRecord], without lost: Int
    ) throws -> JournalSalvage {
        try JournalSalvage([
            .init(records: Array(records[..<lost])),
            .init(records: Array(records[(lost + 1)...])),
        ])
    }

    @Test("records behind a lost one are applied as if it had never been")
    func lostBatch() throws {
        let whole = try room()
        // The scene, then one record for each message; message 2 changes a text.
        let result = try salvage(whole.journal, without: 3)
        #expect(!result.isExact)
        #expect(result.leftOut == 0)
        #expect(result.used == whole.journal.count - 1)
        let expected = try room(without: [2])
        #expect(result.timeline.model.stateHash == expected.session.model.stateHash)
        #expect(result.timeline.model.stateHash != whole.session.model.stateHash)
    }

    @Test("a record that needs a lost one is left out and named; the others stay")
    func dependent() throws {
        let whole = try room()
        let result = try salvage(whole.journal, without: 2)
        #expect(result.leftOut == 1)
        #expect(result.notes.count == 1)
        #expect(result.notes.first?.contains("record 5") == true, "\(result.notes)")
        let expected = try room(without: [1, 3])
        #expect(result.timeline.model.stateHash == expected.session.model.stateHash)
    }

    @Test("a lost snapshot that repeats the scene loses nothing")
    func lostSnapshot() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let whole = try room(options: options)
        let lost = try #require(
            whole.journal.indices.dropFirst().first { whole.journal[$0].kind == .snapshot })
        let rest = whole.journal.filter { $0.kind == .batch || $0.sequence <= lost + 1 }
        // Later snapshots would repeat the scene; without them all depends on what is replayed.
        let behind = Array(rest[(lost + 1)...])
        let result = try JournalSalvage([
            .init(records: Array(rest[..<lost])),
            .init(records: behind, lostSnapshot: whole.journal[lost].sequence),
        ])
        #expect(result.isExact)
        #expect(result.timeline.model.stateHash == whole.session.model.stateHash)
    }

    @Test("a snapshot says whether the scene was the same before it")
    func repeatedScene() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        try room.send(Self.script[0], from: editor, sequence: 1)
        try room.runTicks(3)
        try room.send(
            #"[{"op":"setScene","scene":1,"viewport":{"width":1,"height":1}}]"#, from: editor,
            sequence: 2)
        try room.runTicks(3)
        let snapshots = room.journal.filter { $0.kind == .snapshot }
        // That of the new room, the one that was due after the message, and the new scene.
        #expect(snapshots.map(\.repeatsScene).prefix(3) == [false, true, false])
        #expect(!room.journal.contains { $0.kind == .batch && $0.repeatsScene })
    }

    @Test("the restored scene continues the journal, and knows what its clients have sent")
    func record() throws {
        let whole = try room()
        let result = try salvage(whole.journal, without: 3)
        let kept = Array(whole.journal.prefix(3))
        let next = result.records(after: kept[2])
        #expect(next[0].follows(kept[2]) && next[1].follows(next[0]))
        #expect(next.map(\.repeatsScene) == [false, true])
        let again = try TestRoom(replaying: kept + next)
        #expect(again.session.model.stateHash == result.timeline.model.stateHash)
        // The client sends its last message again, as after a lost answer, and it is not applied
        // twice.
        let editor = try again.join(1, session: "session-1", after: 6)
        try again.send(Self.script[5], from: editor, sequence: 6)
        try again.runTicks()
        #expect(again.results[editor] == nil || again.journal.count == 5)
        #expect(again.session.model.stateHash == result.timeline.model.stateHash)
    }

    @Test("a restored scene outlasts the loss of either of its records, and of both says so")
    func restoredAgain() throws {
        let whole = try room()
        let first = try salvage(whole.journal, without: 2)
        let kept = Array(whole.journal.prefix(2))
        let next = first.records(after: kept[1])
        let again = try TestRoom(replaying: kept + next)
        let editor = try again.join(1, session: "session-1", after: 6)
        try again.send(#"[{"op":"addView","id":"later"}]"#, from: editor, sequence: 7)
        try again.runTicks()
        let last = try #require(again.journal.last)
        #expect(last.kind == .batch)
        let expected = again.session.model.document()

        let withoutFirst = JournalRemains([
            .init(records: kept), .init(records: [next[1], last], lostSnapshot: next[0].sequence),
        ])
        guard case .present(1, let present) = withoutFirst.result else {
            Issue.record("\(withoutFirst.result)")
            return
        }
        #expect(present.isExact)
        #expect(present.timeline.model.document() == expected)

        let withoutSecond = try JournalSalvage([
            .init(records: [next[0]]), .init(records: [last], lostSnapshot: next[1].sequence),
        ])
        #expect(withoutSecond.isExact)
        #expect(withoutSecond.timeline.model.document() == expected)

        let withoutBoth = try JournalSalvage([.init(records: kept), .init(records: [last])])
        #expect(!withoutBoth.isExact)
        #expect(withoutBoth.timeline.model.document() != expected)
    }

    @Test("a scene that lost its last records is not exact, and goes on at a tick nobody has seen")
    func lostEnd() throws {
        let whole = try room()
        let kept = JournalPiece(
            records: Array(whole.journal.dropLast()), lacksEnd: true)
        let remains = JournalRemains([kept])
        guard case .present(0, let scene) = remains.result else {
            Issue.record("\(remains.result)")
            return
        }
        #expect(!scene.isExact)
        let restoration = try #require(remains.restoration())
        #expect(restoration.next.map(\.kind) == [.snapshot, .snapshot])
        let tick = try #require(whole.journal.last?.tick)
        #expect(restoration.next.allSatisfy { $0.tick > tick })
        let again = try TestRoom(replaying: kept.records + restoration.next)
        #expect(again.session.model.stateHash == scene.timeline.model.stateHash)

        let intact = JournalPiece(records: whole.journal)
        #expect(JournalRemains([intact]).restoration()?.next.isEmpty == true)
    }

    @Test("without a snapshot there is nothing to begin with")
    func nothing() throws {
        let whole = try room()
        #expect(throws: JournalPlayer.Failure.noSnapshot) {
            try JournalSalvage([.init(records: Array(whole.journal[1...]))])
        }
        #expect(throws: JournalPlayer.Failure.noSnapshot) { try JournalSalvage([]) }
    }
}
