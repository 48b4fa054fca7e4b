import AutoLayout
import Testing

/// Notes every call of the life cycle, with the width of the one subview at that time.
private final class RecordingController: ViewController {
    var calls: [String] = []
    let label = View(identifier: "inner")
    var laysOutOnLoad = false
    var onUpdate: (() -> Void)?

    private func note(_ call: String) { calls.append(call) }

    override func loadView() {
        note("loadView")
        super.loadView()
    }

    override func viewDidLoad() {
        note("viewDidLoad")
        do {
            try view.addSubview(label)
            try label.makeConstraints { make in
                make.leading.top.equalToSuperview().offset(10)
                make.trailing.equalToSuperview().offset(-10)
                make.height.equalTo(20)
            }
        } catch {
            Issue.record(error)
        }
        if laysOutOnLoad { view.layoutIfNeeded() }
    }

    override func viewWillAppear() { note("viewWillAppear") }
    override func viewDidAppear() { note("viewDidAppear \(label.frame.width)") }
    override func viewWillDisappear() { note("viewWillDisappear") }
    override func viewDidDisappear() { note("viewDidDisappear") }
    override func viewWillLayoutSubviews() { note("viewWillLayoutSubviews") }
    override func viewDidLayoutSubviews() { note("viewDidLayoutSubviews \(label.frame.width)") }
    override func viewWillTransition(to size: Size) {
        note("viewWillTransition \(size.width)")
        super.viewWillTransition(to: size)
    }
    override func updateViewConstraints() {
        note("updateViewConstraints")
        onUpdate?()
        super.updateViewConstraints()
    }

    func take() -> [String] {
        defer { calls.removeAll() }
        return calls
    }
}

@Suite("View controllers")
struct ViewControllerTests {
    let window = Window(size: Size(width: 300, height: 200))
    private let controller = RecordingController(identifier: "screen")

    @Test("[VC-1] [VC-3] the life cycle, in order; loading once, appearing each time")
    func lifeCycle() throws {
        window.rootViewController = controller
        #expect(controller.take() == ["loadView", "viewDidLoad", "viewWillAppear"])
        #expect(controller.label.frame == .zero)
        try window.runCycle()
        #expect(
            controller.take() == [
                "updateViewConstraints", "viewWillLayoutSubviews", "viewDidLayoutSubviews 280.0",
                "viewDidAppear 280.0",
            ])
        try window.runCycle()
        #expect(controller.take() == [])
        #expect(!window.hasPendingWork)
        window.rootViewController = nil
        #expect(controller.take() == ["viewWillDisappear", "viewDidDisappear"])
        #expect(controller.view.superview == nil)
        window.rootViewController = controller
        try window.runCycle()
        let again = controller.take()
        #expect(again.first == "viewWillAppear")
        #expect(again.last == "viewDidAppear 280.0")
        #expect(!again.contains("loadView") && !again.contains("viewDidLoad"))
        #expect(again.filter { $0 == "viewWillLayoutSubviews" }.count == 1)
    }

    @Test("[VC-2] the pair stands directly around the root view's layoutSubviews")
    func pair() throws {
        let trace = TraceRecorder()
        trace.attach(to: window)
        var order: [String] = []
        let inner = controller.label
        window.rootViewController = controller
        controller.view.layoutSubviewsHook = { [controller] in
            order.append("after \(controller.calls.last ?? "")")
        }
        inner.layoutSubviewsHook = { [controller] in
            order.append("inner after \(controller.calls.last ?? "")")
        }
        try window.runCycle()
        #expect(
            order == ["after viewWillLayoutSubviews", "inner after viewDidLayoutSubviews 280.0"])
        #expect(
            trace.take().filter { !$0.hasPrefix("setNeedsLayout") } == [
                "updateConstraints inner", "updateConstraints screen", "updateConstraints root",
                "layoutSubviews root", "layoutSubviews screen", "layoutSubviews inner",
            ])
        #expect(trace.diagnostics == [])
    }

    @Test("[VC-2] updateViewConstraints is called in the root view's place in the pass")
    func updateViewConstraints() throws {
        window.rootViewController = controller
        try window.runCycle()
        _ = controller.take()
        let trace = TraceRecorder()
        trace.attach(to: window)
        var before: [String] = []
        controller.onUpdate = { before = trace.take() }
        controller.view.setNeedsUpdateConstraints()
        controller.label.setNeedsUpdateConstraints()
        try window.runCycle()
        #expect(controller.take() == ["updateViewConstraints"])
        #expect(before == ["updateConstraints inner", "updateConstraints screen"])
    }

    @Test("[VC-3] [VC-4] layoutIfNeeded in viewDidLoad runs the pair once, at once")
    func layoutOnLoad() throws {
        controller.laysOutOnLoad = true
        window.rootViewController = controller
        #expect(
            controller.take() == [
                "loadView", "viewDidLoad", "updateViewConstraints", "viewWillLayoutSubviews",
                "viewDidLayoutSubviews 280.0", "viewWillAppear",
            ])
        #expect(controller.label.frame == Rect(x: 10, y: 10, width: 280, height: 20))
        try window.runCycle()
        let pairs = controller.take().filter { $0 == "viewWillLayoutSubviews" }
        #expect(pairs.count <= 1)
    }

    @Test("[VC-4] without it frames are first right in viewDidLayoutSubviews")
    func framesInDidLayout() throws {
        window.rootViewController = controller
        #expect(controller.label.frame == .zero)
        try window.runCycle()
        #expect(controller.take().contains("viewDidLayoutSubviews 280.0"))
    }

    @Test("[VC-5] a view inside a view: constraints child first, layout and drawing parent first")
    func nested() throws {
        let outer = RecordingView(identifier: "outer")
        let inner = RecordingView(identifier: "inner")
        outer.draws = true
        inner.draws = true
        try outer.addSubview(inner)
        try window.addSubview(outer)
        _ = try place(outer, width: 100)
        _ = try place(inner, width: 50)
        let trace = TraceRecorder()
        trace.attach(to: window)
        try window.runCycle()
        let lines = trace.take().filter { !$0.hasSuffix("root") && !$0.hasPrefix("setNeeds") }
        #expect(
            lines == [
                "updateConstraints inner", "updateConstraints outer", "layoutSubviews outer",
                "layoutSubviews inner", "draw outer", "draw inner",
            ])
    }

    @Test("[LAY-9] a rotation tells the controller first and lays its view out in the new size")
    func rotation() throws {
        window.rootViewController = controller
        try window.runCycle()
        _ = controller.take()
        window.viewportSize = Size(width: 200, height: 300)
        #expect(controller.take() == ["viewWillTransition 200.0"])
        try window.runCycle()
        #expect(controller.view.frame == Rect(x: 0, y: 0, width: 200, height: 300))
        #expect(
            controller.take() == ["viewWillLayoutSubviews", "viewDidLayoutSubviews 180.0"])
        window.viewportSize = Size(width: 200, height: 300)
        #expect(controller.take() == [])
    }

    @Test("children appear and disappear with their parent, and cannot hold it")
    func children() throws {
        let child = RecordingController(identifier: "child")
        let late = RecordingController(identifier: "late")
        child.initialViewSize = Size(width: 100, height: 100)
        window.rootViewController = controller
        try controller.addChild(child)
        try controller.view.addSubview(child.view)
        #expect(child.take() == ["viewWillAppear", "loadView", "viewDidLoad"])
        #expect(throws: LayoutError.hierarchyCycle("screen")) {
            try child.addChild(controller)
        }
        try window.runCycle()
        #expect(child.take().last == "viewDidAppear 80.0")
        try controller.addChild(late)
        #expect(late.take() == ["viewWillAppear"])
        try window.runCycle()
        #expect(late.take() == ["viewDidAppear 0.0"])
        #expect(controller.children.map(\.identifier) == ["child", "late"])
        late.removeFromParent()
        #expect(late.take() == ["viewWillDisappear", "viewDidDisappear"])
        window.rootViewController = nil
        #expect(child.take() == ["viewWillDisappear", "viewDidDisappear"])
    }
}
