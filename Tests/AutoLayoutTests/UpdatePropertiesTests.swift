import AutoLayout
import Testing

/// A view that overrides `updateProperties`, as programs do.
private final class PropertyView: View {
    var onUpdate: (() -> Void)?
    var calls = 0

    override func updateProperties() {
        calls += 1
        onUpdate?()
    }
}

/// Statements about `updateProperties`, by their ids.
@Suite("The properties pass")
struct UpdatePropertiesTests {
    private let window = Window(size: Size(width: 100, height: 100))
    private let recorder = TraceRecorder()

    private func view(_ name: String, in superview: View? = nil) throws -> PropertyView {
        let view = PropertyView(
            frame: Rect(x: 0, y: 0, width: 50, height: 50), identifier: name)
        try (superview ?? window).addSubview(view)
        return view
    }

    /// Runs what is pending and begins to record.
    private func settle() throws {
        try window.runCycle()
        recorder.attach(to: window)
    }

    @Test("[PASS-1, UPD-2, PASS-2] properties of all views, then constraints, then layout")
    func order() throws {
        let (left, right) = (try view("left"), try view("right"))
        let inner = try view("inner", in: left)
        try settle()
        for view in [inner, right, left] {
            view.setNeedsUpdateProperties()
            view.setNeedsUpdateConstraints()
        }
        inner.setNeedsLayout()
        try window.runCycle()
        #expect(
            recorder.take() == [
                "updateProperties left", "updateProperties inner", "updateProperties right",
                "updateConstraints inner", "updateConstraints left", "updateConstraints right",
                "layoutSubviews inner",
            ])
    }

    @Test("[UPD-4, UPD-21] several requests make one call, none makes none")
    func coalesced() throws {
        let view = try view("view")
        try settle()
        #expect(!window.hasPendingWork)
        view.calls = 0
        view.setNeedsUpdateProperties()
        view.setNeedsUpdateProperties()
        #expect(view.calls == 0)
        #expect(window.hasPendingWork)
        try window.runCycle()
        try window.runCycle()
        #expect(view.calls == 1)
    }

    @Test("[PASS-4, PASS-5] it calls no layout by itself, and layout calls no properties")
    func apart() throws {
        let view = try view("view")
        try settle()
        view.calls = 0
        view.setNeedsUpdateProperties()
        try window.runCycle()
        #expect(recorder.take() == ["updateProperties view"])
        view.frame.size.width = 60
        try window.runCycle()
        #expect(!recorder.take().contains("updateProperties view"))
        #expect(view.calls == 1)
    }

    @Test("[PASS-4] a text set in it is laid out in the same cycle")
    func intrinsic() throws {
        let label = Label("ab", identifier: "label")
        let view = try view("view")
        try window.addSubview(label)
        try LayoutConstraint.activate([
            label.leftAnchor.constraint(equalTo: window.leftAnchor),
            label.topAnchor.constraint(equalTo: window.topAnchor),
        ])
        try settle()
        view.onUpdate = { label.text = "abcd" }
        view.setNeedsUpdateProperties()
        try window.runCycle()
        #expect(label.frame.width == 32)
    }

    @Test("[PASS-6, UPD-8] a subtree can be served now, traits first, without layout")
    func now() throws {
        let (left, right) = (try view("left"), try view("right"))
        let inner = try view("inner", in: left)
        try settle()
        var idiom = UserInterfaceIdiom.unspecified
        inner.onUpdate = { idiom = inner.traitCollection.userInterfaceIdiom }
        inner.traitOverrides.userInterfaceIdiom = .tv
        for view in [inner, right] { view.setNeedsUpdateProperties() }
        inner.setNeedsLayout()
        left.updatePropertiesIfNeeded()
        #expect(recorder.take() == ["updateProperties inner"])
        #expect(idiom == .tv)
        left.updatePropertiesIfNeeded()
        #expect(recorder.take() == [])
        #expect(right.needsUpdateProperties)
    }

    @Test("[PASS-7] layoutIfNeeded serves traits and properties of its subtree first")
    func beforeLayout() throws {
        let left = try view("left")
        try settle()
        left.setNeedsUpdateProperties()
        left.setNeedsLayout()
        left.layoutIfNeeded()
        #expect(recorder.take() == ["updateProperties left", "layoutSubviews left"])
    }

    @Test("[UPD-10] a view new under a window gets one call before its first layout")
    func newView() throws {
        let holder = View(frame: Rect(x: 0, y: 0, width: 50, height: 50))
        let view = try view("view", in: holder)
        holder.layoutIfNeeded()
        #expect(view.calls == 0)
        recorder.attach(to: window)
        try window.addSubview(holder)
        try window.runCycle()
        #expect(view.calls == 1)
        let lines = recorder.take()
        let (update, layout) = (
            lines.firstIndex(of: "updateProperties view"),
            lines.firstIndex(of: "layoutSubviews view")
        )
        #expect(update != nil)
        if let update, let layout { #expect(update < layout) }
    }

    @Test("[UPD-12, UPD-13] a controller is called after its view, and has to call super")
    func controllers() throws {
        final class Controller: ViewController {
            var onUpdate: (() -> Void)?
            var callsSuper = true
            override func updateProperties() {
                onUpdate?()
                if callsSuper { super.updateProperties() }
            }
        }
        var log: [String] = []
        let controller = Controller(identifier: "controller")
        let root = PropertyView(identifier: "root view")
        controller.view = root
        try window.addSubview(root)
        let inner = try view("inner", in: root)
        root.onUpdate = { log.append("view") }
        inner.onUpdate = { log.append("inner") }
        controller.onUpdate = { log.append("controller") }
        try settle()
        #expect(log == ["view", "controller", "inner"])
        #expect(recorder.diagnostics == [])
        controller.callsSuper = false
        controller.setNeedsUpdateProperties()
        try window.runCycle()
        #expect(
            recorder.diagnostics == [
                .missingSuperCall(view: "root view", method: "updateProperties")
            ])
    }

    @Test("[TRA-26] a trait read in it, later changed, calls it again; an unread one does not")
    func tracking() throws {
        let view = try view("view")
        view.onUpdate = { _ = view.traitCollection.userInterfaceStyle }
        try settle()
        view.calls = 0
        window.screenTraits.idiom = .tv
        try window.runCycle()
        #expect(view.calls == 0)
        window.screenTraits.userInterfaceStyle = .dark
        try window.runCycle()
        #expect(view.calls == 1)
        #expect(recorder.take() == ["updateProperties view"])
    }

    @Test("[PASS-8] a view that keeps asking for itself ends the cycle; the error names it")
    func loop() throws {
        let view = try view("view")
        try settle()
        view.calls = 0
        view.onUpdate = { view.setNeedsUpdateProperties() }
        view.setNeedsUpdateProperties()
        #expect(throws: LayoutError.updatePropertiesLoop(view: "view")) { try window.runCycle() }
        #expect(view.calls == window.feedbackLoopLimit)
        view.onUpdate = nil
        try window.runCycle()
        #expect(!window.hasPendingWork)
    }

    @Test("[PASS-9] asked for in layout it is served in the same cycle, in draw in the next")
    func fromOtherPasses() throws {
        let view = try view("view")
        let other = RecordingView(
            frame: Rect(x: 0, y: 0, width: 50, height: 50), identifier: "other")
        other.draws = true
        try window.addSubview(other)
        try settle()
        view.calls = 0
        other.onLayoutSubviews = { view.setNeedsUpdateProperties() }
        other.setNeedsLayout()
        try window.runCycle()
        #expect(view.calls == 1)
        other.onLayoutSubviews = nil
        other.onDraw = { _ in view.setNeedsUpdateProperties() }
        other.setNeedsDisplay()
        try window.runCycle()
        #expect(view.calls == 1)
        try window.runCycle()
        #expect(view.calls == 2)
    }

    @Test("[UPD-19, UPD-20] marks set in it are served in the cycle, traits first")
    func marks() throws {
        let left = try view("left")
        let inner = try view("inner", in: left)
        try settle()
        var seen: [UserInterfaceIdiom] = []
        left.onUpdate = {
            left.setNeedsUpdateConstraints()
            left.setNeedsLayout()
            if left.traitOverrides.userInterfaceIdiom == nil {
                left.traitOverrides.userInterfaceIdiom = .car
            }
        }
        inner.onUpdate = { seen.append(inner.traitCollection.userInterfaceIdiom) }
        left.setNeedsUpdateProperties()
        inner.setNeedsUpdateProperties()
        try window.runCycle()
        #expect(seen == [.unspecified, .car])
        #expect(
            recorder.take() == [
                "updateProperties left", "updateProperties inner", "updateProperties inner",
                "updateConstraints left", "layoutSubviews left",
            ])
    }

    @Test("a pass that costs too much is cut short")
    func metered() throws {
        let view = try view("view")
        try settle()
        view.setNeedsUpdateProperties()
        window.workLimit = window.work
        #expect(throws: LayoutError.tooExpensive) { try window.runCycle() }
        #expect(window.isExhausted)
    }
}
