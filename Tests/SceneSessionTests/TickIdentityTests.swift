import AutoLayout
import SceneWire
import Testing

@testable import SceneModel
@testable import SceneSession

/// Whoever is told "from tick N on" goes on from what it has at N, so there may be no two states of
/// one tick.
@Suite("A tick names one state")
struct TickIdentityTests {
    /// Gets merged frames, at most ten a second.
    private func joinSlowly(_ room: TestRoom, _ number: UInt64) throws -> MemberID {
        try room.join(number, role: .viewer, capabilities: Capability.subscribe) {
            $0.frameRateMaximum = 10
        }
    }

    /// Comes back with what another has, which was told so by a connection that is gone.
    private func comeBack(
        _ room: TestRoom, _ number: UInt64, as name: String, with mirror: SceneMirror,
        capabilities: UInt64 = Capability.mergedResume
    ) throws -> MemberID {
        room.mirrors[MemberID(number)] = mirror
        return try room.join(number, role: .viewer, session: name, capabilities: capabilities) {
            var resume = Resume()
            resume.session = name
            resume.epoch = room.session.epoch
            resume.lastTick = mirror.tick
            $0.resume = resume
        }
    }

    private func snapshots(_ room: TestRoom, _ id: MemberID) -> Int {
        (room.received[id] ?? []).count { if case .snapshot = $0 { true } else { false } }
    }

    @Test(
        "after a restart it is what the whole tick left, though a snapshot was written in its midst"
    )
    func replayedFromTheMidstOfATick() throws {
        var options = SessionOptions()
        // Every batch is followed by a snapshot as soon as the next one comes, in whose tick that
        // is then applied.
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":130}]"#, from: editor)
        #expect(room.journal.map(\.kind) == [.snapshot, .batch, .snapshot, .batch])
        #expect(room.journal.map(\.tick) == [0, 1, 2, 2])
        let before = try #require(room.mirrors[editor])

        let back = try TestRoom(replaying: room.journal, options: options)
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
        let room = try TestRoom()
        let editor = try room.join(1)
        let early = try joinSlowly(room, 2)
        try room.apply(
            """
            [{"op":"animate","duration":1,"curve":"linear","ops":[
               {"op":"setConstraint","id":"w","constant":400},
               {"op":"layoutIfNeeded","id":"root"}]}]
            """, from: editor)
        try room.handle(.storeFailed("disk full"))
        try room.runTicks(12)
        let midway = room.session.tick
        #expect(room.mirrors[editor]?.tick == midway)
        #expect((101..<400).contains(room.width(of: "bar", for: editor) ?? 0))
        let gone = try #require(room.mirrors[editor])
        // The scene is written anew; what was animated is there, for nothing animates it any
        // longer.
        room.session.model.window.removeAllWindowAnimations()
        try room.handle(.storeRecovered)
        #expect(room.width(of: "bar", for: editor) == 400)
        #expect(room.mirrors[editor]?.tick == midway + 1)
        let late = try joinSlowly(room, 3)
        #expect(room.width(of: "bar", for: late) == 400)
        let returned = try comeBack(room, 4, as: "session-4", with: gone)
        #expect(room.width(of: "bar", for: returned) == 400)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":410}]"#, from: editor)
        try room.runTicks(70)
        for id in [editor, early, late, returned] {
            #expect(room.width(of: "bar", for: id) == 410)
            #expect(room.mirrors[id]?.needsSnapshot == false)
        }
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test("a room that retires writes its scene under a tick of its own")
    func retired() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let tick = room.session.tick
        try room.handle(.retire)
        #expect(room.journal.last?.kind == .snapshot)
        #expect(room.journal.last?.tick == tick + 1)
    }

    /// A room whose views get other numbers at the end of a quiet second.
    private func aboutToRenumber() throws -> (room: TestRoom, editor: MemberID) {
        var options = SessionOptions()
        options.keyframeSeconds = 0
        options.snapshotSeconds = 1
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.keyframes)
        for index in 1...100 {
            try room.apply(#"[{"op":"addView","id":"v\#(index)"}]"#, from: editor)
            guard index < 100 else { continue }
            try room.apply(#"[{"op":"removeView","id":"v\#(index)"}]"#, from: editor)
        }
        return (room, editor)
    }

    /// - Returns: The tick at which the views got other numbers, which is that of the last frame
    ///   before.
    private func renumber(_ room: TestRoom, _ editor: MemberID) throws -> UInt64 {
        let tick = try #require(room.mirrors[editor]?.tick)
        try room.runTicks(70)
        let keyframes = (room.received[editor] ?? []).compactMap { message -> UInt64? in
            if case .keyframe(let keyframe) = message { keyframe.tick } else { nil }
        }
        #expect(keyframes == [tick])
        return tick
    }

    @Test(
        "one who is behind is told the state when views were given other numbers",
        arguments: [false, true])
    func behindAcrossNumbers(hasMoved: Bool) throws {
        let (room, editor) = try aboutToRenumber()
        let lazy = try room.join(2, role: .viewer, capabilities: Capability.keyframes)
        room.silent = [lazy]
        for index in 1...(SessionOptions().unacknowledgedMaximum + 1) {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        // Behind, and with the same tick as all others.
        #expect(room.mirrors[lazy]?.tick == (try renumber(room, editor)))
        if hasMoved {
            try room.apply(#"[{"op":"setConstraint","id":"w","constant":300}]"#, from: editor)
        }
        try room.ack(lazy)
        room.silent = []
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":310}]"#, from: editor)
        try room.runTicks(70)
        #expect(room.mirrors[lazy]?.records == room.mirrors[editor]?.records)
        #expect(snapshots(room, lazy) == 2)
        // From there on a merged frame does again.
        room.silent = [lazy]
        for index in 1...(SessionOptions().unacknowledgedMaximum + 3) {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        try room.ack(lazy)
        #expect(room.mirrors[lazy]?.records == room.mirrors[editor]?.records)
        #expect(snapshots(room, lazy) == 2)
    }

    @Test(
        "one who was away is told the state when views were given other numbers",
        arguments: [Capability.mergedResume, Capability.mergedResume | Capability.animations])
    func awayAcrossNumbers(capabilities: UInt64) throws {
        let (room, editor) = try aboutToRenumber()
        for number in 2...4 as ClosedRange<UInt64> {
            let id = try room.join(number, role: .viewer, capabilities: capabilities)
            try room.handle(.left(id))
        }
        let old = try #require(room.mirrors[editor])
        #expect(old.tick == (try renumber(room, editor)))
        // Before anything else happens, and afterwards.
        let first = try comeBack(room, 12, as: "session-2", with: old, capabilities: capabilities)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":310}]"#, from: editor)
        let second = try comeBack(room, 13, as: "session-3", with: old, capabilities: capabilities)
        let new = try #require(room.mirrors[editor])
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":320}]"#, from: editor)
        let third = try comeBack(room, 14, as: "session-4", with: new, capabilities: capabilities)
        try room.runTicks(70)
        for id in [first, second, third] {
            #expect(room.mirrors[id]?.records == room.mirrors[editor]?.records)
        }
        #expect([first, second, third].map { snapshots(room, $0) } == [1, 1, 0])
    }
}
