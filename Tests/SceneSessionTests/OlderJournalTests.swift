import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

/// Snapshots as older versions could leave them behind.
@Suite("Rooms of older versions open")
struct OlderJournalTests {
    /// A room after some changes, the last records of which are a snapshot and a batch.
    private func journal() throws -> [JournalRecord] {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        for ops in [
            #"[{"op":"addView","id":"tag","kind":"label","text":"x","frame":[1,2,30,40]}]"#,
            #"[{"op":"setConstraint","id":"w","constant":150}]"#,
            #"[{"op":"setConstraint","id":"w","constant":170}]"#,
        ] { try room.apply(ops, from: editor) }
        #expect(room.journal.suffix(2).map(\.kind) == [.snapshot, .batch])
        return room.journal
    }

    /// The journal with the text of its last snapshot changed, and whole again.
    private func altered(
        _ records: [JournalRecord], _ change: (inout String) -> Void
    ) throws -> [JournalRecord] {
        var result: [JournalRecord] = []
        let last = records.lastIndex { $0.kind == .snapshot }
        for (index, record) in records.enumerated() {
            var payload = record.payload
            if index == last {
                var text = String(decoding: payload, as: UTF8.self)
                let before = text
                change(&text)
                try #require(text != before)
                payload = Array(text.utf8)
            }
            result.append(
                JournalRecord(
                    sequence: record.sequence, epoch: record.epoch, tick: record.tick,
                    previous: result.last?.checksum ?? 0, kind: record.kind, payload: payload))
        }
        return result
    }

    private func replace(_ old: String, _ new: String) -> (inout String) -> Void {
        { $0 = $0.replacing(old, with: new) }
    }

    @Test(
        "what cannot be read of a last snapshot is left out and named, and the rest is there",
        arguments: [
            ("[1,2,30,40]", "[1,2,42000000,40]", "frame"),
            (#""frame":[1,2,30,40]"#, #""frameIn":[30,40]"#, "frameIn"),
            (#""frame":[1,2,30,40]"#, #""hugging":[0,2000]"#, "hugging"),
            ("bar.height == 40", "bar.height == 4e7", "constraints[2]"),
            ("bar.height == 40", "gone.height == 40", "constraints[2]"),
            (#""when":"root.width >= 10","#, #""when":"???","#, "when"),
            ("bar.bottom <= root.bottom", "bar.bottom", "sets.wide.constraints[0]"),
            (#""text":"x""#, #""text":"x","arranged":["gone"]"#, "arranged"),
        ])
    func lenient(old: String, new: String, named: String) throws {
        var records = try journal()
        if old.contains("when") {
            records = try altered(
                records, replace(#""wide":{"#, #""wide":{"when":"root.width >= 10","#))
        }
        let last = try #require(records.lastIndex { $0.kind == .snapshot })
        records = try altered(records, replace(old, new))
        let replay = try JournalReplay(Array(records[last...]))
        #expect(replay.notes.count == 1)
        #expect(replay.notes.first?.contains(named) == true, "\(replay.notes)")
        #expect(replay.timeline.model.viewIDs == ["root", "bar", "title", "tag"])
        #expect(replay.timeline.model.frame(of: "bar")?.width == 170)
        // Whatever is left out, it is left out each time: a session goes on from it and freezes.
        let room = try TestRoom(replaying: records)
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":180}]"#, from: editor)
        #expect(room.abandoned == nil)
        #expect(
            try JournalReplay(room.journal).timeline.model.stateHash
                == room.session.model.stateHash)
    }

    @Test("a frame beyond what documents can say ends where they can")
    func clampedFrame() throws {
        let records = try altered(journal(), replace("[1,2,30,40]", "[1,-2e9,42000000,-3]"))
        let document = try JournalReplay(records).timeline.model.document()
        #expect(
            document.views.first { $0.id == "tag" }?.properties.frame
                == Rect(x: 1, y: -1e6, width: 1e6, height: 0))
    }

    @Test("views and guides that were counted apart are read")
    func countedApart() throws {
        var document = SceneDocument(viewport: Viewport(width: 9, height: 9))
        document.views = (0..<6000).map { ViewSpec(id: "v\($0)") }
        document.guides = (0..<6000).map { GuideSpec(id: "g\($0)") }
        let snapshot = try SceneModel(document, settles: false).snapshot()
        #expect(try SceneSnapshot.parse(snapshot.json) == snapshot)
    }

    @Test("a ledger that cannot be read is forgotten, and steps that were taken back stay so")
    func unreadableLedger() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.undo)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try room.undo(editor)
        #expect(room.width(of: "bar", for: editor) == 100)
        #expect(room.journal.suffix(2).map(\.kind) == [.snapshot, .batch])
        let records = try altered(room.journal, replace(#""op":"setConstraint""#, #""op":"set""#))
        let replay = try JournalReplay(records)
        #expect(replay.timeline.model.frame(of: "bar")?.width == 100)
        #expect(replay.notes.count == 2, "\(replay.notes)")
    }

    @Test("a snapshot that cannot be read at all is gone round, from the one before it")
    func previousSnapshot() throws {
        let records = try journal()
        let whole = try JournalReplay(records)
        let broken = try altered(records, replace(#""views":["#, #""vjews":["#))
        let replay = try JournalReplay(broken)
        #expect(replay.timeline.model.stateHash == whole.timeline.model.stateHash)
        #expect(replay.timeline.model.document() == whole.timeline.model.document())
        #expect(!replay.notes.isEmpty)
        let last = try #require(records.lastIndex { $0.kind == .snapshot })
        #expect(throws: JournalReplay.Failure.self) { try JournalReplay(Array(broken[last...])) }
    }

    /// A row whose margins mean other frames by the rules of earlier releases, and the records of
    /// one that was written then.
    private func earlierRules(_ ops: [String]) throws -> [JournalRecord] {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 20
        let room = try TestRoom(
            """
            {"scene":1,"viewport":{"width":300,"height":100},
             "views":[{"id":"s","kind":"stack"},{"id":"a","parent":"s"},{"id":"b"}],
             "constraints":["s.left == root.left","s.top == root.top","s.width == 100","s.height == 50",
              "b.left == s.margins.left","b.top == s.margins.top","b.height == 10","b.right <= s.right"]}
            """, options: options)
        let editor = try room.join(1)
        for op in ops { try room.apply(op, from: editor) }
        return try altered(room.journal, replace(#","layoutRules":2"#, ""))
    }

    @Test(
        "a room laid out by earlier rules says what may look different, and from its next snapshot on nothing"
    )
    func earlierRulesAreTold() throws {
        let records = try earlierRules([#"[{"op":"setView","id":"a","hidden":false}]"#])
        let replay = try JournalReplay(records)
        #expect(replay.notes.isEmpty)
        #expect(replay.layoutNote?.contains("stacks have margins of 0") == true)
        #expect(replay.timeline.model.frame(of: "b")?.minX == 0)
        let room = try TestRoom(replaying: records)
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setView","id":"a","hidden":true}]"#, from: editor)
        let after = try JournalReplay(room.journal)
        #expect(after.layoutNote == nil)
        #expect(after.epoch > replay.epoch)
        #expect(after.timeline.model.stateHash == room.session.model.stateHash)
    }

    @Test(
        "what was accepted by earlier rules and contradicts the present ones gives way, and is not lost"
    )
    func earlierRulesGiveWay() throws {
        // Accepted while the stack's margins were 8: b is 92 wide from 8 on. Now from 0 on it is
        // refused.
        var records = try earlierRules([
            #"[{"op":"addConstraint","id":"w","rule":"b.left == s.left"}]"#
        ])
        let last = try #require(records.last)
        let text = String(decoding: last.payload, as: UTF8.self)
            .replacing("b.left == s.left", with: "b.left == s.left + 8")
        records[records.count - 1] = JournalRecord(
            sequence: last.sequence, epoch: last.epoch, tick: last.tick,
            previous: records[records.count - 2].checksum, kind: last.kind,
            payload: Array(text.utf8))
        let replay = try JournalReplay(records)
        #expect(replay.timeline.model.brokenConstraintIDs == ["w"])
        let room = try TestRoom(replaying: records)
        let editor = try room.join(1)
        // By the present rules the same is refused again.
        try room.apply(
            #"[{"op":"addConstraint","id":"v","rule":"b.left == s.left + 8"}]"#, from: editor)
        #expect(room.session.model.brokenConstraintIDs == ["w"])
        #expect(try JournalReplay(room.journal).timeline.model.brokenConstraintIDs == ["w"])
    }
}
