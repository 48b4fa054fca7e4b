import Observation
import Testing

@testable import AutoLayout

/// What a program keeps for its views.
@Observable private final class Model {
    var title = ""
    var count = 0
    var showsCount = false
}

private final class ModelView: View {
    let model: Model
    var reads: Set<String> = []
    private(set) var calls: [String] = []

    init(_ model: Model, identifier: String = "view") {
        self.model = model
        super.init(
            frame: Rect(x: 0, y: 0, width: 50, height: 50), identifier: identifier)
    }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    private func call(_ name: String) {
        calls.append(name)
        if reads.contains(name) { _ = model.title }
    }

    override func updateProperties() {
        call("updateProperties")
        // Read only in one of two branches.
        if reads.contains("branches"), model.showsCount { _ = model.count }
    }

    override func updateConstraints() {
        call("updateConstraints")
        super.updateConstraints()
    }

    override func layoutSubviews() {
        call("layoutSubviews")
        super.layoutSubviews()
    }

    override var drawsContent: Bool { true }

    override func draw(_ rect: Rect, in context: DrawingContext) { call("draw") }
}

/// Statements about observable properties that are read in tracked calls, by their ids.
@Suite("Observable properties")
struct ObservationTests {
    private let window = Window(size: Size(width: 100, height: 100))
    private let model = Model()

    private func show(_ reads: Set<String>) throws -> ModelView {
        let view = ModelView(model)
        view.reads = reads
        try window.addSubview(view)
        try window.runCycle()
        _ = view.takeCalls()
        return view
    }

    @Test(
        "[UPD-14] a property read in a tracked call, later changed, makes that call again, and no other",
        arguments: ["updateProperties", "updateConstraints", "layoutSubviews", "draw"])
    func calls(method: String) throws {
        let view = try show([method])
        for _ in 0..<3 {
            model.title += "x"
            try window.runCycle()
            #expect(view.takeCalls() == [method])
        }
        model.count += 1
        try window.runCycle()
        #expect(view.takeCalls() == [])
    }

    @Test("[UPD-14] nothing is tracked where that is switched off, or in calls that are not")
    func notTracked() throws {
        window.tracksObservableProperties = false
        let view = try show(["updateProperties"])
        model.title = "x"
        try window.runCycle()
        #expect(view.takeCalls() == [])
    }

    @Test("[UPD-15] what counts is what the last call read")
    func renewed() throws {
        let view = try show(["branches"])
        model.count += 1
        try window.runCycle()
        #expect(view.takeCalls() == [])
        model.showsCount = true
        try window.runCycle()
        #expect(view.takeCalls() == ["updateProperties"])
        model.count += 1
        try window.runCycle()
        #expect(view.takeCalls() == ["updateProperties"])
        model.showsCount = false
        try window.runCycle()
        #expect(view.takeCalls() == ["updateProperties"])
        model.count += 1
        try window.runCycle()
        #expect(view.takeCalls() == [])
    }

    @Test("several changes make one call; a view without a window waits for one")
    func coalesced() throws {
        let view = try show(["updateProperties"])
        for _ in 0..<10 { model.title += "x" }
        #expect(view.needsUpdateProperties)
        view.removeFromSuperview()
        try window.runCycle()
        #expect(view.takeCalls() == [])
        try window.addSubview(view)
        try window.runCycle()
        #expect(view.takeCalls().filter { $0 == "updateProperties" } == ["updateProperties"])
    }

    @Test("a controller's reads count as its view's")
    func controller() throws {
        final class Controller: ViewController {
            let model: Model
            var calls = 0
            init(_ model: Model) {
                self.model = model
                super.init(identifier: "controller")
            }
            override func updateProperties() {
                super.updateProperties()
                calls += 1
                _ = model.title
            }
        }
        let controller = Controller(model)
        window.rootViewController = controller
        controller.setNeedsUpdateProperties()
        try window.runCycle()
        let before = controller.calls
        model.title = "x"
        try window.runCycle()
        #expect(controller.calls == before + 1)
    }

    @Test("a view that is gone is asked for nothing, and keeps nothing alive")
    func gone() throws {
        weak var weakView: ModelView?
        do {
            let view = try show(["updateProperties", "layoutSubviews"])
            weakView = view
            view.removeFromSuperview()
        }
        #expect(weakView == nil)
        model.title = "x"
        try window.runCycle()
    }

    @Test("a call that is made again leaves nothing behind in the model of the call before")
    func piling() throws {
        let view = try show(["layoutSubviews"])
        weak let before = view.extras?.traits?.observed[.layoutSubviews]
        #expect(before != nil)
        view.setNeedsLayout()
        try window.runCycle()
        // The model would keep it.
        #expect(before == nil)
        _ = view.takeCalls()
        model.title = "x"
        try window.runCycle()
        #expect(view.takeCalls() == ["layoutSubviews"])
    }
}
