import SceneModel
import SceneProtocol
import Testing

@testable import SceneSession

@Suite("One room")
struct SceneSessionTests {
    @Test("a member that joins gets welcome, the whole scene, and then each tick")
    func join() throws {
        let rig = try Rig()
        let viewer = try rig.join(1, role: .viewer)
        guard case .welcome(let welcome)? = rig.received[viewer]?.first else {
            Issue.record("the first message is no welcome")
            return
        }
        #expect(welcome.session == "session-1")
        #expect(welcome.viewport == Size(width: 400, height: 200))
        #expect(rig.width(of: "bar", for: viewer) == 100)
        #expect(rig.mirrors[viewer]?.stateHash == rig.session.model.stateHash)
    }

    @Test("an op is laid out at the next tick and everybody gets the same bytes once")
    func oneEncode() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let viewers = try [rig.join(2, role: .viewer), rig.join(3, role: .viewer)]
        try rig.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor, sequence: 1)
        #expect(rig.width(of: "bar", for: viewers[0]) == 100)
        rig.sends.removeAll()
        try rig.runTicks()
        for id in [editor] + viewers { #expect(rig.width(of: "bar", for: id) == 150) }
        #expect(rig.sends.filter { $0.to == [editor] + viewers }.count == 1)
        #expect(rig.lastResult(editor) == .committed(Commit()))
    }

    @Test("who may change the scene gets a frame before all who only look")
    func editorsFirst() throws {
        let rig = try Rig()
        let viewers = try [rig.join(1, role: .viewer), rig.join(2, role: .viewer)]
        let editors = try [rig.join(3), rig.join(4)]
        try rig.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editors[0], sequence: 1)
        rig.sends.removeAll()
        try rig.runTicks()
        #expect(rig.sends.map(\.to).contains(editors + viewers))
    }

    @Test("nothing pending: a tick does nothing and sends nothing")
    func idle() throws {
        let rig = try Rig()
        try rig.join(1)
        try rig.runTicks(120)
        rig.sends.removeAll()
        #expect(!rig.session.needsTick)
        try rig.runTicks(600)
        #expect(rig.sends.isEmpty)
    }

    @Test("a result leaves only after its record is on disk; the frame does not wait")
    func durability() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        rig.isDurable = false
        try rig.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor, sequence: 1)
        try rig.runTicks()
        #expect(rig.width(of: "bar", for: editor) == 150)
        #expect(rig.results[editor] == nil)
        try rig.step(.durable(through: try #require(rig.journal.last).sequence))
        #expect(rig.lastResult(editor) == .committed(Commit()))
    }

    @Test(
        "what is wrong is refused with its code and touches nobody",
        arguments: [
            (#"[{"op":"nope"}]"#, RefusalCode.badOp),
            (#"[{"op":"setConstraint","id":"w"}]"#, .badOp),
            (#"[{"op":"setConstraint","id":"none","constant":1}]"#, .unknownConstraint),
            (#"[{"op":"setNeedsLayout","id":"none"}]"#, .unknownView),
            (#"[{"op":"addView","id":"bar"}]"#, .duplicateID),
            (#"[{"op":"moveView","id":"bar","parent":"title"}]"#, .cycle),
            (#"[{"op":"addConstraint","rule":"bar.width = 4"}]"#, .badRule),
            (#"[{"op":"addConstraint","rule":"bar.width == 200"}]"#, .unsatisfiable),
            (#"[{"op":"setConstraint","id":"w","constant":1e300}]"#, .badValue),
            (#"[{"op":"removeView","id":"root"}]"#, .notEditable),
            (#"[{"op":"activateSet","id":"none"}]"#, .unknownSet),
            (#"{"op":"nope"}"#, .badOp),
        ])
    func refusals(_ ops: String, _ code: RefusalCode) throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer)
        let hash = rig.session.model.stateHash
        let records = rig.journal.count
        rig.sends.removeAll()
        try rig.send(ops, from: editor, sequence: 1)
        try rig.runTicks(3)
        #expect(rig.refusal(editor)?.code == code)
        #expect(rig.session.model.stateHash == hash)
        #expect(rig.journal.count == records)
        #expect(rig.sends.allSatisfy { !$0.to.contains(viewer) })
    }

    @Test("a conflict names the constraints that contradict one another")
    func conflict() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.send(
            #"[{"op":"addConstraint","id":"other","rule":"bar.width == 200"}]"#, from: editor,
            sequence: 1)
        try rig.runTicks()
        #expect(rig.refusal(editor)?.conflicting == ["w", "other"])
    }

    @Test("viewers change nothing")
    func forbidden() throws {
        let rig = try Rig()
        let viewer = try rig.join(1, role: .viewer)
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":5}]"#, from: viewer, sequence: 1)
        try rig.runTicks()
        #expect(rig.refusal(viewer)?.code == .forbidden)
        #expect(rig.width(of: "bar", for: viewer) == 100)
    }

    @Test("of a batch that is not atomic the wrong op alone is refused; of an atomic one all")
    func batches() throws {
        let ops = #"[{"op":"setConstraint","id":"w","constant":120},{"op":"nope"}]"#
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.send(ops, from: editor, sequence: 1)
        try rig.runTicks()
        guard case .committed(let commit)? = rig.lastResult(editor) else {
            Issue.record("refused whole")
            return
        }
        #expect(commit.refusals.map(\.opIndex) == [1])
        #expect(rig.width(of: "bar", for: editor) == 120)
        try rig.send(ops.replacing("120", with: "130"), from: editor, sequence: 2, atomic: true)
        try rig.runTicks()
        #expect(rig.refusal(editor)?.opIndex == 1)
        #expect(rig.width(of: "bar", for: editor) == 120)
    }

    @Test("an atomic batch may contradict itself on the way, but not at its end")
    func atomicFeasibility() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.send(
            """
            [{"op":"addConstraint","id":"new","rule":"bar.width == 200"},
             {"op":"removeConstraint","id":"w"}]
            """, from: editor, sequence: 1, atomic: true)
        try rig.runTicks()
        #expect(rig.lastResult(editor) == .committed(Commit()))
        #expect(rig.width(of: "bar", for: editor) == 200)
        let hash = rig.session.model.stateHash
        try rig.send(
            """
            [{"op":"addView","id":"extra"},
             {"op":"addConstraint","id":"third","rule":"bar.width == 300"}]
            """, from: editor, sequence: 2, atomic: true)
        try rig.runTicks()
        #expect(rig.refusal(editor)?.code == .unsatisfiable)
        #expect(rig.session.model.stateHash == hash)
        #expect(rig.mirrors[editor]?.view(id: "extra") == nil)
    }

    @Test("ops that are sent again are applied once and answered again")
    func idempotent() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let op = #"[{"op":"addView","id":"extra"}]"#
        try rig.send(op, from: editor, sequence: 1)
        try rig.runTicks()
        try rig.send(op, from: editor, sequence: 1)
        try rig.runTicks()
        #expect(rig.results[editor]?.count == 2)
        #expect(rig.results[editor]?.allSatisfy { $0.outcome == .committed(Commit()) } == true)
        try rig.step(.left(editor))
        let again = try rig.join(2, session: "session-1")
        try rig.send(op, from: again, sequence: 1)
        try rig.runTicks()
        #expect(rig.lastResult(again) == .committed(Commit()))
    }

    @Test(
        "a member that owes too many frames gets none until it has caught up, then the scene")
    func lagging() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let slow = try rig.join(2, role: .viewer)
        for index in 1...40 {
            try rig.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor,
                sequence: UInt64(index))
            rig.tick += 1
            try rig.step(.tick(rig.tick))
            try rig.ack(editor)
        }
        #expect(rig.width(of: "bar", for: editor) == 140)
        // The one that was too many is the 33rd.
        #expect(rig.width(of: "bar", for: slow) == 133)
        try rig.ack(slow)
        #expect(rig.width(of: "bar", for: slow) == 140)
        #expect(rig.mirrors[slow]?.stateHash == rig.mirrors[editor]?.stateHash)
    }

    @Test("a member whose hash differs gets the scene; the third time it is closed")
    func resync() throws {
        let rig = try Rig()
        let viewer = try rig.join(1, role: .viewer)
        for attempt in 1...3 {
            rig.received[viewer] = []
            try rig.step(.received(viewer, .resync(Resync())))
            let isClosed = rig.closed[viewer] == .hashMismatch
            #expect(isClosed == (attempt == 3))
            #expect(rig.received[viewer]?.isEmpty == (attempt == 3))
        }
    }

    @Test("the hash that is sent about once a second is the mirror's")
    func hash() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":77}]"#, from: editor, sequence: 1)
        try rig.runTicks(61)
        let hashes = rig.received[editor]?.compactMap { message -> UInt64? in
            if case .hash(let hash) = message { hash.hash } else { nil }
        }
        #expect(hashes == [try #require(rig.mirrors[editor]).stateHash])
    }

    @Test("JSON and binary members see the same scene")
    func formats() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let json = try rig.join(2, role: .viewer, format: .json)
        try rig.send(
            #"[{"op":"addView","id":"x","parent":"bar"},{"op":"setView","id":"title","text":"Hi ✓"}]"#,
            from: editor, sequence: 1)
        try rig.runTicks(2)
        #expect(rig.mirrors[json]?.records == rig.mirrors[editor]?.records)
        #expect(rig.mirrors[json]?.view(id: "title")?.content.lines.map(\.text) == ["Hi ✓"])
    }

    @Test("one person's animation never animates another's pending edits")
    func animationFlush() throws {
        let rig = try Rig()
        let one = try rig.join(1)
        let other = try rig.join(2)
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":200}]"#, from: one, sequence: 1)
        try rig.send(
            #"[{"op":"animate","duration":1,"curve":"linear","ops":[{"op":"layoutIfNeeded","id":"root"}]}]"#,
            from: other, sequence: 1)
        try rig.runTicks()
        #expect(rig.width(of: "bar", for: one) == 200)
    }

    @Test("setScene replaces the scene for all; a refused one leaves it")
    func setScene() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer)
        try rig.send(
            """
            [{"op":"setScene","scene":1,"viewport":{"width":100,"height":100},
              "views":[{"id":"only","frame":[10,20,30,40]}]}]
            """, from: editor, sequence: 1)
        try rig.runTicks()
        #expect(rig.mirrors[viewer]?.records.map(\.id) == ["root", "only"])
        try rig.send(
            """
            [{"op":"setScene","scene":1,"viewport":{"width":100,"height":100},"views":[{"id":"a"}],
              "constraints":["a.width == 1","a.width == 2"]}]
            """, from: editor, sequence: 2)
        try rig.runTicks()
        #expect(rig.refusal(editor)?.code == .unsatisfiable)
        #expect(rig.mirrors[viewer]?.records.map(\.id) == ["root", "only"])
    }

    @Test("presence reaches the others and goes with its member")
    func presence() throws {
        let rig = try Rig()
        let one = try rig.join(1)
        let other = try rig.join(2)
        var presence = Presence()
        presence.name = "Ada"
        try rig.step(.received(one, .presence(presence)))
        try rig.runTicks(5)
        func last() -> Presence? {
            rig.received[other]?.compactMap { message -> Presence? in
                if case .presence(let presence) = message { presence } else { nil }
            }.last
        }
        #expect(last()?.name == "Ada")
        #expect(last()?.isGone == false)
        try rig.step(.left(one))
        #expect(last()?.isGone == true)
    }

    @Test("who asks is told what is ambiguous")
    func diagnostics() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.send(#"[{"op":"addView","id":"loose"}]"#, from: editor, sequence: 1)
        try rig.runTicks()
        let viewer = try rig.join(2, role: .viewer, capabilities: Diagnostics.capability)
        func told() -> [[String]]? {
            rig.received[viewer]?.compactMap { message in
                if case .diagnostics(let value) = message { value.ambiguous } else { nil }
            }
        }
        // Finding it out may take long, so the scene goes first.
        #expect(told() == [])
        #expect(rig.mirrors[viewer]?.stateHash == rig.session.model.stateHash)
        #expect(rig.session.nextTick == rig.tick + 1)
        try rig.runTicks()
        #expect(told() == [["loose"]])
    }
}
