import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Work has a price, and what is too dear is as if it had never come")
struct WorkBudgetTests {
    private static let poor = options(op: 20_000, message: 20_000, tick: 60_000, second: 6_000_000)
    /// A text whose bytes alone cost more than `poor` allows for a message.
    private static let dear =
        #"[{"op":"setView","id":"title","text":"\#(String(repeating: "word ", count: 4000))"}]"#

    private static func options(
        op: UInt64, message: UInt64, tick: UInt64, second: UInt64
    ) -> SessionOptions {
        var options = SessionOptions()
        options.work = WorkBudget(op: op, message: message, tick: tick, second: second)
        return options
    }

    private func refusal(_ result: OpsResult?) -> Refusal? {
        if case .refused(let refusal)? = result?.outcome { refusal } else { nil }
    }

    private func isCommitted(_ result: OpsResult?) -> Bool {
        if case .committed? = result?.outcome { true } else { false }
    }

    @Test("a member is told what work may cost, and what each message took")
    func told() throws {
        let room = try TestRoom(options: Self.poor)
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let welcome = try #require(
            room.received[editor]?.compactMap { message -> Welcome? in
                if case .welcome(let welcome) = message { welcome } else { nil }
            }.first)
        #expect(welcome.work == Self.poor.work)
        let work = try #require(room.results[editor]?.last?.work)
        // A message costs 3,000 units and its op 400 at least, and this one little more.
        #expect(work >= 3400 && work < 7000)
    }

    @Test("an op beyond its budget is refused, and writes nothing", arguments: [false, true])
    func refused(isAtomic: Bool) throws {
        let room = try TestRoom(options: Self.poor)
        let editor = try room.join(1)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let (count, hash) = (room.journal.count, room.session.model.stateHash)
        let document = room.session.model.document()
        try room.apply(Self.dear, from: editor, atomic: isAtomic)
        let refused = try #require(refusal(room.results[editor]?.last))
        #expect(refused.code == .tooExpensive)
        #expect((room.results[editor]?.last?.work ?? 0) >= 20_000)
        #expect(room.journal.count == count)
        #expect(room.session.model.stateHash == hash)
        #expect(room.session.model.document() == document)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":130}]"#, from: editor)
        #expect(room.width(of: "bar", for: editor) == 130)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test("what others changed in the tick of a message that was too dear stays")
    func others() throws {
        let room = try TestRoom(options: Self.poor)
        let (ada, bob) = (try room.join(1), try room.join(2))
        try room.send(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: ada, sequence: 1)
        try room.send(Self.dear, from: bob, sequence: 1)
        try room.send(#"[{"op":"addView","id":"after"}]"#, from: ada, sequence: 2)
        try room.runTicks(3)
        #expect(room.results[ada]?.count == 2)
        #expect(room.results[ada]?.allSatisfy { isCommitted($0) } == true)
        #expect(refusal(room.results[bob]?.last)?.code == .tooExpensive)
        #expect(room.width(of: "bar", for: bob) == 150)
        #expect(room.mirrors[bob]?.number(id: "after") != nil)
        #expect(room.mirrors[bob]?.stateHash == room.session.model.stateHash)
    }

    @Test("an atomic message that is refused half-way writes nothing and keeps what is animated")
    func atomic() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor)
        try room.runTicks(10)
        let count = room.journal.count
        let width = room.width(of: "bar", for: editor)
        try room.apply(
            #"[{"op":"addView","id":"z"},{"op":"removeView","id":"nobody"}]"#, from: editor,
            atomic: true)
        #expect(refusal(room.results[editor]?.last)?.code == .unknownView)
        #expect(room.journal.count == count)
        #expect(room.session.viewCount == 3)
        try room.runTicks(1)
        let later = try #require(room.width(of: "bar", for: editor))
        #expect(later >= (width ?? 0) && later < 300)
        #expect(room.mirrors[editor]?.stateHash == room.session.model.stateHash)
    }

    @Test("an animation that is refused is kept out alone, whatever else its message holds")
    func animation() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(
            """
            [{"op":"addView","id":"before"},
             {"op":"animate","duration":1,"ops":[
               {"op":"setConstraint","id":"w","constant":7},{"op":"removeView","id":"nobody"}]},
             {"op":"removeView","id":"somebody"},
             {"op":"addView","id":"behind"}]
            """, from: editor)
        guard case .committed(let commit)? = room.results[editor]?.last?.outcome else {
            Issue.record("it was refused as a whole")
            return
        }
        #expect(commit.refusals.map(\.opIndex) == [1, 2])
        #expect(room.session.model.viewIDs.suffix(2) == ["before", "behind"])
        #expect(room.width(of: "bar", for: editor) == 100)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    /// Each message takes some 250 units, so that about four fit into a tick.
    @Test("what does not fit into a tick waits for the next, and a crowd of one waits for itself")
    func spread() throws {
        let room = try TestRoom(
            options: Self.options(op: 20_000, message: 20_000, tick: 1_000, second: 6_000_000))
        let (flood, calm) = (try room.join(1), try room.join(2))
        for sequence in 1...60 as ClosedRange<UInt64> {
            try room.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(sequence)}]"#, from: flood,
                sequence: sequence)
        }
        try room.runTicks(1)
        let first = room.results[flood]?.count ?? 0
        #expect(first > 0 && first < 10)
        try room.send(#"[{"op":"addView","id":"mine"}]"#, from: calm, sequence: 1)
        try room.runTicks(1)
        #expect(isCommitted(room.results[calm]?.first))
        #expect((room.results[flood]?.count ?? 0) < 20)
        try room.runTicks(60)
        #expect(room.results[flood]?.map(\.clientSequence) == Array(1...60))
        #expect(room.width(of: "bar", for: calm) == 60)
    }

    @Test("a room that has spent its second serves nobody until it has paid, and then goes on")
    func purse() throws {
        let room = try TestRoom(
            options: Self.options(op: 20_000, message: 20_000, tick: 60_000, second: 12_000))
        let editor = try room.join(1)
        // Four views cost more than a second's worth.
        for sequence in 1...4 as ClosedRange<UInt64> {
            try room.send(
                #"[{"op":"addView","id":"v\#(sequence)"}]"#, from: editor, sequence: sequence)
        }
        try room.runTicks(1)
        try room.send(#"[{"op":"addView","id":"late"}]"#, from: editor, sequence: 5)
        try room.runTicks(5)
        #expect(room.results[editor]?.count == 4)
        let next = try #require(room.session.nextTick)
        #expect(next > room.session.tick + 1)
        try room.runTicks(Int(next - room.session.tick))
        #expect(room.results[editor]?.count == 5)
    }

    @Test("of messages that are too dear to lay out at once, the one at fault is refused")
    func culprit() throws {
        // Sixty views follow the width: one number to change, and all of them to place.
        let views = (0..<60).map { #", {"id": "v\#($0)"}"# }.joined()
        let rules = (0..<60).map { #", "v\#($0).width == bar.width""# }.joined()
        let room = try TestRoom(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "views": [{"id": "bar"}\(views)],
             "constraints": [{"id": "w", "rule": "bar.width == 100"}\(rules)]}
            """,
            options: Self.options(op: 9_000, message: 9_000, tick: 60_000, second: 6_000_000))
        let (ada, bob) = (try room.join(1), try room.join(2))
        let hash = room.session.model.stateHash
        try room.send(#"[{"op":"setConstraint","id":"w","constant":101}]"#, from: bob, sequence: 1)
        try room.send(
            ##"[{"op":"setView","id":"v7","background":"#102030"}]"##, from: ada, sequence: 1)
        try room.runTicks(8)
        #expect(isCommitted(room.results[ada]?.first))
        #expect(refusal(room.results[bob]?.first)?.code == .tooExpensive)
        #expect(refusal(room.results[bob]?.first)?.message.hasPrefix("its layout") == true)
        #expect(room.width(of: "v7", for: ada) == 100)
        #expect(room.session.model.stateHash != hash)
        #expect(room.mirrors[ada]?.stateHash == room.session.model.stateHash)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test(
        "a scene that is put in the place of another is decided alone, as an op and by itself",
        arguments: [#"{"op":"setScene","scene":1,"#, #"{"scene":1,"#])
    func wholeScene(beginning: String) throws {
        let room = try TestRoom()
        let (ada, bob) = (try room.join(1), try room.join(2))
        try room.send(#"[{"op":"addView","id":"old"}]"#, from: ada, sequence: 1)
        try room.send(
            "[\(beginning)\"viewport\":{\"width\":90,\"height\":50},\"views\":[{\"id\":\"new\"}]}]",
            from: bob, sequence: 1)
        try room.send(#"[{"op":"addView","id":"after","parent":"new"}]"#, from: ada, sequence: 2)
        try room.runTicks(4)
        #expect(room.results[ada]?.allSatisfy { isCommitted($0) } == true)
        #expect(isCommitted(room.results[bob]?.first))
        #expect(room.session.model.viewIDs == ["root", "new", "after"])
        #expect(room.mirrors[ada]?.stateHash == room.session.model.stateHash)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test("where a tick has but a slice, what needs more happens elsewhere and to the same end")
    func slice() throws {
        let ops =
            #"[{"op":"setView","id":"title","text":"a longer text"},{"op":"setConstraint","id":"w","constant":7}]"#
        let whole = try TestRoom()
        let sliced = try TestRoom()
        for room in [whole, sliced] {
            let editor = try room.join(1)
            try room.send(ops, from: editor, sequence: 1)
            if room === sliced {
                room.session.slice = 300
                try room.runTicks(1)
                #expect(room.overrunCount == 1)
                #expect(room.results[editor] == nil)
                #expect(room.journal.count == 1)
                room.session.slice = .max
            }
            try room.runTicks(1)
            #expect(isCommitted(room.results[editor]?.first))
        }
        #expect(whole.session.model.stateHash == sliced.session.model.stateHash)
        #expect(sliced.mirrors[MemberID(1)]?.stateHash == sliced.session.model.stateHash)
        let replay = try JournalReplay(sliced.journal)
        #expect(replay.timeline.model.records() == sliced.session.model.records())
    }

    @Test("a question that takes too much is answered as far as it was gone into, and says so")
    func question() throws {
        // A chain in which nothing says how wide the views are.
        let views = (0..<40).map { #"{"id": "v\#($0)"}"# }.joined(separator: ", ")
        let rules = (1..<40).map { #""v\#($0).left == v\#($0 - 1).right""# }
            .joined(separator: ", ")
        let document = """
            {"scene": 1, "viewport": {"width": 400, "height": 200}, "views": [\(views)],
             "constraints": [\(rules)]}
            """
        func told(tick: UInt64) throws -> Diagnostics {
            let room = try TestRoom(
                document,
                options: Self.options(
                    op: 1_000_000, message: 1_000_000, tick: tick, second: 60_000_000))
            let reader = try room.join(1, role: .viewer, capabilities: Capability.diagnostics)
            try room.runTicks(3)
            return try #require(
                room.received[reader]?.compactMap { message -> Diagnostics? in
                    if case .diagnostics(let diagnostics) = message { diagnostics } else { nil }
                }.first)
        }
        let whole = try told(tick: 4_000_000)
        #expect(whole.ambiguous.count == 40 && !whole.isUnfinished)
        let part = try told(tick: 500)
        #expect(part.ambiguous.count < 40 && part.isUnfinished)
        #expect(whole.ambiguous.starts(with: part.ambiguous))
    }

    @Test("whoever fills the inbox makes room for the others, and is told")
    func crowding() throws {
        let room = try TestRoom(options: Self.poor)
        let (flood, calm) = (try room.join(1), try room.join(2))
        let texts = (0..<16).map { _ in
            #"{"op":"setView","id":"title","text":"\#(String(repeating: "x", count: 60_000))"}"#
        }
        let message = "[\(texts.joined(separator: ","))]"
        for sequence in 1...40 as ClosedRange<UInt64> {
            try room.send(message, from: flood, sequence: sequence)
        }
        // About a million bytes each, of which 34 fit.
        let refused = room.results[flood] ?? []
        #expect((4...9).contains(refused.count))
        #expect(refused.allSatisfy { refusal($0)?.code == .limit })
        #expect(refused.last?.clientSequence == 40)
        try room.send(message, from: calm, sequence: 1)
        #expect(room.results[calm] == nil)
        #expect(room.results[flood]?.count == refused.count + 1)
    }

    @Test(
        "snapshots come before going back takes more than a slice, whether something moves or not",
        arguments: [false, true])
    func snapshotsForGoingBack(moves: Bool) throws {
        var options = SessionOptions()
        options.undoMaximum = 5
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        if moves {
            try room.apply(
                #"[{"op":"animate","duration":60,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
                from: editor)
        }
        room.session.slice = 200_000
        for number in 0..<400 {
            try room.apply(
                #"[{"op":"setView","id":"title","text":"number \#(number)"}]"#, from: editor)
            try room.runTicks(3)
        }
        let snapshots = room.journal.count { $0.kind == .snapshot }
        #expect((2...40).contains(snapshots), "\(snapshots)")
        // Its second op is refused, so that the scene goes back.
        try room.send(
            #"[{"op":"setConstraint","id":"w","constant":5},{"op":"removeView","id":"nobody"}]"#,
            from: editor, sequence: room.nextSequence(editor), atomic: true)
        try room.runTicks()
        #expect(room.overrunCount == 0)
        #expect(refusal(room.results[editor]?.last)?.code == .unknownView)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test("a late tick that overruns before it has begun runs no cycle of an animation twice")
    func lateOverrun() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        try room.apply(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor)
        try room.runTicks(5)
        let many = (0..<201).map { _ in #"{"op":"setNeedsDisplay","id":"bar"}"# }
        try room.send("[\(many.joined(separator: ","))]", from: editor, sequence: 7)
        room.session.slice = 1_000_000
        room.tick += 20
        try room.handle(.tick(room.tick))
        #expect(room.overrunCount == 1)
        room.session.slice = .max
        try room.runTicks(1)
        #expect(isCommitted(room.results[editor]?.last))
        let replay = try JournalReplay(room.journal, through: room.session.tick)
        #expect(replay.timeline.model.records() == room.session.model.records())
        #expect(room.mirrors[editor]?.stateHash == room.session.model.stateHash)
    }

    @Test(
        "what a seek costs is paid as questions are: a long way takes its time, and nobody waits for it"
    )
    func seekBudget() throws {
        var options = SessionOptions()
        options.replayBudget = .max
        // Questions have a quarter of it: 2,500 units a tick, after a second's worth at once.
        options.work = WorkBudget(op: 400_000, message: 400_000, tick: 60_000, second: 600_000)
        options.snapshotBytes = .max / 2
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.seek)
        for index in 1...200 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        let player = try JournalPlayer(room.journal, tracksUndo: false)
        var budget = Int.max
        try player.advance(to: 190, budget: &budget)
        var seek = Seek()
        seek.isLive = false
        seek.tick = 190
        try room.handle(.received(viewer, .seek(seek)))
        var ticks = 0
        while room.mirrors[viewer]?.tick != 190, ticks < 10_000 {
            try room.runTicks()
            ticks += 1
            guard ticks % 16 == 0 else { continue }
            let count = room.results[editor]?.count ?? 0
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(ticks)}]"#, from: editor)
            #expect(room.results[editor]?.count == count + 1)
        }
        let owed = Double(player.work) - 150_000
        #expect(owed > 100_000)
        // Up to a tick's worth may be spent at once, and the purse is filled while the editor's own
        // ticks pass.
        let least = (owed - 60_000) / 2_500
        #expect(Double(ticks + ticks / 16) >= least / 2.2)
        #expect(Double(ticks) < 4 * least + 60)
        #expect(room.width(of: "bar", for: viewer) != nil)
    }

    @Test("a seek whose scene is made in more than a slice is made elsewhere")
    func seekElsewhere() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.seek)
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        room.session.slice = 10
        var seek = Seek()
        seek.isLive = false
        seek.tick = 1
        let asked = room.session.handle(.received(viewer, .seek(seek)))
        #expect(asked.contains { if case .readJournal = $0 { true } else { false } })
        let answer = room.session.handle(.journalRead(viewer, tick: 1, room.journal))
        #expect(answer.contains { if case .overran = $0 { true } else { false } })
        #expect(answer.contains { if case .readJournal = $0 { true } else { false } })
        room.session.slice = .max
        let again = room.session.handle(.journalRead(viewer, tick: 1, room.journal))
        #expect(!again.contains { if case .overran = $0 { true } else { false } })
    }
}
