import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Subtrees, rates, animations, traces and the past")
struct WaysOfWatchingTests {
    private static let twoPanes = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "left", "frame": [0, 0, 200, 200]},
                   {"id": "a", "parent": "left", "frame": [10, 10, 50, 50]},
                   {"id": "right", "frame": [200, 0, 200, 200]},
                   {"id": "b", "parent": "right", "frame": [10, 10, 50, 50]},
                   {"id": "c", "parent": "b", "frame": [1, 1, 5, 5]}]}
        """

    private func ids(_ room: TestRoom, _ id: MemberID) -> [String]? {
        room.mirrors[id]?.records.map(\.id)
    }

    @Test("a member that asked for a subtree has that and its ancestors, whatever happens")
    func subtree() throws {
        let room = try TestRoom(Self.twoPanes)
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.subscribe) {
            $0.roots = ["b"]
        }
        #expect(ids(room, viewer) == ["root", "right", "b", "c"])
        room.sends.removeAll()
        try room.apply(#"[{"op":"setView","id":"a","frame":[1,2,3,4]}]"#, from: editor)
        #expect(room.sends.allSatisfy { !$0.to.contains(viewer) })
        try room.apply(#"[{"op":"setView","id":"c","frame":[2,2,6,6]}]"#, from: editor)
        #expect(room.width(of: "c", for: viewer) == 6)
        try room.apply(#"[{"op":"moveView","id":"a","parent":"b","index":0}]"#, from: editor)
        #expect(ids(room, viewer) == ["root", "right", "b", "a", "c"])
        #expect(room.width(of: "a", for: viewer) == 3)
        try room.apply(#"[{"op":"moveView","id":"b","parent":"left"}]"#, from: editor)
        #expect(ids(room, viewer) == ["root", "left", "b", "a", "c"])
        try room.apply(#"[{"op":"moveView","id":"c","parent":"root"}]"#, from: editor)
        #expect(ids(room, viewer) == ["root", "left", "b", "a"])
        try room.apply(#"[{"op":"removeView","id":"b"}]"#, from: editor)
        #expect(ids(room, viewer) == ["root"])
        try room.apply(#"[{"op":"addView","id":"b","parent":"right"}]"#, from: editor)
        #expect(ids(room, viewer) == ["root", "right", "b"])
        // The hash of the part is told too, and fits: no resync was needed.
        try room.runTicks(70)
        let hashes = (room.received[viewer] ?? []).count {
            if case .hash = $0 { true } else { false }
        }
        #expect(hashes > 0)
        var wish = Subscribe()
        wish.roots = []
        try room.handle(.received(viewer, .subscribe(wish)))
        #expect(ids(room, viewer) == ids(room, editor))
    }

    @Test("a member that asked for fewer frames gets merged ones, at most so many a second")
    func rate() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let slow = try room.join(2, role: .viewer, capabilities: Capability.subscribe) {
            $0.frameRateMaximum = 10
        }
        for index in 1...60 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        let frames = (room.received[slow] ?? []).count {
            if case .frame = $0 { true } else { false }
        }
        #expect((9...11).contains(frames))
        try room.runTicks(6)
        #expect(room.width(of: "bar", for: slow) == 160)
        var wish = Subscribe()
        wish.frameRateMaximum = 0
        try room.handle(.received(slow, .subscribe(wish)))
        for index in 1...5 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(200 + index)}]"#, from: editor)
            #expect(room.width(of: "bar", for: slow) == 200 + Int32(index))
        }
    }

    @Test("one who animates is told an animation once, and shows what others are sent each tick")
    func animation() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let able = try room.join(2, role: .viewer, capabilities: Capability.animations)
        let before = room.received[able]?.count ?? 0
        try room.apply(
            """
            [{"op":"animate","duration":0.5,"delay":0.1,"curve":"easeIn","ops":[
              {"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        #expect(room.width(of: "bar", for: able) == 300)
        var shown: [Int32] = []
        for _ in 0..<40 {
            let number = try #require(room.mirrors[able]?.number(id: "bar"))
            let frame = try #require(room.mirrors[able]?.shownFrame(number, at: room.tick))
            #expect(frame.width == room.width(of: "bar", for: editor), "tick \(room.tick)")
            shown.append(frame.width)
            try room.runTicks()
        }
        #expect(shown.first == 100 && shown.last == 300 && shown == shown.sorted())
        let told = (room.received[able] ?? []).dropFirst(before).count {
            if case .frame = $0 { true } else { false }
        }
        #expect(told == 1)
        #expect(room.mirrors[able]?.stateHash == room.session.model.stateHash)
        // A failed batch is as if it had never come: what is animated goes on.
        try room.apply(
            """
            [{"op":"animate","duration":1,"ops":[
              {"op":"setConstraint","id":"w","constant":100},{"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        #expect(room.mirrors[able]?.animations.isEmpty == false)
        try room.apply(
            #"[{"op":"addView","id":"z"},{"op":"addConstraint","rule":"bar.width == 9"}]"#,
            from: editor, atomic: true)
        try room.runTicks(2)
        #expect(room.mirrors[able]?.animations.isEmpty == false)
        let number = try #require(room.mirrors[able]?.number(id: "bar"))
        let frame = try #require(room.mirrors[able]?.shownFrame(number, at: room.tick))
        #expect(frame.width == room.width(of: "bar", for: editor))
        #expect(frame.width > 100 && frame.width < 300)
        try room.runTicks(60)
        #expect(room.width(of: "bar", for: editor) == 100)
        #expect(room.mirrors[able]?.stateHash == room.session.model.stateHash)
    }

    @Test("a trace tells what the passes called, of the views that were asked for")
    func trace() throws {
        let room = try TestRoom()
        let editor = try room.join(1, capabilities: Capability.trace)
        var request = TraceRequest()
        request.isEnabled = true
        request.watch = ["bar"]
        try room.handle(.received(editor, .trace(request)))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        func events() -> [String] {
            (room.received[editor] ?? []).flatMap { message -> [String] in
                if case .trace(let trace) = message { trace.events } else { [] }
            }
        }
        #expect(events() == ["layoutSubviews bar"])
        request.isEnabled = false
        try room.handle(.received(editor, .trace(request)))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":160}]"#, from: editor)
        #expect(events().count == 1)
    }

    @Test(
        "a trace tells how long the parts of the cycle took, by the clock that the session was given"
    )
    func durations() throws {
        let room = try TestRoom()
        let editor = try room.join(1, capabilities: Capability.trace)
        // Every look at the clock finds it a microsecond later.
        var nanoseconds: UInt64 = 0
        room.session.traceClock = {
            nanoseconds += 1000
            return nanoseconds
        }
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":140}]"#, from: editor)
        #expect(nanoseconds == 0)
        var request = TraceRequest()
        request.isEnabled = true
        try room.handle(.received(editor, .trace(request)))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let told = (room.received[editor] ?? []).compactMap { message -> CycleDurations? in
            if case .trace(let trace) = message { trace.durations } else { nil }
        }
        // One round of passes: each began and ended once.
        var expected = CycleDurations()
        (expected.ops, expected.updateConstraints, expected.solve) = (1000, 1000, 1000)
        (expected.layout, expected.display) = (1000, 1000)
        #expect(told == [expected])
    }

    private func answers(_ room: TestRoom, _ id: MemberID) throws -> [UInt32: SceneInspection] {
        var reader = InspectionReader()
        var result: [UInt32: SceneInspection] = [:]
        for case .inspection(let part) in room.received[id] ?? [] {
            if let (request, inspection) = try reader.take(part) { result[request] = inspection }
        }
        return result
    }

    @Test("[INS-1] a question about what holds a view is answered once, to the one who asked")
    func inspection() throws {
        let room = try TestRoom()
        let editor = try room.join(1, capabilities: Capability.inspect)
        let other = try room.join(2, role: .viewer, capabilities: Capability.inspect)
        var question = Inspect()
        question.request = 7
        question.views = ["title", "nobody", "bar"]
        try room.handle(.received(editor, .inspect(question)))
        question.request = 8
        question.wantsDocument = true
        question.views = []
        try room.handle(.received(editor, .inspect(question)))
        try room.runTicks(3)
        let answers = try answers(room, editor)
        #expect(answers.keys.sorted() == [7, 8])
        #expect(answers[7]?.document == nil)
        #expect(answers[8]?.document == room.session.model.document())
        #expect(answers[8]?.sets == [.init(id: "wide", isActive: false, isOverridden: false)])
        let views = try #require(answers[7]?.views)
        #expect(views.map(\.id) == ["title", "bar"])
        #expect(views[1].constraints == ["#0", "#1", "#2", "w", "#4", "#5", "wide#0"])
        #expect(
            views[1].horizontal == [
                .init(id: "#0", kind: "constraint", rule: "bar.leading == root.leading"),
                .init(id: "w", kind: "constraint", rule: "bar.width == 100"),
            ])
        // Places are the superview's: where `bar` is does not matter. Hello is five cells of 8
        // points; hugging at 251 or compression at 750 holds it, both ask for 40.
        let size = views[0].horizontal.filter { $0.kind == "contentSize" }
        #expect(!size.isEmpty)
        #expect(size.allSatisfy { $0.rule.hasPrefix("title.width ") && $0.rule.contains(" 40 @") })
        #expect(
            views[0].horizontal.filter { $0.kind == "constraint" }.map(\.id) == ["#4"])
        #expect(try self.answers(room, other).isEmpty)
    }

    @Test(
        "who asks too much at once is told so, and a scene that is asked goes on as one that is not"
    )
    func questions() throws {
        let room = try TestRoom()
        let quiet = try TestRoom()
        let editor = try room.join(1, capabilities: Capability.inspect)
        let silent = try quiet.join(1, capabilities: Capability.inspect)
        for index in 1...20 {
            let ops = #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#
            var question = Inspect()
            question.views = ["bar", "title"]
            for _ in 0..<2 { try room.handle(.received(editor, .inspect(question))) }
            try room.apply(ops, from: editor)
            try quiet.apply(ops, from: silent)
            #expect(room.session.model.stateHash == quiet.session.model.stateHash)
        }
        func refusals() -> [UInt32] {
            (room.received[editor] ?? []).compactMap { message in
                if case .error(let error) = message { error.code } else { nil }
            }
        }
        #expect(refusals().isEmpty)
        for _ in 0..<9 { try room.handle(.received(editor, .inspect(Inspect()))) }
        #expect(refusals() == [4029])
    }

    @Test(
        "one who watches the past is told of the present, and a stack's own constraint is nobody's")
    func inspectionFromThePast() throws {
        let room = try TestRoom(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "views": [{"id": "row", "kind": "stack"}, {"id": "a", "parent": "row"}],
             "constraints": [
               "row.left == root.left", "row.top == root.top", "a.height == 10",
               {"id": "row.canvas-connection.0", "rule": "a.width == 100"}]}
            """)
        let viewer = try room.join(
            1, role: .viewer, capabilities: Capability.seek | Capability.inspect)
        try room.runTicks(5)
        var seek = Seek()
        seek.isLive = false
        seek.tick = 0
        try room.handle(.received(viewer, .seek(seek)))
        try room.runTicks(2)
        var question = Inspect()
        question.views = ["a"]
        try room.handle(.received(viewer, .inspect(question)))
        try room.runTicks(2)
        let answer = try #require(try answers(room, viewer)[0])
        #expect(answer.tick >= 7)
        let held = try #require(answer.views.first?.horizontal)
        #expect(
            held.filter { $0.rule == "a.width == 100" }.map(\.id) == ["row.canvas-connection.0"])
        let own = held.filter { $0.rule == "a.leading == row.leading" }
        #expect(own.map(\.id) == [nil])
    }

    @Test("the state hash is told on demand, of what the one who asks is shown")
    func hashOnDemand() throws {
        let room = try TestRoom()
        let viewer = try room.join(1, role: .viewer, capabilities: Capability.inspect)
        try room.runTicks(3)
        try room.handle(.received(viewer, .inspect(Inspect())))
        try room.runTicks(1)
        let answer = try #require(try answers(room, viewer)[0])
        #expect(answer.stateHash == SceneMirror.stateHash(of: room.session.model.records()))
        let text = Array(#"{"tick": 1, "hash": "+00000000000000f"}"#.utf8)
        #expect(throws: DocumentError.self) { try SceneInspection.parse(text) }
    }

    @Test("a constraint that was given up is told with what it contradicts")
    func broken() throws {
        let room = try TestRoom(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200, "unsatisfiable": "break"},
             "views": [{"id": "a"}],
             "constraints": [
               "a.left == root.left", "a.top == root.top", "a.height == 10",
               {"id": "narrow", "rule": "a.width == 100"}, {"id": "wide", "rule": "a.width == 200"}]}
            """)
        let viewer = try room.join(1, role: .viewer, capabilities: Capability.inspect)
        try room.handle(.received(viewer, .inspect(Inspect())))
        try room.runTicks(1)
        #expect(
            try answers(room, viewer)[0]?.broken == [.init(id: "wide", conflicts: ["narrow"])])
    }

    @Test("a long answer comes in parts that end at whole characters")
    func parts() throws {
        var long = SceneInspection(tick: 1)
        long.broken = (0..<20_000).map { .init(id: "c\($0)", conflicts: ["日本語 – é", "🙂\($0)"]) }
        let messages = Inspection.messages(long, request: 3)
        #expect(messages.count > 1)
        var reader = InspectionReader()
        var whole: SceneInspection?
        for case .inspection(let part) in messages {
            #expect(part.text.utf8.count <= Inspection.textBytesMaximum)
            var bytes: [UInt8] = []
            ServerMessage.inspection(part).encode(to: &bytes)
            guard case .inspection(let read) = try ServerMessage.decode(bytes) else {
                Issue.record("another message")
                return
            }
            whole = try reader.take(read)?.inspection ?? whole
        }
        #expect(whole == long)
        guard case .inspection(let second) = messages[1] else { return }
        #expect(throws: DocumentError.self) { try reader.take(second) }
    }

    @Test("a member seeks and watches the past, at any speed, while the others go on")
    func past() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 12
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.seek)
        var widths: [UInt64: Int32] = [:]
        for index in 1...200 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
            for pause in 0..<(index % 50 == 0 ? 3 : 1) {
                if pause > 0 { try room.runTicks() }
                widths[room.tick] = room.width(of: "bar", for: editor)
            }
        }
        #expect(room.journal.filter { $0.kind == .snapshot }.count > 2)
        func seek(_ tick: UInt64, speed: Double, live: Bool = false) throws {
            var seek = Seek()
            seek.tick = tick
            seek.speed = speed
            seek.isLive = live
            try room.handle(.received(viewer, .seek(seek)))
            // The present goes on meanwhile.
            try room.runTicks()
        }
        func isRight(_ tick: UInt64) -> Bool {
            room.mirrors[viewer]?.tick == tick && room.width(of: "bar", for: viewer) == widths[tick]
        }
        for tick in [UInt64(150), 3, 77, 190] {
            try seek(tick, speed: 0)
            for _ in 0..<20 where room.mirrors[viewer]?.tick != tick { try room.runTicks() }
            #expect(isRight(tick), "tick \(tick)")
        }
        try seek(20, speed: 2)
        for _ in 0..<20 where room.mirrors[viewer]?.tick != 20 { try room.runTicks() }
        for step in 1...20 {
            try room.runTicks()
            let tick = 20 + 2 * UInt64(step)
            #expect(room.width(of: "bar", for: viewer) == widths[tick], "tick \(tick)")
        }
        try seek(100, speed: -2)
        try room.runTicks(80)
        #expect((room.mirrors[viewer]?.tick ?? 100) < 100)
        #expect(isRight(room.mirrors[viewer]?.tick ?? 0))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":333}]"#, from: editor)
        #expect(room.width(of: "bar", for: viewer) != 333)
        try seek(0, speed: 0, live: true)
        #expect(room.width(of: "bar", for: viewer) == 333)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":334}]"#, from: editor)
        #expect(room.width(of: "bar", for: viewer) == 334)
    }

    @Test(
        "[SEEK-2] a seek that there is no room for is answered, and its sender stays in the present"
    )
    func noRoomToSeek() throws {
        var options = SessionOptions()
        options.watcherMaximum = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.seek)
        var seek = Seek()
        seek.isLive = false
        try room.handle(.received(viewer, .seek(seek)))
        let codes = (room.received[viewer] ?? []).compactMap { message -> UInt32? in
            if case .error(let error) = message { error.code } else { nil }
        }
        #expect(codes == [UInt32(CloseCode.limit.rawValue)])
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":334}]"#, from: editor)
        #expect(room.width(of: "bar", for: viewer) == 334)
    }

    @Test("presence goes out at most 20 times a second, the latest alone")
    func presence() throws {
        let room = try TestRoom()
        let one = try room.join(1)
        let other = try room.join(2)
        for index in 1...60 {
            var presence = Presence()
            presence.clock = UInt32(index)
            presence.name = "\(index)"
            try room.handle(.received(one, .presence(presence)))
            var late = presence
            late.clock = UInt32(max(0, index - 5))
            late.name = "late"
            try room.handle(.received(one, .presence(late)))
            try room.runTicks()
        }
        let heard = (room.received[other] ?? []).compactMap { message -> String? in
            if case .presence(let presence) = message { presence.name } else { nil }
        }
        #expect(heard.count <= 20 && heard.count >= 18)
        #expect(!heard.contains("late"))
        // Silence is forgotten after 30 seconds, and costs nothing until then.
        let next = try #require(room.session.nextTick)
        #expect(next > room.tick + 29 * 60)
        room.tick = next
        try room.runTicks()
        guard case .presence(let last)? = room.received[other]?.last else {
            Issue.record("nothing was withdrawn")
            return
        }
        #expect(last.isGone)
        #expect(room.session.nextTick == nil)
    }
}
