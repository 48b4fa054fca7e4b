import Annotations
import ConstraintLanguage
import JSON
import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Suggestions and their branches")
struct SuggestionSessionTests {
    /// A room with a suggestion, its branch, and an editor in both.
    private struct Rooms {
        let main: TestRoom
        let branch: TestRoom
        let ann = MemberID(1)
        let bob = MemberID(2)

        init() throws {
            main = try TestRoom()
            try Self.join(main)
            try main.apply(Rooms.suggest, from: ann)
            let suggestion = try #require(main.session.timeline.annotations.suggestions["s1"])
            branch = try TestRoom(branchOf: suggestion)
            try Self.join(branch)
            main.otherScenes["demo~s1"] = { [branch] in branch.session.sceneForOthers() }
            branch.otherScenes["demo"] = { [main] in main.session.sceneForOthers() }
        }

        static let suggest = #"[{"op":"suggest","id":"s1","name":"Wider","note":"as asked"}]"#

        private static func join(_ room: TestRoom) throws {
            for number in 1...2 as ClosedRange<UInt64> {
                try room.join(
                    number,
                    capabilities: Capability.annotations | Capability.suggestions
                        | Capability.events | Capability.undo)
            }
        }

        var suggestion: Suggestion? { main.session.timeline.annotations.suggestions["s1"] }
    }

    private let accept = #"[{"op":"acceptSuggestion","id":"s1"}]"#
    private let update = #"[{"op":"updateSuggestion"}]"#
    private let wider = #"[{"op":"setConstraint","id":"w","constant":150}]"#
    private let added = #"[{"op":"addView","id":"new","parent":"bar"}]"#

    private func text(_ text: String) -> String {
        #"[{"op":"setView","id":"title","text":"\#(text)"}]"#
    }

    /// - Returns: The refusal; `nil` for what was committed whole.
    private func send(_ ops: String, _ id: MemberID, _ room: TestRoom) throws -> Refusal? {
        try room.apply(ops, from: id)
        switch try #require(room.lastResult(id)) {
        case .refused(let refusal): return refusal
        case .committed(let commit): return commit.refusals.first
        }
    }

    private func viewText(_ room: TestRoom) -> String? {
        room.session.model.document().views.first { $0.id == "title" }?.properties.text
    }

    // MARK: Accepting

    @Test("[NOTE-10] what the branch changed comes into the room, beside what the room changed")
    func accepted() throws {
        let rooms = try Rooms()
        #expect(rooms.suggestion?.isOpen == true)
        #expect(rooms.branch.width(of: "bar", for: rooms.bob) == 100)
        #expect(try send(wider, rooms.ann, rooms.branch) == nil)
        #expect(try send(added, rooms.bob, rooms.branch) == nil)
        #expect(try send(text("Main's"), rooms.bob, rooms.main) == nil)
        #expect(try send(accept, rooms.ann, rooms.main) == nil)
        let main = rooms.main.session.model
        #expect(rooms.main.width(of: "bar", for: rooms.bob) == 150)
        #expect(main.document().views.map(\.id) == ["bar", "title", "new"])
        #expect(viewText(rooms.main) == "Main's")
        guard case .accepted(let decision)? = rooms.suggestion?.state else {
            Issue.record("it is \(String(describing: rooms.suggestion?.state))")
            return
        }
        #expect(decision.tick == rooms.main.session.tick)
        let replay = try JournalReplay(rooms.main.journal)
        #expect(replay.timeline.model.document() == main.document())
        #expect(
            replay.timeline.annotations.json
                == rooms.main.session.timeline.annotations.json)
        // Once is enough.
        #expect(try send(accept, rooms.ann, rooms.main)?.code == .conflict)
    }

    @Test("[NOTE-11] one undo takes an acceptance back, one redo makes it again")
    func undone() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        _ = try send(added, rooms.ann, rooms.branch)
        let before = rooms.main.session.model.document()
        #expect(try send(accept, rooms.ann, rooms.main) == nil)
        let after = rooms.main.session.model.document()
        try rooms.main.undo(rooms.ann)
        #expect(rooms.main.session.model.document() == before)
        try rooms.main.redo(rooms.ann)
        #expect(rooms.main.session.model.document() == after)
        try rooms.main.undo(rooms.ann)
        #expect(try JournalReplay(rooms.main.journal).timeline.model.document() == before)
        // It is accepted all the same, until somebody reopens it.
        #expect(rooms.suggestion?.isOpen == false)
        #expect(
            try send(#"[{"op":"reopenSuggestion","id":"s1"}]"#, rooms.bob, rooms.main) == nil)
        #expect(try send(accept, rooms.bob, rooms.main) == nil)
        #expect(rooms.main.session.model.document() == after)
    }

    @Test("[NOTE-12] a conflict says which change and why, and changes nothing")
    func conflict() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        _ = try send(added, rooms.ann, rooms.branch)
        _ = try send(
            #"[{"op":"setConstraint","id":"w","constant":120}]"#, rooms.bob, rooms.main)
        let (document, records) = (rooms.main.session.model.document(), rooms.main.journal.count)
        let refusal = try #require(try send(accept, rooms.ann, rooms.main))
        #expect(refusal.code == .conflict)
        #expect(
            refusal.message.hasPrefix(
                #"constant of constraint "w" was 100 and is 120 here and 150 there"#),
            "\(refusal.message)")
        #expect(refusal.conflicting == ["w"])
        #expect(rooms.main.session.model.document() == document)
        #expect(rooms.main.journal.count == records)
        #expect(rooms.suggestion?.isOpen == true)
    }

    @Test("what is removed there and changed here is a conflict in words")
    func removed() throws {
        let rooms = try Rooms()
        _ = try send(#"[{"op":"removeView","id":"title"}]"#, rooms.ann, rooms.branch)
        _ = try send(text("new"), rooms.bob, rooms.main)
        let refusal = try #require(try send(accept, rooms.ann, rooms.main))
        #expect(refusal.code == .conflict)
        #expect(
            refusal.message.contains(#"view "title" is changed here and removed there"#),
            "\(refusal.message)")
    }

    @Test("[NOTE-13] single changes are taken, and the rest stays suggested")
    func parts() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        _ = try send(text("other"), rooms.ann, rooms.branch)
        _ = try send(added, rooms.ann, rooms.branch)
        func take(_ names: String) throws -> Refusal? {
            try send(
                #"[{"op":"acceptSuggestion","id":"s1","only":[\#(names)]}]"#, rooms.bob,
                rooms.main)
        }
        let refusal = try #require(try take(#""bar","title""#))
        #expect(refusal.code == .conflict)
        #expect(refusal.message.contains(#"changes nothing of "bar""#), "\(refusal.message)")
        #expect(try take(#""title""#) == nil)
        #expect(viewText(rooms.main) == "other")
        #expect(rooms.main.width(of: "bar", for: rooms.ann) == 100)
        #expect(rooms.suggestion?.isOpen == true)
        #expect(try take(#""title""#)?.code == .conflict)
        #expect(try take(#""new","w""#) == nil)
        #expect(rooms.main.session.model.document() == rooms.branch.session.model.document())
        #expect(rooms.suggestion?.isOpen == true)
        // Nothing is left, so the acceptance changes no scene.
        let hash = rooms.main.session.stateHash
        #expect(try send(accept, rooms.ann, rooms.main) == nil)
        #expect(rooms.main.session.stateHash == hash)
        #expect(rooms.suggestion?.isOpen == false)
        let replay = try JournalReplay(rooms.main.journal)
        #expect(
            replay.timeline.annotations.json
                == rooms.main.session.timeline.annotations.json)
    }

    @Test("a part that needs another one says which")
    func partAlone() throws {
        let rooms = try Rooms()
        _ = try send(added, rooms.ann, rooms.branch)
        _ = try send(
            #"[{"op":"addConstraint","id":"n","rule":"new.width == 30"}]"#, rooms.ann, rooms.branch)
        let refusal = try #require(
            try send(
                #"[{"op":"acceptSuggestion","id":"s1","only":["n"]}]"#, rooms.bob, rooms.main))
        #expect(refusal.code == .conflict)
        #expect(
            refusal.message.contains(#"constraint "n" names "new", which is not taken"#),
            "\(refusal.message)")
    }

    @Test("a branch that nobody has joined has nothing to accept")
    func untouched() throws {
        let rooms = try Rooms()
        rooms.main.otherScenes = [:]
        let refusal = try #require(try send(accept, rooms.ann, rooms.main))
        #expect(refusal.code == .conflict)
        #expect(refusal.message.contains("nobody has changed"), "\(refusal.message)")
        rooms.main.otherScenes["demo~s1"] = { .failed("the branch is put aside") }
        #expect(
            try send(accept, rooms.ann, rooms.main)
                == Refusal(code: .storeFailed, message: "the branch is put aside"))
    }

    // MARK: Updating

    @Test("[NOTE-14] an update takes in what changed in the room, and names what does not fit")
    func updated() throws {
        let rooms = try Rooms()
        #expect(try send(update, rooms.ann, rooms.branch)?.code == .conflict)
        _ = try send(wider, rooms.ann, rooms.branch)
        _ = try send(added, rooms.ann, rooms.branch)
        _ = try send(text("Main's"), rooms.bob, rooms.main)
        _ = try send(
            #"[{"op":"setConstraint","id":"w","constant":120}]"#, rooms.bob, rooms.main)
        let before = rooms.branch.session.model.document()
        #expect(try send(update, rooms.ann, rooms.branch) == nil)
        #expect(viewText(rooms.branch) == "Main's")
        #expect(rooms.branch.width(of: "bar", for: rooms.ann) == 150)
        let own = try #require(rooms.branch.session.ownSuggestion)
        #expect(
            own.conflicts
                == [#"constant of constraint "w" was 100 and is 150 here and 120 there"#])
        #expect(own.base.tick == rooms.main.session.tick)
        #expect(
            try JournalReplay(rooms.branch.journal).timeline.annotations.json
                == rooms.branch.session.timeline.annotations.json)

        // Taken back, the changes are told from the earlier base again.
        try rooms.branch.undo(rooms.ann)
        #expect(rooms.branch.session.model.document() == before)
        #expect(rooms.branch.session.ownSuggestion?.base == rooms.suggestion?.base)
        #expect(try send(accept, rooms.ann, rooms.main)?.code == .conflict)
        try rooms.branch.redo(rooms.ann)
        #expect(rooms.branch.session.ownSuggestion?.base == own.base)

        // What did not fit is settled: the branch's is a change of what the room has.
        #expect(try send(accept, rooms.ann, rooms.main) == nil)
        #expect(rooms.main.width(of: "bar", for: rooms.ann) == 150)
        #expect(viewText(rooms.main) == "Main's")
    }

    // MARK: Who, and where

    @Test("[NOTE-3] viewers and participants decide nothing, and no scene is read for them")
    func roles() throws {
        let rooms = try Rooms()
        let capabilities = Capability.annotations | Capability.events
        let viewer = try rooms.main.join(3, role: .viewer, capabilities: capabilities)
        let guest = try rooms.main.join(4, role: .participant, capabilities: capabilities)
        rooms.main.otherScenes["demo~s1"] = {
            Issue.record("the branch is read")
            return .none
        }
        for ops in [
            accept, Rooms.suggest, #"[{"op":"refuseSuggestion","id":"s1"}]"#,
            #"[{"op":"removeSuggestion","id":"s1"}]"#,
        ] {
            #expect(try send(ops, viewer, rooms.main)?.code == .forbidden, "\(ops)")
            #expect(try send(ops, guest, rooms.main)?.code == .forbidden, "\(ops)")
        }
    }

    @Test("[NOTE-15] a branch has no branches, and decides nothing; a room is not updated")
    func places() throws {
        let rooms = try Rooms()
        let nested = try #require(
            try send(
                #"[{"op":"suggest","id":"s2","name":"n"}]"#, rooms.ann, rooms.branch))
        #expect(nested.code == .badOp)
        #expect(nested.message.contains("a branch has no branches"), "\(nested.message)")
        for op in ["accept", "refuse", "reopen", "remove"] {
            let refusal = try send(
                #"[{"op":"\#(op)Suggestion","id":"s1"}]"#, rooms.ann, rooms.branch)
            #expect(refusal?.code == .badOp, "\(op)")
        }
        #expect(try send(update, rooms.ann, rooms.main)?.code == .badOp)
        let two = #"[{"op":"acceptSuggestion","id":"s1"},{"op":"unlock","view":"bar"}]"#
        #expect(try send(two, rooms.ann, rooms.main)?.code == .badOp)
    }

    @Test("[ANN-4] names that are taken, unknown ones and what exceeds a limit are refused")
    func names() throws {
        let rooms = try Rooms()
        #expect(try send(Rooms.suggest, rooms.bob, rooms.main)?.code == .duplicateID)
        for op in ["accept", "refuse", "reopen", "remove"] {
            let refusal = try send(
                #"[{"op":"\#(op)Suggestion","id":"none"}]"#, rooms.ann, rooms.main)
            #expect(refusal?.code == .unknownSuggestion, "\(op)")
        }
        for bad in [
            #"{"op":"suggest","id":"a~b","name":"n"}"#, #"{"op":"suggest","id":"x"}"#,
            #"{"op":"suggest","id":"x","name":"a\nb"}"#, #"{"op":"suggest","id":"x","name":""}"#,
            #"{"op":"refuseSuggestion","id":"s1","reason":"a\u0007b"}"#,
            #"{"op":"acceptSuggestion","id":"s1","only":[]}"#,
            #"{"op":"updateSuggestion","id":"s1"}"#,
        ] {
            #expect(try send("[\(bad)]", rooms.ann, rooms.main) != nil, "\(bad)")
        }
        for number in 2...20 {
            #expect(
                try send(
                    #"[{"op":"suggest","id":"s\#(number)","name":"n"}]"#, rooms.ann, rooms.main)
                    == nil)
        }
        let excess = #"[{"op":"suggest","id":"s21","name":"n"}]"#
        #expect(try send(excess, rooms.ann, rooms.main)?.code == .limit)
        #expect(
            try send(#"[{"op":"refuseSuggestion","id":"s1"}]"#, rooms.ann, rooms.main) == nil)
        #expect(try send(excess, rooms.ann, rooms.main) == nil)
        // Of a hundred the oldest decided one goes.
        for number in 22...100 {
            _ = try send(
                #"[{"op":"refuseSuggestion","id":"s\#(number - 1)"}]"#, rooms.ann, rooms.main)
            #expect(
                try send(
                    #"[{"op":"suggest","id":"s\#(number)","name":"n"}]"#, rooms.ann, rooms.main)
                    == nil)
        }
        #expect(rooms.main.session.suggestionNames.count == 100)
        _ = try send(#"[{"op":"refuseSuggestion","id":"s100"}]"#, rooms.ann, rooms.main)
        #expect(
            try send(#"[{"op":"suggest","id":"s101","name":"n"}]"#, rooms.ann, rooms.main) == nil)
        #expect(rooms.main.session.suggestionNames.count == 100)
        let gone = rooms.main.news.last { $0.suggestion == nil }
        #expect(gone?.id != nil)
    }

    @Test("[NOTE-16] locks and rights hold for what an acceptance changes, and only for that")
    func access() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        #expect(try send(#"[{"op":"lock","view":"bar"}]"#, rooms.bob, rooms.main) == nil)
        #expect(try send(accept, rooms.ann, rooms.main)?.code == .locked)
        _ = try send(#"[{"op":"unlock","view":"bar"}]"#, rooms.bob, rooms.main)
        var rights = MemberRights()
        rights.edit = ViewPatterns(["title"])
        let partial = try rooms.main.join(5, rights: rights, capabilities: Capability.annotations)
        #expect(try send(accept, partial, rooms.main)?.code == .forbidden)
        // The change is the bar's, so a lock of a view in it is in nobody's way.
        #expect(try send(#"[{"op":"lock","view":"title"}]"#, rooms.bob, rooms.main) == nil)
        #expect(try send(accept, rooms.ann, rooms.main) == nil)
        #expect(rooms.main.width(of: "bar", for: rooms.ann) == 150)
    }

    @Test("a member who may change one view takes the suggestion's change of that view")
    func partialRights() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        _ = try send(text("other"), rooms.ann, rooms.branch)
        var rights = MemberRights()
        rights.edit = ViewPatterns(["title"])
        let partial = try rooms.main.join(5, rights: rights, capabilities: Capability.annotations)
        #expect(try send(accept, partial, rooms.main)?.code == .forbidden)
        let part = #"[{"op":"acceptSuggestion","id":"s1","only":["title"]}]"#
        #expect(try send(part, partial, rooms.main) == nil)
        #expect(viewText(rooms.main) == "other")
    }

    // MARK: What becomes of a branch

    @Test("[NOTE-17] the branch of a decided suggestion is closed to changes until it is reopened")
    func decided() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        let refuse = #"[{"op":"refuseSuggestion","id":"s1","reason":"not <b>now</b>"}]"#
        #expect(try send(refuse, rooms.bob, rooms.main) == nil)
        let told = try #require(rooms.main.news.last)
        #expect(told.id == "s1")
        try rooms.branch.handle(.suggestion(try #require(told.suggestion)))
        // Before the tick that journals it, too.
        let refusal = try #require(try send(text("late"), rooms.ann, rooms.branch))
        #expect(refusal.code == .conflict)
        #expect(refusal.message.contains("refused by"), "\(refusal.message)")
        #expect(refusal.message.contains("not <b>now</b>"), "\(refusal.message)")
        #expect(rooms.branch.session.ownSuggestion?.state == rooms.suggestion?.state)
        #expect(try send(update, rooms.ann, rooms.branch)?.code == .conflict)
        let comment = #"[{"op":"addComment","id":"c","view":"title","text":"why?"}]"#
        #expect(try send(comment, rooms.ann, rooms.branch) == nil)
        #expect(
            try JournalReplay(rooms.branch.journal).timeline.annotations.json
                == rooms.branch.session.timeline.annotations.json)
        #expect(
            try send(#"[{"op":"reopenSuggestion","id":"s1"}]"#, rooms.ann, rooms.main) == nil)
        let reopened = try #require(rooms.main.news.last?.suggestion)
        try rooms.branch.handle(.suggestion(reopened))
        try rooms.branch.runTicks()
        #expect(try send(text("on time"), rooms.ann, rooms.branch) == nil)
    }

    @Test("a removed suggestion is told to its branch as gone; only its author removes it")
    func removal() throws {
        let rooms = try Rooms()
        let remove = #"[{"op":"removeSuggestion","id":"s1"}]"#
        #expect(try send(remove, rooms.bob, rooms.main)?.code == .forbidden)
        #expect(try send(remove, rooms.ann, rooms.main) == nil)
        let told = try #require(rooms.main.news.last)
        #expect(told.id == "s1" && told.suggestion == nil)
        #expect(rooms.main.session.timeline.annotations.byteCount == 0)
    }

    // MARK: Order and telling

    @Test("what a member sends behind an acceptance waits for it, and others do not")
    func order() throws {
        let rooms = try Rooms()
        _ = try send(wider, rooms.ann, rooms.branch)
        rooms.main.readsWait = true
        try rooms.main.send(accept, from: rooms.ann, sequence: rooms.main.nextSequence(rooms.ann))
        try rooms.main.send(
            text("behind"), from: rooms.ann, sequence: rooms.main.nextSequence(rooms.ann))
        try rooms.main.apply(
            #"[{"op":"addView","id":"other"}]"#, from: rooms.bob)
        #expect(rooms.main.lastResult(rooms.bob) == .committed(Commit()))
        #expect(viewText(rooms.main) == "Hello")
        try rooms.main.answerReads()
        try rooms.main.runTicks(2)
        #expect(
            rooms.main.results[rooms.ann]?.map(\.clientSequence) == [1, 2, 3],
            "\(rooms.main.results[rooms.ann] ?? [])")
        #expect(viewText(rooms.main) == "behind")
        #expect(rooms.main.width(of: "bar", for: rooms.ann) == 150)
        // One that left meanwhile is not answered.
        try rooms.main.send(
            accept, from: rooms.ann, sequence: rooms.main.nextSequence(rooms.ann))
        try rooms.main.handle(.left(rooms.ann))
        try rooms.main.answerReads()
        try rooms.main.runTicks()
        #expect(rooms.main.results[rooms.ann]?.count == 3)
    }

    @Test("[NOTE-18] only members with the capability are told of suggestions")
    func told() throws {
        let rooms = try Rooms()
        let old = try rooms.main.join(6, capabilities: Capability.annotations)
        _ = try send(#"[{"op":"suggest","id":"s2","name":"n"}]"#, rooms.ann, rooms.main)
        _ = try send(#"[{"op":"addVersion","name":"v"}]"#, rooms.ann, rooms.main)
        func kinds(_ id: MemberID) -> [AnnotationKind] {
            rooms.main.received[id]?.flatMap { message -> [AnnotationKind] in
                if case .annotations(let changes) = message {
                    changes.changes.map(\.kind)
                } else {
                    []
                }
            } ?? []
        }
        #expect(kinds(old) == [.version])
        #expect(kinds(rooms.bob) == [.suggestion, .suggestion, .version])
        let late = try rooms.main.join(
            7, capabilities: Capability.annotations | Capability.suggestions)
        #expect(kinds(late) == [.version, .suggestion, .suggestion])
    }

    @Test("a merge whose price is beyond the slice waits for the slow lane")
    func price() throws {
        let slow = try Rooms()
        _ = try send(wider, slow.ann, slow.branch)
        slow.main.session.slice = 10_000
        try slow.main.send(
            accept, from: slow.ann, sequence: slow.main.nextSequence(slow.ann))
        try slow.main.runTicks()
        #expect(slow.main.overrunCount == 1)
        #expect(slow.main.width(of: "bar", for: slow.ann) == 100)
        slow.main.session.slice = .max
        try slow.main.runTicks()
        #expect(slow.main.width(of: "bar", for: slow.ann) == 150)
    }

    // MARK: Size

    @Test("500 changes of a branch come into 1,000 views for the units of 100 ms")
    func size() throws {
        var views: [String] = []
        var rules: [String] = []
        for row in 0..<50 {
            views.append(#"{"id":"r\#(row)"}"#)
            rules += [
                #""r\#(row).leading == root.leading""#,
                #""r\#(row).top == root.top + \#(20 * row)""#,
                #""r\#(row).height == 18""#, #""r\#(row).trailing == root.trailing""#,
            ]
            for place in 0..<19 {
                let id = "v\(row)-\(place)"
                let last = place == 0 ? "r\(row).leading" : "v\(row)-\(place - 1).trailing"
                views.append(#"{"id":"\#(id)","parent":"r\#(row)","kind":"label","text":"x"}"#)
                rules += [
                    #""\#(id).leading == \#(last) + 2""#, #""\#(id).top == r\#(row).top""#,
                    #"{"id":"w\#(row)-\#(place)","rule":"\#(id).width == 20"}"#,
                    #""\#(id).height == 16""#,
                ]
            }
        }
        let main = try TestRoom(
            #"{"scene":1,"viewport":{"width":640,"height":1200},"views":[\#(views.joined(separator: ","))],"constraints":[\#(rules.joined(separator: ","))]}"#
        )
        let ann = try main.join(1)
        try main.apply(Rooms.suggest, from: ann)
        let suggestion = try #require(main.session.timeline.annotations.suggestions["s1"])
        let branch = try TestRoom(branchOf: suggestion)
        let bob = try branch.join(1)
        let ops = (0..<500).map { number in
            number % 10 == 0
                ? #"{"op":"addView","id":"n\#(number)","parent":"r\#(number / 10)"}"#
                : #"{"op":"setConstraint","id":"w\#(number % 50)-\#(number / 50)","constant":21}"#
        }
        #expect(try send("[\(ops.joined(separator: ","))]", bob, branch) == nil)
        main.otherScenes["demo~s1"] = { branch.session.sceneForOthers() }
        #expect(try send(accept, ann, main) == nil)
        let work = try #require(main.results[ann]?.last?.work)
        #expect(work <= 20_000_000, "\(work) units")
        #expect(main.session.model.document() == branch.session.model.document())
    }
}
