import Annotations
import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Members who see a part of the scene")
struct SightTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [
           {"id": "body", "frame": [10, 20, 300, 150], "background": "#102030"},
           {"id": "pane", "parent": "body", "frame": [5, 6, 100, 50]},
           {"id": "title", "parent": "pane", "kind": "label", "text": "Hello", "frame": [1, 2, 80, 16]},
           {"id": "salary", "parent": "body", "kind": "label", "text": "9000", "frame": [0, 60, 80, 16]},
           {"id": "vault", "frame": [320, 0, 80, 200]},
           {"id": "code", "parent": "vault", "kind": "textField", "value": "1234"},
           {"id": "lamp", "parent": "vault", "frame": [3, 4, 5, 6]}],
         "constraints": [
           {"id": "secretly", "rule": "code.width == 2 * salary.height @500"},
           {"id": "openly", "rule": "title.width == 70 @400"}]}
        """

    private func rights(_ patterns: String...) throws -> MemberRights {
        var rights = MemberRights()
        rights.see = ViewPatterns(patterns)
        return rights
    }

    private func join(
        _ room: TestRoom, _ number: UInt64, seeing patterns: String..., role: Role = .editor
    ) throws -> MemberID {
        var rights = MemberRights()
        rights.see = ViewPatterns(patterns)
        return try room.join(
            number, role: role, rights: rights, format: .json,
            capabilities: SceneSession.capabilities)
    }

    private func ids(_ room: TestRoom, _ id: MemberID) -> [String] {
        room.mirrors[id]?.records.map(\.id) ?? []
    }

    // MARK: The state

    @Test("views that are not seen are left out; containers stand for what holds others")
    func containers() throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "pane", "pane/*")
        #expect(ids(room, member) == ["root", "_2", "pane", "title"])
        let container = try #require(room.mirrors[member]?.view(id: "_2"))
        let editor = try room.join(9)
        #expect(container.frame == room.mirrors[editor]?.view(id: "body")?.frame)
        #expect(container.content == ViewContent())
        #expect(room.mirrors[member]?.view(id: "title")?.content.lines.first?.text == "Hello")
    }

    @Test("an exception hides what is below it, but for what a later pattern names")
    func exceptions() throws {
        let room = try TestRoom(Self.document)
        let most = try join(room, 1, seeing: "!vault")
        #expect(ids(room, most) == ["root", "body", "pane", "title", "salary"])
        let lit = try join(room, 2, seeing: "*", "!vault", "lamp")
        #expect(
            ids(room, lit) == ["root", "body", "pane", "title", "salary", "_6", "lamp"])
    }

    @Test("a view that moves out of sight goes, and one that moves into it comes")
    func moves() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(9)
        let member = try join(room, 1, seeing: "!vault")
        try room.apply(#"[{"op":"moveView","id":"pane","parent":"vault"}]"#, from: editor)
        #expect(ids(room, member) == ["root", "body", "salary"])
        try room.apply(#"[{"op":"moveView","id":"code","parent":"body"}]"#, from: editor)
        #expect(ids(room, member) == ["root", "body", "salary", "code"])
        try room.runTicks(120)
        #expect(room.closed[member] == nil)
    }

    @Test("a view that comes to stand for others loses its name, and what it showed")
    func becomesContainer() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(9)
        let member = try join(room, 1, seeing: "*", "!vault", "title")
        try room.apply(#"[{"op":"moveView","id":"pane","parent":"vault"}]"#, from: editor)
        #expect(ids(room, member) == ["root", "body", "salary", "_6", "_3", "title"])
        try room.apply(
            ##"[{"op":"setView","id":"pane","background":"#ff0000","frame":[9,9,50,50]}]"##,
            from: editor)
        let container = try #require(room.mirrors[member]?.view(id: "_3"))
        #expect(container.content.background == nil)
        #expect(container.frame == room.mirrors[editor]?.view(id: "pane")?.frame)
        try room.apply(#"[{"op":"moveView","id":"pane","parent":"body"}]"#, from: editor)
        #expect(ids(room, member) == ["root", "body", "salary", "pane", "title"])
        #expect(room.closed[member] == nil)
    }

    @Test("a container gives way to a view that has its name")
    func containerNames() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(9)
        try room.apply(
            #"[{"op":"addView","id":"_2","parent":"pane"}]"#, from: editor)
        let member = try join(room, 1, seeing: "pane", "pane/*")
        #expect(ids(room, member) == ["root", "_2_1", "pane", "title", "_2"])
        // While a member is there as well.
        try room.apply(#"[{"op":"addView","id":"_2_1","parent":"pane"}]"#, from: editor)
        try room.runTicks(120)
        #expect(ids(room, member) == ["root", "_2_2", "pane", "title", "_2", "_2_1"])
    }

    @Test("members with equal rights share a stream")
    func sharing() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(9)
        let first = try join(room, 1, seeing: "pane", "pane/*")
        let second = try join(room, 2, seeing: "pane", "pane/*")
        room.sends.removeAll()
        try room.apply(
            #"[{"op":"setView","id":"title","frame":[4,4,80,16]}]"#, from: editor)
        let shared = room.sends.filter { $0.to.contains(first) }
        #expect(!shared.isEmpty && shared.allSatisfy { $0.to.contains(second) })
        // What is not seen is no reason to send anything.
        room.sends.removeAll()
        try room.apply(
            #"[{"op":"setView","id":"salary","text":"9001"}]"#, from: editor)
        #expect(room.sends.allSatisfy { !$0.to.contains(first) })
    }

    @Test("subtrees that are watched are cut to what is seen")
    func subscribing() throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "!salary")
        var subscribe = Subscribe()
        subscribe.roots = ["body"]
        try room.handle(.received(member, .subscribe(subscribe)))
        #expect(ids(room, member) == ["root", "body", "pane", "title"])
        subscribe.roots = ["salary"]
        try room.handle(.received(member, .subscribe(subscribe)))
        #expect(ids(room, member) == ["root"])
        subscribe.roots = ["nobody"]
        try room.handle(.received(member, .subscribe(subscribe)))
        #expect(ids(room, member) == ["root"])
        subscribe.roots = []
        try room.handle(.received(member, .subscribe(subscribe)))
        #expect(
            ids(room, member) == ["root", "body", "pane", "title", "vault", "code", "lamp"])
    }

    @Test("what tells of the whole scene is not granted")
    func capabilities() throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "!vault")
        let granted = room.received[member]?.compactMap { message in
            if case .welcome(let welcome) = message { welcome.capabilities } else { nil }
        }.first
        let withheld =
            Capability.seek | Capability.trace | Capability.inspect | Capability.fitting
            | Capability.follow
        #expect(granted.map { $0 & withheld } == 0)
        var inspect = Inspect()
        inspect.wantsDocument = true
        try room.handle(.received(member, .inspect(inspect)))
        try room.runTicks(2)
        #expect(
            room.received[member]?.contains { message in
                if case .inspection = message { true } else { false }
            } == false)
    }

    // MARK: Changing

    /// Ops that name something unseen, with `NAME` for it, which may be a view or a constraint.
    static let ops = [
        #"[{"op":"setView","id":"NAME","text":"x"}]"#, #"[{"op":"removeView","id":"NAME"}]"#,
        #"[{"op":"resetView","id":"NAME","keys":["text"]}]"#,
        #"[{"op":"moveView","id":"NAME","parent":"pane"}]"#,
        #"[{"op":"moveView","id":"title","parent":"NAME"}]"#,
        #"[{"op":"addView","id":"mine","parent":"NAME"}]"#,
        #"[{"op":"addView","id":"mine","parent":"pane","kind":"stack","arranged":["NAME"]}]"#,
        #"[{"op":"addGuide","id":"mine","parent":"NAME"}]"#,
        #"[{"op":"addConstraint","id":"mine","rule":"title.width == NAME.width"}]"#,
        #"[{"op":"addConstraint","id":"mine","rule":"NAME.width == 5"}]"#,
        #"[{"op":"addConstraint","id":"mine","format":"H:[title]-[NAME]"}]"#,
        #"[{"op":"removeConstraint","id":"NAME"}]"#,
        #"[{"op":"setConstraint","id":"NAME","constant":5}]"#,
        #"[{"op":"sizeToFit","id":"NAME"}]"#, #"[{"op":"setNeedsLayout","id":"NAME"}]"#,
        #"[{"op":"layoutIfNeeded","id":"NAME"}]"#, #"[{"op":"setNeedsDisplay","id":"NAME"}]"#,
        #"[{"op":"setContentOffset","id":"NAME","offset":[0,0]}]"#,
        #"[{"op":"animate","duration":1,"ops":[{"op":"setView","id":"NAME","hidden":true}]}]"#,
        #"[{"op":"setView","id":"title","text":"y"},{"op":"setView","id":"NAME","text":"x"}]"#,
        #"[{"op":"lock","view":"NAME"}]"#,
        #"[{"op":"addComment","id":"mine","view":"NAME","text":"x"}]"#,
        #"[{"op":"addComment","id":"mine","constraint":"NAME","text":"x"}]"#,
        #"[{"op":"replyComment","id":"NAME","text":"x"}]"#,
    ]

    @Test(
        "an op about what is not seen is answered as one about what does not exist", arguments: ops)
    func unknown(_ op: String) throws {
        func answer(_ name: String) throws -> OpsResult.Outcome? {
            let room = try TestRoom(Self.document)
            let editor = try room.join(9, capabilities: Capability.annotations)
            try room.apply(
                #"[{"op":"addComment","id":"gossip","view":"salary","text":"high"}]"#, from: editor)
            let member = try join(room, 1, seeing: "*", "!salary", "!vault")
            try room.apply(op.replacing("NAME", with: name), from: member)
            let result = try #require(room.results[member]?.last)
            #expect(result.work == nil)
            return result.outcome.renaming(name)
        }
        let none = try answer("nobody")
        for name in ["salary", "lamp", "secretly", "gossip"] {
            // A thread may have the name of a view, and a view that of a constraint.
            let isOther =
                name == "secretly" && op.contains("view\":\"NAME")
                || name == "gossip" && !op.contains("replyComment")
                || name != "gossip" && op.contains("replyComment")
            if !isOther { #expect(try answer(name) == none, "\(name)") }
        }
    }

    @Test("a conflict with what is not seen does not name it")
    func conflicts() throws {
        let room = try TestRoom(
            Self.document.replacing("2 * salary.height @500", with: "title.width")
                .replacing("title.width == 70 @400", with: "code.width == 100")
                .replacing(#""Hello", "frame": [1, 2, 80, 16]"#, with: #""Hello""#))
        let member = try join(room, 1, seeing: "!vault")
        try room.apply(
            #"[{"op":"addConstraint","id":"mine","rule":"title.width == 20"}]"#, from: member,
            atomic: true)
        #expect(room.refusal(member)?.code == .unsatisfiable)
        #expect(room.refusal(member)?.conflicting == ["mine"])
        for payload in room.sends.flatMap(\.payloads) {
            let text = String(decoding: payload, as: UTF8.self)
            #expect(!text.contains("secretly") && !text.contains("openly"), "\(text)")
        }
    }

    @Test("what it does not see, and what is beside it, a member does not change")
    func changing() throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "pane", "pane/*")
        for op in [
            #"{"op":"setViewport","width":500}"#, #"{"op":"addView","id":"x"}"#,
            #"{"op":"moveView","id":"title","parent":"root"}"#,
            #"{"op":"setScene","scene":1,"viewport":{"width":1,"height":1}}"#,
        ] {
            try room.apply("[\(op)]", from: member)
            #expect(room.refusal(member)?.code == .forbidden, "\(op)")
        }
        try room.apply(
            #"[{"op":"setView","id":"title","text":"Hi"},{"op":"addView","id":"mine","parent":"pane"}]"#,
            from: member)
        #expect(room.refusal(member) == nil)
        #expect(ids(room, member) == ["root", "_2", "pane", "title", "mine"])
    }

    // MARK: Besides the state

    @Test("interactions, comments, locks, selections and events are cut")
    func besides() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(
            9, capabilities: Capability.annotations | Capability.events)
        let member = try join(room, 1, seeing: "!vault")
        try room.apply(
            #"[{"op":"addComment","id":"a","view":"code","text":"weak"},{"op":"addComment","id":"b","view":"title","text":"nice"},{"op":"addComment","id":"c","constraint":"secretly","text":"why"},{"op":"lock","view":"vault"}]"#,
            from: editor)
        var presence = Presence()
        presence.clock = 1
        presence.selection = ["code", "title"]
        presence.place = PresencePlace(view: "lamp", fraction: Point(x: 0, y: 0))
        try room.handle(.received(editor, .presence(presence)))
        var event = UserEvent()
        event.kind = .message
        event.view = "code"
        var sent = SentEvent()
        sent.event = event
        sent.to = SentEvent.everyone
        try room.handle(.received(editor, .event(sent)))
        try room.runTicks(10)
        let texts = room.sends.filter { $0.to.contains(member) }.flatMap(\.payloads)
            .map { String(decoding: $0, as: UTF8.self) }
        for word in ["code", "1234", "weak", "secretly", "vault", "lamp", "why"] {
            #expect(texts.allSatisfy { !$0.contains(word) }, "\(word)")
        }
        #expect(texts.contains { $0.contains("nice") })
        // The view comes into sight, and with it what there is about it.
        try room.apply(#"[{"op":"moveView","id":"code","parent":"body"}]"#, from: editor)
        let later = room.sends.filter { $0.to.contains(member) }.flatMap(\.payloads)
            .map { String(decoding: $0, as: UTF8.self) }
        #expect(later.contains { $0.contains("weak") } && later.contains { $0.contains("1234") })
    }

    @Test(
        "what is not seen is handled as little as what does not exist",
        arguments: ["code", "nobody"])
    func handling(view: String) throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "!vault")
        func errors() -> [UInt32] {
            room.received[member, default: []].compactMap { message in
                if case .error(let error) = message { error.code } else { nil }
            }
        }
        var request = HandleRequest()
        request.roots = [view]
        try room.handle(.received(member, .handle(request)))
        #expect(errors() == [4003])
        request.roots = ["pane"]
        try room.handle(.received(member, .handle(request)))
        #expect(errors() == [4003])
    }

    @Test("a member that comes back goes on from what it has seen")
    func resuming() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(9)
        let member = try join(room, 1, seeing: "!vault", role: .viewer)
        try room.apply(#"[{"op":"setView","id":"title","text":"Hi"}]"#, from: editor)
        let mirror = try #require(room.mirrors[member])
        try room.handle(.left(member))
        try room.apply(
            #"[{"op":"setView","id":"title","text":"Ho"},{"op":"setView","id":"lamp","frame":[0,0,1,1]}]"#,
            from: editor)
        var resume = Resume()
        resume.session = "session-1"
        resume.token = "token-1"
        resume.epoch = mirror.epoch
        resume.lastTick = mirror.tick
        var rights = MemberRights()
        rights.see = ViewPatterns(["!vault"])
        room.mirrors[MemberID(2)] = mirror
        room.sends.removeAll()
        try room.join(
            2, role: .viewer, session: "session-1", rights: rights, format: .json,
            capabilities: SceneSession.capabilities
        ) { $0.resume = resume }
        let texts = room.sends.flatMap(\.payloads).map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.allSatisfy { !$0.contains(#""type":"snapshot""#) })
        #expect(room.mirrors[MemberID(2)]?.view(id: "title")?.content.lines.first?.text == "Ho")
    }

    @Test("members see what they saw after a restart and a rest")
    func restarting() throws {
        let room = try TestRoom(Self.document)
        let member = try join(room, 1, seeing: "!vault", role: .viewer)
        try room.runTicks(5)
        try room.handle(.freeze)
        let other = try join(room, 2, seeing: "!vault", role: .viewer)
        #expect(ids(room, other) == ids(room, member))
        let again = try TestRoom(replaying: room.journal)
        let third = try join(again, 3, seeing: "!vault", role: .viewer)
        #expect(ids(again, third) == ids(room, member))
    }

    @Test("rights go to another node as a text, which an earlier release does not read")
    func rightsAsText() throws {
        let rights = try rights("*", "!vault")
        #expect(rights.text == "s * !vault")
        #expect(MemberRights(text: rights.text) == rights)
        #expect(RelaySession.serves(.viewer, Hello(), MemberRights()))
        #expect(!RelaySession.serves(.viewer, Hello(), rights))
    }
}

extension OpsResult.Outcome {
    /// The same with `NAME` for a name.
    fileprivate func renaming(_ name: String) -> OpsResult.Outcome {
        func rename(_ refusal: Refusal) -> Refusal {
            var refusal = refusal
            refusal.message = refusal.message.replacing(name, with: "NAME")
            return refusal
        }
        switch self {
        case .refused(let refusal): return .refused(rename(refusal))
        case .committed(var commit):
            commit.refusals = commit.refusals.map(rename)
            return .committed(commit)
        }
    }
}
