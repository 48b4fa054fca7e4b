import SceneModel
import SceneProtocol
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

    private func ids(_ rig: Rig, _ id: MemberID) -> [String]? {
        rig.mirrors[id]?.records.map(\.id)
    }

    @Test("a member that asked for a subtree has that and its ancestors, whatever happens")
    func subtree() throws {
        let rig = try Rig(Self.twoPanes)
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer, capabilities: Capability.subscribe) {
            $0.roots = ["b"]
        }
        #expect(ids(rig, viewer) == ["root", "right", "b", "c"])
        rig.sends.removeAll()
        try rig.apply(#"[{"op":"setView","id":"a","frame":[1,2,3,4]}]"#, from: editor)
        #expect(rig.sends.allSatisfy { !$0.to.contains(viewer) })
        try rig.apply(#"[{"op":"setView","id":"c","frame":[2,2,6,6]}]"#, from: editor)
        #expect(rig.width(of: "c", for: viewer) == 6)
        try rig.apply(#"[{"op":"moveView","id":"a","parent":"b","index":0}]"#, from: editor)
        #expect(ids(rig, viewer) == ["root", "right", "b", "a", "c"])
        #expect(rig.width(of: "a", for: viewer) == 3)
        try rig.apply(#"[{"op":"moveView","id":"b","parent":"left"}]"#, from: editor)
        #expect(ids(rig, viewer) == ["root", "left", "b", "a", "c"])
        try rig.apply(#"[{"op":"moveView","id":"c","parent":"root"}]"#, from: editor)
        #expect(ids(rig, viewer) == ["root", "left", "b", "a"])
        try rig.apply(#"[{"op":"removeView","id":"b"}]"#, from: editor)
        #expect(ids(rig, viewer) == ["root"])
        try rig.apply(#"[{"op":"addView","id":"b","parent":"right"}]"#, from: editor)
        #expect(ids(rig, viewer) == ["root", "right", "b"])
        // The hash of the part is told too, and fits: no resync was needed.
        try rig.runTicks(70)
        let hashes = (rig.received[viewer] ?? []).count {
            if case .hash = $0 { true } else { false }
        }
        #expect(hashes > 0)
        var wish = Subscribe()
        wish.roots = []
        try rig.step(.received(viewer, .subscribe(wish)))
        #expect(ids(rig, viewer) == ids(rig, editor))
    }

    @Test("a member that asked for fewer frames gets merged ones, at most so many a second")
    func rate() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let slow = try rig.join(2, role: .viewer, capabilities: Capability.subscribe) {
            $0.frameRateMaximum = 10
        }
        for index in 1...60 {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        let frames = (rig.received[slow] ?? []).count {
            if case .frame = $0 { true } else { false }
        }
        #expect((9...11).contains(frames))
        try rig.runTicks(6)
        #expect(rig.width(of: "bar", for: slow) == 160)
        var wish = Subscribe()
        wish.frameRateMaximum = 0
        try rig.step(.received(slow, .subscribe(wish)))
        for index in 1...5 {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(200 + index)}]"#, from: editor)
            #expect(rig.width(of: "bar", for: slow) == 200 + Int32(index))
        }
    }

    @Test("one who animates is told an animation once, and shows what others are sent each tick")
    func animation() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let able = try rig.join(2, role: .viewer, capabilities: Capability.animations)
        let before = rig.received[able]?.count ?? 0
        try rig.apply(
            """
            [{"op":"animate","duration":0.5,"delay":0.1,"curve":"easeIn","ops":[
              {"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        #expect(rig.width(of: "bar", for: able) == 300)
        var shown: [Int32] = []
        for _ in 0..<40 {
            let number = try #require(rig.mirrors[able]?.number(id: "bar"))
            let frame = try #require(rig.mirrors[able]?.shownFrame(number, at: rig.tick))
            #expect(frame.width == rig.width(of: "bar", for: editor), "tick \(rig.tick)")
            shown.append(frame.width)
            try rig.runTicks()
        }
        #expect(shown.first == 100 && shown.last == 300 && shown == shown.sorted())
        let told = (rig.received[able] ?? []).dropFirst(before).count {
            if case .frame = $0 { true } else { false }
        }
        #expect(told == 1)
        #expect(rig.mirrors[able]?.stateHash == rig.session.model.stateHash)
        // A failed batch rebuilds the scene, which ends what is animated.
        try rig.apply(
            """
            [{"op":"animate","duration":1,"ops":[
              {"op":"setConstraint","id":"w","constant":100},{"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        #expect(rig.mirrors[able]?.animations.isEmpty == false)
        try rig.apply(
            #"[{"op":"addView","id":"z"},{"op":"addConstraint","rule":"bar.width == 9"}]"#,
            from: editor, atomic: true)
        try rig.runTicks(2)
        #expect(rig.mirrors[able]?.animations.isEmpty == true)
        #expect(rig.width(of: "bar", for: editor) == 100)
        #expect(rig.mirrors[able]?.stateHash == rig.session.model.stateHash)
    }

    @Test("a trace tells what the passes called, of the views that were asked for")
    func trace() throws {
        let rig = try Rig()
        let editor = try rig.join(1, capabilities: Capability.trace)
        var request = TraceRequest()
        request.isEnabled = true
        request.watch = ["bar"]
        try rig.step(.received(editor, .trace(request)))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        func events() -> [String] {
            (rig.received[editor] ?? []).flatMap { message -> [String] in
                if case .trace(let trace) = message { trace.events } else { [] }
            }
        }
        #expect(events() == ["layoutSubviews bar"])
        request.isEnabled = false
        try rig.step(.received(editor, .trace(request)))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":160}]"#, from: editor)
        #expect(events().count == 1)
    }

    @Test("a member seeks and watches the past, at any speed, while the others go on")
    func past() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 12
        options.snapshotGrowth = 0
        let rig = try Rig(options: options)
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer, capabilities: Capability.seek)
        var widths: [UInt64: Int32] = [:]
        for index in 1...200 {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
            for pause in 0..<(index % 50 == 0 ? 3 : 1) {
                if pause > 0 { try rig.runTicks() }
                widths[rig.tick] = rig.width(of: "bar", for: editor)
            }
        }
        #expect(rig.journal.filter { $0.kind == .snapshot }.count > 2)
        func seek(_ tick: UInt64, speed: Double, live: Bool = false) throws {
            var seek = Seek()
            seek.tick = tick
            seek.speed = speed
            seek.isLive = live
            try rig.step(.received(viewer, .seek(seek)))
            // The present goes on meanwhile.
            try rig.runTicks()
        }
        func isRight(_ tick: UInt64) -> Bool {
            rig.mirrors[viewer]?.tick == tick && rig.width(of: "bar", for: viewer) == widths[tick]
        }
        for tick in [UInt64(150), 3, 77, 190] {
            try seek(tick, speed: 0)
            for _ in 0..<20 where rig.mirrors[viewer]?.tick != tick { try rig.runTicks() }
            #expect(isRight(tick), "tick \(tick)")
        }
        try seek(20, speed: 2)
        for _ in 0..<20 where rig.mirrors[viewer]?.tick != 20 { try rig.runTicks() }
        for step in 1...20 {
            try rig.runTicks()
            let tick = 20 + 2 * UInt64(step)
            #expect(rig.width(of: "bar", for: viewer) == widths[tick], "tick \(tick)")
        }
        try seek(100, speed: -2)
        try rig.runTicks(80)
        #expect((rig.mirrors[viewer]?.tick ?? 100) < 100)
        #expect(isRight(rig.mirrors[viewer]?.tick ?? 0))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":333}]"#, from: editor)
        #expect(rig.width(of: "bar", for: viewer) != 333)
        try seek(0, speed: 0, live: true)
        #expect(rig.width(of: "bar", for: viewer) == 333)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":334}]"#, from: editor)
        #expect(rig.width(of: "bar", for: viewer) == 334)
    }

    @Test("presence goes out at most 20 times a second, the latest alone")
    func presence() throws {
        let rig = try Rig()
        let one = try rig.join(1)
        let other = try rig.join(2)
        for index in 1...60 {
            var presence = Presence()
            presence.clock = UInt32(index)
            presence.name = "\(index)"
            try rig.step(.received(one, .presence(presence)))
            var late = presence
            late.clock = UInt32(max(0, index - 5))
            late.name = "late"
            try rig.step(.received(one, .presence(late)))
            try rig.runTicks()
        }
        let heard = (rig.received[other] ?? []).compactMap { message -> String? in
            if case .presence(let presence) = message { presence.name } else { nil }
        }
        #expect(heard.count <= 20 && heard.count >= 18)
        #expect(!heard.contains("late"))
        // Silence is forgotten after 30 seconds, and costs nothing until then.
        let next = try #require(rig.session.nextTick)
        #expect(next > rig.tick + 29 * 60)
        rig.tick = next
        try rig.runTicks()
        guard case .presence(let last)? = rig.received[other]?.last else {
            Issue.record("nothing was withdrawn")
            return
        }
        #expect(last.isGone)
        #expect(rig.session.nextTick == nil)
    }
}
