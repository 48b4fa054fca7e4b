import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Catching up")
struct CatchingUpTests {
    private func kinds(_ room: TestRoom, _ id: MemberID, from index: Int) -> [String] {
        (room.received[id] ?? []).dropFirst(index).compactMap { message in
            switch message {
            case .snapshot: "snapshot"
            case .frame: "frame"
            case .tree: "tree"
            case .content: "content"
            case .select: nil
            default: "other"
            }
        }
    }

    @Test("one who owes too much gets nothing more, then one merged frame, and is in step again")
    func lagging() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let lazy = try room.join(2, role: .viewer)
        room.silent = [lazy]
        for index in 1...40 {
            try room.apply(
                """
                [{"op":"setConstraint","id":"w","constant":\(100 + index)},
                 {"op":"addView","id":"v\(index)","parent":"bar"}]
                """, from: editor)
            if index % 3 == 0 {
                try room.apply(#"[{"op":"removeView","id":"v\#(index - 1)"}]"#, from: editor)
            }
        }
        let before = room.received[lazy]?.count ?? 0
        #expect(
            kinds(room, lazy, from: 0).count { $0 == "frame" }
                == SessionOptions().unacknowledgedMaximum + 1)
        #expect(room.mirrors[lazy]?.stateHash != room.session.stateHash)
        try room.ack(lazy)
        #expect(kinds(room, lazy, from: before) == ["tree", "frame"])
        #expect(room.mirrors[lazy]?.stateHash == room.session.stateHash)
        #expect(room.mirrors[lazy]?.records == room.mirrors[editor]?.records)
        room.silent = []
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":300}]"#, from: editor)
        #expect(room.mirrors[lazy]?.stateHash == room.session.stateHash)
    }

    @Test("beyond what is remembered it is a snapshot")
    func forgotten() throws {
        var options = SessionOptions()
        options.historyCostMaximum = 20
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let lazy = try room.join(2, role: .viewer)
        room.silent = [lazy]
        for index in 1...60 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        let before = room.received[lazy]?.count ?? 0
        try room.ack(lazy)
        #expect(kinds(room, lazy, from: before) == ["snapshot"])
        #expect(room.mirrors[lazy]?.stateHash == room.session.stateHash)
    }

    /// Once, of a subtree that had gone and come back a merged frame told the top alone, and then a
    /// view in a view that the member did not have.
    @Test("a subtree that goes and comes back between two frames is told with all that is in it")
    func subtreeComesBack() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let member = try room.join(2, role: .viewer, capabilities: Capability.subscribe) {
            $0.roots = ["watched"]
            $0.frameRateMaximum = 10
        }
        try room.apply(
            #"""
            [{"op":"addView","id":"inner","parent":"bar"},
             {"op":"addView","id":"box","parent":"inner"},
             {"op":"addView","id":"watched","parent":"box"}]
            """#, from: editor)
        try room.runTicks(12)
        #expect(
            room.mirrors[member]?.records.map(\.id) == ["root", "bar", "inner", "box", "watched"])
        // The member gets this at once, and so nothing for the next five ticks.
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let before = room.received[member]?.count ?? 0
        // With nothing left to watch, its superviews go too, and come back with the next of that
        // name.
        try room.apply(#"[{"op":"removeView","id":"watched"}]"#, from: editor)
        try room.apply(#"[{"op":"addView","id":"watched","parent":"box"}]"#, from: editor)
        try room.runTicks(12)
        #expect(kinds(room, member, from: before).filter { $0 != "other" } == ["tree", "frame"])
        #expect(
            room.mirrors[member]?.records.map(\.id) == ["root", "bar", "inner", "box", "watched"])
        let whole = room.mirrors[editor]
        for record in room.mirrors[member]?.records ?? [] {
            #expect(record == whole?.view(id: record.id))
        }
    }

    private func resume(_ room: TestRoom, _ id: MemberID, epoch: UInt64? = nil) -> Resume {
        var resume = Resume()
        resume.session = "session-\(id.rawValue)"
        resume.token = "token-\(id.rawValue)"
        resume.epoch = epoch ?? room.session.epoch
        resume.lastTick = room.mirrors[id]?.tick ?? 0
        return resume
    }

    @Test("one who comes back goes on with a merged frame and the hash that it should have")
    func comesBack() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let resume = resume(room, viewer)
        let mirror = room.mirrors[viewer]
        try room.handle(.left(viewer))
        for index in 1...5 {
            try room.apply(#"[{"op":"addView","id":"v\#(index)"}]"#, from: editor)
        }
        room.mirrors[MemberID(3)] = mirror
        let again = try room.join(
            3, role: .viewer, session: "session-2", capabilities: Capability.mergedResume
        ) { $0.resume = resume }
        #expect(room.session.resumableSession(resume) == "session-2")
        #expect(kinds(room, again, from: 1) == ["tree", "frame", "other"])
        #expect(room.mirrors[again]?.stateHash == room.session.stateHash)
        guard case .welcome(let welcome)? = room.received[again]?.first else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.resumeToken == resume.token)
        let old = try room.join(4, session: "session-2") { $0.resume = resume }
        #expect(kinds(room, old, from: 1) == ["snapshot"])
    }

    @Test("of one who was forgotten nobody knows what part it watched, so it gets the whole state")
    func comesBackForgotten() throws {
        var options = SessionOptions()
        options.visitorSeconds = 1
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let viewer = try room.join(
            2, role: .viewer, capabilities: Capability.mergedResume | Capability.subscribe
        ) { $0.roots = ["title"] }
        let resume = resume(room, viewer)
        let mirror = room.mirrors[viewer]
        try room.handle(.left(viewer))
        for _ in 0..<100 {
            try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        }
        // Whoever comes brings it about that visitors are forgotten.
        try room.join(3, role: .viewer)
        #expect(room.session.resumableSession(resume) == nil)
        room.mirrors[MemberID(4)] = mirror
        let again = try room.join(
            4, role: .viewer, capabilities: Capability.mergedResume | Capability.subscribe
        ) { $0.resume = resume }
        #expect(kinds(room, again, from: 1) == ["snapshot"])
        #expect(room.mirrors[again]?.stateHash == room.session.stateHash)
    }

    @Test("the same after a restart, from the journal; a tick that it does not hold is a snapshot")
    func comesBackAfterRestart() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.animations)
        for index in 1...5 {
            try room.apply(
                #"[{"op":"addView","id":"v\#(index)"},{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#,
                from: editor)
        }
        let old = (resume(room, viewer), room.mirrors[viewer], room.mirrors[editor])
        try room.apply(
            """
            [{"op":"removeView","id":"v2"},
             {"op":"animate","duration":0.1,"ops":[
               {"op":"setConstraint","id":"w","constant":200},{"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        try room.runTicks(12)
        let back = try TestRoom(replaying: room.journal)
        for (number, capabilities) in [
            (UInt64(8), Capability.mergedResume),
            (9, Capability.mergedResume | Capability.animations),
        ] {
            back.mirrors[MemberID(number)] = number == 8 ? old.2 : old.1
            let id = try back.join(number, role: .viewer, capabilities: capabilities) {
                $0.resume = old.0
            }
            #expect(kinds(back, id, from: 1).contains("snapshot") == false)
            #expect(kinds(back, id, from: 1).contains("tree"))
            try back.runTicks(20)
            #expect(back.mirrors[id]?.stateHash == back.session.stateHash)
        }
        var later = old.0
        later.lastTick = room.tick + 100
        let late = try back.join(10, role: .viewer, capabilities: Capability.mergedResume) {
            $0.resume = later
        }
        #expect(kinds(back, late, from: 1) == ["snapshot"])
    }

    @Test("two thousand who come back at once are told from one encoding")
    func stampede() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let gone = try (100..<2100).map { try room.join($0, role: .viewer) }
        let resumes = gone.map { resume(room, $0) }
        for id in gone { try room.handle(.left(id)) }
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":130}]"#, from: editor)
        for (id, resume) in zip(gone, resumes) {
            let again = UInt64(10_000) + id.rawValue
            room.mirrors[MemberID(again)] = room.mirrors[id]
            room.mirrors[id] = nil
            try room.join(
                again, role: .viewer, session: resume.session, capabilities: Capability.mergedResume
            ) { $0.resume = resume }
            #expect(kinds(room, MemberID(again), from: 1) == ["frame", "other"])
        }
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":140}]"#, from: editor)
        #expect(room.mirrors.values.allSatisfy { $0.stateHash == room.session.stateHash })
        let last = room.sends.last { $0.to.count > 2000 }
        #expect(last?.to.count == 2001)
    }

    @Test("after many views came and went, a keyframe gives them neighbouring numbers")
    func keyframe() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 8
        options.snapshotGrowth = 0
        options.keyframeSeconds = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.keyframes)
        let plain = try room.join(2, role: .viewer)
        for index in 1...100 {
            try room.apply(#"[{"op":"addView","id":"v\#(index)"}]"#, from: editor)
            if index > 2 {
                try room.apply(#"[{"op":"removeView","id":"v\#(index - 2)"}]"#, from: editor)
            }
        }
        // A quiet moment, in which the scene is written.
        try room.apply(#"[{"op":"setView","id":"bar","hidden":true}]"#, from: editor)
        try room.runTicks(70)
        let keyframes = (room.received[editor] ?? []).count {
            if case .keyframe = $0 { true } else { false }
        }
        #expect(keyframes >= 1)
        for id in [editor, plain] {
            #expect(room.mirrors[id]?.stateHash == room.session.model.stateHash)
            #expect((room.mirrors[id]?.records.map(\.number.rawValue).max() ?? 0) < 100)
        }
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }
}
