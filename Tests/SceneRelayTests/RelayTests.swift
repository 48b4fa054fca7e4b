import JSON
import SceneCluster
import SceneDocument
import SceneRelay
import SceneSession
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

@Suite("Members at other nodes than their room's")
struct RelayTests {
    private static let watching =
        Capability.keyframes | Capability.mergedResume | Capability.subscribe
    private static let wide = #"[{"op":"setConstraint","id":"w","constant":150}]"#

    private func width(_ client: RelayWorld.Client) -> Int32? {
        client.mirror.view(id: "bar")?.frame.width
    }

    @Test("a viewer is welcomed and sees what one at the owner sees")
    func viewer() throws {
        let world = try RelayWorld(seed: 1)
        let here = world.join("here", edge: nil, role: .editor)
        let there = world.join("there", edge: 0)
        world.run(ticks: 10)
        #expect(there.welcomes.map(\.session) == ["session-there"])
        #expect(there.welcomes.first?.tickRate == 60)
        #expect(there.welcomes.first?.viewport == here.welcomes.first?.viewport)
        #expect(width(there) == 100)
        try world.apply(Self.wide, from: here, sequence: 1)
        world.run(ticks: 10)
        #expect(width(there) == 150)
        #expect(there.mirror.stateHash == here.mirror.stateHash)
        #expect(there.snapshots == 1 && there.failure == nil)
    }

    @Test("a thousand viewers of one stream cost the owner one member for each node")
    func manyJoin() throws {
        let world = try RelayWorld(seed: 1)
        for number in 0..<1000 { world.join("v\(number)", edge: number % 2) }
        world.run(ticks: 20)
        #expect(world.attaches == 2)
        #expect(world.relayedJoins == 2)
        #expect(world.owner.memberCount == 2)
        #expect(world.clients.allSatisfy { width($0) == 100 && $0.snapshots == 1 })
    }

    @Test(
        "an editor at another node changes the scene, and has each result once and in order",
        arguments: [0, 20])
    func editor(losses: Int) throws {
        let world = try RelayWorld(seed: UInt64(losses))
        world.losses = losses
        let editor = world.join("editor", edge: 1, role: .editor)
        let viewer = world.join("viewer", edge: 0)
        world.run(ticks: 120)
        for sequence in 1...20 {
            try world.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + sequence)}]"#, from: editor,
                sequence: UInt64(sequence))
            world.run(ticks: 2)
        }
        world.losses = 0
        world.run(ticks: 200)
        #expect(editor.results.map(\.clientSequence) == Array(1...20))
        #expect(width(editor) == 120 && width(viewer) == 120)
        #expect(editor.snapshots == 1 && viewer.snapshots == 1)
    }

    @Test("what a viewer asks of the owner alone is answered, and it goes on watching")
    func handedOver() throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: nil, role: .editor)
        let viewer = world.join("viewer", edge: 0, capabilities: Self.watching)
        world.run(ticks: 10)
        var message = Ops()
        message.clientSequence = 1
        message.ops = try JSONReader.read(Array(Self.wide.utf8))
        world.send(.ops(message), from: viewer)
        world.run(ticks: 10)
        guard case .refused(let refusal)? = viewer.results.first?.outcome else {
            Issue.record("a viewer changed the scene")
            return
        }
        #expect(refusal.code == .forbidden)
        // It was welcomed before.
        #expect(viewer.welcomes.count == 1)
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 10)
        #expect(width(viewer) == 150 && viewer.failure == nil)
    }

    @Test(
        "who inspects, traces and reads diagnostics at another node is told what it would be told at the owner",
        arguments: [Role.viewer, .editor])
    func inspects(role: Role) throws {
        let world = try RelayWorld(seed: 1)
        let capabilities =
            Self.watching | Capability.inspect | Capability.trace | Capability.diagnostics
        let editor = world.join("editor", edge: nil, role: .editor)
        let clients = [nil, 0].map {
            world.join(
                "curious\($0 ?? 9)", edge: $0, role: role, capabilities: capabilities)
        }
        world.run(ticks: 20)
        for client in clients {
            var inspect = Inspect()
            inspect.request = 7
            inspect.wantsDocument = true
            inspect.views = ["bar"]
            world.send(.inspect(inspect), from: client)
            var trace = TraceRequest()
            trace.isEnabled = true
            world.send(.trace(trace), from: client)
        }
        world.run(ticks: 20)
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 40)
        // But for the tick, which comes first.
        let texts = clients.map { $0.inspections.map(\.text).joined().drop { $0 != "," } }
        #expect(texts[0].contains("title") && texts[0] == texts[1])
        #expect(clients[1].inspections.map(\.request) == clients[0].inspections.map(\.request))
        #expect(!clients[0].traces.isEmpty && !clients[1].traces.isEmpty)
        #expect(!clients[0].diagnostics.isEmpty)
        #expect(clients[1].diagnostics.last == clients[0].diagnostics.last)
        #expect(clients.allSatisfy { $0.failure == nil && $0.closed == nil })
    }

    @Test("who follows the scene at another node is told what it would be told at the owner")
    func follows() throws {
        let world = try RelayWorld(seed: 1)
        let capabilities = Self.watching | Capability.follow
        let editor = world.join("editor", edge: nil, role: .editor)
        let clients = [nil, 0].map {
            world.join("replica\($0 ?? 9)", edge: $0, role: .viewer, capabilities: capabilities)
        }
        world.run(ticks: 20)
        var request = FollowRequest()
        request.isEnabled = true
        for client in clients { world.send(.follow(request), from: client) }
        world.run(ticks: 20)
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 80)
        let told = clients.map { $0.records }
        #expect(told.allSatisfy { $0.first?.isStart == true && $0.last?.state != nil })
        let changes = told.map { $0.dropFirst().map(\.text).filter { $0 != "[]" } }
        #expect(changes[0].count == 1 && changes[0] == changes[1])
        #expect(told[0].last?.state == told[1].last?.state)
        #expect(clients.allSatisfy { $0.failure == nil && $0.closed == nil && $0.errors.isEmpty })
    }

    @Test("the session of a member that is removed at another node is revoked at the owner")
    func revoked() throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: 0, role: .editor)
        world.run(ticks: 20)
        let resume = try #require(editor.resume)
        #expect(world.owner.resumableSession(resume) != nil)
        world.revoke(editor)
        world.leave(editor)
        world.run(ticks: 20)
        #expect(world.owner.resumableSession(resume) == nil)
    }

    @Test("a viewer that acknowledges nothing for long is led on by one merged frame")
    func lagging() throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: nil, role: .editor)
        let viewer = world.join("viewer", edge: 0)
        world.run(ticks: 10)
        for sequence in 1...60 {
            try world.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(100 + sequence)}]"#, from: editor,
                sequence: UInt64(sequence))
            world.run(ticks: 1, acknowledge: false)
            var ack = Ack()
            ack.tick = editor.mirror.tick
            world.send(.ack(ack), from: editor)
        }
        world.run(ticks: 5, acknowledge: false)
        // 33 frames may be owed.
        #expect(width(viewer) == 133)
        world.run(ticks: 5)
        #expect(width(viewer) == 160 && viewer.snapshots == 1 && viewer.failure == nil)
    }

    @Test("a viewer that comes back to its node goes on from the tick that it had")
    func resumes() throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: nil, role: .editor)
        let viewer = world.join("viewer", edge: 0, capabilities: Self.watching)
        world.join("other", edge: 0)
        world.run(ticks: 10)
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 10)
        var resume = Resume()
        resume.session = "session-viewer"
        resume.token = "token-viewer"
        resume.epoch = viewer.mirror.epoch
        resume.lastTick = viewer.mirror.tick
        try world.apply(
            #"[{"op":"setConstraint","id":"w","constant":170}]"#, from: editor, sequence: 2)
        world.run(ticks: 10)
        let back = world.join(
            "back", edge: 0, capabilities: Self.watching, resume: resume)
        #expect(back.welcomes.first?.session == "session-viewer")
        #expect(back.snapshots == 0)
        // What it was sent leads on from the state that it had.
        #expect(back.failure == .noSnapshot)
    }

    @Test(
        "where the owner dies viewers keep their connection and their picture, and are led on without a snapshot"
    )
    func ownerDies() throws {
        let world = try RelayWorld(seed: 1)
        let first = world.join("first", edge: nil, role: .editor)
        let editor = world.join("editor", edge: 1, role: .editor)
        let viewers = [
            world.join("whole", edge: 0),
            world.join("animating", edge: 0, capabilities: Self.watching | Capability.animations),
        ]
        world.run(ticks: 10)
        try world.apply(Self.wide, from: first, sequence: 1)
        world.run(ticks: 40)
        try world.killOwner(absentTicks: 30)
        // Who edits comes back by itself, to the same node, and sends again what has no answer.
        #expect(editor.closed == .ownerChanged)
        #expect(viewers.map(\.closed) == [nil, nil])
        world.run(ticks: 30)
        let second = world.join("second", edge: nil, role: .editor)
        try world.apply(
            #"[{"op":"setConstraint","id":"w","constant":170}]"#, from: second, sequence: 1)
        world.run(ticks: 30)
        for viewer in viewers {
            #expect(width(viewer) == 170)
            #expect(viewer.snapshots == 1 && viewer.failure == nil && viewer.closed == nil)
        }
        let late = world.join("late", edge: 0)
        world.run(ticks: 10)
        #expect(width(late) == 170)
    }

    @Test(
        "who watches at another node sees each tick while the room moves, however long the next owner takes to open it",
        arguments: [0, 3, 12])
    func moves(openingTicks: Int) throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: nil, role: .editor)
        let guest = world.join("guest", edge: 1, role: .editor)
        let viewers = [
            world.join("whole", edge: 0), world.join("there", edge: 1),
            world.join("part", edge: 0, capabilities: Self.watching, roots: ["bar"]),
        ]
        world.run(ticks: 10)
        try world.apply(
            #"[{"op":"animate","duration":4,"curve":"linear","ops":[{"op":"setConstraint","id":"w","constant":340},{"op":"layoutIfNeeded"}]}]"#,
            from: editor, sequence: 1)
        world.run(ticks: 20)
        let attaches = world.attaches
        let begin = world.step
        try world.moveOwner(openingTicks: openingTicks)
        #expect(editor.closed == .draining)
        world.run(ticks: 60)
        #expect(guest.closed == .ownerChanged)
        #expect(world.attaches == attaches + 2)
        for viewer in viewers {
            let moments = viewer.moments.filter { $0 >= begin - 1 }
            let gaps = zip(moments.dropFirst(), moments).map { $0 - $1 }
            // A tick to turn from one to the other, which is a packet each way.
            #expect(gaps.max() ?? 99 <= 3, "\(viewer.name): \(gaps)")
            #expect(moments.last ?? 0 >= begin + 58)
            #expect(viewer.snapshots == 1 && viewer.failure == nil && viewer.closed == nil)
            #expect(!viewer.ticksFell)
        }
        world.run(ticks: 300)
        #expect(viewers.map(width) == [340, 340, 340])
        #expect(world.former == nil && world.troubles.isEmpty)
    }

    @Test(
        "a viewer that was led on to other owners goes on from its last tick at another node, and at the owner",
        arguments: [[150], [150, 170]])
    func ledOn(widths: [Int]) throws {
        let world = try RelayWorld(seed: 1)
        let led = world.join("led", edge: 0, capabilities: Self.watching)
        world.join("other", edge: 1, capabilities: Self.watching)
        world.run(ticks: 10)
        for width in widths {
            try world.killOwner(absentTicks: 5)
            world.run(ticks: 100)
            let editor = world.join("editor-\(width)", edge: nil, role: .editor)
            try world.apply(
                #"[{"op":"setConstraint","id":"w","constant":\#(width)}]"#, from: editor,
                sequence: 1)
            world.run(ticks: 10)
        }
        let last = try #require(widths.last)
        #expect(width(led) == Int32(last) && led.welcomes.count == 1)
        world.leave(led)
        let editor = try #require(world.client("editor-\(last)"))
        try world.apply(
            #"[{"op":"setConstraint","id":"w","constant":190}]"#, from: editor, sequence: 2)
        world.run(ticks: 10)
        for edge in [1, nil] {
            let back = world.join(
                "back", edge: edge, capabilities: Self.watching, resume: led.resume,
                mirror: led.mirror)
            world.run(ticks: 10)
            #expect(width(back) == 190)
            #expect(back.snapshots == 0 && back.failure == nil)
            world.leave(back)
            world.forgetClosed()
        }
    }

    @Test("an owner that gave a room away is told that nobody goes on with the link")
    func givenAway() throws {
        let owners = [1, 2].map { NodeLife(node: NodeID(0), life: $0) }
        let now = MonotonicInstant(nanoseconds: 1)
        var host = RelayHost(owners[0])
        var edge = RelayEdge(
            NodeLife(node: NodeID(1), life: 1), tickRate: 60, options: SessionOptions())
        var hello = Hello()
        hello.role = .viewer
        let applicant = Applicant(
            role: .viewer, makesRooms: false, format: .binary, hello: hello)
        let admission = Admission(
            session: "s", resumeToken: "t", role: .viewer, format: .binary,
            monotonicMilliseconds: 0, hello: hello)
        let joining = edge.join("hall", MemberID(1), applicant, as: admission, at: now)
        let seeking = edge.follow(at: now, isHeard: { _ in true }, owner: { _ in owners[0] })
        func tell(_ effects: [RelayEdge.Effect]) {
            for case .packet(let packet) in effects where packet.receiver == owners[0] {
                _ = host.receive(packet, at: now)
            }
        }
        tell(joining + seeking + edge.advance(to: now))
        #expect(host.counts == (1, 1))
        tell(edge.follow(at: now, isHeard: { _ in true }, owner: { _ in owners[1] }))
        #expect(host.counts == (0, 0))
    }

    @Test(
        "an editor who waits and says nothing is sent back where the owner took its node for gone",
        arguments: [false, true])
    func missedEdge(firstWordIsLost: Bool) throws {
        let world = try RelayWorld(seed: 1)
        let editor = world.join("editor", edge: 0, role: .editor)
        world.run(ticks: 20, acknowledge: false)
        #expect(editor.welcomes.count == 1)
        // The op has come, and its result waits for the journal: nothing goes over the link.
        world.isStalled = true
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 20, acknowledge: false)
        if firstWordIsLost { world.cut = [0] }
        world.missEdge(0)
        world.run(ticks: 2, acknowledge: false)
        world.cut = []
        world.isStalled = false
        world.run(ticks: 30, acknowledge: false)
        #expect(editor.closed == .ownerChanged)
        let again = world.join(
            "again", edge: 0, role: .editor, resume: editor.resume, mirror: editor.mirror)
        world.run(ticks: 20, acknowledge: false)
        try world.apply(Self.wide, from: again, sequence: 1)
        world.run(ticks: 20, acknowledge: false)
        #expect(again.results.map(\.clientSequence) == [1])
        // It has no more to say of it.
        world.run(ticks: 60 * 120, acknowledge: false)
        #expect(again.closed == nil)
    }

    @Test("an edge that may be cut off itself sends those whom the owner served elsewhere")
    func ownerSilentForEdgeAlone() throws {
        let world = try RelayWorld(seed: 1)
        let editors = ["a", "b"].enumerated().map { world.join($1, edge: $0, role: .editor) }
        world.run(ticks: 10)
        world.leadOn(false, edge: 1)
        try world.killOwner(absentTicks: 5)
        #expect(editors.map(\.closed) == [.ownerChanged, .draining])
        for (editor, code) in zip(editors, [4031, 4030]) {
            #expect(editor.errors.last?.code == UInt32(code))
        }
    }

    @Test("for whom the owner died before it said anything, the next one is asked the same")
    func ownerDiesUnheard() throws {
        let world = try RelayWorld(seed: 1)
        let served = world.join("served", edge: 1, role: .editor)
        world.run(ticks: 10)
        world.cut = [1]
        let editor = world.join("editor", edge: 1, role: .editor)
        try world.apply(Self.wide, from: editor, sequence: 1)
        world.run(ticks: 5)
        try world.killOwner(absentTicks: 5)
        #expect(served.closed == .ownerChanged)
        #expect(editor.closed == nil)
        world.cut = []
        world.run(ticks: 30)
        #expect(editor.closed == nil && editor.failure == nil)
        #expect(editor.welcomes.count == 1)
        #expect(editor.results.map(\.clientSequence) == [1])
        #expect(width(editor) == 150)
    }

    @Test(
        "random ops, losses and deaths of the owner: all end with the same state", arguments: 0..<40
    )
    func random(seed: Int) throws {
        let world = try RelayWorld(seed: UInt64(seed))
        var ops = RandomOps(seed: seed)
        var random = SplitMix64(seed: UInt64(1000 + seed))
        world.losses = seed % 3 * 10
        let kinds: [(String, UInt64, [String])] = [
            ("whole", Capability.keyframes, []), ("plain", 0, []),
            ("animating", Self.watching | Capability.animations | Capability.events, []),
            ("part", Self.watching, ["bar"]),
        ]
        for edge in 0...1 {
            for (name, capabilities, roots) in kinds {
                world.join("\(name)-\(edge)", edge: edge, capabilities: capabilities, roots: roots)
            }
        }
        var editor = world.join("editor", edge: nil, role: .editor)
        var sequence: UInt64 = 0
        for round in 0..<60 {
            sequence += 1
            try world.apply("[\(ops.op()),\(ops.op())]", from: editor, sequence: sequence)
            world.run(ticks: 1 + random.below(4), acknowledge: !random.chance(1, of: 4))
            if seed % 2 == 1, round % 20 == 19 {
                try world.killOwner(absentTicks: random.below(30))
                editor = world.join("editor-\(round)", edge: nil, role: .editor)
                sequence = 0
            }
        }
        world.losses = 0
        world.run(ticks: 900)
        #expect(world.troubles.isEmpty)
        let controls = kinds.map { name, capabilities, roots in
            world.join("control-\(name)", edge: nil, capabilities: capabilities, roots: roots)
        }
        // An animation may run for ever; then clients at other nodes have the state of a tick ago.
        var states: [String: [UInt64: [ViewRecord]]] = [:]
        for _ in 0..<10 {
            for control in controls {
                states[control.name, default: [:]][control.mirror.tick] = control.mirror.records
            }
            world.run(ticks: 1)
        }
        for (control, (name, _, _)) in zip(controls, kinds) {
            for edge in 0...1 {
                let client = try #require(world.client("\(name)-\(edge)"))
                #expect(client.failure == nil, "\(name)")
                #expect(client.closed == nil, "\(name)")
                let expected = states[control.name]?[client.mirror.tick] ?? control.mirror.records
                #expect(client.mirror.records == expected, "\(name)")
                #expect(client.interactions == control.interactions, "\(name)")
            }
        }
    }
}
