import SceneDocument
import SceneWire
import Testing

@Suite("The mirror")
struct SceneMirrorTests {
    private func record(
        _ number: UInt32, _ id: String, in parent: UInt32?, x: Int32 = 0, offset: Int32 = 0
    ) -> ViewRecord {
        var content = ViewContent()
        content.contentOffsetX = offset
        return ViewRecord(
            number: ViewNumber(number), id: id, parent: parent.map { ViewNumber($0) },
            frame: QuantisedFrame(x: x, y: x, width: 10, height: 10), content: content)
    }

    private func sample() throws -> SceneMirror {
        try mirror([
            record(0, "root", in: nil), record(1, "a", in: 0, x: 5, offset: 3),
            record(2, "b", in: 1, x: 7), record(3, "c", in: 0),
        ])
    }

    private func tree(_ changes: TreeChange...) -> Tree {
        var tree = Tree()
        tree.tick = 1
        tree.changes = changes
        return tree
    }

    @Test("views are found by number and by name, in preorder, and where they stand")
    func lookups() throws {
        let mirror = try sample()
        #expect(mirror.count == 4)
        #expect(mirror.root == ViewNumber(0))
        #expect(mirror.number(id: "b") == ViewNumber(2))
        #expect(mirror.view(id: "b")?.parent == ViewNumber(1))
        #expect(mirror.view(ViewNumber(9)) == nil)
        #expect(mirror.records.map(\.id) == ["root", "a", "b", "c"])
        #expect(
            mirror.absoluteFrame(ViewNumber(2)) == AbsoluteFrame(x: 9, y: 12, width: 10, height: 10)
        )
    }

    @Test("a point is a place in a view, and a place a point, where the view is on show")
    func places() throws {
        var mirror = try sample()
        // `b` begins at 9, 12 and is 10 by 10.
        let place = try #require(mirror.place(x: 11, y: 17, in: ViewNumber(2)))
        #expect(place == PresencePlace(view: "b", fraction: Point(x: 0.2, y: 0.5)))
        #expect(try #require(mirror.point(of: place)) == (11, 17))
        // What is beyond counts as the nearer end, what is no number as the beginning.
        #expect(
            mirror.place(x: -50, y: 100, in: ViewNumber(2))
                == PresencePlace(view: "b", fraction: Point(x: 0, y: 1)))
        let wild = PresencePlace(view: "b", fraction: Point(x: 7, y: .nan))
        #expect(try #require(mirror.point(of: wild)) == (19, 12))
        #expect(
            mirror.point(of: PresencePlace(view: "z", fraction: Point(x: 0, y: 0))) == nil)
        #expect(mirror.place(x: 0, y: 0, in: ViewNumber(9)) == nil)
        // What is in a hidden view is not on show.
        var content = Content()
        content.tick = 1
        var change = ContentChange()
        change.number = ViewNumber(1)
        change.content.hidden = true
        content.changes = [change]
        try mirror.apply(.content(content))
        #expect(mirror.point(of: place) == nil)
    }

    @Test("views are added, moved and removed with their subviews")
    func treeChanges() throws {
        var mirror = try sample()
        try mirror.apply(
            tree(
                .add(record(4, "d", in: 0), index: 1),
                .move(ViewNumber(2), parent: ViewNumber(4), index: 0),
                .move(ViewNumber(3), parent: ViewNumber(0), index: 0)))
        #expect(mirror.records.map(\.id) == ["root", "c", "a", "d", "b"])
        #expect(mirror.stateHash == stateHash(mirror.records))
        try mirror.apply(tree(.remove(ViewNumber(4))))
        #expect(mirror.records.map(\.id) == ["root", "c", "a"])
        #expect(mirror.number(id: "b") == nil)
        #expect(mirror.stateHash == stateHash(mirror.records))
    }

    @Test("between a tick's first message and its frame no tick names the state")
    func withinTick() throws {
        var content = Content()
        content.tick = 1
        var anim = Anim()
        anim.tick = 1
        let added = tree(.add(record(4, "d", in: 0), index: 0))
        for message in [ServerMessage.tree(added), .content(content), .anim(anim)] {
            var mirror = try sample()
            #expect(!mirror.isWithinTick)
            try mirror.apply(message)
            #expect(mirror.isWithinTick && mirror.tick == 0)
            var resumed = mirror
            try mirror.apply(FrameDiff(tick: 1, baseTick: 0, durableTick: 0))
            #expect(!mirror.isWithinTick && mirror.tick == 1)
            for chunk in try sample().snapshots(byteMaximum: 1 << 20) { try resumed.apply(chunk) }
            #expect(!resumed.isWithinTick)
        }
    }

    /// Once, a client named the epoch of its last `welcome` when it came back, though that
    /// connection had ended before any state came, and was sent a merged frame on top of a state
    /// that the journal's failure had taken back.
    @Test(
        "[CONN-22] the mirror is in the epoch of its state, not of a connection that brought none")
    func epochOfState() throws {
        var mirror = try sample()
        let first = mirror.epoch
        mirror.continueInConnection(ofEpoch: first + 1)
        #expect(mirror.epoch == first)
        try mirror.apply(.frame(FrameDiff(tick: 1, baseTick: 0, durableTick: 0)))
        #expect(mirror.epoch == first + 1)
        try mirror.apply(.frame(FrameDiff(tick: 2, baseTick: 1, durableTick: 0)))
        #expect(mirror.epoch == first + 1)
        // A frame that does not fit leads nowhere.
        mirror.continueInConnection(ofEpoch: first + 2)
        #expect(throws: MirrorError.self) {
            try mirror.apply(.frame(FrameDiff(tick: 9, baseTick: 8, durableTick: 0)))
        }
        #expect(mirror.epoch == first + 1)
        // A snapshot names its epoch, which holds for the frames after it too.
        for chunk in try sample().snapshots(byteMaximum: 1 << 20) { try mirror.apply(chunk) }
        #expect(mirror.epoch == first)
        try mirror.apply(.frame(FrameDiff(tick: 1, baseTick: 0, durableTick: 0)))
        #expect(mirror.epoch == first)
    }

    @Test("a wrong message is an error, and then only a snapshot helps")
    func errors() throws {
        let start = try sample()
        let cases: [(Tree, MirrorError)] = [
            (tree(.add(record(1, "x", in: 0), index: 0)), .duplicateNumber(ViewNumber(1))),
            (tree(.add(record(9, "a", in: 0), index: 0)), .duplicateID("a")),
            (tree(.add(record(9, "x", in: 8), index: 0)), .unknownView(ViewNumber(8))),
            (tree(.add(record(9, "x", in: nil), index: 0)), .misplacedRoot),
            (tree(.add(record(9, "x", in: 0), index: 3)), .invalidIndex(3)),
            (tree(.remove(ViewNumber(0))), .misplacedRoot),
            (tree(.remove(ViewNumber(7))), .unknownView(ViewNumber(7))),
            (tree(.move(ViewNumber(1), parent: ViewNumber(2), index: 0)), .cycle(ViewNumber(1))),
            (tree(.move(ViewNumber(1), parent: ViewNumber(1), index: 0)), .cycle(ViewNumber(1))),
        ]
        for (message, expected) in cases {
            var mirror = start
            #expect(throws: expected) { try mirror.apply(message) }
            #expect(mirror.needsSnapshot)
            #expect(throws: MirrorError.noSnapshot) { try mirror.apply(FrameDiff()) }
            try mirror.apply(start.snapshots()[0])
            #expect(mirror.records == start.records)
            #expect(!mirror.needsSnapshot)
        }
    }

    @Test("a frame must build on the mirror's tick, cite known slots and known views, each once")
    func frames() throws {
        let start = try sample()
        func failure(_ change: (inout FrameDiff) -> Void) -> MirrorError? {
            var mirror = start
            var frame = FrameDiff(tick: 1, baseTick: 0, durableTick: 0)
            change(&frame)
            do throws(MirrorError) {
                try mirror.apply(frame)
                return nil
            } catch {
                return error
            }
        }
        func group(_ numbers: [UInt32]) -> FrameBody.Group {
            FrameBody.Group(Selection(mask: .x, numbers: numbers), stores: true, deltas: [1])
        }
        #expect(failure { _ in } == nil)
        #expect(failure { $0.tickLow = 2 } == .wrongBase(tick: 2, mirrorTick: 0))
        let cited = FrameBody.Citation(slot: 3, deltas: [1])
        #expect(failure { $0.body.citations = [cited] } == .unknownSlot(3))
        #expect(failure { $0.body.groups = [group([1, 9])] } == .unknownView(ViewNumber(9)))
        #expect(failure { $0.body.groups = [group([2, 1])] } == .malformedSelection)
        #expect(failure { $0.body.groups = [group([0, 1, 2, 3]), group([0])] } == .tooManyChanges)
        // What a body stores it cannot cite.
        let first = FrameBody.Citation(slot: 0, deltas: [1])
        #expect(
            failure {
                $0.body = FrameBody(citations: [first], groups: [group([0])])
            } == .unknownSlot(0))
    }

    @Test("a snapshot may come in chunks, in order and unmixed")
    func chunks() throws {
        let start = try sample()
        let chunks = start.snapshots(byteMaximum: 1)
        #expect(chunks.count == 4)
        var copy = SceneMirror()
        for chunk in chunks {
            #expect(copy.needsSnapshot)
            try copy.apply(chunk)
        }
        #expect(copy.records == start.records)
        #expect(copy.stateHash == start.stateHash)
        var mixed = SceneMirror()
        try mixed.apply(chunks[0])
        #expect(throws: MirrorError.unexpectedChunk(index: 2, expected: 1)) {
            try mixed.apply(chunks[2])
        }
        #expect(throws: MirrorError.unexpectedChunk(index: 1, expected: 0)) {
            try mixed.apply(chunks[1])
        }
    }

    @Test("a different hash is an error, at the same tick")
    func hashes() throws {
        var mirror = try sample()
        var message = StateHash()
        message.hash = mirror.stateHash
        try mirror.check(message)
        message.hash &+= 1
        message.tick = 5
        try mirror.check(message)
        message.tick = 0
        #expect(throws: MirrorError.self) { try mirror.check(message) }
        var snapshot = try sample().snapshots()[0]
        snapshot.stateHash &+= 1
        #expect(throws: MirrorError.self) { try mirror.apply(snapshot) }
    }
}

@Suite("Mirrors follow a scene")
struct SceneMirrorPropertyTests {
    @Test("after random diffs every mirror holds the new state", arguments: 1...20)
    func follows(seed: UInt64) throws {
        var generator = Generator(state: seed)
        var records = generator.records(60)
        var inStep = try mirror(records)
        var encoder = FrameEncoder()
        var baseline = records
        var lagging = inStep
        let sets = (0..<4).map { _ in records.indices.filter { _ in generator.bool() } }
        for tick in 1...150 as ClosedRange<UInt64> {
            let old = records
            if generator.int(0...3) == 0 {
                for _ in 0..<generator.int(1...5) {
                    records[generator.int(0...59)].frame = generator.frame()
                }
            } else {
                let dx = Int32(generator.int(-3...3))
                let grow = Int32(generator.int(0...1))
                for index in generator.pick(sets) {
                    records[index].frame.x += dx
                    records[index].frame.height += grow
                }
            }
            let message = FrameDiff(
                tick: tick, baseTick: tick - 1, durableTick: tick,
                body: encoder.encode(changes(old, records)))
            let decoded = try ServerMessage.decode(bytes(.frame(message)))
            #expect(decoded == .frame(message))
            try inStep.apply(decoded)
            #expect(inStep.records == records, "seed \(seed), tick \(tick)")
            #expect(inStep.ring == encoder.ring)
            #expect(inStep.stateHash == stateHash(records))
            guard tick % 30 == 0 else { continue }
            // One that lags gets a merged diff and the selections, and goes on in step.
            let merged = FrameDiff(
                tick: tick, baseTick: lagging.tick, durableTick: tick,
                body: encoder.encodeMerged(changes(baseline, records)))
            try lagging.apply(try ServerMessage.decode(bytes(.frame(merged))))
            for select in Select.all(of: encoder.ring) { try lagging.apply(.select(select)) }
            #expect(lagging.records == records)
            #expect(lagging.ring == encoder.ring)
            baseline = records
            // One that joins gets a snapshot in chunks.
            var joining = SceneMirror()
            for chunk in inStep.snapshots(byteMaximum: 2000) {
                try joining.apply(try ServerMessage.decode(bytes(.snapshot(chunk))))
            }
            #expect(joining.records == records)
        }
    }

    private func changes(_ old: [ViewRecord], _ new: [ViewRecord]) -> [FrameChange] {
        zip(old, new).filter { $0.frame != $1.frame }.map {
            FrameChange(number: $0.number, old: $0.frame, new: $1.frame)
        }
    }

    @Test(
        "the hash stays the sum over the views through random tree and content changes",
        arguments: 1...20)
    func hashesAddUp(seed: UInt64) throws {
        var generator = Generator(state: seed)
        var mirror = try mirror(generator.records(20))
        var next: UInt32 = 1000
        for step in 0..<60 {
            let numbers = mirror.preorder()
            let number = generator.pick(numbers)
            var tree = Tree()
            switch generator.int(0...3) {
            case 0:
                let record = ViewRecord(
                    number: ViewNumber(next), id: "n\(next)", parent: number,
                    frame: generator.frame(), content: generator.content())
                tree.changes = [
                    .add(
                        record, index: UInt32(generator.int(0...mirror.subviews(of: number).count)))
                ]
                next += 1
            case 1 where mirror.count > 10: tree.changes = [.remove(number)]
            case 2: tree.changes = [.move(number, parent: generator.pick(numbers), index: 0)]
            default:
                var content = Content()
                var change = ContentChange()
                change.number = number
                change.content = generator.content()
                content.changes = [change]
                try mirror.apply(content)
            }
            var changed = mirror
            // The root cannot be moved or removed, and no view goes below itself.
            do throws(MirrorError) {
                try changed.apply(tree)
                mirror = changed
            } catch {
                #expect(error == .misplacedRoot || error == .cycle(number), "seed \(seed)")
            }
            #expect(mirror.stateHash == stateHash(mirror.records), "seed \(seed), step \(step)")
            #expect(mirror.records.count == mirror.count)
        }
    }
}
