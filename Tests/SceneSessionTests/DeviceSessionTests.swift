import JSON
import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

@Suite("Members that watch the scene on devices of their own")
struct DeviceSessionTests {
    static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "devices": {"phone": {"width": 200, "height": 400, "scale": 2, "idiom": "phone"},
                     "desk": {"width": 1000, "height": 500}},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"}, {"id": "fit", "rule": "bar.trailing <= root.trailing"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"],
         "sets": {"small": {"when": "horizontalSizeClass == compact", "constraints": []}}}
        """
    static let capabilities = SceneSession.capabilities

    private func room(_ options: SessionOptions = SessionOptions()) throws -> TestRoom {
        try TestRoom(Self.document, options: options)
    }

    private func named(_ name: String) -> DeviceRequest {
        var request = DeviceRequest()
        request.name = name
        return request
    }

    private func cells(_ columns: UInt32, _ rows: UInt32) -> DeviceRequest {
        var request = DeviceRequest()
        request.columns = columns
        request.rows = rows
        return request
    }

    private func own(_ json: String) throws -> DeviceRequest {
        var request = DeviceRequest()
        request.viewport = try JSONReader.read(Array(json.utf8))
        return request
    }

    @discardableResult
    private func join(
        _ room: TestRoom, _ number: UInt64, on device: DeviceRequest?, role: Role = .viewer,
        format: Subprotocol = .binary, hello change: (inout Hello) -> Void = { _ in }
    ) throws -> MemberID {
        try room.join(
            number, role: role, format: format,
            capabilities: Self.capabilities & ~Capability.animations
        ) { hello in
            hello.device = device
            change(&hello)
        }
    }

    private func grants(_ room: TestRoom, _ id: MemberID) -> [DeviceGrant] {
        (room.received[id] ?? []).compactMap {
            if case .device(let grant) = $0 { grant } else { nil }
        }
    }

    private func size(_ room: TestRoom, _ id: MemberID) -> [Int32]? {
        room.mirrors[id]?.view(id: "root").map { [$0.frame.width, $0.frame.height] }
    }

    @Test("a member gets the frames of the device that it names, in its unit")
    func namedDevice() throws {
        let room = try room()
        let phone = try join(room, 1, on: named("phone"))
        let main = try join(room, 2, on: nil)
        // Two pixels a point.
        #expect(size(room, phone) == [400, 800])
        #expect(size(room, main) == [400, 200])
        let grant = try #require(grants(room, phone).first)
        #expect(grant.fit == .exact)
        #expect(grant.name == "phone")
        #expect(grant.unitsPerPoint == 2)
        #expect(grant.viewport == Size(width: 200, height: 400))
        #expect(grant.maximum == 16)
        #expect(grant.names == ["phone", "desk"])
        guard case .welcome(let welcome)? = room.received[phone]?.first else {
            return #expect(Bool(false), "no welcome")
        }
        #expect(welcome.unitsPerPoint == 2)
        #expect(welcome.viewport == Size(width: 200, height: 400))
    }

    @Test("a terminal gets a device of its columns and rows, in cells of the scene")
    func ownCells() throws {
        let room = try room()
        let terminal = try join(room, 1, on: cells(130, 42))
        #expect(size(room, terminal) == [1040, 672])
    }

    @Test("one edit moves every device in the same tick, each in its own layout")
    func oneEdit() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        let desk = try join(room, 3, on: named("desk"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        #expect(room.width(of: "bar", for: editor) == 150)
        #expect(room.width(of: "bar", for: phone) == 300)
        #expect(room.width(of: "bar", for: desk) == 150)
        #expect(Set([editor, phone, desk].map { room.mirrors[$0]?.tick }).count == 1)
    }

    @Test("members of equal devices get the same bytes, encoded once")
    func shared() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let first = try join(room, 2, on: cells(25, 25))
        let second = try join(room, 3, on: try own(#"{"width":200,"height":400}"#))
        #expect(room.session.devices.scenes.count == 1)
        room.sends.removeAll()
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        #expect(room.sends.contains { $0.to == [first, second] })
        // A device that is as the main one is the main one.
        try join(room, 4, on: try own(#"{"width":400}"#))
        #expect(room.session.devices.scenes.count == 1)
    }

    @Test(
        "a device that cannot be is answered with the main one and the reason",
        arguments: [
            (#"{"width":0,"height":0}"#, "viewport.width"), (#"{"width":1e9}"#, "viewport.width"),
            (#"{"mood":1}"#, "mood"), (#"{"idiom":"toaster"}"#, "toaster"),
            (#"[]"#, "viewport"), (#"{"scale":0}"#, "viewport.scale"),
        ])
    func impossible(viewport: String, word: String) throws {
        let room = try room()
        let member = try join(room, 1, on: try own(viewport))
        let grant = try #require(grants(room, member).first)
        #expect(grant.fit == .main)
        #expect(grant.reason.contains(word), "\(grant.reason)")
        #expect(size(room, member) == [400, 200])
        #expect(room.session.devices.scenes.isEmpty)
    }

    @Test(
        "a size that is no number is answered with the main one, and nobody else notices",
        arguments: [Double.nan, .infinity, -.infinity, -1, 1e9])
    func noNumber(width: Double) throws {
        let room = try room()
        let other = try join(room, 1, on: named("phone"))
        let before = room.received[other]?.count
        var request = DeviceRequest()
        request.viewport = .object([JSONMember("width", .number(width))])
        let member = try join(room, 2, on: request)
        let grant = try #require(grants(room, member).first)
        #expect(grant.fit == .main)
        #expect(grant.reason.contains("viewport.width"), "\(grant.reason)")
        #expect(size(room, member) == [400, 200])
        #expect(room.received[other]?.count == before)
        #expect(room.session.devices.scenes.count == 1)
    }

    @Test(
        "a condition that flips with itself on one device stops there, is named there, and moves nobody else"
    )
    func flipping() throws {
        // On the phone, 200 wide, the set makes untrue what it is in force for; on the desk, 1,000
        // wide, it never begins.
        let room = try TestRoom(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "devices": {"phone": {"width": 200, "height": 400}, "desk": {"width": 1000, "height": 500}},
             "views": [{"id": "bar"}],
             "constraints": [
               "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
               {"id": "w", "rule": "bar.width == 160 @500"}],
             "sets": {"swing": {"when": "root.width < 300 and bar.width < 100", "constraints": [
               "bar.width == 150 @900"]}}}
            """)
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        let desk = try join(room, 3, on: named("desk"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":50}]"#, from: editor)
        let result = try #require(room.results[editor]?.last)
        guard case .committed = result.outcome else {
            return #expect(Bool(false), "\(result.outcome)")
        }
        // Out of force it stays: the width is that of the base.
        #expect(room.width(of: "bar", for: phone) == 50)
        #expect(room.width(of: "bar", for: desk) == 50)
        #expect(room.width(of: "bar", for: editor) == 50)
        #expect(Set([editor, phone, desk].map { room.mirrors[$0]?.tick }).count == 1)
        // And everything goes on.
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        #expect(
            [editor, phone, desk].map { room.width(of: "bar", for: $0) } == [120, 120, 120])
        #expect(room.abandoned == nil)
    }

    @Test("an unknown name is answered with the names there are; too many cells with their bounds")
    func unknownName() throws {
        let room = try room()
        let member = try join(room, 1, on: named("tv"))
        #expect(grants(room, member).first?.reason.contains("phone, desk") == true)
        let large = try join(room, 2, on: cells(.max, 1))
        #expect(grants(room, large).first?.fit == .main)
    }

    @Test("beyond the limit a member gets the most similar device, and is told")
    func nearest() throws {
        var options = SessionOptions()
        options.deviceMaximum = 2
        let room = try room(options)
        try join(room, 1, on: named("phone"))
        try join(room, 2, on: named("desk"))
        let third = try join(room, 3, on: try own(#"{"width":980,"height":510}"#))
        let grant = try #require(grants(room, third).first)
        #expect(grant.fit == .nearest)
        #expect(grant.reason.contains("2"))
        #expect(size(room, third) == [1000, 500])
        let fourth = try join(room, 4, on: try own(#"{"width":401,"height":200}"#))
        #expect(size(room, fourth) == [400, 200])
        // One that leaves makes room in the same tick.
        try room.handle(.left(MemberID(1)))
        let fifth = try join(room, 5, on: try own(#"{"width":980,"height":510}"#))
        #expect(grants(room, fifth).first?.fit == .exact)
    }

    @Test("where another layout does not fit into a tick, the room asks for more time first")
    func overruns() throws {
        let room = try room()
        room.session.slice = 100
        let member = try join(room, 1, on: named("phone"))
        #expect(size(room, member) == [400, 200])
        try room.runTicks()
        #expect(room.overrunCount > 0)
        #expect(room.session.devices.scenes.isEmpty)
        room.session.slice = .max
        try room.runTicks(2)
        #expect(size(room, member) == [400, 800])
    }

    @Test(
        "a device that needs more than the room may take where it is waits until the room may take it"
    )
    func dearDevice() throws {
        // On the phone alone a row of views hangs on one another and on the text.
        let views = (0..<60).map { #"{"id": "v\#($0)", "kind": "label", "text": "a longer text"}"# }
        let rules = (1..<60).map {
            #""v\#($0).left == v\#($0 - 1).right + 1", "v\#($0).width == title.width""#
        }
        let room = try TestRoom(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "devices": {"phone": {"width": 200, "height": 400, "idiom": "phone"}},
             "views": [{"id": "title", "kind": "label", "text": "x"}, \(views.joined(separator: ", "))],
             "sets": {"phone": {"when": "idiom == phone", "constraints": [\(rules.joined(separator: ", "))]}}}
            """)
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.runTicks(2)
        let before = try #require(room.mirrors[phone]).view(id: "v59")?.frame
        room.session.slice = 12_000
        try room.send(
            #"[{"op":"setView","id":"title","text":"much longer than it was"}]"#, from: editor,
            sequence: 1)
        try room.runTicks(1)
        guard case .committed? = room.results[editor]?.last?.outcome else {
            Issue.record("the main device decides, and there it costs little")
            return
        }
        #expect(room.session.devices.areSuspended)
        #expect(room.mirrors[phone]?.view(id: "v59")?.frame == before)
        try room.runTicks(1)
        #expect(room.overrunCount > 0)
        #expect(closedOrMain(room, phone) == false)
        room.session.slice = .max
        try room.runTicks(3)
        #expect(!room.session.devices.areSuspended)
        let expected = room.session.devices.scenes.first?.model?.stateHash
        #expect(expected != nil && room.mirrors[phone]?.stateHash == expected)
        // As wide as the text: 23 characters of 8 points.
        #expect(room.mirrors[phone]?.view(id: "v1")?.frame.width == Int32(184))
    }

    private func closedOrMain(_ room: TestRoom, _ member: MemberID) -> Bool {
        room.closed[member] != nil || grants(room, member).last?.fit == .main
    }

    @Test("300 members with 300 sizes cost no more devices than there may be")
    func manySizes() throws {
        let room = try room()
        for number in 1...300 as ClosedRange<UInt64> {
            try join(room, number, on: cells(UInt32(number) + 20, 30))
        }
        #expect(room.session.devices.scenes.count <= SessionOptions().deviceMaximum)
        try room.runTicks(2)
        #expect(room.closed.isEmpty)
    }

    @Test("a window that is resized a thousand times in a tick is laid out once, as it is last")
    func resizing() throws {
        let room = try room()
        let member = try join(room, 1, on: cells(80, 24))
        try room.runTicks()
        let before = grants(room, member).count
        for columns in 0..<1000 as Range<UInt32> {
            try room.handle(.received(member, .device(cells(columns + 1, 30))))
        }
        #expect(room.session.needsTick)
        try room.runTicks()
        #expect(grants(room, member).count == before + 1)
        #expect(size(room, member) == [8000, 480])
        #expect(room.session.devices.scenes.count == 1)
        #expect(!room.session.needsTick)
    }

    @Test("watching on devices leaves journal, results and hash as they would be without")
    func leavesNoTrace() throws {
        let alone = try room()
        let watched = try room()
        for room in [alone, watched] {
            let editor = try room.join(1, capabilities: 0)
            if room === watched {
                try join(room, 2, on: named("phone"))
                try join(room, 3, on: cells(100, 30))
            }
            try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
            if room === watched {
                try room.handle(.received(MemberID(3), .device(named("desk"))))
            }
            try room.apply(
                #"[{"op":"addView","id":"v","frame":[1,2,3,4]},{"op":"setConstraint","id":"w","constant":999}]"#,
                from: editor)
            try room.runTicks(70)
        }
        #expect(alone.journal.map(\.payload) == watched.journal.map(\.payload))
        #expect(alone.session.stateHash == watched.session.stateHash)
        let results = [alone, watched].map { $0.results[MemberID(1)]?.map(\.outcome) }
        #expect(results[0] == results[1])
    }

    @Test("an op that does not hold on a device is committed, and told where it does not hold")
    func doesNotHold() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":300}]"#, from: editor)
        let result = try #require(room.results[editor]?.last)
        guard case .committed = result.outcome else {
            return #expect(Bool(false), "\(result.outcome)")
        }
        #expect(result.devices?.names == ["phone"])
        try room.runTicks(70)
        func broken(_ id: MemberID) -> [String]? {
            (room.received[id] ?? []).compactMap {
                if case .diagnostics(let diagnostics) = $0 { diagnostics.broken } else { nil }
            }.last
        }
        #expect(broken(phone) == ["fit"])
        #expect(broken(editor) == [])
        #expect(room.width(of: "bar", for: phone) == 600)
        // The main device refuses what does not hold there, whatever others could do.
        try join(room, 3, on: named("desk"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":500}]"#, from: editor)
        #expect(room.refusal(editor)?.code == .unsatisfiable)
    }

    @Test("what gives way on a device without moving anything is told there too")
    func silentProblem() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.runTicks(70)
        // The main device is 400 wide, the phone 200.
        try room.apply(
            #"[{"op":"addConstraint","id":"wide","rule":"root.width >= 300"}]"#, from: editor)
        try room.runTicks(70)
        func broken(_ id: MemberID) -> [String]? {
            (room.received[id] ?? []).compactMap {
                if case .diagnostics(let diagnostics) = $0 { diagnostics.broken } else { nil }
            }.last
        }
        #expect(broken(phone) == ["wide"])
        #expect(broken(editor) == [])
    }

    @Test("a device that nobody watches any more is gone in the same step")
    func gone() throws {
        let room = try room()
        let member = try join(room, 1, on: named("phone"))
        #expect(room.session.devices.scenes.count == 1)
        try room.handle(.left(member))
        #expect(room.session.devices.scenes.isEmpty)
    }

    @Test("undo, a replaced scene and a changed viewport reach every device")
    func everything() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try room.undo(editor)
        #expect(room.width(of: "bar", for: phone) == 200)
        try room.apply(#"[{"op":"setViewport","width":300,"rounding":"none"}]"#, from: editor)
        #expect(size(room, editor) == [300 * 1024, 200 * 1024])
        #expect(size(room, phone) == [200 * 1024, 400 * 1024])
        #expect(grants(room, phone).last?.unitsPerPoint == 1024)
        let other = Self.document.replacing("\"width\": 200", with: "\"width\": 220")
        try room.apply("[{\"op\":\"setScene\"," + other.dropFirst() + "]", from: editor)
        try room.runTicks(2)
        #expect(size(room, phone) == [440, 800])
        #expect(size(room, editor) == [400, 200])
    }

    @Test("a strict device refuses what contradicts there, by its name, and leaves no trace of it")
    func strict() throws {
        let text = Self.document.replacing(
            #""phone": {"width": 200,"#, with: #""phone": {"strict": true, "width": 200,"#)
        let room = try TestRoom(text)
        let editor = try join(room, 1, on: nil, role: .editor)
        let watcher = try join(room, 2, on: named("phone"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let before = (hash: room.session.stateHash, records: room.journal.count)
        for message in [
            #"[{"op":"setConstraint","id":"w","constant":250}]"#,
            #"[{"op":"animate","duration":0.1,"ops":[{"op":"setConstraint","id":"w","constant":201},{"op":"layoutIfNeeded"}]}]"#,
        ] {
            try room.apply(message, from: editor)
            guard case .refused(let refusal) = try #require(room.results[editor]?.last).outcome
            else {
                Issue.record("it does not fit on the phone")
                continue
            }
            #expect(refusal.code == .unsatisfiable)
            #expect(refusal.message.contains("phone"), "\(refusal.message)")
            // Its leading edge, its trailing edge and its width.
            #expect(refusal.conflicting.sorted() == ["#0", "fit", "w"])
        }
        #expect(room.session.stateHash == before.hash)
        #expect(room.journal.count == before.records)
        #expect(room.width(of: "bar", for: editor) == 150)
        // In pixels of the phone, two for each point.
        #expect(room.width(of: "bar", for: watcher) == 300)
        // What fits goes on being taken, after a rest and with nobody on the phone too.
        try room.handle(.left(watcher))
        try room.handle(.freeze)
        try room.apply(
            #"[{"op":"setConstraint","id":"w","constant":201},{"op":"setView","id":"title","text":"Longer"}]"#,
            from: editor)
        guard case .committed(let commit) = try #require(room.results[editor]?.last).outcome else {
            Issue.record("one of the two fits")
            return
        }
        #expect(commit.refusals.map(\.opIndex) == [0])
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":200}]"#, from: editor)
        #expect(room.width(of: "bar", for: editor) == 200)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.stateHash == room.session.stateHash)
    }

    @Test(
        "a strict device refuses nothing when others' changes are laid out before somebody's animation"
    )
    func strictBeforeAnimation() throws {
        let text = Self.document.replacing(
            #""phone": {"width": 200,"#, with: #""phone": {"strict": true, "width": 200,"#)
        let room = try TestRoom(text)
        let editor = try join(room, 1, on: nil, role: .editor)
        let other = try join(room, 2, on: nil, role: .editor)
        try room.apply(
            """
            [{"op":"addView","id":"s","kind":"stack"},{"op":"addView","id":"a","parent":"s"},
             {"op":"addConstraint","rule":"s.leading == root.leading"},
             {"op":"addConstraint","rule":"s.trailing <= root.trailing"},
             {"op":"addConstraint","rule":"a.width == 150"}]
            """, from: editor)
        // The stack puts its members beside one another when it is laid out: 300 points, of which
        // the phone has 200.
        try room.send(
            #"[{"op":"addView","id":"b","parent":"s"},{"op":"addConstraint","rule":"b.width == 150"}]"#,
            from: editor, sequence: room.nextSequence(editor))
        try room.send(
            #"[{"op":"animate","duration":0.1,"ops":[{"op":"setConstraint","id":"w","constant":120}]}]"#,
            from: other, sequence: room.nextSequence(other))
        try room.runTicks(30)
        for member in [editor, other] {
            guard case .committed(let commit)? = room.lastResult(member) else {
                Issue.record("\(String(describing: room.lastResult(member)))")
                return
            }
            #expect(commit.refusals.isEmpty)
        }
        #expect(room.width(of: "bar", for: other) == 120)
        let replay = try JournalReplay(room.journal, through: room.session.tick)
        #expect(replay.timeline.model.stateHash == room.session.stateHash)
    }

    @Test("an inspection tells of the member's own device")
    func inspection() throws {
        let room = try room()
        let phone = try join(room, 1, on: named("phone"))
        var inspect = Inspect()
        inspect.views = ["root"]
        try room.handle(.received(phone, .inspect(inspect)))
        try room.runTicks(2)
        let parts = (room.received[phone] ?? []).compactMap {
            if case .inspection(let part) = $0 { part.text } else { nil }
        }
        #expect(parts.joined().contains("root.width == 200"), "\(parts.joined())")
    }

    @Test(
        "a trace tells what the passes called on the member's own device, with that device's durations"
    )
    func trace() throws {
        let room = try room()
        var now: UInt64 = 0
        room.session.traceClock = {
            now += 1000
            return now
        }
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        var request = TraceRequest()
        request.isEnabled = true
        for member in [editor, phone] { try room.handle(.received(member, .trace(request))) }
        func traces(_ id: MemberID) -> [Trace] {
            defer { room.received[id] = [] }
            return (room.received[id] ?? []).compactMap {
                if case .trace(let trace) = $0 { trace } else { nil }
            }
        }
        // The rule that gives way there moves the bar on the phone alone.
        try room.apply(
            #"[{"op":"addConstraint","rule":"bar.width >= 0.5 * root.height @900"},"#
                + #"{"op":"setConstraint","id":"w","priority":800}]"#, from: editor)
        #expect(traces(editor) == [])
        let told = traces(phone)
        #expect(told.count == 1)
        // The bar's superview, which gives it half of 400 points where it had 100, and the bar,
        // which was resized.
        #expect(
            told.first?.events == [
                "setNeedsLayout root", "layoutSubviews root", "layoutSubviews bar",
            ])
        #expect(told.first?.durations?.layout ?? 0 > 0)
        // On another device it hears of that one.
        try room.handle(.received(phone, .device(named("desk"))))
        try room.runTicks(2)
        _ = traces(phone)
        try room.apply(
            #"[{"op":"addConstraint","rule":"bar.width >= 0.6 * root.height @950"}]"#, from: editor)
        #expect(traces(phone).first?.events.contains("layoutSubviews root") == true)
        // Views that it did not ask for are left out, and nothing comes once it has ended.
        request.watch = ["title"]
        try room.handle(.received(phone, .trace(request)))
        try room.apply(
            #"[{"op":"setConstraint","id":"w","priority":1000,"constant":310}]"#, from: editor)
        #expect(traces(phone) == [])
        request.isEnabled = false
        try room.handle(.received(phone, .trace(request)))
        try room.apply(#"[{"op":"setView","id":"title","text":"Longer"}]"#, from: editor)
        #expect(traces(phone) == [])
    }

    @Test("a trace goes on where the scene is rebuilt, and tells nothing of its making")
    func traceAfterSnapshot() throws {
        var options = SessionOptions()
        // Every change after the first begins with a snapshot, from which the scenes of devices are
        // rebuilt.
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let room = try room(options)
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        var request = TraceRequest()
        request.isEnabled = true
        try room.handle(.received(phone, .trace(request)))
        for constant in [150, 160, 170] {
            room.received[phone] = []
            try room.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(constant)}]"#, from: editor)
            try room.runTicks(2)
            let events = (room.received[phone] ?? []).flatMap {
                if case .trace(let trace) = $0 { trace.events } else { [String]() }
            }
            #expect(events == ["setNeedsLayout root", "layoutSubviews root", "layoutSubviews bar"])
        }
        #expect(room.journal.filter { $0.kind == .snapshot }.count >= 3)
    }

    @Test("the past is shown on the member's own device, and on another one when it asks for that")
    func past() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let then = room.tick
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":180}]"#, from: editor)
        var seek = Seek()
        seek.isLive = false
        seek.tick = then
        try room.handle(.received(phone, .seek(seek)))
        try room.runTicks(3)
        #expect(room.width(of: "bar", for: phone) == 300)
        #expect(size(room, phone) == [400, 800])
        try room.handle(.received(phone, .device(named("desk"))))
        try room.runTicks(3)
        #expect(room.width(of: "bar", for: phone) == 150)
        #expect(size(room, phone) == [1000, 500])
        try room.handle(.received(phone, .seek(Seek())))
        try room.runTicks(2)
        #expect(room.width(of: "bar", for: phone) == 180)
    }

    @Test("a member that comes back goes on where it was on its device, or begins anew")
    func resumes() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        try join(room, 2, on: named("phone"))
        let phone = try join(room, 3, on: named("phone"))
        try room.runTicks()
        let mirror = try #require(room.mirrors[phone])
        try room.handle(.left(phone))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let again = MemberID(4)
        room.mirrors[again] = mirror
        try join(room, 4, on: named("phone")) { hello in
            hello.resume = Resume()
            hello.resume?.session = "session-3"
            hello.resume?.epoch = mirror.epoch
            hello.resume?.lastTick = mirror.tick
        }
        #expect(room.width(of: "bar", for: again) == 300)
    }

    @Test("a room at rest thaws with its devices as members have them")
    func rest() throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try room.runTicks(120)
        try room.handle(.freeze)
        try #require(room.session.isFrozen)
        #expect(room.session.devices.scenes.allSatisfy { $0.model == nil })
        let late = try join(room, 3, on: named("phone"))
        #expect(room.width(of: "bar", for: late) == 300)
        room.received[phone] = []
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":160}]"#, from: editor)
        #expect(room.width(of: "bar", for: phone) == 320)
        #expect(room.width(of: "bar", for: late) == 320)
        // It was told the change and not everything.
        let hasSnapshot = (room.received[phone] ?? []).contains {
            if case .snapshot = $0 { true } else { false }
        }
        #expect(!hasSnapshot)
    }

    @Test(
        "at rest, thawed, after a crash and in a replay a device has the frames of a scene of its own with that viewport",
        arguments: 0..<4)
    func comesBack(seed: Int) throws {
        let room = try room()
        let editor = try join(room, 1, on: nil, role: .editor)
        let phone = try join(room, 2, on: named("phone"))
        // The same document for a phone alone, which takes the same ops.
        let text = Self.document.replacing(
            #""viewport": {"width": 400, "height": 200}"#,
            with: #""viewport": {"width": 200, "height": 400, "scale": 2, "idiom": "phone"}"#)
        let alone = try SceneModel(SceneDocument.parse(Array(text.utf8)))
        var random = SplitMix64(seed: UInt64(9100 + seed))
        func frames(_ records: [ViewRecord]) -> [String: QuantisedFrame] {
            Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.frame) })
        }
        for turn in 0..<30 {
            let op =
                random.below(2) == 0
                ? #"{"op":"setConstraint","id":"w","constant":\#(10 + random.below(180))}"#
                : #"{"op":"setView","id":"title","text":"\#(String(repeating: "x", count: random.below(9)))"}"#
            try room.apply("[\(op)]", from: editor)
            #expect(
                alone.apply([try Op.parse(try JSONReader.read(Array(op.utf8)))]).refusals.isEmpty)
            alone.runCycle()
            if random.below(5) == 0 {
                try room.handle(.freeze)
                try room.runTicks(2)
            }
            #expect(
                frames(room.mirrors[phone]?.records ?? []) == frames(alone.records()),
                "seed \(seed), turn \(turn)")
        }
        // What is left of a crash is the journal.
        let session = SceneSession(
            room: "again", tickRate: 60, replay: try JournalReplay(room.journal))
        var hello = Hello()
        hello.capabilities = Self.capabilities & ~Capability.animations
        hello.device = named("phone")
        _ = session.handle(
            .joined(
                MemberID(1),
                Admission(
                    session: "new", resumeToken: "new", role: .viewer, format: .binary,
                    monotonicMilliseconds: 0, hello: hello)))
        #expect(frames(session.records(shownTo: "new") ?? []) == frames(alone.records()))
        #expect(session.devices.scenes.count == 1)
    }

    @Test("whatever is asked for, each member has what its device shows", arguments: 0..<8)
    func random(seed: Int) throws {
        let room = try room()
        var random = SplitMix64(seed: UInt64(4400 + seed))
        var source = RandomOps(seed: 4400 + seed)
        let editor = try join(room, 1, on: nil, role: .editor)
        for number in 2...5 as ClosedRange<UInt64> {
            try join(room, number, on: random.below(3) == 0 ? nil : cells(20 + UInt32(number), 20))
        }
        let requests = [
            named("phone"), named("desk"), named("gone"), DeviceRequest(), cells(40, 12),
            try own(#"{"direction":"rtl","contentSizeCategory":"extraLarge","scale":3}"#),
        ]
        for turn in 0..<40 {
            for _ in 0..<random.below(3) {
                try room.send(
                    "[\(source.op())]", from: editor, sequence: room.nextSequence(editor))
            }
            if random.below(3) == 0 {
                let member = MemberID(UInt64(2 + random.below(4)))
                try room.handle(.received(member, .device(random.pick(requests))))
            }
            try room.runTicks(1 + random.below(3))
            if random.below(12) == 0, room.session.freezeTick != nil { try room.handle(.freeze) }
            for scene in room.session.devices.scenes {
                guard let model = scene.model else { continue }
                for number in 2...5 as ClosedRange<UInt64> {
                    let member = MemberID(number)
                    guard room.session.roster[member]?.stream.device == scene.id else { continue }
                    #expect(
                        room.mirrors[member]?.records == model.records(),
                        "seed \(seed), turn \(turn), member \(number)")
                }
            }
        }
        #expect(room.closed.isEmpty)
        #expect(room.abandoned == nil)
    }
}
