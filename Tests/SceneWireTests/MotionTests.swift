import JSON
import SceneDocument
import SceneWire
import Testing

@Suite("Animations and numberings in the mirror")
struct MotionTests {
    private func sample() throws -> SceneMirror {
        try mirror(
            (0..<4).map { index in
                ViewRecord(
                    number: ViewNumber([0, 7, 3, 9][index]), id: ["root", "a", "b", "c"][index],
                    parent: index == 0 ? nil : ViewNumber(0),
                    frame: QuantisedFrame(x: 10, y: 0, width: 100, height: 20),
                    content: ViewContent())
            })
    }

    private func start(
        _ id: UInt32, _ number: UInt32, dx: Int32, ticks: UInt32, delay: UInt32 = 0,
        curve: AnimationCurve = .linear
    ) -> Anim.Change {
        var start = AnimationStart()
        start.id = id
        start.delayTicks = delay
        start.durationTicks = ticks
        start.curve = curve
        start.body.rows = [FrameBody.Row(number: number, mask: .x, deltas: [dx])]
        return .start(start)
    }

    private func anim(_ tick: UInt64, _ changes: Anim.Change...) -> Anim {
        var anim = Anim()
        anim.tick = tick
        anim.changes = changes
        return anim
    }

    private func frame(_ tick: UInt64) -> FrameDiff {
        FrameDiff(tick: tick, baseTick: tick - 1, durableTick: tick)
    }

    @Test("an animation sets the frame at once and shows the way to it")
    func way() throws {
        var mirror = try sample()
        try mirror.apply(anim(1, start(5, 7, dx: 40, ticks: 4)))
        try mirror.apply(frame(1))
        #expect(mirror.view(id: "a")?.frame.x == 50)
        #expect(mirror.stateHash == stateHash(mirror.records))
        let shown = (1...5).map { mirror.shownFrame(ViewNumber(7), at: $0)?.x }
        #expect(shown == [10, 20, 30, 40, 50])
        #expect(mirror.shownFrame(ViewNumber(3), at: 2)?.x == 10)
        for tick in 2...4 as ClosedRange<UInt64> { try mirror.apply(frame(tick)) }
        #expect(mirror.animations.ids == [5])
        try mirror.apply(frame(5))
        #expect(mirror.animations.isEmpty)
    }

    @Test("animations of one view add up, wait for their delay, and can be cut short")
    func together() throws {
        var mirror = try sample()
        try mirror.apply(
            anim(1, start(1, 7, dx: 40, ticks: 4), start(2, 7, dx: -20, ticks: 2, delay: 2)))
        try mirror.apply(frame(1))
        // The frame is 30. Less 40 × (1, ¾, ½, ¼, 0), and −20 × (1, 1, 1, ½, 0).
        let shown = (1...5).map { mirror.shownFrame(ViewNumber(7), at: $0)?.x }
        #expect(shown == [10, 20, 30, 30, 30])
        try mirror.apply(anim(2, .cancel(id: 1)))
        #expect(mirror.shownFrame(ViewNumber(7), at: 2)?.x == 50)
        var tree = Tree()
        tree.tick = 2
        tree.changes = [.remove(ViewNumber(7))]
        try mirror.apply(tree)
        #expect(mirror.shownFrame(ViewNumber(7), at: 2) == nil)
    }

    @Test("curves meet their ends, and the middle where they are symmetric")
    func curves() {
        for curve in AnimationCurve.allCases {
            #expect(curve.progress(at: 0) == 0)
            #expect(curve.progress(at: 1) == 1)
        }
        #expect(AnimationCurve.linear.progress(at: 0.25) == 0.25)
        #expect(abs(AnimationCurve.easeInOut.progress(at: 0.5) - 0.5) < 1e-12)
        // By hand: at the parameter 1/2 easeIn has x = 3/8 × 0.42 + 3/8 + 1/8 = 0.6575 and y = 1/2.
        #expect(abs(AnimationCurve.easeIn.progress(at: 0.6575) - 0.5) < 1e-12)
        #expect(abs(AnimationCurve.easeOut.progress(at: 0.3425) - 0.5) < 1e-12)
    }

    @Test("a keyframe numbers the views anew and changes nothing else")
    func keyframe() throws {
        var mirror = try sample()
        let before = mirror.records
        var message = Keyframe()
        message.numbers = [0, 7, 3, 9]
        try mirror.apply(message)
        #expect(mirror.records.map(\.id) == before.map(\.id))
        #expect(mirror.records.map(\.number.rawValue) == [0, 1, 2, 3])
        #expect(mirror.number(id: "c") == ViewNumber(3))
        #expect(mirror.stateHash == stateHash(before))
        #expect(mirror.ring == SelectionRing())
        var frame = frame(1)
        frame.body.rows = [FrameBody.Row(number: 3, mask: .x, deltas: [1])]
        try mirror.apply(frame)
        #expect(mirror.view(id: "c")?.frame.x == 11)
        for numbers in [[0, 7, 3], [0, 7, 3, 3], [0, 7, 3, 8]] as [[UInt32]] {
            var wrong = try sample()
            message.numbers = numbers
            #expect(throws: MirrorError.self) { try wrong.apply(message) }
            #expect(wrong.needsSnapshot)
        }
    }
}

@Suite("Deflated snapshots")
struct DeflatedSnapshotTests {
    @Test("a deflated snapshot reads back, and one that lies about its length is refused")
    func lengths() throws {
        var generator = Generator(state: 1)
        let start = try mirror(generator.records(50))
        let snapshot = start.snapshots()[0]
        #expect(snapshot.isDeflated)
        let whole = bytes(ServerMessage.snapshot(snapshot))
        #expect(try ServerMessage.decode(whole) == .snapshot(snapshot))
        // Type, epoch, tick, index, count, flag, hash: the length is at 14, in two bytes.
        var wrong = whole
        wrong[14] ^= 1
        #expect(throws: DecodeError.malformedDeflate(offset: 14)) {
            try ServerMessage.decode(wrong)
        }
        var limits = Limits()
        limits.inflatedBytesMaximum = 100
        #expect(throws: DecodeError.self) { try ServerMessage.decode(whole, limits: limits) }
    }

    @Test("texts that Unicode calls equal but whose bytes differ stay apart")
    func normalization() throws {
        var records: [ViewRecord] = []
        for (index, text) in ["\u{E9}", "e\u{301}"].enumerated() {
            var content = ViewContent()
            content.lines = [ContentLine(text: text, x: 0, y: 0, width: 8)]
            records.append(
                ViewRecord(
                    number: ViewNumber(UInt32(index)), id: ["root", "a"][index],
                    parent: index == 0 ? nil : ViewNumber(0), frame: .zero, content: content))
        }
        let start = try mirror(records)
        var copy = SceneMirror()
        try copy.apply(try ServerMessage.decode(bytes(.snapshot(start.snapshots()[0]))))
        #expect(copy.stateHash == start.stateHash)
    }

    @Test("chunks stay below the limit of a message in both formats")
    func chunkSizes() throws {
        var records = [
            ViewRecord(
                number: ViewNumber(0), id: "root", parent: nil, frame: .zero, content: ViewContent()
            )
        ]
        for index in 1...5000 {
            var content = ViewContent(kind: .label)
            content.background = Color(rgba: 0x0102_0304)
            content.foreground = Color(rgba: 0x0102_0304)
            content.lines = [ContentLine(text: "\u{1}\"\\", x: .min, y: .min, width: .max)]
            records.append(
                ViewRecord(
                    number: ViewNumber(UInt32(index)),
                    id: String(repeating: "x", count: 58) + "\(index)",
                    parent: ViewNumber(0),
                    frame: QuantisedFrame(x: .min, y: .min, width: .max, height: .max),
                    content: content))
        }
        let start = try mirror(records)
        for chunk in start.snapshots() {
            let message = ServerMessage.snapshot(chunk)
            #expect(bytes(message).count < 1 << 20)
            #expect(message.json.text().utf8.count < 1 << 20)
        }
    }
}
