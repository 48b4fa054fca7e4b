import SceneModel
import SceneProtocol
import Testing

@testable import SceneSession

@Suite("A room at rest holds its scene in few bytes, and nobody can tell")
struct RestTests {
    private static let all = SceneSession.capabilities

    /// A room with an editor's work in it, at rest.
    private func rested(_ rig: Rig, editor: MemberID) throws {
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try rig.apply(
            #"[{"op":"addView","id":"v1","kind":"label","text":"one two three","lines":0,"frame":[5,60,50,80]}]"#,
            from: editor)
        try rig.apply(##"[{"op":"setView","id":"v1","background":"#102030"}]"##, from: editor)
        try rig.runTicks(120)
    }

    private func freeze(_ rig: Rig) throws {
        try rig.step(.freeze)
        try #require(rig.session.isFrozen)
    }

    /// Does the same in two rooms, of which one is frozen wherever `freeze` is called, and demands that members are sent
    /// the same bytes.
    ///
    /// - Returns: The room that was never frozen, and the other.
    @discardableResult
    private func inBoth(
        _ body: (_ rig: Rig, _ editor: MemberID, _ freeze: () throws -> Void) throws -> Void
    ) throws -> (still: Rig, rested: Rig) {
        let still = try Rig()
        let rested = try Rig()
        for rig in [still, rested] {
            try body(rig, try rig.join(1, capabilities: Self.all)) {
                if rig === rested { try freeze(rig) }
            }
        }
        let sends = [still, rested].map { $0.sends.map { $0.payloads.map(\.withoutWork) } }
        #expect(sends[0] == sends[1])
        return (still, rested)
    }

    @Test("it is frozen a minute after the last change, and then nothing is due any more")
    func time() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let changed = rig.tick
        // The hash is told within a second of the change; while it is due the room is not at rest.
        #expect(rig.session.freezeTick == nil)
        try rig.runTicks(61)
        #expect(rig.session.freezeTick == changed + 3600)
        try freeze(rig)
        #expect(rig.session.freezeTick == nil)
        #expect(rig.session.nextTick == nil)
    }

    @Test("nothing is written and nobody is told")
    func silence() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rested(rig, editor: editor)
        let hash = rig.session.stateHash
        #expect(rig.session.step(.freeze).isEmpty)
        #expect(rig.session.isFrozen)
        #expect(rig.session.stateHash == hash)
        #expect(rig.session.viewCount == 4)
        #expect(rig.session.isFrozen)
        #expect(rig.session.model.stateHash == hash)
        #expect(!rig.session.isFrozen)
    }

    @Test("0 seconds mean never")
    func never() throws {
        var options = SessionOptions()
        options.freezeSeconds = 0
        let rig = try Rig(options: options)
        try rested(rig, editor: try rig.join(1))
        #expect(rig.session.freezeTick == nil)
    }

    @Test(
        "what is under way keeps a room from it",
        arguments: ["animation", "inbox", "journal", "trace", "store", "pending"])
    func busy(what: String) throws {
        let rig = try Rig()
        let editor = try rig.join(1, capabilities: Self.all)
        try rested(rig, editor: editor)
        switch what {
        case "animation":
            try rig.apply(
                #"[{"op":"animate","duration":3,"ops":[{"op":"setConstraint","id":"w","constant":9},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try rig.runTicks(100)
        case "inbox": try rig.send("[]", from: editor, sequence: 9)
        case "journal":
            rig.isDurable = false
            try rig.apply(#"[{"op":"setConstraint","id":"w","constant":8}]"#, from: editor)
            try rig.runTicks(120)
        case "trace":
            var trace = TraceRequest()
            trace.isEnabled = true
            try rig.step(.received(editor, .trace(trace)))
        case "store": try rig.step(.storeFailed("full"))
        default: _ = rig.session.model.apply([.setNeedsLayout(id: "root")])
        }
        #expect(rig.session.freezeTick == nil)
        try rig.step(.freeze)
        #expect(!rig.session.isFrozen)
    }

    @Test("an animation that was over when it was frozen is told as before when another begins")
    func animated() throws {
        try inBoth { rig, editor, freeze in
            try rig.apply(
                #"[{"op":"animate","duration":0.2,"ops":[{"op":"setConstraint","id":"w","constant":9},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try rig.runTicks(120)
            try freeze()
            try rig.apply(
                #"[{"op":"animate","duration":0.2,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
            try rig.runTicks(60)
        }
    }

    @Test("who joins gets the same bytes, and the scene is left frozen", arguments: [0, all])
    func join(capabilities: UInt64) throws {
        let rested = try inBoth { rig, editor, freeze in
            try self.rested(rig, editor: editor)
            try freeze()
            try rig.join(2, role: .viewer, capabilities: capabilities)
            try rig.runTicks()
        }.rested
        #expect(rested.session.isFrozen)
        #expect(rested.mirrors[MemberID(2)]?.stateHash == rested.session.model.stateHash)
    }

    @Test("who joins in JSON or watches a part gets the same, without the engine")
    func otherWays() throws {
        let rested = try inBoth { rig, editor, freeze in
            try self.rested(rig, editor: editor)
            try freeze()
            try rig.join(2, format: .json)
            try rig.join(3, capabilities: Self.all) { $0.roots = ["bar"] }
            try rig.runTicks()
        }.rested
        #expect(rested.session.hasFrozenScene)
        // What they thawed is frozen again.
        #expect(rested.session.freezeTick != nil)
        try freeze(rested)
    }

    @Test("ops, undo and redo go on as if nothing had been")
    func ops() throws {
        let (still, rested) = try inBoth { rig, editor, freeze in
            let other = try rig.join(2)
            try self.rested(rig, editor: editor)
            for round in 0..<6 {
                try freeze()
                switch round {
                case 0:
                    try rig.apply(#"[{"op":"setConstraint","id":"w","constant":77}]"#, from: other)
                case 1: #expect(try rig.undo(editor) != nil)
                case 2: #expect(try rig.redo(editor) != nil)
                case 3: #expect(try rig.undo(other) != nil)
                case 4: try rig.apply(#"[{"op":"removeView","id":"title"}]"#, from: editor)
                default: #expect(try rig.undo(editor) != nil)
                }
                try rig.runTicks(120)
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
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try rig.runTicks(120)
        let records = rig.journal.count
        try freeze(rig)
        try rig.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor, sequence: 1)
        try rig.runTicks()
        #expect(rig.results[editor]?.count == 2)
        #expect(rig.results[editor]?.first == rig.results[editor]?.last)
        #expect(rig.journal.count == records)
    }

    @Test(
        "who resumes at the present tick wakes nobody; who missed something gets one merged frame")
    func resume() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let reader = try rig.join(2, role: .viewer)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        for number in 3...4 as ClosedRange<UInt64> {
            try rig.step(.left(try rig.join(number, role: .viewer)))
        }
        let missed = rig.tick
        let present = try #require(rig.mirrors[reader])
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":200}]"#, from: editor)
        try rig.runTicks(120)
        try freeze(rig)
        for (number, tick, mirror) in [
            (UInt64(3), rig.session.streams.tick, rig.mirrors[reader]),
            (4, missed, present),
        ] {
            let id = MemberID(number + 10)
            rig.mirrors[id] = mirror
            rig.mirrors[id]?.continueInConnection(ofEpoch: rig.session.epoch)
            try rig.join(
                number + 10, role: .viewer, session: "session-\(number)",
                capabilities: Capability.mergedResume
            ) {
                var resume = Resume()
                resume.session = "session-\(number)"
                resume.epoch = rig.session.epoch
                resume.lastTick = tick
                $0.resume = resume
            }
            let isSnapshot = rig.received[id]?.contains {
                if case .snapshot = $0 { true } else { false }
            }
            #expect(isSnapshot == false)
            #expect(rig.width(of: "bar", for: id) == 200)
            #expect(rig.session.hasFrozenScene)
        }
        try rig.runTicks(1)
        try freeze(rig)
        #expect(rig.mirrors[MemberID(14)]?.stateHash == rig.session.stateHash)
    }

    @Test("cursors and pings move on while the scene is frozen")
    func presence() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let reader = try rig.join(2, role: .viewer)
        try rested(rig, editor: editor)
        try freeze(rig)
        var presence = Presence()
        presence.name = "Ada"
        presence.clock = 1
        try rig.step(.received(editor, .presence(presence)))
        try rig.step(.received(editor, .ping(Ping())))
        try rig.runTicks(5)
        let names = rig.received[reader]?.compactMap { message -> String? in
            if case .presence(let presence) = message { presence.name } else { nil }
        }
        #expect(names == ["Ada"])
        #expect(rig.session.isFrozen)
    }

    @Test("an inspection and the past are there as before")
    func questions() throws {
        try inBoth { rig, editor, freeze in
            try self.rested(rig, editor: editor)
            try freeze()
            var inspect = Inspect()
            inspect.views = ["bar", "v1"]
            inspect.wantsDocument = true
            try rig.step(.received(editor, .inspect(inspect)))
            try rig.runTicks()
            #expect(!rig.session.isFrozen)
            try freeze()
            var seek = Seek()
            seek.tick = 1
            try rig.step(.received(editor, .seek(seek)))
            try rig.runTicks(3)
        }
    }

    @Test("a scene far from its snapshot is written anew, once it has rested for long")
    func farFromSnapshot() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let text = String(repeating: "word ", count: 1000)
        for round in 0..<8 {
            try rig.apply(
                #"[{"op":"addView","id":"t\#(round)","kind":"label","text":"\#(text)"}]"#,
                from: editor)
        }
        let changed = rig.tick
        try rig.runTicks(120)
        #expect(rig.session.freezeTick == changed + 36_000)
        let records = rig.journal.count
        let tick = rig.session.tick
        try rig.step(.freeze)
        #expect(rig.journal.count == records + 1)
        #expect(rig.journal.last?.kind == .snapshot)
        // A tick names one state, and members have that of the last one.
        #expect(rig.journal.last?.tick == tick + 1)
        try rig.runTicks(120)
        try freeze(rig)
        #expect(
            try JournalReplay(rig.journal).timeline.model.stateHash == rig.session.model.stateHash)
    }

    @Test("a room whose bytes were spoiled ends, and writes nothing")
    func spoiled() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rested(rig, editor: editor)
        try freeze(rig)
        let records = rig.journal.count
        // As if the records were those of another scene.
        rig.session.journal = JournalState(
            last: (1, 1),
            kept: [
                JournalRecord(
                    sequence: 1, epoch: 1, tick: 0, previous: 0, kind: .snapshot, payload: [0x7B])
            ])
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":1}]"#, from: editor, sequence: 9)
        try rig.runTicks(2)
        #expect(rig.abandoned != nil)
        #expect(rig.closed[editor] == .draining)
        #expect(rig.journal.count == records)
        #expect(rig.session.step(.retire).isEmpty)
    }
}
