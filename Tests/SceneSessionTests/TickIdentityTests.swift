import SceneModel
import SceneProtocol
import Testing

@testable import SceneSession

/// Whoever is told "from tick N on" goes on from what it has at N, so there may be no two states of one tick.
@Suite("A tick names one state")
struct TickIdentityTests {
    /// Gets merged frames, at most ten a second.
    private func joinSlowly(_ rig: Rig, _ number: UInt64) throws -> MemberID {
        try rig.join(number, role: .viewer, capabilities: Capability.subscribe) {
            $0.frameRateMaximum = 10
        }
    }

    /// Comes back with what another has, which was told so by a connection that is gone.
    private func comeBack(
        _ rig: Rig, _ number: UInt64, as name: String, with mirror: SceneMirror,
        capabilities: UInt64 = Capability.mergedResume
    ) throws -> MemberID {
        rig.mirrors[MemberID(number)] = mirror
        return try rig.join(number, role: .viewer, session: name, capabilities: capabilities) {
            var resume = Resume()
            resume.session = name
            resume.epoch = rig.session.epoch
            resume.lastTick = mirror.tick
            $0.resume = resume
        }
    }

    private func snapshots(_ rig: Rig, _ id: MemberID) -> Int {
        (rig.received[id] ?? []).count { if case .snapshot = $0 { true } else { false } }
    }

    @Test(
        "after a restart it is what the whole tick left, though a snapshot was written in its midst"
    )
    func replayedFromTheMidstOfATick() throws {
        var options = SessionOptions()
        // Every batch is followed by a snapshot as soon as the next one comes, in whose tick that is then applied.
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let rig = try Rig(options: options)
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":130}]"#, from: editor)
        #expect(rig.journal.map(\.kind) == [.snapshot, .batch, .snapshot, .batch])
        #expect(rig.journal.map(\.tick) == [0, 1, 2, 2])
        let before = try #require(rig.mirrors[editor])

        let back = try Rig(replaying: rig.journal, options: options)
        let slow = try joinSlowly(back, 8)
        #expect(back.width(of: "bar", for: slow) == 130)
        let other = try back.join(9)
        try back.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: other)
        // Somebody who had that tick's state before the restart and comes back now.
        back.mirrors[MemberID(10)] = before
        let returned = try back.join(10, role: .viewer, capabilities: Capability.mergedResume) {
            var resume = Resume()
            resume.session = "session-1"
            resume.token = "token-1"
            resume.epoch = 1
            resume.lastTick = before.tick
            $0.resume = resume
        }
        try back.runTicks(70)
        for id in [slow, other, returned] { #expect(back.width(of: "bar", for: id) == 150) }
        #expect(snapshots(back, slow) == 1)
        #expect(snapshots(back, returned) == 0)
    }

    @Test("what a rewritten scene moves between two ticks is told under a tick of its own")
    func rewrittenBetweenTicks() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let early = try joinSlowly(rig, 2)
        try rig.apply(
            """
            [{"op":"animate","duration":1,"curve":"linear","ops":[
               {"op":"setConstraint","id":"w","constant":400},
               {"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        try rig.step(.storeFailed("disk full"))
        try rig.runTicks(12)
        let midway = rig.session.tick
        #expect(rig.mirrors[editor]?.tick == midway)
        #expect((101..<400).contains(rig.width(of: "bar", for: editor) ?? 0))
        let gone = try #require(rig.mirrors[editor])
        // The scene is written anew, and what was animated is there.
        try rig.step(.storeRecovered)
        #expect(rig.width(of: "bar", for: editor) == 400)
        #expect(rig.mirrors[editor]?.tick == midway + 1)
        let late = try joinSlowly(rig, 3)
        #expect(rig.width(of: "bar", for: late) == 400)
        let returned = try comeBack(rig, 4, as: "session-4", with: gone)
        #expect(rig.width(of: "bar", for: returned) == 400)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":410}]"#, from: editor)
        try rig.runTicks(70)
        for id in [editor, early, late, returned] {
            #expect(rig.width(of: "bar", for: id) == 410)
            #expect(rig.mirrors[id]?.needsSnapshot == false)
        }
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.records() == rig.session.model.records())
    }

    @Test("a room that retires writes its scene under a tick of its own")
    func retired() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let tick = rig.session.tick
        try rig.step(.retire)
        #expect(rig.journal.last?.kind == .snapshot)
        #expect(rig.journal.last?.tick == tick + 1)
    }

    /// A room whose views get other numbers at the end of a quiet second.
    private func aboutToRenumber() throws -> (rig: Rig, editor: MemberID) {
        var options = SessionOptions()
        options.keyframeSeconds = 0
        options.snapshotSeconds = 1
        let rig = try Rig(options: options)
        let editor = try rig.join(1, capabilities: Capability.keyframes)
        for index in 1...100 {
            try rig.apply(#"[{"op":"addView","id":"v\#(index)"}]"#, from: editor)
            guard index < 100 else { continue }
            try rig.apply(#"[{"op":"removeView","id":"v\#(index)"}]"#, from: editor)
        }
        return (rig, editor)
    }

    /// - Returns: The tick at which the views got other numbers, which is that of the last frame before.
    private func renumber(_ rig: Rig, _ editor: MemberID) throws -> UInt64 {
        let tick = try #require(rig.mirrors[editor]?.tick)
        try rig.runTicks(70)
        let keyframes = (rig.received[editor] ?? []).compactMap { message -> UInt64? in
            if case .keyframe(let keyframe) = message { keyframe.tick } else { nil }
        }
        #expect(keyframes == [tick])
        return tick
    }

    @Test(
        "one who is behind is told the state when views were given other numbers",
        arguments: [false, true])
    func behindAcrossNumbers(hasMoved: Bool) throws {
        let (rig, editor) = try aboutToRenumber()
        let lazy = try rig.join(2, role: .viewer, capabilities: Capability.keyframes)
        rig.silent = [lazy]
        for index in 1...(SessionOptions().unacknowledgedMaximum + 1) {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        // Behind, and with the same tick as all others.
        #expect(rig.mirrors[lazy]?.tick == (try renumber(rig, editor)))
        if hasMoved {
            try rig.apply(#"[{"op":"setConstraint","id":"w","constant":300}]"#, from: editor)
        }
        try rig.ack(lazy)
        rig.silent = []
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":310}]"#, from: editor)
        try rig.runTicks(70)
        #expect(rig.mirrors[lazy]?.records == rig.mirrors[editor]?.records)
        #expect(snapshots(rig, lazy) == 2)
        // From there on a merged frame does again.
        rig.silent = [lazy]
        for index in 1...(SessionOptions().unacknowledgedMaximum + 3) {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        try rig.ack(lazy)
        #expect(rig.mirrors[lazy]?.records == rig.mirrors[editor]?.records)
        #expect(snapshots(rig, lazy) == 2)
    }

    @Test(
        "one who was away is told the state when views were given other numbers",
        arguments: [Capability.mergedResume, Capability.mergedResume | Capability.animations])
    func awayAcrossNumbers(capabilities: UInt64) throws {
        let (rig, editor) = try aboutToRenumber()
        for number in 2...4 as ClosedRange<UInt64> {
            let id = try rig.join(number, role: .viewer, capabilities: capabilities)
            try rig.step(.left(id))
        }
        let old = try #require(rig.mirrors[editor])
        #expect(old.tick == (try renumber(rig, editor)))
        // Before anything else happens, and afterwards.
        let first = try comeBack(rig, 12, as: "session-2", with: old, capabilities: capabilities)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":310}]"#, from: editor)
        let second = try comeBack(rig, 13, as: "session-3", with: old, capabilities: capabilities)
        let new = try #require(rig.mirrors[editor])
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":320}]"#, from: editor)
        let third = try comeBack(rig, 14, as: "session-4", with: new, capabilities: capabilities)
        try rig.runTicks(70)
        for id in [first, second, third] {
            #expect(rig.mirrors[id]?.records == rig.mirrors[editor]?.records)
        }
        #expect([first, second, third].map { snapshots(rig, $0) } == [1, 1, 0])
    }
}
