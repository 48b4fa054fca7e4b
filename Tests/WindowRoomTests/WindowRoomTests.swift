import AutoLayout
import Logging
import SceneClient
import SeededRandom
import Testing

@testable import WindowRoom

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A view that draws by itself.
private final class Chart: View {
    override var drawsContent: Bool { true }
    override func draw(_ rect: Rect, in context: DrawingContext) {
        try? context.add(.fill(Rect(x: 0, y: 0, width: 10, height: frame.height), color: "#ff0000"))
        try? context.add(
            .text(TextLine(text: "peak", origin: Point(x: 16, y: 0), width: 32)))
    }
}

@Suite("A program's window as a room", .serialized, .timeLimit(.minutes(10)))
struct WindowRoomTests {
    /// The subviews of each view, by names, as a scene has them; held against what the window has.
    private func tree(_ mirror: SceneMirror) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for number in mirror.preorder() {
            guard let view = mirror.view(number) else { continue }
            lists[view.id] = mirror.subviews(of: number).compactMap { mirror.view($0)?.id }
        }
        return lists
    }

    private func wait(_ scene: Scene, _ condition: () -> Bool) async {
        for await _ in scene.changes where condition() { return }
        Issue.record("the scene ended")
    }

    @Test("what the window lays out is seen, and follows each cycle")
    func follows() async throws {
        let window = Window(size: Size(width: 400, height: 240))
        let title = Label("Queue", identifier: "title")
        let chart = Chart(identifier: "chart")
        try window.addSubview(title)
        try window.addSubview(chart)
        try title.makeConstraints {
            $0.leading.equalToSuperview().offset(8)
            $0.top.equalToSuperview().offset(16)
        }
        try chart.makeConstraints {
            $0.leading.equalTo(title)
            $0.top.equalTo(title.bottomAnchor)
            $0.size.equalTo(Size(width: 100, height: 32))
        }
        try window.runCycle()
        let room = try await window.serve(as: "app", port: 0, logger: silent)
        defer { room.close() }
        let viewer = try await Scene.connect(room.url, role: .viewer, logger: silent)
        defer { viewer.close() }
        await wait(viewer) { viewer["chart"].record != nil }
        #expect(viewer["title"].text == "Queue")
        #expect(viewer["title"].record?.frame == QuantisedFrame(x: 8, y: 16, width: 40, height: 16))
        #expect(
            viewer["chart"].record?.frame == QuantisedFrame(x: 8, y: 32, width: 100, height: 32))
        #expect(viewer["chart"].subviews == ["chart-drawn-0", "chart-drawn-1"])
        #expect(viewer["chart-drawn-0"].record?.content.background == Color("#ff0000"))
        #expect(viewer["chart-drawn-1"].text == "peak")

        title.text = "Queue: 3"
        let more = View(identifier: "title")
        try window.insertSubview(more, at: 0)
        try more.makeConstraints { $0.edges.equalToSuperview() }
        window.viewportSize = Size(width: 500, height: 240)
        try window.runCycle()
        await wait(viewer) { viewer["title"].text == "Queue: 3" }
        // A name that is taken is not given twice.
        #expect(viewer["root"].subviews == ["view-1", "title", "chart"])
        #expect(
            viewer["view-1"].record?.frame == QuantisedFrame(x: 0, y: 0, width: 500, height: 240))
        #expect(viewer["root"].record?.frame.width == 500)
    }

    @Test("a room that somebody else has changed shows the window again")
    func repaired() async throws {
        let window = Window(size: Size(width: 400, height: 240))
        let label = Label("one", identifier: "label")
        try window.addSubview(label)
        try window.runCycle()
        let room = try await window.serve(as: "app", port: 0, logger: silent)
        defer { room.close() }
        let other = try await Scene.connect(room.url, logger: silent)
        defer { other.close() }
        await wait(other) { other["label"].record != nil }
        try await other.apply { other["label"].remove() }
        label.text = "two"
        try window.runCycle()
        await wait(other) { other["label"].text == "two" }
    }

    @Test(
        "whatever happens to a hierarchy, the ops between two pictures lead from one to the other")
    func randomHierarchies() async throws {
        let scene: Scene
        let window = Window(size: Size(width: 640, height: 384))
        let room = try await window.serve(as: "app", port: 0, logger: silent)
        defer { room.close() }
        scene = try await Scene.connect(room.url, logger: silent)
        defer { scene.close() }
        var random = SplitMix64(seed: 7)
        let pictures = Pictures { _, _ in }
        var before = Picture()
        before.size = window.frame.size
        try await scene.show(before.document)
        // The room itself stands still: this test sends what it compares.
        window.cycleObserver = nil
        var views: [View] = [window]
        for round in 0..<200 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                try change(&views, &random)
            }
            try window.runCycle()
            let after = pictures.take(of: window)
            let ops = try #require(before.ops(to: after), "round \(round)")
            try await scene.apply(ops)
            await wait(scene) { scene.mirror.count == after.entries.count + 1 }
            var wanted: [String: [String]] = ["root": []]
            for entry in after.entries {
                wanted[entry.id, default: []] += []
                wanted[entry.parent, default: []].append(entry.id)
            }
            await wait(scene) { tree(scene.mirror) == wanted }
            before = after
        }
    }

    /// Adds a view, moves one, removes one, or changes what it looks like.
    private func change(_ views: inout [View], _ random: inout SplitMix64) throws {
        let view = views.randomElement(using: &random)!
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            let made =
                Bool.random(using: &random)
                ? Label("text \(views.count)", identifier: "twice") : View(identifier: "no name!")
            try view.insertSubview(
                made, at: Int.random(in: 0...view.subviews.count, using: &random))
            made.frame = Rect(
                x: Double(Int.random(in: 0..<100, using: &random)), y: 0, width: 40, height: 16)
            views.append(made)
        case 2:
            guard let parent = views.randomElement(using: &random), view !== views[0],
                !parent.isDescendant(of: view)
            else { return }
            try parent.insertSubview(
                view,
                at: Int.random(
                    in: 0...parent.subviews.count(where: { $0 !== view }), using: &random))
        case 3:
            guard view !== views[0] else { return }
            view.removeFromSuperview()
            views.removeAll { $0.window == nil }
        default:
            view.isHidden.toggle()
            (view as? Label)?.text += "!"
        }
    }
}
