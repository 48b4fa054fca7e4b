import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

/// What members are told of the insets of scroll views. SPEC.md, section 17.6.
@Suite("Insets of scroll views, told to members")
struct InsetSessionTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200, "safeArea": [20, 6, 10, 0]},
         "devices": {"bare": {"width": 300, "height": 200, "scale": 2, "safeArea": [0, 0, 0, 0]}},
         "views": [{"id": "s", "kind": "scroll"}, {"id": "t", "parent": "s"},
                   {"id": "u", "kind": "scroll", "frame": [100, 100, 50, 50]}],
         "constraints": ["H:|[s]|", "V:|[s]|", "t.leading == s.leading", "t.trailing == s.trailing",
                         "t.top == s.top", "t.bottom == s.bottom", "t.width == s.width", "t.height == 900"]}
        """
    private static let covered = ContentInset(top: 20, left: 0, bottom: 10, right: 0)

    private func insets(_ room: TestRoom, _ member: MemberID) -> [Insets] {
        (room.received[member] ?? []).compactMap {
            if case .insets(let message) = $0 { message } else { nil }
        }
    }

    @Test("[AREA-17] they follow the state whole, and only where there are any")
    func first() throws {
        let room = try TestRoom(Self.document)
        let reader = try room.join(1, capabilities: Capability.insets)
        let other = try room.join(2)
        #expect(insets(room, reader) == [try whole("s", Self.covered)])
        #expect(insets(room, other).isEmpty)
        #expect(room.mirrors[reader]?.insets["s"] == Self.covered)
        let plain = try TestRoom()
        let member = try plain.join(1, capabilities: Capability.insets)
        try plain.apply(#"[{"op":"addView","id":"v","kind":"scroll"}]"#, from: member)
        #expect(insets(plain, member).isEmpty)
    }

    private func whole(_ id: String, _ inset: ContentInset) throws -> Insets {
        var message = Insets()
        message.isWhole = true
        message.changes = [InsetChange(id: id, inset: inset)]
        return message
    }

    @Test("[AREA-18] each change of an inset is told, however it came, and nothing else is")
    func changes() throws {
        let room = try TestRoom(Self.document)
        let member = try room.join(1, capabilities: Capability.insets)
        func told(_ ops: String) throws -> [InsetChange] {
            let count = insets(room, member).count
            try room.apply(ops, from: member)
            return insets(room, member).dropFirst(count).flatMap(\.changes)
        }
        func change(_ id: String, _ edges: [Int32]) -> InsetChange {
            InsetChange(
                id: id,
                inset: ContentInset(
                    top: edges[0], left: edges[1], bottom: edges[2], right: edges[3]))
        }
        // The far edge, which no offset shows.
        #expect(
            try told(#"[{"op":"setView","id":"s","contentOffset":[0,0],"contentInset":[0,0,9,3]}]"#)
                == [change("s", [20, 0, 19, 3])])
        #expect(try told(#"[{"op":"setContentOffset","id":"s","offset":[0,5]}]"#).isEmpty)
        // The safe area, where the offset is the program's.
        #expect(
            try told(#"[{"op":"setViewport","safeArea":[20,6,30,0]}]"#)
                == [change("s", [20, 0, 39, 3])])
        // One of the view's own in place of it.
        #expect(
            try told(#"[{"op":"setView","id":"s","safeArea":[1,0,2,0]}]"#)
                == [change("s", [1, 0, 11, 3])])
        #expect(
            try told(#"[{"op":"setView","id":"s","safeArea":[20,6,30,0]}]"#)
                == [change("s", [20, 0, 39, 3])])
        // The direction turns the insets around, and again the offset shows nothing of it.
        #expect(
            try told(#"[{"op":"setViewport","direction":"rtl"}]"#)
                == [change("s", [20, 3, 39, 0])])
        // The unit.
        #expect(
            try told(#"[{"op":"setViewport","scale":2}]"#) == [change("s", [40, 6, 78, 0])])
        #expect(
            try told(#"[{"op":"setView","id":"s","contentInsetAdjustmentBehavior":"never"}]"#)
                == [change("s", [0, 6, 18, 0])])
        #expect(try told(#"[{"op":"setView","id":"t","hidden":true}]"#).isEmpty)
        #expect(
            try told(#"[{"op":"setView","id":"u","contentInset":[1,0,0,0]}]"#)
                == [change("u", [2, 0, 0, 0])])
        #expect(try told(#"[{"op":"removeView","id":"s"}]"#) == [change("s", [0, 0, 0, 0])])
        #expect(
            try told(#"[{"op":"removeView","id":"u"},{"op":"addView","id":"u","kind":"label"}]"#)
                == [change("u", [0, 0, 0, 0])])
        #expect(room.mirrors[member]?.insets.isEmpty == true)
    }

    @Test("[AREA-18] a member that lagged has the present insets, by a merged frame or a snapshot")
    func lagging() throws {
        var options = SessionOptions()
        options.unacknowledgedMaximum = 8
        for historyCost in [10, 16_384] {
            options.historyCostMaximum = historyCost
            let room = try TestRoom(Self.document, options: options)
            let editor = try room.join(1)
            let late = try room.join(2, capabilities: Capability.insets)
            room.silent = [late]
            for step in 1...12 {
                try room.apply(
                    #"[{"op":"setView","id":"t","frame":[0,0,\#(step),5]}]"#, from: editor)
            }
            let count = insets(room, late).count
            try room.apply(#"[{"op":"removeView","id":"s"}]"#, from: editor)
            try room.apply(
                #"[{"op":"setView","id":"u","contentInset":[1,0,0,0]}]"#, from: editor)
            #expect(insets(room, late).count == count)
            try room.ack(late)
            #expect(room.mirrors[late]?.insets == room.session.insets)
            #expect(room.session.insets.changes.map(\.id) == ["u"])
        }
    }

    @Test("[AREA-17] each device has its own, and one that is left is forgotten")
    func devices() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        let member = try room.join(2, capabilities: Capability.insets | Capability.devices)
        var bare = DeviceRequest()
        bare.name = "bare"
        try room.handle(.received(member, .device(bare)))
        try room.runTicks(2)
        #expect(room.mirrors[member]?.insets.isEmpty == true)
        try room.apply(#"[{"op":"setView","id":"u","contentInset":[1,0,0,0]}]"#, from: editor)
        #expect(
            room.mirrors[member]?.insets["u"] == ContentInset(top: 2, left: 0, bottom: 0, right: 0))
        try room.handle(.received(member, .device(DeviceRequest())))
        try room.runTicks(2)
        #expect(room.mirrors[member]?.insets == room.session.insets)
        #expect(room.session.insets["s"] == Self.covered)
    }

    @Test("[AREA-18] a room that goes back to what is durable tells each device's members")
    func storeFails() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        let member = try room.join(2, capabilities: Capability.insets | Capability.devices)
        var bare = DeviceRequest()
        bare.name = "bare"
        try room.handle(.received(member, .device(bare)))
        try room.runTicks(2)
        room.isDurable = false
        try room.apply(
            #"[{"op":"setView","id":"u","contentInset":[1,0,0,0],"hidden":false},{"op":"addView","id":"w"}]"#,
            from: editor)
        #expect(
            room.mirrors[member]?.insets["u"] == ContentInset(top: 2, left: 0, bottom: 0, right: 0))
        #expect(room.mirrors[member]?.view(id: "w") != nil)
        try room.handle(.storeFailed("disk full"))
        #expect(room.mirrors[member]?.insets.isEmpty == true)
        #expect(room.mirrors[member]?.view(id: "w") == nil)
    }

    @Test("[AREA-17] a frozen room tells them, and one that was opened again")
    func rest() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        try room.runTicks(200)
        try room.handle(.freeze)
        #expect(room.session.isFrozen)
        let member = try room.join(2, capabilities: Capability.insets)
        #expect(room.mirrors[member]?.insets["s"] == Self.covered)
        #expect(room.session.isFrozen)
        try room.apply(#"[{"op":"setView","id":"s","contentInset":[1,0,0,0]}]"#, from: editor)
        #expect(insets(room, member).last?.isWhole == false)
        #expect(room.mirrors[member]?.insets["s"].top == 21)
        let again = try TestRoom(replaying: room.journal)
        let back = try again.join(3, capabilities: Capability.insets)
        #expect(again.mirrors[back]?.insets["s"].top == 21)
    }

    @Test("[AREA-17] who goes on with its state is told them anew")
    func resumed() throws {
        let room = try TestRoom(Self.document)
        let capabilities = Capability.insets | Capability.mergedResume
        let member = try room.join(1, session: "one", capabilities: capabilities)
        let tick = try #require(room.mirrors[member]).tick
        try room.handle(.left(member))
        let count = room.received[member]?.count ?? 0
        try room.join(1, session: "one", capabilities: capabilities) { hello in
            hello.resume = Resume()
            hello.resume?.session = "one"
            hello.resume?.token = "token-1"
            hello.resume?.epoch = 1
            hello.resume?.lastTick = tick
        }
        let messages = (room.received[member] ?? []).dropFirst(count)
        #expect(
            !messages.contains { if case .snapshot = $0 { true } else { false } })
        #expect(messages.contains(.insets(try whole("s", Self.covered))))
    }

    @Test("[AREA-18] who sees the past is told none before it sees the present again")
    func past() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        let member = try room.join(2, capabilities: Capability.insets | Capability.seek)
        try room.apply(#"[{"op":"setView","id":"t","hidden":true}]"#, from: editor)
        var seek = Seek()
        seek.isLive = false
        try room.handle(.received(member, .seek(seek)))
        try room.runTicks(3)
        let count = insets(room, member).count
        #expect(room.mirrors[member]?.insets.isEmpty == true)
        try room.apply(#"[{"op":"setView","id":"s","contentInset":[1,0,0,0]}]"#, from: editor)
        #expect(insets(room, member).count == count)
        seek.isLive = true
        try room.handle(.received(member, .seek(seek)))
        try room.runTicks(1)
        #expect(room.mirrors[member]?.insets["s"].top == 21)
    }
}
