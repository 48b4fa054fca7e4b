import JSON
import SceneWire
import Testing

@testable import SceneSession

@Suite("What questions cost")
struct QuestionPriceTests {
    private static let labels =
        "["
        + (0..<300).map {
            #"{"op": "addView", "id": "v\#($0)", "kind": "label", "text": "number \#($0)"}"#
        }.joined(separator: ",") + "]"

    private func room(second: UInt64 = WorkBudget.standard.second) throws -> (TestRoom, MemberID) {
        var options = SessionOptions()
        options.work.second = second
        let room = try TestRoom(options: options)
        let editor = try room.join(
            1, capabilities: Capability.inspect | Capability.subscribe | Capability.devices)
        try room.apply(Self.labels, from: editor)
        try room.runTicks(5)
        return (room, editor)
    }

    private func price(_ message: ClientMessage, _ room: TestRoom, _ member: MemberID) throws
        -> UInt64
    {
        let before = room.session.questionWork
        try room.handle(.received(member, message))
        try room.runTicks()
        return room.session.questionWork - before
    }

    @Test("each kind costs something for every view that it concerns")
    func kinds() throws {
        let (room, member) = try room()
        var document = Inspect()
        document.wantsDocument = true
        var views = Inspect()
        views.views = ["v1", "v2"]
        var device = DeviceRequest()
        device.columns = 50
        device.rows = 40
        var subtree = Subscribe()
        subtree.roots = ["v1"]
        // 302 views and root.
        #expect(try price(.inspect(document), room, member) >= 303 * 100)
        #expect(try price(.inspect(views), room, member) >= 2 * 1_000)
        // The scene is searched, and one label of it sent.
        #expect(try price(.subscribe(subtree), room, member) >= 303 * 4 + 700 + 150)
        #expect(try price(.device(device), room, member) >= 303 * 100)
        // What is there already is had for little.
        #expect(try price(.subscribe(subtree), room, member) == 0)
    }

    @Test("the constraints are gone through once for all views of an inspection")
    func index() throws {
        let (room, member) = try room()
        try room.apply(
            "["
                + (0..<1000).map {
                    #"{"op":"addConstraint","rule":"v\#($0 % 300).width >= \#($0)"}"#
                }
                .joined(separator: ",") + "]", from: member)
        func inspect(_ count: Int) throws -> UInt64 {
            var inspect = Inspect()
            inspect.views = (0..<count).map { "v\($0)" }
            return try price(.inspect(inspect), room, member)
        }
        let (one, many) = (try inspect(1), try inspect(41))
        // 1,000 constraints and more are 6 units each for either; the views have some thousand
        // units of their own.
        #expect(one > 6_000)
        #expect((many - one) / 40 < 6_000)
    }

    @Test("inspections and ops take turns: a tick answers few, and decides first")
    func turns() throws {
        var options = SessionOptions()
        options.work.tick = 100_000
        let room = try TestRoom(options: options)
        let editor = try room.join(1)
        let viewers = try (2...5).map {
            try room.join($0, role: .viewer, capabilities: Capability.inspect)
        }
        try room.apply(Self.labels, from: editor)
        try room.runTicks(5)
        for viewer in viewers {
            for request in 1...8 as ClosedRange<UInt32> {
                var inspect = Inspect()
                inspect.request = request
                inspect.views = (0..<64).map { "v\($0)" }
                try room.handle(.received(viewer, .inspect(inspect)))
            }
        }
        func answers() -> Int {
            viewers.map { viewer in
                (room.received[viewer] ?? []).count {
                    if case .inspection = $0 { true } else { false }
                }
            }.reduce(0, +)
        }
        for number in 1...4 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(number)}]"#, from: editor)
            // A view is 2,000 units and more, so that one inspection is more than a quarter of a
            // tick's budget.
            #expect(answers() == number)
            #expect(room.results[editor]?.count == number + 1)
        }
        // Those of a member that leaves are not answered any more.
        for viewer in viewers { try room.handle(.left(viewer)) }
        let work = room.session.questionWork
        try room.runTicks(5)
        #expect(answers() == 4 && room.session.questionWork == work)
    }

    @Test("an inspection of too much for one answer is refused, and a smaller one answered")
    func tooMuch() throws {
        var options = SessionOptions()
        options.work.tick = 20_000
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.inspect)
        try room.apply(Self.labels, from: editor)
        try room.runTicks(20)
        func ask(_ count: Int) throws -> [ServerMessage] {
            let before = room.received[editor]?.count ?? 0
            var inspect = Inspect()
            inspect.views = (0..<count).map { "v\($0)" }
            try room.handle(.received(editor, .inspect(inspect)))
            try room.runTicks(20)
            return (room.received[editor] ?? []).dropFirst(before).filter {
                switch $0 {
                case .error, .inspection: true
                default: false
                }
            }
        }
        // A view is 2,000 units and more; 80,000 are allowed.
        guard case .error(let error)? = try ask(64).first else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == UInt32(CloseCode.limit.rawValue))
        guard case .inspection? = try ask(2).first else {
            Issue.record("it was not answered")
            return
        }
    }

    @Test("a subtree's text costs for its bytes")
    func text() throws {
        let (room, member) = try room()
        func price(_ text: String, _ id: String) throws -> UInt64 {
            try room.apply(
                #"[{"op": "addView", "id": "\#(id)", "kind": "label", "text": "\#(text)"}]"#,
                from: member)
            try room.runTicks(2)
            var subtree = Subscribe()
            subtree.roots = [id]
            return try self.price(.subscribe(subtree), room, member)
        }
        let short = try price("x", "short")
        let long = try price(String(repeating: "x", count: 2_001), "long")
        // One view more is in the scene by then.
        #expect(long - short == 3 * 2_000 + 4)
    }

    @Test("reading a payload costs for its values and for its texts' bytes")
    func payloads() {
        let text = JSONValue.string(String(repeating: "x", count: 1_000))
        let numbers = JSONValue.array(Array(repeating: .number(0), count: 500))
        #expect(JournalPayload.readingWork(of: text) == 80 + 3 * 1_000)
        #expect(JournalPayload.readingWork(of: numbers) == 80 * 501)
    }

    @Test(
        "a member that asks for one subtree after the other is told that the room is too busy, and edits go on"
    )
    func flood() throws {
        let (room, member) = try room(second: 200_000)
        var refused = 0
        for number in 0..<30 {
            var subscribe = Subscribe()
            subscribe.roots = ["v\(number)"]
            try room.handle(.received(member, .subscribe(subscribe)))
            if case .error(let error)? = room.received[member]?.last,
                error.text.contains("too busy")
            {
                #expect(error.code == UInt32(CloseCode.limit.rawValue))
                refused += 1
            }
        }
        #expect(refused > 20)
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 50}]"#, from: member)
        #expect(room.refusal(member) == nil)
    }

    @Test("a device that is too dear to lay out is paid for, and the main one is shown")
    func deviceInVain() throws {
        var options = SessionOptions()
        // Enough for fifty labels, and not for three hundred.
        options.work.message = 300_000
        options.work.op = 300_000
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: Capability.devices)
        for start in stride(from: 0, to: 1_000, by: 20) {
            let labels = (start..<start + 20).map {
                #"{"op": "addView", "id": "v\#($0)", "kind": "label", "text": "number \#($0)"}"#
            }
            try room.apply("[" + labels.joined(separator: ",") + "]", from: editor)
            #expect(room.refusal(editor) == nil)
        }
        var device = DeviceRequest()
        device.columns = 50
        device.rows = 40
        #expect(try price(.device(device), room, editor) >= 300_000)
        #expect(room.session.devices.scenes.isEmpty)
        let grants = (room.received[editor] ?? []).compactMap { message -> DeviceGrant? in
            if case .device(let grant) = message { grant } else { nil }
        }
        #expect(grants.last?.fit == .main)
    }
}
