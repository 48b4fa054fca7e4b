import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

/// A room whose journal lies in a cluster: what it may say before the journal has proved that it is
/// its to say.
@Suite("A room in a cluster")
struct ClusterSessionTests {
    private static var options: SessionOptions {
        var options = SessionOptions()
        options.provesAnswers = true
        return options
    }

    private static let width = #"[{"op":"setConstraint","id":"w","constant":150}]"#
    private static let nonsense = #"[{"op":"setConstraint","id":"nowhere","constant":1}]"#

    private func room() throws -> TestRoom {
        let room = try TestRoom(options: Self.options)
        room.isDurable = false
        return room
    }

    private func refusal(_ result: OpsResult?) -> RefusalCode? {
        guard case .refused(let refusal)? = result?.outcome else { return nil }
        return refusal.code
    }

    @Test("a refusal leaves once the room is proved, and no sooner")
    func refusalWaits() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.send(Self.nonsense, from: editor, sequence: 1)
        try room.runTicks()
        #expect(room.results[editor] == nil)
        #expect(room.proofs == [1])
        // The same message again is not answered in another way, nor asked to be proved again.
        try room.send(Self.nonsense, from: editor, sequence: 1)
        try room.runTicks()
        #expect(room.results[editor] == nil)
        #expect(room.proofs == [1])
        try room.handle(.proved(through: 1))
        #expect(room.results[editor]?.map(\.clientSequence) == [1])
        #expect(refusal(room.results[editor]?.first) == .unknownConstraint)
        // It is remembered.
        try room.send(Self.nonsense, from: editor, sequence: 1)
        try room.runTicks()
        #expect(room.results[editor]?.count == 2)
    }

    @Test("a record proves itself: what is committed leaves once it is kept")
    func commitWaits() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.send(Self.width, from: editor, sequence: 1)
        try room.runTicks()
        #expect(room.results[editor] == nil)
        #expect(room.proofs == [])
        try room.handle(.durable(through: UInt64(room.journal.count)))
        #expect(room.results[editor]?.map(\.clientSequence) == [1])
    }

    @Test("while the journal stalls, a new op is refused at once and nothing that waits is")
    func stalled() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.send(Self.width, from: editor, sequence: 1)
        try room.runTicks()
        let records = room.journal.count
        try room.handle(.journalStalled("no leader"))
        try room.send(Self.width, from: editor, sequence: 2)
        #expect(room.results[editor]?.map(\.clientSequence) == [2])
        #expect(refusal(room.results[editor]?.first) == .storeFailed)
        // The one that waits is neither refused when it comes again, nor rewound.
        try room.send(Self.width, from: editor, sequence: 1)
        try room.runTicks(3)
        #expect(room.results[editor]?.count == 1)
        #expect(room.journal.count == records)
        try room.handle(.journalResumed)
        try room.handle(.durable(through: UInt64(records)))
        #expect(room.results[editor]?.map(\.clientSequence) == [2, 1])
        // What was refused for the moment may be sent again.
        room.isDurable = true
        try room.send(Self.width, from: editor, sequence: 2)
        try room.runTicks()
        #expect(room.results[editor]?.map(\.clientSequence) == [2, 1, 2])
        #expect(refusal(room.results[editor]?.last) == nil)
    }

    @Test(
        "a member that came back is not refused while the journal stalls: another node may have its op"
    )
    func stalledForReturning() throws {
        let room = try room()
        let editor = try room.join(1) { hello in
            hello.resume = Resume()
            hello.resume?.session = "of another node"
        }
        try room.handle(.journalStalled("no leader"))
        try room.send(Self.width, from: editor, sequence: 7)
        try room.runTicks(5)
        #expect(room.results[editor] == nil)
        let records = room.journal.count
        room.isDurable = true
        try room.handle(.journalResumed)
        try room.runTicks()
        #expect(room.journal.count == records + 1)
        #expect(room.results[editor]?.map(\.clientSequence) == [7])
    }

    @Test(
        "a room that is about to move ticks on and decides nothing; if it stays, what waited is decided"
    )
    func held() throws {
        let room = try room()
        room.isDurable = true
        let editor = try room.join(1)
        try room.send(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor, sequence: 1)
        try room.runTicks(10)
        let records = room.journal.count
        try room.handle(.journalHeld(true))
        try room.send(#"[{"op":"addView","id":"late"}]"#, from: editor, sequence: 2)
        let before = try #require(room.width(of: "bar", for: editor))
        try room.runTicks(10)
        #expect(try #require(room.width(of: "bar", for: editor)) > before)
        #expect(room.mirrors[editor]?.view(id: "late") == nil)
        #expect(room.journal.count == records)
        #expect(room.results[editor]?.map(\.clientSequence) == [1])
        try room.handle(.journalHeld(false))
        try room.runTicks()
        #expect(room.mirrors[editor]?.view(id: "late") != nil)
        #expect(room.results[editor]?.map(\.clientSequence) == [1, 2])
        #expect(room.journal.count == records + 1)
    }

    @Test(
        "a room that another process serves sends some members there, and ticks on for the others, who are not told that these left"
    )
    func moved() throws {
        let room = try room()
        room.isDurable = true
        let editor = try room.join(1)
        let viewer = try room.join(2)
        try room.send(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor, sequence: 1)
        try room.runTicks(10)
        try room.handle(.journalHeld(true))
        let presences = room.received[viewer, default: []].count {
            if case .presence = $0 { true } else { false }
        }
        try room.handle(.journalMoved([editor], "the room is served at ws://n2"))
        #expect(room.closed == [editor: .draining])
        #expect(room.session.members == [viewer])
        try room.handle(.left(editor))
        let before = try #require(room.width(of: "bar", for: viewer))
        try room.runTicks(10)
        #expect(try #require(room.width(of: "bar", for: viewer)) > before)
        #expect(
            room.received[viewer, default: []].count {
                if case .presence = $0 { true } else { false }
            } == presences)
    }

    @Test(
        "a room that is lost tells its members to come back elsewhere, and answers nothing that waits"
    )
    func lost() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.send(Self.width, from: editor, sequence: 1)
        try room.send(Self.nonsense, from: editor, sequence: 2)
        try room.runTicks()
        try room.handle(.journalLost("the room is served at ws://n2"))
        #expect(room.closed[editor] == .draining)
        let errors = room.received[editor, default: []].compactMap { message -> ErrorMessage? in
            if case .error(let error) = message { error } else { nil }
        }
        #expect(errors.map(\.code) == [4030])
        #expect(errors.map(\.text) == ["the room is served at ws://n2"])
        try room.handle(.durable(through: 10))
        try room.handle(.proved(through: 10))
        #expect(room.results[editor] == nil)
    }

    @Test("a client's sequences are known from the journal however many it had under way")
    func manyUnderWay() throws {
        let room = try TestRoom(options: Self.options)
        let editor = try room.join(1)
        for sequence in UInt64(1)...200 {
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(sequence)}]"#, from: editor,
                sequence: sequence)
            try room.runTicks()
        }
        // By the batches, and by a snapshot that comes after them.
        try room.handle(.retire)
        for records in [Array(room.journal.dropLast()), room.journal] {
            let replay = try JournalReplay(records, options: Self.options)
            let name = try #require(replay.clients.names.last)
            let history = try #require(replay.clients[name])
            #expect((UInt64(1)...200).allSatisfy { history.kept.contains($0) })
            #expect(!history.kept.contains(201))
        }
    }

    @Test("ranges of numbers merge, in any order, and forget the earliest")
    func ranges() {
        var ranges = SequenceRanges()
        for number: UInt64 in [5, 1, 3, 2, 9, 4] { ranges.insert(number) }
        #expect(ranges.ranges == [1...5, 9...9])
        ranges.insert(6...8)
        #expect(ranges.ranges == [1...9])
        ranges.insert(.max)
        ranges.insert(0)
        #expect(ranges.ranges == [0...9, .max ... .max])
        for number in UInt64(10)...100 { ranges.insert(number * 10) }
        #expect(ranges.ranges.count == SequenceRanges.countMaximum)
        #expect(!ranges.contains(0))
        #expect(ranges.contains(1000))
    }
}
