import Annotations
import JSON
import SceneDocument
import SceneModel
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

@Suite("Comments, locks and versions of a room")
struct AnnotationSessionTests {
    private func join(
        _ room: TestRoom, _ number: UInt64, role: Role = .editor, subject: String = "",
        rights: MemberRights = MemberRights()
    ) throws -> MemberID {
        try room.join(
            number, role: role, subject: subject, rights: rights,
            capabilities: Capability.annotations | Capability.events | Capability.undo)
    }

    private func table(_ room: TestRoom, _ id: MemberID) -> AnnotationTable {
        var table = AnnotationTable()
        for case .annotations(let message) in room.received[id] ?? [] { table.apply(message) }
        return table
    }

    /// Sends ops and runs a tick.
    ///
    /// - Returns: The code of the refusal, `nil` for what was committed without any.
    private func send(
        _ ops: String, from id: MemberID, _ sequence: UInt64, in room: TestRoom,
        atomic: Bool = false
    ) throws -> RefusalCode? {
        try room.send(ops, from: id, sequence: sequence, atomic: atomic)
        try room.runTicks(1)
        let result = try #require(room.results[id]?.last { $0.clientSequence == sequence })
        switch result.outcome {
        case .refused(let refusal): return refusal.code
        case .committed(let commit): return commit.refusals.first?.code
        }
    }

    @Test("everything is told whole to who comes, and each change with its tick")
    func telling() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        #expect(room.received[ann]?.contains { $0.isWholeAnnotations } == true)
        let hash = room.session.stateHash
        let refusal = try send(
            #"[{"op":"addComment","id":"t","view":"title","place":[0.5,1],"text":"<b>Big</b>er?"}]"#,
            from: ann, 1, in: room)
        #expect(refusal == nil)
        #expect(table(room, ann)[.comment, "t.1"]?["text"] == .string("<b>Big</b>er?"))
        #expect(table(room, ann)[.thread, "t"]?["view"] == .string("title"))
        #expect(room.session.stateHash == hash)
        let bob = try join(room, 2)
        #expect(table(room, bob) == table(room, ann))
        // One that did not ask for it is told nothing.
        let old = try room.join(3)
        #expect(room.received[old]?.contains { $0.isAnnotations } == false)
        #expect(
            try send(#"[{"op":"replyComment","id":"t","text":"Yes"}]"#, from: bob, 1, in: room)
                == nil)
        #expect(table(room, ann)[.comment, "t.2"]?["text"] == .string("Yes"))
        #expect(
            table(room, ann)[.comment, "t.2"]?["author"]?["person"]
                != table(room, ann)[.comment, "t.1"]?["author"]?["person"])
        #expect(room.received[old]?.contains { $0.isAnnotations } == false)
    }

    @Test("only its author changes a comment; the last one takes the thread with it")
    func authors() throws {
        let room = try TestRoom()
        let ann = try join(room, 1, subject: "ann")
        let bob = try join(room, 2, subject: "bob")
        _ = try send(
            #"[{"op":"addComment","id":"t","view":"bar","text":"one","mentions":["bob"]}]"#,
            from: ann, 1, in: room)
        #expect(
            try send(
                #"[{"op":"editComment","id":"t","number":1,"text":"two"}]"#, from: bob, 1, in: room)
                == .forbidden)
        #expect(
            try send(#"[{"op":"removeComment","id":"t","number":1}]"#, from: bob, 2, in: room)
                == .forbidden)
        // The same person in another connection.
        let again = try join(room, 3, subject: "ann")
        #expect(
            try send(
                #"[{"op":"editComment","id":"t","number":1,"text":"two"}]"#, from: again, 1,
                in: room) == nil)
        #expect(table(room, bob)[.comment, "t.1"]?["text"] == .string("two"))
        #expect(table(room, bob)[.comment, "t.1"]?["author"]?["subject"] == .string("ann"))
        #expect(
            try send(#"[{"op":"removeComment","id":"t","number":1}]"#, from: ann, 2, in: room)
                == nil)
        #expect(table(room, bob).isEmpty)
        #expect(
            try send(#"[{"op":"resolveComment","id":"t"}]"#, from: ann, 3, in: room)
                == .unknownComment)
    }

    @Test("what a lock covers is refused to others, by name, and not to its holder")
    func locks() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        #expect(
            try send(#"[{"op":"lock","view":"bar","note":"new header"}]"#, from: ann, 1, in: room)
                == nil)
        let ops = [
            #"[{"op":"setView","id":"title","text":"x"}]"#, #"[{"op":"removeView","id":"bar"}]"#,
            #"[{"op":"addView","id":"n","parent":"title"}]"#,
            #"[{"op":"moveView","id":"title","parent":"root"}]"#,
            #"[{"op":"setConstraint","id":"w","constant":5}]"#,
            #"[{"op":"addConstraint","rule":"title.width == 5"}]"#,
            #"[{"op":"activateSet","id":"wide"}]"#,
            #"[{"op":"lock","view":"bar"}]"#, #"[{"op":"unlock","view":"bar"}]"#,
            #"[{"op":"setScene","scene":1,"viewport":{"width":1,"height":1}}]"#,
            #"[{"op":"animate","duration":1,"ops":[{"op":"setView","id":"title","text":"x"}]}]"#,
        ]
        for (index, op) in ops.enumerated() {
            #expect(try send(op, from: bob, UInt64(index + 1), in: room) == .locked, "\(op)")
        }
        guard case .refused(let refusal)? = room.results[bob]?.first?.outcome else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.message.contains("new header"))
        #expect(try send(ops[0], from: ann, 2, in: room) == nil)
        // Elsewhere everybody may do what they did.
        #expect(
            try send(#"[{"op":"addView","id":"other"}]"#, from: bob, 20, in: room) == nil)
        #expect(try send(#"[{"op":"unlock","view":"bar"}]"#, from: ann, 3, in: room) == nil)
        #expect(try send(ops[0], from: bob, 21, in: room) == nil)
    }

    private func request(_ sequence: UInt64) -> UndoRequest {
        var request = UndoRequest()
        request.clientSequence = sequence
        return request
    }

    @Test("a step within a locked view is not taken back by another person")
    func undo() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        _ = try send(#"[{"op":"setView","id":"title","text":"b"}]"#, from: bob, 1, in: room)
        _ = try send(#"[{"op":"lock","view":"bar"}]"#, from: ann, 1, in: room)
        let hash = room.session.stateHash
        try room.handle(.received(bob, .undo(request(2))))
        try room.runTicks(1)
        guard case .refused(let refusal)? = room.results[bob]?.last?.outcome else {
            Issue.record("the step was taken back")
            return
        }
        #expect(refusal.code == .locked)
        #expect(room.session.stateHash == hash)
        _ = try send(#"[{"op":"unlock","view":"bar"}]"#, from: ann, 2, in: room)
        try room.handle(.received(bob, .undo(request(3))))
        try room.runTicks(1)
        guard case .committed? = room.results[bob]?.last?.outcome else {
            Issue.record("the step is lost")
            return
        }
    }

    @Test("a lock ends when its holder has been away for its seconds, also over a restart")
    func expiry() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let bob = try join(room, 2)
        _ = try send(#"[{"op":"lock","view":"bar","seconds":2}]"#, from: ann, 1, in: room)
        try room.handle(.left(ann))
        try room.runTicks(60)
        // It comes back in time, under another number.
        let again = try join(room, 3, session: "session-1")
        try room.runTicks(300)
        #expect(table(room, bob)[.lock, "bar"] != nil)
        try room.handle(.left(again))
        try room.runTicks(119)
        #expect(table(room, bob)[.lock, "bar"] != nil)
        try room.runTicks(2)
        #expect(table(room, bob)[.lock, "bar"] == nil)

        _ = try send(#"[{"op":"lock","view":"title","seconds":2}]"#, from: bob, 1, in: room)
        let restarted = try TestRoom(replaying: room.journal)
        let cyd = try join(restarted, 4)
        #expect(table(restarted, cyd)[.lock, "title"] != nil)
        try restarted.runTicks(121)
        #expect(table(restarted, cyd)[.lock, "title"] == nil)
    }

    private func join(_ room: TestRoom, _ number: UInt64, session: String) throws -> MemberID {
        try room.join(number, session: session, capabilities: Capability.annotations)
    }

    @Test("a member changes and handles only what its rights include")
    func rights() throws {
        let room = try TestRoom()
        var rights = MemberRights()
        rights.edit = ViewPatterns(["bar/*"])
        rights.handle = ViewPatterns(["title"])
        let ann = try join(room, 1, rights: rights)
        #expect(
            try send(#"[{"op":"setView","id":"title","text":"x"}]"#, from: ann, 1, in: room) == nil)
        #expect(
            try send(#"[{"op":"addView","id":"n","parent":"bar"}]"#, from: ann, 2, in: room) == nil)
        // What is below a view is placed in it.
        #expect(
            try send(
                #"[{"op":"addConstraint","rule":"n.leading == bar.leading"}]"#, from: ann, 3,
                in: room) == nil)
        let refused = [
            #"[{"op":"setView","id":"bar","hidden":true}]"#, #"[{"op":"addView","id":"m"}]"#,
            #"[{"op":"removeView","id":"bar"}]"#, #"[{"op":"setViewport","width":5}]"#,
            #"[{"op":"setConstraint","id":"w","constant":5}]"#,
            #"[{"op":"moveView","id":"n","parent":"root"}]"#,
            #"[{"op":"setScene","scene":1,"viewport":{"width":1,"height":1}}]"#,
        ]
        for (index, op) in refused.enumerated() {
            #expect(try send(op, from: ann, UInt64(index + 4), in: room) == .forbidden, "\(op)")
        }
        var request = HandleRequest()
        request.roots = ["bar"]
        try room.handle(.received(ann, .handle(request)))
        #expect(
            room.received[ann]?.contains {
                if case .error(let error) = $0 { error.code == 4003 } else { false }
            } == true)
    }

    @Test("participants comment, and do nothing else; viewers say nothing")
    func roles() throws {
        let room = try TestRoom()
        let guest = try join(room, 1, role: .participant)
        let viewer = try join(room, 2, role: .viewer)
        let comment = #"[{"op":"addComment","id":"t","view":"bar","text":"x"}]"#
        #expect(try send(comment, from: viewer, 1, in: room) == .forbidden)
        #expect(try send(comment, from: guest, 1, in: room) == nil)
        #expect(
            try send(#"[{"op":"lock","view":"bar"}]"#, from: guest, 2, in: room) == .forbidden)
        #expect(
            try send(#"[{"op":"addVersion","name":"v"}]"#, from: guest, 3, in: room) == .forbidden)
    }

    @Test("an administrator breaks locks and removes comments")
    func administrator() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        var rights = MemberRights()
        rights.isAdministrator = true
        let root = try join(room, 2, rights: rights)
        _ = try send(
            #"[{"op":"lock","view":"bar"},{"op":"addComment","id":"t","view":"bar","text":"x"}]"#,
            from: ann, 1, in: room)
        #expect(
            try send(
                #"[{"op":"unlock","view":"bar"},{"op":"removeComment","id":"t","number":1}]"#,
                from: root, 1, in: room) == nil)
        #expect(table(room, ann).isEmpty)
    }

    @Test(
        "what is wrong is refused, and leaves nothing",
        arguments: [
            (#"{"op":"addComment","id":"t","view":"none","text":"x"}"#, RefusalCode.unknownView),
            (#"{"op":"addComment","id":"t","constraint":"none","text":"x"}"#, .unknownConstraint),
            (#"{"op":"addComment","id":"t","view":"bar","constraint":"w","text":"x"}"#, .badOp),
            (#"{"op":"addComment","id":"t","view":"bar"}"#, .badOp),
            (#"{"op":"addComment","id":"t","view":"bar","text":"  "}"#, .badValue),
            (#"{"op":"addComment","id":"t","view":"bar","text":"a\u0000"}"#, .badValue),
            (#"{"op":"addComment","id":"t","view":"bar","text":"x","place":[2,0]}"#, .badValue),
            (#"{"op":"addComment","id":"no name","view":"bar","text":"x"}"#, .badValue),
            (#"{"op":"replyComment","id":"t","text":"x"}"#, .unknownComment),
            (#"{"op":"lock","view":"none"}"#, .unknownView),
            (#"{"op":"lock","view":"bar","seconds":-1}"#, .badValue),
            (#"{"op":"lock","view":"bar","colour":"red"}"#, .badOp),
            (#"{"op":"unlock","view":"bar"}"#, .conflict),
            (#"{"op":"addVersion","name":""}"#, .badValue),
            (#"{"op":"removeVersion","name":"v"}"#, .unknownVersion),
        ])
    func refusals(op: String, code: RefusalCode) throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let count = room.journal.count
        #expect(try send("[\(op)]", from: ann, 1, in: room) == code)
        #expect(table(room, ann).isEmpty)
        #expect(room.journal.count == count)
    }

    @Test("texts of 64 KB and the 2,001st thread are refused with limit")
    func limits() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let long = String(repeating: "x", count: 65_000)
        #expect(
            try send(
                #"[{"op":"addComment","id":"t","view":"bar","text":"\#(long)"}]"#, from: ann, 1,
                in: room) == .limit)
        for part in 0..<20 {
            let ops = (0..<100).map {
                #"{"op":"addComment","id":"t\#(part * 100 + $0)","view":"bar","text":"x"}"#
            }.joined(separator: ",")
            #expect(try send("[\(ops)]", from: ann, UInt64(part + 2), in: room) == nil)
        }
        #expect(
            try send(
                #"[{"op":"addComment","id":"more","view":"bar","text":"x"}]"#, from: ann, 30,
                in: room) == .limit)
        // Half a kilobyte for each comment, with its thread.
        #expect(room.session.countMemory().annotations < 1 << 20)
        let late = try join(room, 2)
        #expect(table(room, late).all(.thread).count == 2000)
    }

    @Test("an atomic message is taken whole or not at all, another in part")
    func atomicity() throws {
        let room = try TestRoom()
        let ann = try join(room, 1)
        let ops = #"[{"op":"lock","view":"bar"},{"op":"lock","view":"none"}]"#
        #expect(try send(ops, from: ann, 1, in: room, atomic: true) == .unknownView)
        #expect(table(room, ann).isEmpty)
        #expect(try send(ops, from: ann, 2, in: room) == .unknownView)
        #expect(table(room, ann)[.lock, "bar"] != nil)
        #expect(
            try send(
                #"[{"op":"unlock","view":"bar"},{"op":"addView","id":"n"}]"#, from: ann, 3,
                in: room) == .badOp)
        #expect(table(room, ann).isEmpty)
        #expect(
            try send(
                #"[{"op":"addView","id":"m"},{"op":"lock","view":"m"}]"#, from: ann, 4, in: room)
                == .badOp)
    }

    @Test("a version has the scene as it was, and is kept by snapshots, exports and rest")
    func versions() throws {
        var options = SessionOptions()
        options.freezeSeconds = 1
        let room = try TestRoom(options: options)
        let ann = try join(room, 1)
        let before = room.session.model.document()
        _ = try send(#"[{"op":"addVersion","name":"first","note":"n"}]"#, from: ann, 1, in: room)
        #expect(
            try send(#"[{"op":"addVersion","name":"first"}]"#, from: ann, 2, in: room)
                == .duplicateID)
        _ = try send(
            #"[{"op":"setView","id":"title","text":"later"},{"op":"removeView","id":"bar"}]"#,
            from: ann, 3, in: room)
        _ = try send(#"[{"op":"lock","view":"root"}]"#, from: ann, 4, in: room)
        #expect(try room.session.annotations?.version("first")?.scene.document() == before)
        let record = try #require(room.session.exportedRecord())
        let exported = try TestRoom(replaying: [record])
        #expect(try exported.session.annotations?.version("first")?.scene.document() == before)
        #expect(exported.session.annotations?.locks.isEmpty == true)
        // At rest, what was said is told without the scene.
        try room.runTicks(700)
        try room.handle(.freeze)
        try room.runTicks(1)
        try room.handle(.freeze)
        #expect(room.session.isFrozen)
        let bob = try join(room, 2)
        #expect(room.session.isFrozen)
        #expect(table(room, bob) == table(room, ann))
    }

    @Test("a replay of the journal says what was said, in any order of ops, snapshots and restarts")
    func replayPropertyTests() throws {
        var random = SplitMix64(seed: 66)
        for _ in 0..<60 {
            var options = SessionOptions()
            options.snapshotBytes = 1 + random.below(4000)
            options.snapshotGrowth = 0
            let room = try TestRoom(options: options)
            var time: Int64 = 1_700_000_000_000
            room.session.wallClock = {
                time += 1
                return time
            }
            let members = try [
                join(room, 1), join(room, 2, subject: "bob"), join(room, 3, role: .participant),
            ]
            for step in 1...40 {
                let ops = (0...random.below(3)).map { _ in Self.randomOp(&random) }
                _ = try send(
                    "[\(ops.joined(separator: ","))]", from: members[random.below(3)],
                    UInt64(step), in: room, atomic: random.below(3) == 0)
            }
            let told = table(room, members[0])
            let again = try TestRoom(replaying: room.journal)
            let late = try join(again, 9)
            #expect(table(again, late).changes == told.changes)
            let mine = try #require(room.session.annotations)
            var copy = try Annotations(mine.json)
            #expect(copy.takeChanges().isEmpty)
            #expect(copy.json == mine.json)
            #expect(copy.byteCount == mine.byteCount)
            #expect(copy.commentCount == mine.commentCount)
        }
    }

    private static func randomOp(_ random: inout SplitMix64) -> String {
        let id = "t\(random.below(4))"
        let number = 1 + random.below(3)
        let view = ["bar", "title", "root", "none"][random.below(4)]
        return switch random.below(13) {
        case 0, 1: #"{"op":"addComment","id":"\#(id)","view":"\#(view)","text":"a \#(number)"}"#
        case 2, 3: #"{"op":"replyComment","id":"\#(id)","text":"b","mentions":["bob"]}"#
        case 4: #"{"op":"editComment","id":"\#(id)","number":\#(number),"text":"c"}"#
        case 5: #"{"op":"removeComment","id":"\#(id)","number":\#(number)}"#
        case 6: #"{"op":"resolveComment","id":"\#(id)"}"#
        case 7: #"{"op":"reopenComment","id":"\#(id)"}"#
        case 8: #"{"op":"reactComment","id":"\#(id)","number":\#(number),"reaction":"👍"}"#
        case 9:
            #"{"op":"reactComment","id":"\#(id)","number":\#(number),"reaction":"👍","remove":true}"#
        case 10: #"{"op":"lock","view":"\#(view)","note":"n"}"#
        case 11: #"{"op":"unlock","view":"\#(view)"}"#
        default: #"{"op":"addVersion","name":"v\#(random.below(5))"}"#
        }
    }
}

extension ServerMessage {
    fileprivate var isAnnotations: Bool {
        if case .annotations = self { true } else { false }
    }

    fileprivate var isWholeAnnotations: Bool {
        if case .annotations(let message) = self { message.isWhole } else { false }
    }
}
