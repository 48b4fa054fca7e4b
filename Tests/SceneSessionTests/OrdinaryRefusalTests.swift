import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("What an ordinary mistake costs")
struct OrdinaryRefusalTests {
    /// A room with two hundred views and as many edits of somebody else since its last snapshot.
    private func room() throws -> (TestRoom, MemberID) {
        var options = SessionOptions()
        options.snapshotBytes = .max / 2
        options.replayDivisor = 1
        let room = try TestRoom(options: options)
        let other = try room.join(1)
        try room.apply(
            "["
                + (0..<200).map {
                    #"{"op":"addView","id":"v\#($0)"},{"op":"addConstraint","id":"c\#($0)","rule":"v\#($0).width == bar.width + \#($0)"}"#
                }.joined(separator: ",") + "]", from: other)
        for index in 0..<100 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: other)
        }
        return (room, try room.join(2))
    }

    @Test("a name that does not exist costs what reading the batch does")
    func names() throws {
        let (room, editor) = try room()
        let (before, state) = (room.session.totalWork, room.session.stateHash)
        try room.apply(
            #"[{"op":"setConstraint","id":"w","constant":5},{"op":"setView","id":"gone","opacity":1}]"#,
            from: editor, atomic: true)
        let result = try #require(room.results[editor]?.last)
        guard case .refused(let refusal) = result.outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(refusal.code == .unknownView && refusal.opIndex == 1)
        #expect(result.work ?? 0 > 0 && result.work ?? 0 < 10_000)
        #expect(room.session.totalWork - before < 10_000)
        #expect(room.session.stateHash == state)
    }

    @Test(
        "what others have done since the last snapshot is not told as the work of one who contradicts"
    )
    func contradictions() throws {
        let (room, editor) = try room()
        let before = room.session.totalWork
        try room.apply(
            #"[{"op":"addConstraint","id":"x","rule":"bar.width == 3"},{"op":"setConstraint","id":"c1","constant":2}]"#,
            from: editor, atomic: true)
        let result = try #require(room.results[editor]?.last)
        guard case .refused(let refusal) = result.outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(refusal.code == .unsatisfiable)
        // The room has paid for building the scene again.
        let spent = room.session.totalWork - before
        #expect(spent > 200_000 && result.work ?? .max < spent / 4)
    }
}
