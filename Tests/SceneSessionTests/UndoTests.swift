import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Undo and redo")
struct UndoTests {
    /// A room with two people who may undo.
    private func room() throws -> (TestRoom, ada: MemberID, bob: MemberID) {
        let room = try TestRoom()
        let ada = try room.join(1, capabilities: Capability.undo)
        let bob = try room.join(2, capabilities: Capability.undo)
        return (room, ada, bob)
    }

    private func width(_ value: Int) -> String {
        #"[{"op":"setConstraint","id":"w","constant":\#(value)}]"#
    }

    @Test("a person's last change is taken back and done again")
    func undoRedo() throws {
        let (room, ada, _) = try room()
        try room.apply(width(150), from: ada)
        try room.apply(width(200), from: ada)
        #expect(try room.undo(ada) == .committed(Commit()))
        #expect(room.width(of: "bar", for: ada) == 150)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 100)
        #expect(room.refusal(ada) == nil)
        try room.undo(ada)
        #expect(room.refusal(ada)?.code == .conflict)
        try room.redo(ada)
        try room.redo(ada)
        #expect(room.width(of: "bar", for: ada) == 200)
        try room.redo(ada)
        #expect(room.refusal(ada)?.code == .conflict)
    }

    @Test("others' later changes stay, property by property")
    func others() throws {
        let (room, ada, bob) = try room()
        try room.apply(
            ##"""
            [{"op":"setConstraint","id":"w","constant":150},
             {"op":"setView","id":"bar","background":"#102030","opacity":0.5}]
            """##, from: ada)
        try room.apply(##"[{"op":"setView","id":"bar","background":"#405060"}]"##, from: bob)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 100)
        let bar = room.mirrors[ada]?.view(id: "bar")?.content
        #expect(bar?.background == Color("#405060"))
        #expect(bar?.opacity == 255)
    }

    @Test("what is undone belongs again to who wrote it before")
    func writers() throws {
        let (room, ada, bob) = try room()
        try room.apply(width(110), from: ada)
        try room.apply(width(120), from: bob)
        try room.apply(width(130), from: ada)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 120)
        // Bob wrote that, so Ada's first step has nothing left to take back.
        try room.undo(ada)
        #expect(room.refusal(ada)?.code == .conflict)
        #expect(room.width(of: "bar", for: ada) == 120)
        try room.undo(bob)
        #expect(room.width(of: "bar", for: ada) == 110)
    }

    @Test("an added view stays once another person has a part in its subtree")
    func subtree() throws {
        let (room, ada, bob) = try room()
        try room.apply(#"[{"op":"addView","id":"box"}]"#, from: ada)
        try room.apply(#"[{"op":"addView","id":"mine","parent":"box"}]"#, from: bob)
        let hash = room.session.model.stateHash
        try room.undo(ada)
        #expect(room.refusal(ada)?.code == .conflict)
        #expect(room.session.model.stateHash == hash)
        try room.undo(bob)
        #expect(room.mirrors[ada]?.view(id: "mine") == nil)
        // The step that met the conflict is gone.
        try room.undo(ada)
        #expect(room.refusal(ada)?.code == .conflict)
        #expect(room.mirrors[ada]?.view(id: "box") != nil)
    }

    @Test("a removed subtree comes back whole, with what spoke of it")
    func removal() throws {
        let (room, ada, _) = try room()
        try room.apply(
            ##"""
            [{"op":"addView","id":"row","kind":"stack","spacing":4},
             {"op":"addView","id":"a","parent":"row","kind":"label","text":"one","background":"#112233"},
             {"op":"addView","id":"b","parent":"row","kind":"label","text":"two"},
             {"op":"addConstraint","id":"x","rule":"row.left == bar.right + 5"},
             {"op":"addConstraint","id":"y","rule":"row.top == root.top + 3"},
             {"op":"setView","id":"row","arranged":["b","a"],"customSpacing":{"b":9}}]
            """##, from: ada)
        let records = room.mirrors[ada]?.records
        let hash = room.session.model.stateHash
        try room.apply(#"[{"op":"removeView","id":"row"}]"#, from: ada)
        #expect(room.session.model.stateHash != hash)
        try room.undo(ada)
        #expect(room.refusal(ada) == nil)
        #expect(room.session.model.stateHash == hash)
        #expect(room.mirrors[ada]?.records.map(\.id) == records?.map(\.id))
        try room.redo(ada)
        #expect(room.mirrors[ada]?.view(id: "a") == nil)
        try room.undo(ada)
        try room.undo(ada)
        #expect(room.mirrors[ada]?.view(id: "row") == nil)
        #expect(room.session.model.document() == (try TestRoom()).session.model.document())
    }

    @Test("a drag is one step")
    func drag() throws {
        let (room, ada, _) = try room()
        try room.apply(width(110), from: ada)
        for value in 120...140 { try room.apply(width(value), from: ada, group: 7) }
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 110)
        try room.redo(ada)
        #expect(room.width(of: "bar", for: ada) == 140)
        try room.undo(ada)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 100)
    }

    @Test("an undo that contradicts what others did is refused whole, and stays possible")
    func unsatisfiable() throws {
        let (room, ada, bob) = try room()
        try room.apply(
            #"[{"op":"removeConstraint","id":"w"},{"op":"setView","id":"bar","opacity":0.5}]"#,
            from: ada)
        try room.apply(
            #"[{"op":"addConstraint","id":"mine","rule":"bar.width == 70"}]"#, from: bob)
        try room.undo(ada)
        #expect(room.refusal(ada)?.code == .unsatisfiable)
        #expect(room.mirrors[ada]?.view(id: "bar")?.content.opacity == 128)
        try room.undo(bob)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 100)
        #expect(room.mirrors[ada]?.view(id: "bar")?.content.opacity == 255)
    }

    @Test("200 steps are kept, and survive a restart with everybody's last words")
    func restart() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 10
        let room = try TestRoom(options: options)
        let ada = try room.join(1, capabilities: Capability.undo)
        let bob = try room.join(2, capabilities: Capability.undo)
        for value in 1...210 { try room.apply(width(value + 100), from: ada) }
        try room.apply(#"[{"op":"setView","id":"bar","opacity":0.5}]"#, from: bob)
        for _ in 0..<3 { try room.undo(ada) }
        try room.redo(ada)
        #expect(room.width(of: "bar", for: ada) == 308)
        let back = try TestRoom(replaying: room.journal, options: options)
        #expect(back.session.timeline.ledger == room.session.timeline.ledger)
        let again = try back.join(
            9, session: "session-1", capabilities: Capability.undo, after: 1000)
        for _ in 0..<198 { try back.undo(again) }
        #expect(back.refusal(again) == nil)
        #expect(back.width(of: "bar", for: again) == 110)
        try back.undo(again)
        #expect(back.refusal(again)?.code == .conflict)
        try back.redo(again)
        #expect(back.width(of: "bar", for: again) == 111)
        #expect(
            try JournalReplay(back.journal).timeline.model.stateHash
                == back.session.model.stateHash)
    }

    @Test("a journal replays with the steps that were kept when it was written")
    func otherMaximum() throws {
        var options = SessionOptions()
        options.undoMaximum = 1
        let room = try TestRoom(options: options)
        let ada = try room.join(1, capabilities: Capability.undo)
        // The first step of the group is forgotten for the one after it, so that the next begins
        // another.
        try room.apply(width(110), from: ada, group: 7)
        try room.apply(#"[{"op":"setView","id":"bar","opacity":0.5}]"#, from: ada)
        try room.undo(ada)
        try room.apply(width(120), from: ada, group: 7)
        try room.undo(ada)
        #expect(room.width(of: "bar", for: ada) == 110)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.ledger == room.session.timeline.ledger)
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
        // Who goes on with another maximum keeps to the old one up to the next snapshot.
        options.undoMaximum = 5
        let back = try TestRoom(replaying: room.journal, options: options)
        let again = try back.join(
            9, session: "session-1", capabilities: Capability.undo, after: 1000)
        for value in [130, 140, 150] { try back.apply(width(value), from: again) }
        for _ in 0..<3 { try back.undo(again) }
        let later = try JournalReplay(back.journal)
        #expect(later.timeline.ledger == back.session.timeline.ledger)
        #expect(later.timeline.model.stateHash == back.session.model.stateHash)
    }

    @Test("without the capability it is answered with 4005")
    func ungranted() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.undo(editor)
        guard case .error(let error)? = room.received[editor]?.last else {
            Issue.record("no error came")
            return
        }
        #expect(error.code == 4005)
    }

    /// A part counts 800 bytes and its text; a person has a quarter of what all have.
    @Test("steps are kept by what they take: four of twenty thousand bytes in a hundred thousand")
    func bytes() throws {
        var options = SessionOptions()
        options.undoByteMaximum = 400_000
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.undo)
        for number in 0..<12 {
            let text = String(repeating: "word ", count: 4_000) + "\(number)"
            try room.apply(
                #"[{"op":"setView","id":"title","text":"\#(text)"}]"#, from: editor)
        }
        var undone = 0
        while undone < 20, case .committed = try room.undo(editor) { undone += 1 }
        #expect(undone == 4)
        #expect(room.refusal(editor)?.code == .conflict)
        let replay = try JournalReplay(room.journal, options: options)
        #expect(replay.timeline.model.document() == room.session.model.document())
        #expect(replay.timeline.ledger == room.session.timeline.ledger)
    }
}
