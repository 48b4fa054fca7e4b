import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("The picture that is kept")
struct SceneCanvasPropertyTests {
    /// A scene of everything that is painted in its own way: borders, tints, wide texts, clips,
    /// scroll views.
    private func scene(_ generator: inout Generator) -> SceneBuilder {
        var scene = SceneBuilder(width: 320, height: 160)
        for index in 0..<generator.int(1...24) {
            let parent = generator.pick(scene.records.map(\.id))
            let kind = generator.pick([ContentKind.view, .label, .scroll])
            let text = generator.pick(["abc", "日本語テキスト", "🙂 e\u{301}", "a long text that is cut"])
            let colors = [Color("#204060"), Color("#60204080"), nil]
            let background = generator.pick(colors)
            let border = generator.pick([BorderStyle.none, .single, .double])
            let (isClipping, isFaint) = (generator.int(0...3) == 0, generator.int(0...5) == 0)
            let offset = Int32(generator.int(0...20))
            scene.add(
                "v\(index)", in: parent, generator.int(-40...300), generator.int(-40...150),
                generator.int(0...160), generator.int(0...100)
            ) { content in
                content.kind = kind
                content.border = border
                content.background = background
                content.clips = isClipping
                if isFaint { content.opacity = 100 }
                if kind == .scroll { content.contentOffsetY = offset }
                if kind == .label {
                    content.lines = [ContentLine(text: text, x: 3, y: 0, width: 90)]
                }
            }
        }
        return scene
    }

    private func moved(_ frame: QuantisedFrame, _ generator: inout Generator) -> QuantisedFrame {
        func step() -> Int32 { Int32(generator.int(-9...9)) }
        return QuantisedFrame(
            x: frame.x + step(), y: frame.y + step(), width: max(0, frame.width + step()),
            height: max(0, frame.height + step()))
    }

    @Test("after any frames it is what painting from nothing gives", arguments: 0..<40)
    func equalsPaintingAnew(seed: UInt64) throws {
        var generator = Generator(state: seed)
        var mirror = try scene(&generator).mirror()
        var encoder = FrameEncoder()
        var canvas = SceneCanvas()
        let metrics = try standardMetrics()
        let size = GridSize(columns: generator.int(1...50), rows: generator.int(1...14))
        let fit = generator.pick([SceneFit.natural, .fit(size), .zoom(2)])
        for step in 0..<60 {
            var changes: [FrameChange] = []
            // As a server has them: by their numbers.
            let records = mirror.records.sorted { $0.number.rawValue < $1.number.rawValue }
            for record in records where generator.int(0...8) == 0 {
                let frame = moved(record.frame, &generator)
                guard frame != record.frame else { continue }
                changes.append(FrameChange(number: record.number, old: record.frame, new: frame))
            }
            let tick = mirror.tick
            try mirror.apply(
                FrameDiff(
                    tick: tick + 1, baseTick: tick, durableTick: tick, body: encoder.encode(changes)
                ))
            if generator.int(0...9) == 0 {
                // Content changes too: something is hidden, or shown again.
                let record = generator.pick(mirror.records)
                var content = record.content
                content.hidden.toggle()
                var message = Content()
                message.tick = mirror.tick
                var change = ContentChange()
                change.number = record.number
                change.content = content
                message.changes = [change]
                try mirror.apply(message)
            }
            let transform = ViewTransform(mirror, metrics: metrics, fit: fit, offset: .zero)
            canvas.paint(mirror, transform, size: size, tick: nil)
            let fresh = ScenePainter.paint(mirror, metrics: metrics, size: size, fit: fit)
            #expect(canvas.grid == fresh, "step \(step)")
        }
    }

    @Test("mirrors share a stamp exactly as long as tree and content are the same")
    func stamps() throws {
        var generator = Generator(state: 7)
        let first = try scene(&generator).mirror()
        var second = first
        #expect(first.contentStamp == second.contentStamp)
        try second.apply(
            FrameDiff(
                tick: 1, baseTick: 0, durableTick: 0,
                body: {
                    var encoder = FrameEncoder()
                    let root = first.records[0]
                    return encoder.encode([
                        FrameChange(
                            number: root.number, old: root.frame,
                            new: QuantisedFrame(x: 1, y: 1, width: 9, height: 9))
                    ])
                }()))
        #expect(first.contentStamp == second.contentStamp)
        var tree = Tree()
        tree.tick = 1
        tree.changes = [.remove(first.records[first.count - 1].number)]
        try second.apply(tree)
        #expect(first.contentStamp != second.contentStamp)
        #expect(try scene(&generator).mirror().contentStamp != first.contentStamp)
    }
}
