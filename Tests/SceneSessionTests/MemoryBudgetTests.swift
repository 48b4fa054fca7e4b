import JSON
import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import Testing

@testable import SceneSession

@Suite("The memory that a room takes, and may take")
struct MemoryBudgetTests {
    private static let empty =
        #"{"scene": 1, "viewport": {"width": 400, "height": 200}, "views": []}"#

    private static func labels(_ range: Range<Int>) -> String {
        "["
            + range.map {
                #"{"op": "addView", "id": "v\#($0)", "kind": "label", "text": "number \#($0)"}"#
            }.joined(separator: ",") + "]"
    }

    private func room(room: Int = 512 << 20, member: Int = 128 << 20) throws -> TestRoom {
        var options = SessionOptions()
        options.memory = MemoryBudget(room: room, member: member)
        return try TestRoom(Self.empty, options: options)
    }

    @Test(
        "a room's account is about what it takes: scene, devices, the past, streams, undo and journal together"
    )
    func againstHeap() async {
        await #expect(processExitsWith: .success) {
            // What a first room needs once is no room's.
            let first = try MemoryBudgetTests.busyRoom(views: 10)
            let (room, bytes) = try allocating { try MemoryBudgetTests.busyRoom(views: 2_000) }
            // Those of the test's own: its members' mirrors, and the journal and messages that it
            // keeps.
            let own = room.journal.reduce(0) { $0 + $1.payload.count }
            room.mirrors = [:]
            room.received = [:]
            room.sends = []
            try expect(room.session.countMemory().total + own, isAbout: bytes)
            withExtendedLifetime(first) {}
        }
    }

    private static func busyRoom(views: Int) throws -> TestRoom {
        let room = try TestRoom(empty)
        let editor = try room.join(1)
        for start in stride(from: 0, to: views, by: 500) {
            try room.apply(labels(start..<min(views, start + 500)), from: editor)
        }
        try room.join(2, role: .viewer, capabilities: Capability.devices) { hello in
            hello.device = DeviceRequest()
            hello.device?.columns = 50
            hello.device?.rows = 80
        }
        let past = try room.join(3, role: .viewer, capabilities: Capability.seek)
        var seek = Seek()
        seek.isLive = false
        seek.tick = room.tick
        try room.handle(.received(past, .seek(seek)))
        try room.runTicks(3)
        let use = room.session.countMemory()
        #expect(use.devices > 0 && use.seekers > 0 && use.undo > 0 && use.streams > 0)
        room.mirrors = [:]
        room.received = [:]
        room.sends = []
        return room
    }

    @Test(
        "what would make a room too large is refused; what makes it smaller is taken, and what was accepted comes back"
    )
    func roomBudget() throws {
        let room = try room(room: 3 << 20)
        let editor = try room.join(1)
        var count = 0
        while room.refusal(editor) == nil, count < 100 {
            try room.apply(Self.labels(count * 50..<count * 50 + 50), from: editor)
            count += 1
        }
        let refusal = try #require(room.refusal(editor))
        #expect(refusal.code == .limit)
        #expect(refusal.message.contains("of 3 MiB"))
        #expect(count > 10, "some hundred labels are no 3 MB")
        #expect(room.session.countMemory().total <= 3 << 20)
        // Nothing is added by these.
        try room.apply(#"[{"op": "setView", "id": "v1", "hidden": true}]"#, from: editor)
        #expect(room.refusal(editor) == nil)
        // A whole scene is held to the same.
        let many = (0..<4_000).map { #"{"id": "w\#($0)"}"# }.joined(separator: ",")
        try room.apply(
            #"[{"op": "setScene", "scene": 1, "viewport": {"width": 9, "height": 9}, "views": [\#(many)]}]"#,
            from: editor)
        #expect(room.refusal(editor)?.code == .limit)
        try room.apply(
            "["
                + (0..<300).map { #"{"op": "removeView", "id": "v\#($0)"}"# }
                .joined(separator: ",") + "]", from: editor)
        #expect(room.refusal(editor) == nil)
        // It is counted once a second.
        try room.runTicks(61)
        try room.apply(#"[{"op": "setView", "id": "v301", "hidden": true}]"#, from: editor)
        try room.apply(Self.labels(9_000..<9_050), from: editor)
        #expect(room.refusal(editor) == nil)
        let replay = try JournalReplay(room.journal)
        #expect(replay.timeline.model.records() == room.session.model.records())
    }

    @Test("an animation's ops count as others do")
    func animations() throws {
        let room = try room(room: 1 << 20)
        let editor = try room.join(1)
        try room.apply(
            #"[{"op": "animate", "duration": 1, "ops": \#(Self.labels(0..<800))}]"#, from: editor)
        #expect(room.refusal(editor)?.code == .limit)
    }

    @Test(
        "beyond the budget the past goes first, then the device with the fewest members; the scene stays"
    )
    func whatGoesFirst() throws {
        let document = try MemoryBudgetTests.busyRoom(views: 1_000).session.document()
        let text = try #require(document).json.text()
        let alone = try TestRoom(text).session.countMemory().total
        func room(_ budget: Int) throws -> TestRoom {
            var options = SessionOptions()
            options.memory.room = budget
            let room = try TestRoom(text, options: options)
            for number: UInt64 in 1...3 {
                try room.join(number, role: .viewer, capabilities: Capability.devices) { hello in
                    hello.device = DeviceRequest()
                    hello.device?.columns = number == 3 ? 40 : 60
                    hello.device?.rows = 50
                }
            }
            let past = try room.join(4, role: .viewer, capabilities: Capability.seek)
            var seek = Seek()
            seek.isLive = false
            seek.tick = 0
            try room.handle(.received(past, .seek(seek)))
            try room.runTicks(3)
            return room
        }
        func errors(_ room: TestRoom, _ number: UInt64) -> [CloseCode] {
            (room.received[MemberID(number)] ?? []).compactMap {
                if case .error(let error) = $0 {
                    CloseCode(rawValue: UInt16(clamping: error.code))
                } else {
                    nil
                }
            }
        }
        let whole = try room(.max).session.countMemory()
        #expect(whole.seekers > alone / 4 && whole.devices > alone)

        let withoutPast = try room(whole.total - whole.seekers / 2)
        #expect(errors(withoutPast, 4) == [.limit])
        #expect(withoutPast.session.devices.scenes.count == 2)
        #expect(withoutPast.session.countMemory().seekers == 0)

        let withOneDevice = try room(whole.total - whole.seekers - whole.devices / 4)
        #expect(withOneDevice.session.devices.scenes.map(\.label) == ["480x800"])
        #expect(withOneDevice.closed.isEmpty)

        let withoutAny = try room(alone / 2)
        #expect(withoutAny.session.devices.scenes.isEmpty)
        #expect(withoutAny.session.viewCount == 1_001)
        #expect(withoutAny.abandoned == nil && withoutAny.closed.isEmpty)
        // Everybody has the scene all the same.
        for mirror in withoutAny.mirrors.values {
            #expect(mirror.stateHash == withoutAny.session.stateHash)
        }
    }

    @Test("one member's waiting requests are bounded by themselves")
    func memberBudget() throws {
        let room = try room(member: 64 << 10)
        let editor = try room.join(1)
        let other = try room.join(2)
        for sequence: UInt64 in 1...4 {
            let start = Int(sequence) * 1_000
            try room.send(Self.labels(start..<start + 300), from: editor, sequence: sequence)
        }
        try room.send(Self.labels(0..<1), from: other, sequence: 1)
        let refused = (room.results[editor] ?? []).compactMap { result in
            if case .refused(let refusal) = result.outcome { refusal.code } else { nil }
        }
        #expect(!refused.isEmpty && refused.allSatisfy { $0 == .limit })
        try room.runTicks(2)
        #expect(room.refusal(other) == nil, "others have room of their own")
        #expect(room.results[editor]?.count == 4)
    }

    @Test(
        "while the process has no memory for more, rooms may shrink and move, and grow again later")
    func shortage() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.apply(Self.labels(0..<2), from: editor)
        room.session.isMemoryShort = true
        try room.apply(Self.labels(2..<3), from: editor)
        #expect(room.refusal(editor)?.code == .limit)
        #expect(room.refusal(editor)?.message.contains("the server has no memory") == true)
        try room.apply(#"[{"op": "removeView", "id": "v1"}]"#, from: editor)
        #expect(room.refusal(editor) == nil)
        try room.apply(#"[{"op": "setView", "id": "v0", "frame": [1, 2, 3, 4]}]"#, from: editor)
        #expect(room.refusal(editor) == nil)
        room.session.isMemoryShort = false
        try room.apply(Self.labels(2..<3), from: editor)
        #expect(room.refusal(editor) == nil)
    }

    @Test("a room at rest counts the bytes that it keeps, and no scene")
    func rest() throws {
        let room = try room()
        let editor = try room.join(1)
        try room.apply(Self.labels(0..<100), from: editor)
        let awake = room.session.countMemory()
        try room.runTicks(120)
        try room.handle(.freeze)
        #expect(room.session.isFrozen)
        #expect(room.session.memoryUse.scene == 0)
        #expect(room.session.memoryUse.total < awake.total / 10)
        #expect(room.session.memoryUse.journal > 0)
    }
}
