import Annotations
import JSON
import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Versions that are brought back")
struct VersionSessionTests {
    private func join(
        _ room: TestRoom, _ number: UInt64, role: Role = .editor,
        rights: MemberRights = MemberRights()
    ) throws -> MemberID {
        try room.join(
            number, role: role, rights: rights,
            capabilities: Capability.annotations | Capability.events | Capability.undo)
    }

    /// - Returns: The code of the refusal; `nil` for what was committed.
    private func send(_ ops: String, from id: MemberID, in room: TestRoom) throws -> RefusalCode? {
        try room.send(ops, from: id, sequence: room.nextSequence(id))
        try room.runTicks(1)
        return code(room.lastResult(id))
    }

    private func code(_ outcome: OpsResult.Outcome?) -> RefusalCode? {
        switch outcome {
        case .refused(let refusal): refusal.code
        case .committed(let commit): commit.refusals.first?.code
        case nil: .badOp
        }
    }

    private let keep = #"[{"op":"addVersion","name":"one","note":"as it was"}]"#
    private let restore = #"[{"op":"restoreVersion","name":"one"}]"#
    /// Changes of every kind, some of which no op takes back.
    private let changes = [
        #"[{"op":"setView","id":"title","text":"other"}]"#,
        #"[{"op":"addView","id":"new","parent":"bar"}]"#,
        #"[{"op":"addGuide","id":"guide","parent":"bar"}]"#,
        #"[{"op":"addConstraint","id":"n","rule":"new.width == 30"}]"#,
        #"[{"op":"setConstraint","id":"w","constant":44}]"#,
        #"[{"op":"setViewport","width":500,"height":300}]"#,
    ]

    @Test("the scene is that of the version, for the room, its members and its journal")
    func restored() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        #expect(try send(keep, from: ann, in: room) == nil)
        let document = room.session.model.document()
        for change in changes { #expect(try send(change, from: bob, in: room) == nil, "\(change)") }
        #expect(room.session.model.document() != document)
        #expect(try send(restore, from: ann, in: room) == nil)
        #expect(room.session.model.document() == document)
        #expect(room.mirrors[bob]?.stateHash == room.session.stateHash)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.document() == document)
        // The version is still there, and so is what was said.
        #expect(room.session.timeline.annotations.version("one")?.note == "as it was")
    }

    @Test("its sender takes it back and makes it again, also after a restart")
    func undone() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        _ = try send(keep, from: ann, in: room)
        let one = room.session.model.document()
        for change in changes { _ = try send(change, from: ann, in: room) }
        let two = room.session.model.document()
        #expect(try send(restore, from: ann, in: room) == nil)
        // Own changes since are taken back first.
        _ = try send(#"[{"op":"setView","id":"title","text":"mine"}]"#, from: ann, in: room)
        #expect(code(try room.undo(ann)) == nil)
        #expect(room.session.model.document() == one)
        let again = try SceneSession(
            room: "again", tickRate: 60, replay: JournalReplay(room.journal))
        let kept = again.wake()?.ledger
        #expect(kept?.people == room.session.timeline.ledger.people)
        #expect(code(try room.undo(ann)) == nil)
        #expect(room.session.model.document() == two)
        #expect(try JournalReplay(room.journal).timeline.model.document() == two)
        #expect(code(try room.redo(ann)) == nil)
        #expect(room.session.model.document() == one)
        #expect(code(try room.undo(ann)) == nil)
        #expect(room.session.model.document() == two)
        // Steps before the version came back are gone.
        #expect(code(try room.undo(ann)) == .conflict)
        #expect(room.session.model.document() == two)
    }

    @Test("what others changed since is not lost: the step is dropped, also in the journal")
    func conflict() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        _ = try send(keep, from: ann, in: room)
        _ = try send(changes[0], from: ann, in: room)
        #expect(try send(restore, from: ann, in: room) == nil)
        _ = try send(#"[{"op":"setView","id":"title","text":"Bob's"}]"#, from: bob, in: room)
        let document = room.session.model.document()
        #expect(code(try room.undo(ann)) == .conflict)
        #expect(room.refusal(ann)?.message.contains("others") == true)
        #expect(room.session.model.document() == document)
        // Bob takes his back, and Ann's step is gone all the same.
        #expect(code(try room.undo(bob)) == nil)
        #expect(code(try room.undo(ann)) == .conflict)
        #expect(room.refusal(ann)?.message.contains("nothing") == true)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.document() == room.session.model.document())
    }

    @Test("a change that its author took back stands in nobody's way")
    func changeTakenBack() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        _ = try send(keep, from: ann, in: room)
        _ = try send(changes[0], from: ann, in: room)
        let before = room.session.model.document()
        _ = try send(restore, from: ann, in: room)
        _ = try send(#"[{"op":"setView","id":"title","text":"Bob's"}]"#, from: bob, in: room)
        #expect(code(try room.undo(bob)) == nil)
        #expect(code(try room.undo(ann)) == nil)
        #expect(room.session.model.document() == before)
    }

    @Test("a member that may not change all of the scene brings nothing back")
    func refused() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let part = try join(room, 2, role: .participant)
        var rights = MemberRights()
        rights.edit = ViewPatterns(["bar", "bar/*"])
        let limited = try join(room, 3, rights: rights)
        let bob = try join(room, 4)
        _ = try send(keep, from: ann, in: room)
        _ = try send(changes[0], from: ann, in: room)
        let hash = room.session.stateHash
        #expect(try send(restore, from: part, in: room) == .forbidden)
        #expect(try send(restore, from: limited, in: room) == .forbidden)
        #expect(
            try send(#"[{"op":"restoreVersion","name":"two"}]"#, from: ann, in: room)
                == .unknownVersion)
        #expect(try send(#"[{"op":"restoreVersion"}]"#, from: ann, in: room) == .badOp)
        for beside in [keep, #"[{"op":"unlock","view":"bar"}]"#] {
            let ops = restore.dropLast() + "," + beside.dropFirst()
            #expect(try send(String(ops), from: ann, in: room) == .badOp)
        }
        #expect(try send(#"[{"op":"lock","view":"bar"}]"#, from: ann, in: room) == nil)
        #expect(try send(restore, from: bob, in: room) == .locked)
        #expect(room.session.stateHash == hash)
        #expect(try send(restore, from: ann, in: room) == nil)
    }

    @Test("one that waits beside other messages is decided in a tick of its own")
    func alone() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        _ = try send(keep, from: ann, in: room)
        let one = room.session.model.document()
        _ = try send(changes[0], from: ann, in: room)
        try room.send(changes[1], from: bob, sequence: room.nextSequence(bob))
        try room.send(restore, from: ann, sequence: room.nextSequence(ann))
        try room.runTicks(3)
        #expect(code(room.lastResult(ann)) == nil)
        #expect(code(room.lastResult(bob)) == nil)
        #expect(room.session.model.document() == one)
        #expect(try JournalReplay(room.journal).timeline.model.document() == one)
    }

    @Test("a scene that is too large for the work of a message is not brought back")
    func price() throws {
        let before = try TestRoom()
        let author = try join(before, 1)
        _ = try send(keep, from: author, in: before)
        _ = try send(changes[0], from: author, in: before)
        var options = SessionOptions()
        options.work = WorkBudget(op: .max, message: 8000, tick: .max, second: .max)
        let room = try TestRoom(replaying: before.journal, options: options)
        let ann = try join(room, 2)
        let hash = room.session.stateHash
        #expect(try send(restore, from: ann, in: room) == .tooExpensive)
        #expect(room.session.stateHash == hash)
    }
}
