import SceneModel
import SceneProtocol
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

    private func rig(_ options: SessionOptions = SessionOptions()) throws -> Rig {
        try Rig(Self.document, options: options)
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
        _ rig: Rig, _ number: UInt64, on device: DeviceRequest?, role: Role = .viewer,
        format: Subprotocol = .binary, hello change: (inout Hello) -> Void = { _ in }
    ) throws -> MemberID {
        try rig.join(
            number, role: role, format: format,
            capabilities: Self.capabilities & ~Capability.animations
        ) { hello in
            hello.device = device
            change(&hello)
        }
    }

    private func grants(_ rig: Rig, _ id: MemberID) -> [DeviceGrant] {
        (rig.received[id] ?? []).compactMap {
            if case .device(let grant) = $0 { grant } else { nil }
        }
    }

    private func size(_ rig: Rig, _ id: MemberID) -> [Int32]? {
        rig.mirrors[id]?.view(id: "root").map { [$0.frame.width, $0.frame.height] }
    }

    @Test("a member gets the frames of the device that it names, in its unit")
    func namedDevice() throws {
        let rig = try rig()
        let phone = try join(rig, 1, on: named("phone"))
        let main = try join(rig, 2, on: nil)
        // Two pixels a point.
        #expect(size(rig, phone) == [400, 800])
        #expect(size(rig, main) == [400, 200])
        let grant = try #require(grants(rig, phone).first)
        #expect(grant.fit == .exact)
        #expect(grant.name == "phone")
        #expect(grant.unitsPerPoint == 2)
        #expect(grant.viewport == Size(width: 200, height: 400))
        #expect(grant.maximum == 16)
        #expect(grant.names == ["phone", "desk"])
        guard case .welcome(let welcome)? = rig.received[phone]?.first else {
            return #expect(Bool(false), "no welcome")
        }
        #expect(welcome.unitsPerPoint == 2)
        #expect(welcome.viewport == Size(width: 200, height: 400))
    }

    @Test("a terminal gets a device of its columns and rows, in cells of the scene")
    func ownCells() throws {
        let rig = try rig()
        let terminal = try join(rig, 1, on: cells(130, 42))
        #expect(size(rig, terminal) == [1040, 672])
    }

    @Test("one edit moves every device in the same tick, each in its own layout")
    func oneEdit() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        let desk = try join(rig, 3, on: named("desk"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        #expect(rig.width(of: "bar", for: editor) == 150)
        #expect(rig.width(of: "bar", for: phone) == 300)
        #expect(rig.width(of: "bar", for: desk) == 150)
        #expect(Set([editor, phone, desk].map { rig.mirrors[$0]?.tick }).count == 1)
    }

    @Test("members of equal devices get the same bytes, encoded once")
    func shared() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let first = try join(rig, 2, on: cells(25, 25))
        let second = try join(rig, 3, on: try own(#"{"width":200,"height":400}"#))
        #expect(rig.session.devices.scenes.count == 1)
        rig.sends.removeAll()
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        #expect(rig.sends.contains { $0.to == [first, second] })
        // A device that is as the main one is the main one.
        try join(rig, 4, on: try own(#"{"width":400}"#))
        #expect(rig.session.devices.scenes.count == 1)
    }

    @Test(
        "a device that cannot be is answered with the main one and the reason",
        arguments: [
            (#"{"width":0,"height":0}"#, "viewport.width"), (#"{"width":1e9}"#, "viewport.width"),
            (#"{"mood":1}"#, "mood"), (#"{"idiom":"toaster"}"#, "toaster"),
            (#"[]"#, "viewport"), (#"{"scale":0}"#, "viewport.scale"),
        ])
    func impossible(viewport: String, word: String) throws {
        let rig = try rig()
        let member = try join(rig, 1, on: try own(viewport))
        let grant = try #require(grants(rig, member).first)
        #expect(grant.fit == .main)
        #expect(grant.reason.contains(word), "\(grant.reason)")
        #expect(size(rig, member) == [400, 200])
        #expect(rig.session.devices.scenes.isEmpty)
    }

    @Test(
        "a size that is no number is answered with the main one, and nobody else notices",
        arguments: [Double.nan, .infinity, -.infinity, -1, 1e9])
    func noNumber(width: Double) throws {
        let rig = try rig()
        let other = try join(rig, 1, on: named("phone"))
        let before = rig.received[other]?.count
        var request = DeviceRequest()
        request.viewport = .object([JSONMember("width", .number(width))])
        let member = try join(rig, 2, on: request)
        let grant = try #require(grants(rig, member).first)
        #expect(grant.fit == .main)
        #expect(grant.reason.contains("viewport.width"), "\(grant.reason)")
        #expect(size(rig, member) == [400, 200])
        #expect(rig.received[other]?.count == before)
        #expect(rig.session.devices.scenes.count == 1)
    }

    @Test(
        "a condition that flips with itself on one device stops there, is named there, and moves nobody else"
    )
    func flipping() throws {
        // On the phone, 200 wide, the set makes untrue what it is in force for; on the desk, 1,000 wide, it never begins.
        let rig = try Rig(
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
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        let desk = try join(rig, 3, on: named("desk"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":50}]"#, from: editor)
        let result = try #require(rig.results[editor]?.last)
        guard case .committed = result.outcome else {
            return #expect(Bool(false), "\(result.outcome)")
        }
        // Out of force it stays: the width is that of the base.
        #expect(rig.width(of: "bar", for: phone) == 50)
        #expect(rig.width(of: "bar", for: desk) == 50)
        #expect(rig.width(of: "bar", for: editor) == 50)
        #expect(Set([editor, phone, desk].map { rig.mirrors[$0]?.tick }).count == 1)
        // And everything goes on.
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":120}]"#, from: editor)
        #expect(
            [editor, phone, desk].map { rig.width(of: "bar", for: $0) } == [120, 120, 120])
        #expect(rig.abandoned == nil)
    }

    @Test("an unknown name is answered with the names there are; too many cells with their bounds")
    func unknownName() throws {
        let rig = try rig()
        let member = try join(rig, 1, on: named("tv"))
        #expect(grants(rig, member).first?.reason.contains("phone, desk") == true)
        let large = try join(rig, 2, on: cells(.max, 1))
        #expect(grants(rig, large).first?.fit == .main)
    }

    @Test("beyond the limit a member gets the most similar device, and is told")
    func nearest() throws {
        var options = SessionOptions()
        options.deviceMaximum = 2
        let rig = try rig(options)
        try join(rig, 1, on: named("phone"))
        try join(rig, 2, on: named("desk"))
        let third = try join(rig, 3, on: try own(#"{"width":980,"height":510}"#))
        let grant = try #require(grants(rig, third).first)
        #expect(grant.fit == .nearest)
        #expect(grant.reason.contains("2"))
        #expect(size(rig, third) == [1000, 500])
        let fourth = try join(rig, 4, on: try own(#"{"width":401,"height":200}"#))
        #expect(size(rig, fourth) == [400, 200])
        // One that leaves makes room in the same tick.
        try rig.step(.left(MemberID(1)))
        let fifth = try join(rig, 5, on: try own(#"{"width":980,"height":510}"#))
        #expect(grants(rig, fifth).first?.fit == .exact)
    }

    @Test("where another layout does not fit into a tick, the room asks for more time first")
    func overruns() throws {
        let rig = try rig()
        rig.session.slice = 100
        let member = try join(rig, 1, on: named("phone"))
        #expect(size(rig, member) == [400, 200])
        try rig.runTicks()
        #expect(rig.overrunCount > 0)
        #expect(rig.session.devices.scenes.isEmpty)
        rig.session.slice = .max
        try rig.runTicks(2)
        #expect(size(rig, member) == [400, 800])
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
        let rig = try Rig(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "devices": {"phone": {"width": 200, "height": 400, "idiom": "phone"}},
             "views": [{"id": "title", "kind": "label", "text": "x"}, \(views.joined(separator: ", "))],
             "sets": {"phone": {"when": "idiom == phone", "constraints": [\(rules.joined(separator: ", "))]}}}
            """)
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.runTicks(2)
        let before = try #require(rig.mirrors[phone]).view(id: "v59")?.frame
        rig.session.slice = 30_000
        try rig.send(
            #"[{"op":"setView","id":"title","text":"much longer than it was"}]"#, from: editor,
            sequence: 1)
        try rig.runTicks(1)
        guard case .committed? = rig.results[editor]?.last?.outcome else {
            Issue.record("the main device decides, and there it costs little")
            return
        }
        #expect(rig.session.devices.areSuspended)
        #expect(rig.mirrors[phone]?.view(id: "v59")?.frame == before)
        try rig.runTicks(1)
        #expect(rig.overrunCount > 0)
        #expect(closedOrMain(rig, phone) == false)
        rig.session.slice = .max
        try rig.runTicks(3)
        #expect(!rig.session.devices.areSuspended)
        let expected = rig.session.devices.scenes.first?.model?.stateHash
        #expect(expected != nil && rig.mirrors[phone]?.stateHash == expected)
        // As wide as the text: 23 characters of 8 points.
        #expect(rig.mirrors[phone]?.view(id: "v1")?.frame.width == Int32(184))
    }

    private func closedOrMain(_ rig: Rig, _ member: MemberID) -> Bool {
        rig.closed[member] != nil || grants(rig, member).last?.fit == .main
    }

    @Test("300 members with 300 sizes cost no more devices than there may be")
    func manySizes() throws {
        let rig = try rig()
        for number in 1...300 as ClosedRange<UInt64> {
            try join(rig, number, on: cells(UInt32(number) + 20, 30))
        }
        #expect(rig.session.devices.scenes.count <= SessionOptions().deviceMaximum)
        try rig.runTicks(2)
        #expect(rig.closed.isEmpty)
    }

    @Test("a window that is resized a thousand times in a tick is laid out once, as it is last")
    func resizing() throws {
        let rig = try rig()
        let member = try join(rig, 1, on: cells(80, 24))
        try rig.runTicks()
        let before = grants(rig, member).count
        for columns in 0..<1000 as Range<UInt32> {
            try rig.step(.received(member, .device(cells(columns + 1, 30))))
        }
        #expect(rig.session.needsTick)
        try rig.runTicks()
        #expect(grants(rig, member).count == before + 1)
        #expect(size(rig, member) == [8000, 480])
        #expect(rig.session.devices.scenes.count == 1)
        #expect(!rig.session.needsTick)
    }

    @Test("watching on devices leaves journal, results and hash as they would be without")
    func leavesNoTrace() throws {
        let alone = try rig()
        let watched = try rig()
        for rig in [alone, watched] {
            let editor = try rig.join(1, capabilities: 0)
            if rig === watched {
                try join(rig, 2, on: named("phone"))
                try join(rig, 3, on: cells(100, 30))
            }
            try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
            if rig === watched {
                try rig.step(.received(MemberID(3), .device(named("desk"))))
            }
            try rig.apply(
                #"[{"op":"addView","id":"v","frame":[1,2,3,4]},{"op":"setConstraint","id":"w","constant":999}]"#,
                from: editor)
            try rig.runTicks(70)
        }
        #expect(alone.journal.map(\.payload) == watched.journal.map(\.payload))
        #expect(alone.session.stateHash == watched.session.stateHash)
        let results = [alone, watched].map { $0.results[MemberID(1)]?.map(\.outcome) }
        #expect(results[0] == results[1])
    }

    @Test("an op that does not hold on a device is committed, and told where it does not hold")
    func doesNotHold() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":300}]"#, from: editor)
        let result = try #require(rig.results[editor]?.last)
        guard case .committed = result.outcome else {
            return #expect(Bool(false), "\(result.outcome)")
        }
        #expect(result.devices?.names == ["phone"])
        try rig.runTicks(70)
        func broken(_ id: MemberID) -> [String]? {
            (rig.received[id] ?? []).compactMap {
                if case .diagnostics(let diagnostics) = $0 { diagnostics.broken } else { nil }
            }.last
        }
        #expect(broken(phone) == ["fit"])
        #expect(broken(editor) == [])
        #expect(rig.width(of: "bar", for: phone) == 600)
        // The main device refuses what does not hold there, whatever others could do.
        try join(rig, 3, on: named("desk"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":500}]"#, from: editor)
        #expect(rig.refusal(editor)?.code == .unsatisfiable)
    }

    @Test("what gives way on a device without moving anything is told there too")
    func silentProblem() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.runTicks(70)
        // The main device is 400 wide, the phone 200.
        try rig.apply(
            #"[{"op":"addConstraint","id":"wide","rule":"root.width >= 300"}]"#, from: editor)
        try rig.runTicks(70)
        func broken(_ id: MemberID) -> [String]? {
            (rig.received[id] ?? []).compactMap {
                if case .diagnostics(let diagnostics) = $0 { diagnostics.broken } else { nil }
            }.last
        }
        #expect(broken(phone) == ["wide"])
        #expect(broken(editor) == [])
    }

    @Test("a device that nobody watches any more is gone in the same step")
    func gone() throws {
        let rig = try rig()
        let member = try join(rig, 1, on: named("phone"))
        #expect(rig.session.devices.scenes.count == 1)
        try rig.step(.left(member))
        #expect(rig.session.devices.scenes.isEmpty)
    }

    @Test("undo, a replaced scene and a changed viewport reach every device")
    func everything() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try rig.undo(editor)
        #expect(rig.width(of: "bar", for: phone) == 200)
        try rig.apply(#"[{"op":"setViewport","width":300,"rounding":"none"}]"#, from: editor)
        #expect(size(rig, editor) == [300 * 1024, 200 * 1024])
        #expect(size(rig, phone) == [200 * 1024, 400 * 1024])
        #expect(grants(rig, phone).last?.unitsPerPoint == 1024)
        let other = Self.document.replacing("\"width\": 200", with: "\"width\": 220")
        try rig.apply("[{\"op\":\"setScene\"," + other.dropFirst() + "]", from: editor)
        try rig.runTicks(2)
        #expect(size(rig, phone) == [440, 800])
        #expect(size(rig, editor) == [400, 200])
    }

    @Test("a strict device refuses what contradicts there, by its name, and leaves no trace of it")
    func strict() throws {
        let text = Self.document.replacing(
            #""phone": {"width": 200,"#, with: #""phone": {"strict": true, "width": 200,"#)
        let rig = try Rig(text)
        let editor = try join(rig, 1, on: nil, role: .editor)
        let watcher = try join(rig, 2, on: named("phone"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let before = (hash: rig.session.stateHash, records: rig.journal.count)
        for message in [
            #"[{"op":"setConstraint","id":"w","constant":250}]"#,
            #"[{"op":"animate","duration":0.1,"ops":[{"op":"setConstraint","id":"w","constant":201},{"op":"layoutIfNeeded"}]}]"#,
        ] {
            try rig.apply(message, from: editor)
            guard case .refused(let refusal) = try #require(rig.results[editor]?.last).outcome
            else {
                Issue.record("it does not fit on the phone")
                continue
            }
            #expect(refusal.code == .unsatisfiable)
            #expect(refusal.message.contains("phone"), "\(refusal.message)")
            // Its leading edge, its trailing edge and its width.
            #expect(refusal.conflicting.sorted() == ["#0", "fit", "w"])
        }
        #expect(rig.session.stateHash == before.hash)
        #expect(rig.journal.count == before.records)
        #expect(rig.width(of: "bar", for: editor) == 150)
        // In pixels of the phone, two for each point.
        #expect(rig.width(of: "bar", for: watcher) == 300)
        // What fits goes on being taken, after a rest and with nobody on the phone too.
        try rig.step(.left(watcher))
        try rig.step(.freeze)
        try rig.apply(
            #"[{"op":"setConstraint","id":"w","constant":201},{"op":"setView","id":"title","text":"Longer"}]"#,
            from: editor)
        guard case .committed(let commit) = try #require(rig.results[editor]?.last).outcome else {
            Issue.record("one of the two fits")
            return
        }
        #expect(commit.refusals.map(\.opIndex) == [0])
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":200}]"#, from: editor)
        #expect(rig.width(of: "bar", for: editor) == 200)
        let replay = try JournalReplay(rig.journal)
        #expect(replay.timeline.model.stateHash == rig.session.stateHash)
    }

    @Test("an inspection tells of the member's own device")
    func inspection() throws {
        let rig = try rig()
        let phone = try join(rig, 1, on: named("phone"))
        var inspect = Inspect()
        inspect.views = ["root"]
        try rig.step(.received(phone, .inspect(inspect)))
        try rig.runTicks(2)
        let parts = (rig.received[phone] ?? []).compactMap {
            if case .inspection(let part) = $0 { part.text } else { nil }
        }
        #expect(parts.joined().contains("root.width == 200"), "\(parts.joined())")
    }

    @Test(
        "a trace tells what the passes called on the member's own device, with that device's durations"
    )
    func trace() throws {
        let rig = try rig()
        var now: UInt64 = 0
        rig.session.traceClock = {
            now += 1000
            return now
        }
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        var request = TraceRequest()
        request.isEnabled = true
        for member in [editor, phone] { try rig.step(.received(member, .trace(request))) }
        func traces(_ id: MemberID) -> [Trace] {
            defer { rig.received[id] = [] }
            return (rig.received[id] ?? []).compactMap {
                if case .trace(let trace) = $0 { trace } else { nil }
            }
        }
        // The rule that gives way there moves the bar on the phone alone.
        try rig.apply(
            #"[{"op":"addConstraint","rule":"bar.width >= 0.5 * root.height @900"},"#
                + #"{"op":"setConstraint","id":"w","priority":800}]"#, from: editor)
        #expect(traces(editor) == [])
        let told = traces(phone)
        #expect(told.count == 1)
        // The bar's superview, which gives it half of 400 points where it had 100, and the bar, which was resized.
        #expect(
            told.first?.events == [
                "setNeedsLayout root", "layoutSubviews root", "layoutSubviews bar",
            ])
        #expect(told.first?.durations?.layout ?? 0 > 0)
        // On another device it hears of that one.
        try rig.step(.received(phone, .device(named("desk"))))
        try rig.runTicks(2)
        _ = traces(phone)
        try rig.apply(
            #"[{"op":"addConstraint","rule":"bar.width >= 0.6 * root.height @950"}]"#, from: editor)
        #expect(traces(phone).first?.events.contains("layoutSubviews root") == true)
        // Views that it did not ask for are left out, and nothing comes once it has ended.
        request.watch = ["title"]
        try rig.step(.received(phone, .trace(request)))
        try rig.apply(
            #"[{"op":"setConstraint","id":"w","priority":1000,"constant":310}]"#, from: editor)
        #expect(traces(phone) == [])
        request.isEnabled = false
        try rig.step(.received(phone, .trace(request)))
        try rig.apply(#"[{"op":"setView","id":"title","text":"Longer"}]"#, from: editor)
        #expect(traces(phone) == [])
    }

    @Test("a trace goes on where the scene is rebuilt, and tells nothing of its making")
    func traceAfterSnapshot() throws {
        var options = SessionOptions()
        // Every change after the first begins with a snapshot, from which the scenes of devices are rebuilt.
        options.snapshotBytes = 1
        options.snapshotGrowth = 0
        let rig = try rig(options)
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        var request = TraceRequest()
        request.isEnabled = true
        try rig.step(.received(phone, .trace(request)))
        for constant in [150, 160, 170] {
            rig.received[phone] = []
            try rig.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(constant)}]"#, from: editor)
            try rig.runTicks(2)
            let events = (rig.received[phone] ?? []).flatMap {
                if case .trace(let trace) = $0 { trace.events } else { [String]() }
            }
            #expect(events == ["setNeedsLayout root", "layoutSubviews root", "layoutSubviews bar"])
        }
        #expect(rig.journal.filter { $0.kind == .snapshot }.count >= 3)
    }

    @Test("the past is shown on the member's own device, and on another one when it asks for that")
    func past() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let then = rig.tick
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":180}]"#, from: editor)
        var seek = Seek()
        seek.isLive = false
        seek.tick = then
        try rig.step(.received(phone, .seek(seek)))
        try rig.runTicks(3)
        #expect(rig.width(of: "bar", for: phone) == 300)
        #expect(size(rig, phone) == [400, 800])
        try rig.step(.received(phone, .device(named("desk"))))
        try rig.runTicks(3)
        #expect(rig.width(of: "bar", for: phone) == 150)
        #expect(size(rig, phone) == [1000, 500])
        try rig.step(.received(phone, .seek(Seek())))
        try rig.runTicks(2)
        #expect(rig.width(of: "bar", for: phone) == 180)
    }

    @Test("a member that comes back goes on where it was on its device, or begins anew")
    func resumes() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        try join(rig, 2, on: named("phone"))
        let phone = try join(rig, 3, on: named("phone"))
        try rig.runTicks()
        let mirror = try #require(rig.mirrors[phone])
        try rig.step(.left(phone))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        let again = MemberID(4)
        rig.mirrors[again] = mirror
        try join(rig, 4, on: named("phone")) { hello in
            hello.resume = Resume()
            hello.resume?.session = "session-3"
            hello.resume?.epoch = mirror.epoch
            hello.resume?.lastTick = mirror.tick
        }
        #expect(rig.width(of: "bar", for: again) == 300)
    }

    @Test("a room at rest thaws with its devices as members have them")
    func rest() throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        try rig.runTicks(120)
        try rig.step(.freeze)
        try #require(rig.session.isFrozen)
        #expect(rig.session.devices.scenes.allSatisfy { $0.model == nil })
        let late = try join(rig, 3, on: named("phone"))
        #expect(rig.width(of: "bar", for: late) == 300)
        rig.received[phone] = []
        try rig.apply(#"[{"op":"setConstraint","id":"w","constant":160}]"#, from: editor)
        #expect(rig.width(of: "bar", for: phone) == 320)
        #expect(rig.width(of: "bar", for: late) == 320)
        // It was told the change and not everything.
        let hasSnapshot = (rig.received[phone] ?? []).contains {
            if case .snapshot = $0 { true } else { false }
        }
        #expect(!hasSnapshot)
    }

    @Test(
        "at rest, thawed, after a crash and in a replay a device has the frames of a scene of its own with that viewport",
        arguments: 0..<4)
    func comesBack(seed: Int) throws {
        let rig = try rig()
        let editor = try join(rig, 1, on: nil, role: .editor)
        let phone = try join(rig, 2, on: named("phone"))
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
            try rig.apply("[\(op)]", from: editor)
            #expect(
                alone.apply([try Op.parse(try JSONReader.read(Array(op.utf8)))]).refusals.isEmpty)
            alone.runCycle()
            if random.below(5) == 0 {
                try rig.step(.freeze)
                try rig.runTicks(2)
            }
            #expect(
                frames(rig.mirrors[phone]?.records ?? []) == frames(alone.records()),
                "seed \(seed), turn \(turn)")
        }
        // What is left of a crash is the journal.
        let session = SceneSession(
            room: "again", tickRate: 60, replay: try JournalReplay(rig.journal))
        var hello = Hello()
        hello.capabilities = Self.capabilities & ~Capability.animations
        hello.device = named("phone")
        _ = session.step(
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
        let rig = try rig()
        var random = SplitMix64(seed: UInt64(4400 + seed))
        var source = RandomOps(seed: 4400 + seed)
        let editor = try join(rig, 1, on: nil, role: .editor)
        for number in 2...5 as ClosedRange<UInt64> {
            try join(rig, number, on: random.below(3) == 0 ? nil : cells(20 + UInt32(number), 20))
        }
        let requests = [
            named("phone"), named("desk"), named("gone"), DeviceRequest(), cells(40, 12),
            try own(#"{"direction":"rtl","contentSizeCategory":"extraLarge","scale":3}"#),
        ]
        for turn in 0..<40 {
            for _ in 0..<random.below(3) {
                try rig.send(
                    "[\(source.op())]", from: editor, sequence: rig.nextSequence(editor))
            }
            if random.below(3) == 0 {
                let member = MemberID(UInt64(2 + random.below(4)))
                try rig.step(.received(member, .device(random.pick(requests))))
            }
            try rig.runTicks(1 + random.below(3))
            if random.below(12) == 0, rig.session.freezeTick != nil { try rig.step(.freeze) }
            for scene in rig.session.devices.scenes {
                guard let model = scene.model else { continue }
                for number in 2...5 as ClosedRange<UInt64> {
                    let member = MemberID(number)
                    guard rig.session.roster[member]?.stream.device == scene.id else { continue }
                    #expect(
                        rig.mirrors[member]?.records == model.records(),
                        "seed \(seed), turn \(turn), member \(number)")
                }
            }
        }
        #expect(rig.closed.isEmpty)
        #expect(rig.abandoned == nil)
    }
}
