import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("A room at rest holds its scene in few bytes, and nobody can tell")
struct RestTests {
    private static let all = SceneSession.capabilities

    /// A room with an editor's work in it, at rest.
    private func rested(_ room: TestRoom, editor: MemberID) throws {
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try room.apply(
            #"[{"op":"addView","id":"v1","kind":"label","text":"one two three","lines":0,"frame":[5,60,50,80]}]"#,
            from: editor)
        try room.apply(##"[{"op":"setView","id":"v1","background":"#102030"}]"##, from: editor)
        try room.runTicks(120)
    }

    private func freeze(_ room: TestRoom) throws {
        try room.handle(.freeze)
        try #require(room.session.isFrozen)
    }

    /// Does the same in two rooms, of which one is frozen wherever `freeze` is called, and demands
    /// that members are sent the same bytes.
    ///
    /// - Returns: The room that was never frozen, and the other.
    @discardableResult
    private func inBoth(
        _ body: (_ room: TestRoom, _ editor: MemberID, _ freeze: () throws -> Void) throws -> Void
    ) throws -> (still: TestRoom, rested: TestRoom) {
        let still = try TestRoom()
        let rested = try TestRoom()
        for room in [still, rested] {
            try body(room, try room.join(1, capabilities: Self.all)) {
                if room === rested { try freeze(room) }
            }
        }
        let sends = [still, rested].map { $0.sends.map { $0.payloads.map(\.withoutWork) } }
        #expect(sends[0] == sends[1])
        return (still, rested)
    }

    @Test("it is frozen a minute after the last change, and then nothing is due any more")
    func time() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let changed = room.tick
        // The hash is told within a second of the change; while it is due the room is not at rest.
        #expect(room.session.freezeTick == nil)
        try room.runTicks(61)
        #expect(room.session.freezeTick == changed + 3600)
        try freeze(room)
        #expect(room.session.freezeTick == nil)
        #expect(room.session.nextTick == nil)
    }

    @Test("nothing is written and nobody is told")
    func silence() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try rested(room, editor: editor)
        let hash = room.session.stateHash
        #expect(room.session.handle(.freeze).isEmpty)
        #expect(room.session.isFrozen)
        #expect(room.session.stateHash == hash)
        #expect(room.session.viewCount == 4)
        #expect(room.session.isFrozen)
        #expect(room.session.model.stateHash == hash)
        #expect(!room.session.isFrozen)
    }

    @Test("0 seconds mean never")
    func never() throws {
        var options = SessionOptions()
        options.freezeSeconds = 0
        let room = try TestRoom(options: options)
        try rested(room, editor: try room.join(1))
        #expect(room.session.freezeTick == nil)
    }

    @Test(
        "what is under way keeps a room from it",
        arguments: ["animation", "inbox", "journal", "trace", "store", "pending"])
    func busy(what: String) throws {
        let room = try TestRoom()
        let editor = try room.join(1, capabilities: Self.all)
        try rested(room, editor: editor)
        switch what {
        case "animation":
            try room.apply(
                #"[{"op":"animate","duration":3,"ops":[{"op":"setConstraint","id":"w","constant":9},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try room.runTicks(100)
        case "inbox": try room.send("[]", from: editor, sequence: 9)
        case "journal":
            room.isDurable = false
            try room.apply(#"[{"op":"setConstraint","id":"w","constant":8}]"#, from: editor)
            try room.runTicks(120)
        case "trace":
            var trace = TraceRequest()
            trace.isEnabled = true
            try room.handle(.received(editor, .trace(trace)))
        case "store": try room.handle(.storeFailed("full"))
        default: _ = room.session.model.apply([.setNeedsLayout(id: "root")])
        }
        #expect(room.session.freezeTick == nil)
        try room.handle(.freeze)
        #expect(!room.session.isFrozen)
    }

    @Test("an animation that was over when it was frozen is told as before when another begins")
    func animated() throws {
        try inBoth { room, editor, freeze in
            try room.apply(
                #"[{"op":"animate","duration":0.2,"ops":[{"op":"setConstraint","id":"w","constant":9},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try room.runTicks(120)
            try freeze()
            try room.apply(
                #"[{"op":"animate","duration":0.2,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try room.runTicks(60)
        }
    }

    @Test("who joins gets the same bytes, and the scene is left frozen", arguments: [0, all])
    func join(capabilities: UInt64) throws {
        let rested = try inBoth { room, editor, freeze in
            try self.rested(room, editor: editor)
            try freeze()
            try room.join(2, role: .viewer, capabilities: capabilities)
            try room.runTicks()
        }.rested
        #expect(rested.session.isFrozen)
        #expect(rested.mirrors[MemberID(2)]?.stateHash == rested.session.model.stateHash)
    }

    @Test("who joins in JSON or watches a part gets the same, without the engine")
    func otherWays() throws {
        let rested = try inBoth { room, editor, freeze in
            try self.rested(room, editor: editor)
            try freeze()
            try room.join(2, format: .json)
            try room.join(3, capabilities: Self.all) { $0.roots = ["bar"] }
            try room.runTicks()
        }.rested
        #expect(rested.session.hasFrozenScene)
        // What they thawed is frozen again.
        #expect(rested.session.freezeTick != nil)
        try freeze(rested)
    }

    @Test("ops, undo and redo go on as if nothing had been")
    func ops() throws {
        let (still, rested) = try inBoth { room, editor, freeze in
            let other = try room.join(2)
            try self.rested(room, editor: editor)
            for round in 0..<6 {
                try freeze()
                switch round {
                case 0:
                    try room.apply(#"[{"op":"setConstraint","id":"w","constant":77}]"#, from: other)
                case 1: #expect(try room.undo(editor) != nil)
                case 2: #expect(try room.redo(editor) != nil)
                case 3: #expect(try room.undo(other) != nil)
                case 4: try room.apply(#"[{"op":"removeView","id":"title"}]"#, from: editor)
                default: #expect(try room.undo(editor) != nil)
                }
                try room.runTicks(120)
            }
        }
        #expect(still.journal == rested.journal)
        #expect(still.session.timeline.ledger == rested.session.timeline.ledger)
        let replay = try JournalReplay(rested.journal)
        #expect(replay.timeline.model.stateHash == rested.session.model.stateHash)
    }

    @Test(
        "a message that was committed before is committed once, also when it comes again to a frozen room"
    )
    func repeated() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try room.runTicks(120)
        let records = room.journal.count
        try freeze(room)
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor, sequence: 1)
        try room.runTicks()
        #expect(room.results[editor]?.count == 2)
        #expect(room.results[editor]?.first == room.results[editor]?.last)
        #expect(room.journal.count == records)
    }

    @Test(
        "who resumes at the present tick wakes nobody; who missed something gets one merged frame")
    func resume() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let reader = try room.join(2, role: .viewer)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        for number in 3...4 as ClosedRange<UInt64> {
            try room.handle(.left(try room.join(number, role: .viewer)))
        }
        let missed = room.tick
        let present = try #require(room.mirrors[reader])
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":200}]"#, from: editor)
        try room.runTicks(120)
        try freeze(room)
        for (number, tick, mirror) in [
            (UInt64(3), room.session.streams.tick, room.mirrors[reader]),
            (4, missed, present),
        ] {
            let id = MemberID(number + 10)
            room.mirrors[id] = mirror
            room.mirrors[id]?.continueInConnection(ofEpoch: room.session.epoch)
            try room.join(
                number + 10, role: .viewer, session: "session-\(number)",
                capabilities: Capability.mergedResume
            ) {
                var resume = Resume()
                resume.session = "session-\(number)"
                resume.epoch = room.session.epoch
                resume.lastTick = tick
                $0.resume = resume
            }
            let isSnapshot = room.received[id]?.contains {
                if case .snapshot = $0 { true } else { false }
            }
            #expect(isSnapshot == false)
            #expect(room.width(of: "bar", for: id) == 200)
            #expect(room.session.hasFrozenScene)
        }
        try room.runTicks(1)
        try freeze(room)
        #expect(room.mirrors[MemberID(14)]?.stateHash == room.session.stateHash)
    }

    @Test("cursors and pings move on while the scene is frozen")
    func presence() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let reader = try room.join(2, role: .viewer)
        try rested(room, editor: editor)
        try freeze(room)
        var presence = Presence()
        presence.name = "Ada"
        presence.clock = 1
        try room.handle(.received(editor, .presence(presence)))
        try room.handle(.received(editor, .ping(Ping())))
        try room.runTicks(5)
        let names = room.received[reader]?.compactMap { message -> String? in
            if case .presence(let presence) = message { presence.name } else { nil }
        }
        #expect(names == ["Ada"])
        #expect(room.session.isFrozen)
    }

    @Test("an inspection and the past are there as before")
    func questions() throws {
        try inBoth { room, editor, freeze in
            try self.rested(room, editor: editor)
            try freeze()
            var inspect = Inspect()
            inspect.views = ["bar", "v1"]
            inspect.wantsDocument = true
            try room.handle(.received(editor, .inspect(inspect)))
            try room.runTicks()
            #expect(!room.session.isFrozen)
            try freeze()
            var seek = Seek()
            seek.tick = 1
            try room.handle(.received(editor, .seek(seek)))
            try room.runTicks(3)
        }
    }

    @Test("a scene far from its snapshot is written anew, once it has rested for long")
    func farFromSnapshot() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let text = String(repeating: "word ", count: 1000)
        for round in 0..<8 {
            try room.apply(
                #"[{"op":"addView","id":"t\#(round)","kind":"label","text":"\#(text)"}]"#,
                from: editor)
        }
        let changed = room.tick
        try room.runTicks(120)
        #expect(room.session.freezeTick == changed + 36_000)
        let records = room.journal.count
        let tick = room.session.tick
        try room.handle(.freeze)
        #expect(room.journal.count == records + 1)
        #expect(room.journal.last?.kind == .snapshot)
        // A tick names one state, and members have that of the last one.
        #expect(room.journal.last?.tick == tick + 1)
        try room.runTicks(120)
        try freeze(room)
        #expect(
            try JournalReplay(room.journal).timeline.model.stateHash == room.session.model.stateHash
        )
    }

    @Test("a room whose bytes were spoiled ends, and writes nothing")
    func spoiled() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try rested(room, editor: editor)
        try freeze(room)
        let records = room.journal.count
        // As if the records were those of another scene.
        room.session.journal = JournalState(
            last: (1, 1),
            kept: [
                JournalRecord(
                    sequence: 1, epoch: 1, tick: 0, previous: 0, kind: .snapshot, payload: [0x7B])
            ])
        try room.send(#"[{"op":"setConstraint","id":"w","constant":1}]"#, from: editor, sequence: 9)
        try room.runTicks(2)
        #expect(room.abandoned != nil)
        #expect(room.closed[editor] == .draining)
        #expect(room.journal.count == records)
        #expect(room.session.handle(.retire).isEmpty)
    }
}
