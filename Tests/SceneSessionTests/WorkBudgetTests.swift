import SceneModel
import SceneProtocol
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
        let rig = try Rig(options: Self.poor)
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let welcome = try #require(
            rig.received[editor]?.compactMap { message -> Welcome? in
                if case .welcome(let welcome) = message { welcome } else { nil }
            }.first)
        #expect(welcome.work == Self.poor.work)
        let work = try #require(rig.results[editor]?.last?.work)
        // A message costs 3,000 units and its op 400 at least, and this one little more.
        #expect(work >= 3400 && work < 7000)
    }

    @Test("an op beyond its budget is refused, and writes nothing", arguments: [false, true])
    func refused(isAtomic: Bool) throws {
        let rig = try Rig(options: Self.poor)
        let editor = try rig.join(1)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        let (count, hash) = (rig.journal.count, rig.session.model.stateHash)
        let document = rig.session.model.document()
        try rig.apply(Self.dear, from: editor, atomic: isAtomic)
        let refused = try #require(refusal(rig.results[editor]?.last))
        #expect(refused.code == .tooExpensive)
        #expect((rig.results[editor]?.last?.work ?? 0) >= 20_000)
        #expect(rig.journal.count == count)
        #expect(rig.session.model.stateHash == hash)
        #expect(rig.session.model.document() == document)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":130}]"#, from: editor)
        #expect(rig.width(of: "bar", for: editor) == 130)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.records() == rig.session.model.records())
    }

    @Test("what others changed in the tick of a message that was too dear stays")
    func others() throws {
        let rig = try Rig(options: Self.poor)
        let (ada, bob) = (try rig.join(1), try rig.join(2))
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: ada, sequence: 1)
        try rig.send(Self.dear, from: bob, sequence: 1)
        try rig.send(#"[{"op":"addView","id":"after"}]"#, from: ada, sequence: 2)
        try rig.runTicks(3)
        #expect(rig.results[ada]?.count == 2)
        #expect(rig.results[ada]?.allSatisfy { isCommitted($0) } == true)
        #expect(refusal(rig.results[bob]?.last)?.code == .tooExpensive)
        #expect(rig.width(of: "bar", for: bob) == 150)
        #expect(rig.mirrors[bob]?.number(id: "after") != nil)
        #expect(rig.mirrors[bob]?.stateHash == rig.session.model.stateHash)
    }

    @Test("an atomic message that is refused half-way writes nothing and keeps what is animated")
    func atomic() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor)
        try rig.runTicks(10)
        let count = rig.journal.count
        let width = rig.width(of: "bar", for: editor)
        try rig.apply(
            #"[{"op":"addView","id":"z"},{"op":"removeView","id":"nobody"}]"#, from: editor,
            atomic: true)
        #expect(refusal(rig.results[editor]?.last)?.code == .unknownView)
        #expect(rig.journal.count == count)
        #expect(rig.session.viewCount == 3)
        try rig.runTicks(1)
        let later = try #require(rig.width(of: "bar", for: editor))
        #expect(later >= (width ?? 0) && later < 300)
        #expect(rig.mirrors[editor]?.stateHash == rig.session.model.stateHash)
    }

    @Test("an animation that is refused is kept out alone, whatever else its message holds")
    func animation() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(
            """
            [{"op":"addView","id":"before"},
             {"op":"animate","duration":1,"ops":[
               {"op":"setConstraint","id":"w","constant":7},{"op":"removeView","id":"nobody"}]},
             {"op":"removeView","id":"somebody"},
             {"op":"addView","id":"behind"}]
            """, from: editor)
        guard case .committed(let commit)? = rig.results[editor]?.last?.outcome else {
            Issue.record("it was refused as a whole")
            return
        }
        #expect(commit.refusals.map(\.opIndex) == [1, 2])
        #expect(rig.session.model.viewIDs.suffix(2) == ["before", "behind"])
        #expect(rig.width(of: "bar", for: editor) == 100)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.records() == rig.session.model.records())
    }

    /// Each message takes some 250 units, so that about four fit into a tick.
    @Test("what does not fit into a tick waits for the next, and a crowd of one waits for itself")
    func spread() throws {
        let rig = try Rig(
            options: Self.options(op: 20_000, message: 20_000, tick: 1_000, second: 6_000_000))
        let (flood, calm) = (try rig.join(1), try rig.join(2))
        for sequence in 1...60 as ClosedRange<UInt64> {
            try rig.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(sequence)}]"#, from: flood,
                sequence: sequence)
        }
        try rig.runTicks(1)
        let first = rig.results[flood]?.count ?? 0
        #expect(first > 0 && first < 10)
        try rig.send(#"[{"op":"addView","id":"mine"}]"#, from: calm, sequence: 1)
        try rig.runTicks(1)
        #expect(isCommitted(rig.results[calm]?.first))
        #expect((rig.results[flood]?.count ?? 0) < 20)
        try rig.runTicks(60)
        #expect(rig.results[flood]?.map(\.clientSequence) == Array(1...60))
        #expect(rig.width(of: "bar", for: calm) == 60)
    }

    @Test("a room that has spent its second serves nobody until it has paid, and then goes on")
    func purse() throws {
        let rig = try Rig(
            options: Self.options(op: 20_000, message: 20_000, tick: 60_000, second: 12_000))
        let editor = try rig.join(1)
        // Four views cost more than a second's worth.
        for sequence in 1...4 as ClosedRange<UInt64> {
            try rig.send(
                #"[{"op":"addView","id":"v\#(sequence)"}]"#, from: editor, sequence: sequence)
        }
        try rig.runTicks(1)
        try rig.send(#"[{"op":"addView","id":"late"}]"#, from: editor, sequence: 5)
        try rig.runTicks(5)
        #expect(rig.results[editor]?.count == 4)
        let next = try #require(rig.session.nextTick)
        #expect(next > rig.session.tick + 1)
        try rig.runTicks(Int(next - rig.session.tick))
        #expect(rig.results[editor]?.count == 5)
    }

    @Test("of messages that are too dear to lay out at once, the one at fault is refused")
    func culprit() throws {
        // Sixty views follow the width: one number to change, and all of them to place.
        let views = (0..<60).map { #", {"id": "v\#($0)"}"# }.joined()
        let rules = (0..<60).map { #", "v\#($0).width == bar.width""# }.joined()
        let rig = try Rig(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "views": [{"id": "bar"}\(views)],
             "constraints": [{"id": "w", "rule": "bar.width == 100"}\(rules)]}
            """,
            options: Self.options(op: 9_000, message: 9_000, tick: 60_000, second: 6_000_000))
        let (ada, bob) = (try rig.join(1), try rig.join(2))
        let hash = rig.session.model.stateHash
        try rig.send(#"[{"op":"setConstraint","id":"w","constant":101}]"#, from: bob, sequence: 1)
        try rig.send(
            ##"[{"op":"setView","id":"v7","background":"#102030"}]"##, from: ada, sequence: 1)
        try rig.runTicks(8)
        #expect(isCommitted(rig.results[ada]?.first))
        #expect(refusal(rig.results[bob]?.first)?.code == .tooExpensive)
        #expect(refusal(rig.results[bob]?.first)?.message.hasPrefix("its layout") == true)
        #expect(rig.width(of: "v7", for: ada) == 100)
        #expect(rig.session.model.stateHash != hash)
        #expect(rig.mirrors[ada]?.stateHash == rig.session.model.stateHash)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.records() == rig.session.model.records())
    }

    @Test(
        "a scene that is put in the place of another is decided alone, as an op and by itself",
        arguments: [#"{"op":"setScene","scene":1,"#, #"{"scene":1,"#])
    func wholeScene(beginning: String) throws {
        let rig = try Rig()
        let (ada, bob) = (try rig.join(1), try rig.join(2))
        try rig.send(#"[{"op":"addView","id":"old"}]"#, from: ada, sequence: 1)
        try rig.send(
            "[\(beginning)\"viewport\":{\"width\":90,\"height\":50},\"views\":[{\"id\":\"new\"}]}]",
            from: bob, sequence: 1)
        try rig.send(#"[{"op":"addView","id":"after","parent":"new"}]"#, from: ada, sequence: 2)
        try rig.runTicks(4)
        #expect(rig.results[ada]?.allSatisfy { isCommitted($0) } == true)
        #expect(isCommitted(rig.results[bob]?.first))
        #expect(rig.session.model.viewIDs == ["root", "new", "after"])
        #expect(rig.mirrors[ada]?.stateHash == rig.session.model.stateHash)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.records() == rig.session.model.records())
    }

    @Test("where a tick has but a slice, what needs more happens elsewhere and to the same end")
    func slice() throws {
        let ops =
            #"[{"op":"setView","id":"title","text":"a longer text"},{"op":"setConstraint","id":"w","constant":7}]"#
        let whole = try Rig()
        let sliced = try Rig()
        for rig in [whole, sliced] {
            let editor = try rig.join(1)
            try rig.send(ops, from: editor, sequence: 1)
            if rig === sliced {
                rig.session.slice = 300
                try rig.runTicks(1)
                #expect(rig.overrunCount == 1)
                #expect(rig.results[editor] == nil)
                #expect(rig.journal.count == 1)
                rig.session.slice = .max
            }
            try rig.runTicks(1)
            #expect(isCommitted(rig.results[editor]?.first))
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
            let rig = try Rig(
                document,
                options: Self.options(
                    op: 1_000_000, message: 1_000_000, tick: tick, second: 60_000_000))
            let reader = try rig.join(1, role: .viewer, capabilities: Capability.diagnostics)
            try rig.runTicks(3)
            return try #require(
                rig.received[reader]?.compactMap { message -> Diagnostics? in
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
        let rig = try Rig(options: Self.poor)
        let (flood, calm) = (try rig.join(1), try rig.join(2))
        let texts = (0..<16).map { _ in
            #"{"op":"setView","id":"title","text":"\#(String(repeating: "x", count: 60_000))"}"#
        }
        let message = "[\(texts.joined(separator: ","))]"
        for sequence in 1...40 as ClosedRange<UInt64> {
            try rig.send(message, from: flood, sequence: sequence)
        }
        // About a million bytes each, of which 34 fit.
        let refused = rig.results[flood] ?? []
        #expect((4...9).contains(refused.count))
        #expect(refused.allSatisfy { refusal($0)?.code == .limit })
        #expect(refused.last?.clientSequence == 40)
        try rig.send(message, from: calm, sequence: 1)
        #expect(rig.results[calm] == nil)
        #expect(rig.results[flood]?.count == refused.count + 1)
    }

    @Test("a late tick that overruns before it has begun runs no cycle of an animation twice")
    func lateOverrun() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        try rig.apply(
            #"[{"op":"animate","duration":1,"ops":[{"op":"setConstraint","id":"w","constant":300},{"op":"layoutIfNeeded"}]}]"#,
            from: editor)
        try rig.runTicks(5)
        let many = (0..<201).map { _ in #"{"op":"setNeedsDisplay","id":"bar"}"# }
        try rig.send("[\(many.joined(separator: ","))]", from: editor, sequence: 7)
        rig.session.slice = 1_000_000
        rig.tick += 20
        try rig.step(.tick(rig.tick))
        #expect(rig.overrunCount == 1)
        rig.session.slice = .max
        try rig.runTicks(1)
        #expect(isCommitted(rig.results[editor]?.last))
        let replay = try JournalReplay(rig.journal, through: rig.session.tick)
        #expect(replay.timeline.model.records() == rig.session.model.records())
        #expect(rig.mirrors[editor]?.stateHash == rig.session.model.stateHash)
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
        let rig = try Rig(options: options)
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer, capabilities: Capability.seek)
        for index in 1...200 {
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + index)}]"#, from: editor)
        }
        let player = try JournalPlayer(rig.journal, tracksUndo: false)
        var budget = Int.max
        try player.advance(to: 190, budget: &budget)
        var seek = Seek()
        seek.isLive = false
        seek.tick = 190
        try rig.step(.received(viewer, .seek(seek)))
        var ticks = 0
        while rig.mirrors[viewer]?.tick != 190, ticks < 10_000 {
            try rig.runTicks()
            ticks += 1
            guard ticks % 16 == 0 else { continue }
            let count = rig.results[editor]?.count ?? 0
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(ticks)}]"#, from: editor)
            #expect(rig.results[editor]?.count == count + 1)
        }
        let owed = Double(player.work) - 150_000
        #expect(owed > 100_000)
        // Up to a tick's worth may be spent at once, and the purse is filled while the editor's own ticks pass.
        let least = (owed - 60_000) / 2_500
        #expect(Double(ticks + ticks / 16) >= least / 2 && Double(ticks) < 4 * least + 60)
        #expect(rig.width(of: "bar", for: viewer) != nil)
    }

    @Test("a seek whose scene is made in more than a slice is made elsewhere")
    func seekElsewhere() throws {
        let rig = try Rig()
        let editor = try rig.join(1)
        let viewer = try rig.join(2, role: .viewer, capabilities: Capability.seek)
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        rig.session.slice = 10
        var seek = Seek()
        seek.isLive = false
        seek.tick = 1
        let asked = rig.session.step(.received(viewer, .seek(seek)))
        #expect(asked.contains { if case .readJournal = $0 { true } else { false } })
        let answer = rig.session.step(.journalRead(viewer, tick: 1, rig.journal))
        #expect(answer.contains { if case .overran = $0 { true } else { false } })
        #expect(answer.contains { if case .readJournal = $0 { true } else { false } })
        rig.session.slice = .max
        let again = rig.session.step(.journalRead(viewer, tick: 1, rig.journal))
        #expect(!again.contains { if case .overran = $0 { true } else { false } })
    }
}
