import JSON
import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Journal and replay")
struct JournalTests {
    private static let script = [
        #"[{"op":"setConstraint","id":"w","constant":150}]"#,
        #"[{"op":"addView","id":"a","parent":"bar","kind":"label","text":"x"},{"op":"nope"}]"#,
        #"[{"op":"addConstraint","rule":"a.leading == title.trailing + 4"}]"#,
        #"[{"op":"activateSet","id":"wide"}]"#,
        """
        [{"op":"animate","duration":0.2,"curve":"easeInOut","ops":[
          {"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded","id":"root"}]}]
        """,
        #"[{"op":"setViewport","width":500}]"#,
        #"[{"op":"moveView","id":"a","parent":"root"}]"#,
        #"[{"op":"removeView","id":"title"}]"#,
    ]

    private func run(_ room: TestRoom, atomicFailure: Bool = false) throws -> [UInt64] {
        let editor = try room.join(1)
        var hashes: [UInt64] = []
        for (index, ops) in Self.script.enumerated() {
            try room.send(ops, from: editor, sequence: UInt64(index + 1))
            if atomicFailure, index == 2 {
                try room.send(
                    #"[{"op":"addView","id":"z"},{"op":"addConstraint","rule":"bar.width == 9"}]"#,
                    from: editor, sequence: 100, atomic: true)
            }
            try room.runTicks(index == 4 ? 5 : 2)
            hashes.append(room.session.model.stateHash)
        }
        // Long enough for the animation to end.
        try room.runTicks(20)
        return hashes + [room.session.model.stateHash]
    }

    @Test("the same events give the same effects, byte for byte")
    func deterministic() throws {
        let first = try TestRoom()
        let second = try TestRoom()
        #expect(try run(first) == run(second))
        #expect(first.sends.map(\.payloads) == second.sends.map(\.payloads))
        #expect(first.journal == second.journal)
    }

    @Test("a replay gives the state of every tick, also in the middle of an animation")
    func replay() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        var hashes: [UInt64: UInt64] = [:]
        for (index, ops) in Self.script.enumerated() {
            try room.send(ops, from: editor, sequence: UInt64(index + 1))
            for _ in 0..<4 {
                try room.runTicks()
                hashes[room.tick] = room.session.model.stateHash
            }
        }
        for (tick, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            let replay = try JournalReplay(room.journal, through: tick)
            #expect(replay.timeline.model.stateHash == hash, "tick \(tick)")
        }
    }

    @Test("ops nested as deep as a message may nest them are read back from the journal")
    func deepOps() throws {
        // A list and an object for each of 31 animations, and for the op in the last.
        let text =
            String(repeating: #"[{"op":"animate","duration":0,"ops":"#, count: 31)
            + #"[{"op":"layoutIfNeeded"}]"# + String(repeating: "}]", count: 31)
        let ops = try JSONReader.read(Array(text.utf8))
        #expect(throws: JSONError.self) { try JSONReader.read(Array("[\(text)]".utf8)) }
        let batch = JournalPayload.batch(
            BatchPayload(author: "a", clientSequence: 1, isAtomic: false, ops: ops))
        let record = JournalRecord(
            sequence: 1, epoch: 1, tick: 0, previous: 0, kind: .batch, payload: batch.bytes)
        #expect(try JournalPayload(record) == batch)
    }

    @Test("a failed atomic batch leaves a replay exact")
    func replayAfterRebuild() throws {
        let room = try TestRoom()
        let hashes = try run(room, atomicFailure: true)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == hashes.last)
    }

    @Test(
        "a snapshot after many batches changes nothing for the members, and the replay starts there"
    )
    func snapshots() throws {
        var options = SessionOptions()
        options.snapshotBytes = 1 << 10
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        for index in 1...300 {
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(50 + index)}]"#, from: editor,
                sequence: UInt64(index))
            try room.runTicks()
        }
        let snapshots = room.journal.filter { $0.kind == .snapshot }
        #expect(snapshots.count >= 2)
        #expect(room.width(of: "bar", for: editor) == 350)
        let from = try #require(room.journal.lastIndex { $0.kind == .snapshot })
        let replay = try JournalReplay(Array(room.journal[from...]))
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
    }

    /// The number of edits, one in each tick, after which a room writes a snapshot.
    private func editsToSnapshot(
        incarnation: UInt64, bytes: Int, slice: UInt64
    ) throws -> Int? {
        var options = SessionOptions()
        options.incarnation = incarnation
        options.snapshotBytes = bytes
        let room = try TestRoom(options: options)
        room.session.slice = slice
        let editor = try room.join(1)
        let before = room.journal.count { $0.kind == .snapshot }
        for index in 1...3000 {
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(50 + index % 100)}]"#, from: editor,
                sequence: UInt64(index))
            try room.runTicks()
            if room.journal.count(where: { $0.kind == .snapshot }) > before { return index }
        }
        return nil
    }

    @Test(
        "rooms that are edited alike write their snapshots apart, the last after half as much more",
        arguments: [(bytes: 8 << 10, slice: UInt64.max), (bytes: 1 << 20, slice: 400_000)])
    func snapshotsApart(bytes: Int, slice: UInt64) throws {
        let edits = try [256, 64, 128, 255].map { incarnation in
            try #require(
                try editsToSnapshot(incarnation: incarnation, bytes: bytes, slice: slice))
        }
        for (earlier, later) in zip(edits, edits.dropFirst()) {
            #expect(Double(later - earlier) >= 0.08 * Double(edits[0]), "\(edits)")
        }
        #expect(Double(edits[3]) <= 1.55 * Double(edits[0]), "\(edits)")
    }

    @Test("where refusals have the scene go back again and again, a snapshot makes that short")
    func snapshotsOfRefusals() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        for index in 1...400 {
            // The second op is refused, so that the first has to be taken back.
            let refused = index % 4 == 0 ? #",{"op":"removeView","id":"root"}"# : ""
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(50 + index)}\#(refused)]"#,
                from: editor, sequence: UInt64(index), atomic: true)
            try room.runTicks()
        }
        let snapshots = room.journal.indices.filter { room.journal[$0].kind == .snapshot }
        #expect(snapshots.count >= 3)
        // What the last refusal had repeated.
        #expect(room.journal.count - (snapshots.last ?? 0) < 150)
        #expect(room.width(of: "bar", for: editor) == 449)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
        let count = room.journal.count
        for index in 401...500 {
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":9},{"op":"removeView","id":"root"}]"#,
                from: editor, sequence: UInt64(index), atomic: true)
            try room.runTicks()
        }
        // Refusals alone write nothing, but for the snapshot of what was accepted before them.
        #expect(room.journal.count <= count + 1)
    }

    @Test("a room that comes back goes on under a new epoch, and knows what was applied")
    func restart() throws {
        let room = try TestRoom()
        let hashes = try run(room)
        let back = try TestRoom(replaying: room.journal)
        #expect(back.session.epoch == room.session.epoch + 1)
        try back.runTicks(20)
        #expect(back.session.model.stateHash == hashes.last)
        var resume = Resume()
        resume.session = "session-1"
        resume.token = "token-1"
        #expect(back.session.resumableSession(resume) == "session-1")
        let editor = try back.join(9, session: "session-1")
        // From here on its token is known, and a wrong one proves nothing.
        #expect(back.session.resumableSession(resume) == nil)
        resume.token = "token-9"
        #expect(back.session.resumableSession(resume) == "session-1")
        resume.session = "session-2"
        #expect(back.session.resumableSession(resume) == nil)
        try back.send(#"[{"op":"addView","id":"once"}]"#, from: editor, sequence: 8)
        try back.runTicks()
        #expect(back.mirrors[editor]?.view(id: "once") == nil)
        try back.send(#"[{"op":"addView","id":"once"}]"#, from: editor, sequence: 9)
        try back.runTicks()
        #expect(back.mirrors[editor]?.view(id: "once") != nil)
        let third = try JournalReplay(back.journal)
        #expect(third.timeline.model.stateHash == back.session.model.stateHash)
    }

    @Test("records that do not follow one another are refused")
    func brokenChain() throws {
        let room = try TestRoom()
        _ = try run(room)
        var gap = room.journal
        gap.remove(at: 2)
        #expect(throws: JournalReplay.Failure.self) { _ = try JournalReplay(gap) }
        var flipped = room.journal
        flipped[2].payload[5] ^= 1
        #expect(throws: JournalReplay.Failure.self) { _ = try JournalReplay(flipped) }
        #expect(throws: JournalReplay.Failure.noSnapshot) {
            _ = try JournalReplay(Array(room.journal.dropFirst()))
        }
    }

    @Test("when the store fails, what was not on disk is taken back and the room is read-only")
    func storeFails() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor, sequence: 1)
        try room.runTicks()
        room.isDurable = false
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":200}]"#, from: editor, sequence: 2)
        try room.runTicks()
        #expect(room.width(of: "bar", for: editor) == 200)
        let durable = room.journal.count - 1
        let epoch = room.session.epoch
        try room.handle(.storeFailed("disk full"))
        #expect(room.refusal(editor)?.code == .storeFailed)
        #expect(room.width(of: "bar", for: editor) == 150)
        #expect(room.session.epoch == epoch + 1)
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":250}]"#, from: editor, sequence: 3)
        try room.runTicks()
        #expect(room.refusal(editor)?.code == .storeFailed)
        room.journal.removeSubrange(durable...)
        room.isDurable = true
        try room.handle(.storeRecovered)
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":260}]"#, from: editor, sequence: 4)
        try room.runTicks()
        #expect(room.width(of: "bar", for: editor) == 260)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == room.session.model.stateHash)
    }

    @Test("only the subject that a session was given to resumes it, after a restart too")
    func subjects() throws {
        let room = try TestRoom()
        let editor = try room.join(1, subject: "ada")
        try room.send(#"[{"op":"addView","id":"once"}]"#, from: editor, sequence: 1)
        try room.runTicks()
        var resume = Resume()
        resume.session = "session-1"
        resume.token = "token-1"
        for session in [room.session, try TestRoom(replaying: room.journal).session] {
            #expect(session.resumableSession(resume, of: "ada") == "session-1")
            for other in ["eve", "", "ad", "ada\n"] {
                #expect(session.resumableSession(resume, of: other) == nil)
            }
        }
        // What is digested for ada, sent as if it were a token.
        resume.token = "token-1\nada"
        #expect(room.session.resumableSession(resume) == nil)
        // Who had no subject is known by the token alone.
        _ = try room.join(2)
        resume.session = "session-2"
        resume.token = "token-2"
        #expect(room.session.resumableSession(resume) == "session-2")
        #expect(room.session.resumableSession(resume, of: "ada") == "session-2")
    }

    @Test("nobody resumes a session that was revoked")
    func revocation() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        var resume = Resume()
        resume.session = "session-1"
        resume.token = "token-1"
        room.session.revoke(MemberID(7))
        #expect(room.session.resumableSession(resume) == "session-1")
        room.session.revoke(editor)
        #expect(room.session.resumableSession(resume) == nil)
        resume.token = ""
        #expect(room.session.resumableSession(resume) == nil)
    }

    @Test("who replaced the scene with the first message is known again after a restart")
    func firstMessageIsScene() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let scene =
            #"[{"op":"setScene","scene":1,"viewport":{"width":100,"height":100},"views":[{"id":"only"}]}]"#
        try room.send(scene, from: editor, sequence: 1)
        try room.runTicks()
        var resume = Resume()
        resume.session = "session-1"
        resume.token = "token-1"
        #expect(room.session.resumableSession(resume) == "session-1")
        let back = try TestRoom(replaying: room.journal)
        #expect(back.session.resumableSession(resume) == "session-1")
        // Its result got lost, so it sends the message again: nothing may be done twice.
        let again = try back.join(9, session: "session-1") { $0.resume = resume }
        let count = back.journal.count
        try back.send(scene, from: again, sequence: 1)
        try back.runTicks()
        #expect(back.journal.count == count)
        resume.token = "token-2"
        #expect(back.session.resumableSession(resume) == nil)
    }

    /// Had anything of what was refused stayed, Ada's change would have been laid out before her
    /// block, as another's.
    @Test(
        "a batch that is refused leaves no mark on what others animate, nor in the journal",
        arguments: [
            #"[{"op":"removeView","id":"nobody"}]"#,
            #"[{"op":"animate","duration":0.5,"ops":[{"op":"removeView","id":"nobody"}]}]"#,
        ])
    func refusedBetween(refused: String) throws {
        let room = try TestRoom()
        let ada = try room.join(1)
        let bob = try room.join(2)
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":150}]"#, from: ada, sequence: 1)
        try room.send(refused, from: bob, sequence: 1)
        try room.send(
            #"[{"op":"animate","duration":0.5,"ops":[{"op":"layoutIfNeeded","id":"root"}]}]"#,
            from: ada, sequence: 2)
        try room.runTicks(15)
        let bar = try #require(room.session.model.records().first { $0.id == "bar" })
        #expect(bar.frame.width > 100 && bar.frame.width < 150)
        let replay = try JournalReplay(room.journal, through: room.session.tick)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test(
        "who comes back and asks again has the result, also while the connection that asked first is thought to live"
    )
    func resultForTheSecondConnection() throws {
        let room = try TestRoom()
        let first = try room.join(1)
        room.isDurable = false
        let op = #"[{"op":"setConstraint","id":"w","constant":120}]"#
        try room.send(op, from: first, sequence: 1)
        try room.runTicks()
        let second = try room.join(2, session: "session-1")
        try room.send(op, from: second, sequence: 1)
        try room.runTicks()
        #expect(room.results[second] == nil)
        let last = try #require(room.journal.last)
        try room.handle(.durable(through: last.sequence))
        #expect(room.results[first]?.map(\.clientSequence) == [1])
        #expect(room.results[second]?.map(\.clientSequence) == [1])
        #expect(room.journal.count { $0.kind == .batch } == 1)
    }
}
