import AutoLayout
import Testing

/// A view whose overrides forget `super`.
private final class ForgetfulView: View {
    var forgetsConstraints = false
    var forgetsLayout = false

    override func updateConstraints() {
        if !forgetsConstraints { super.updateConstraints() }
    }

    override func layoutSubviews() {
        if !forgetsLayout { super.layoutSubviews() }
    }
}

/// What views may ask for, when, and what their calls come to: `box` holds `inner`; `other` stands
/// beside it.
@Suite("Rules of the passes")
struct PassRuleTests {
    let window = Window(size: Size(width: 300, height: 200))
    let box = RecordingView(identifier: "box")
    let inner = RecordingView(identifier: "inner")
    let other = RecordingView(identifier: "other")
    let innerWidth: LayoutConstraint
    let trace = TraceRecorder()

    init() throws {
        try window.addSubview(box)
        try box.addSubview(inner)
        try window.addSubview(other)
        innerWidth = try place(inner, width: 20)
        _ = try place(box, width: 100)
        _ = try place(other, width: 50)
        trace.attach(to: window)
    }

    @Test("[CYC-10] a new view has all three marks, so layoutIfNeeded works at once")
    func newView() throws {
        let view = View(identifier: "new")
        #expect(view.needsUpdateConstraints)
        #expect(view.needsLayout)
        #expect(view.needsDisplay)
        let child = View(identifier: "child")
        try window.addSubview(view)
        try view.addSubview(child)
        _ = try place(view, width: 70)
        _ = try place(child, width: 30)
        #expect(view.frame == .zero)
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 0, y: 0, width: 70, height: 40))
        #expect(child.frame == Rect(x: 0, y: 0, width: 30, height: 40))
        #expect(!view.needsUpdateConstraints)
        #expect(!view.needsLayout)
    }

    @Test("[CON-6] a view that marks itself in updateConstraints ends the cycle with an error")
    func ownMarkInUpdateConstraints() throws {
        try window.runCycle()
        inner.onUpdateConstraints = { [inner] in inner.setNeedsUpdateConstraints() }
        inner.setNeedsUpdateConstraints()
        innerWidth.constant = 25
        #expect(throws: LayoutError.updateConstraintsLoop(view: "inner")) {
            try window.runCycle()
        }
        #expect(inner.frame.width == 20)
        inner.onUpdateConstraints = nil
        try window.runCycle()
        #expect(inner.frame.width == 25)
    }

    @Test("[CON-7] [LAY-7] a call that does not reach super is reported in debug builds")
    func missingSuper() throws {
        let view = ForgetfulView(identifier: "forgetful")
        try window.addSubview(view)
        _ = try place(view, width: 10)
        try window.runCycle()
        #expect(trace.diagnostics.isEmpty)
        view.forgetsConstraints = true
        view.forgetsLayout = true
        view.setNeedsUpdateConstraints()
        view.setNeedsLayout()
        try window.runCycle()
        #if DEBUG
            #expect(
                trace.diagnostics == [
                    .missingSuperCall(view: "forgetful", method: "updateConstraints"),
                    .missingSuperCall(view: "forgetful", method: "layoutSubviews"),
                ])
        #else
            #expect(trace.diagnostics.isEmpty)
        #endif
    }

    @Test("[LAY-5] views marked in layoutSubviews are laid out in the same cycle")
    func marksInLayout() throws {
        try window.runCycle()
        _ = trace.take()
        var rounds = 0
        box.onLayoutSubviews = { [box] in
            rounds += 1
            if rounds < 4 { box.setNeedsLayout() }
        }
        box.setNeedsLayout()
        try window.runCycle()
        #expect(trace.take() == Array(repeating: "layoutSubviews box", count: 4))
        #expect(!window.hasPendingWork)
    }

    @Test("[LAY-6] [LAY-7] a feedback loop ends after 100 rounds and names the views")
    func feedbackLoop() throws {
        try window.runCycle()
        var rounds = 0
        box.onLayoutSubviews = { [box] in
            rounds += 1
            box.setNeedsLayout()
        }
        box.setNeedsLayout()
        #expect(throws: LayoutError.layoutFeedbackLoop(views: ["box"], markedBy: ["box"])) {
            try window.runCycle()
        }
        #expect(rounds == 100)
        #expect(box.frame == Rect(x: 0, y: 0, width: 100, height: 40))
        box.onLayoutSubviews = nil
        innerWidth.constant = 33
        try window.runCycle()
        #expect(inner.frame.width == 33)
    }

    @Test("[LAY-6] views that keep marking one another are named, with who marked them")
    func feedbackOfTwo() throws {
        try window.runCycle()
        box.onLayoutSubviews = { [inner] in inner.setNeedsLayout() }
        inner.onLayoutSubviews = { [box] in box.setNeedsLayout() }
        box.setNeedsLayout()
        let error = #expect(throws: LayoutError.self) { try window.runCycle() }
        guard case .layoutFeedbackLoop(let views, let markedBy) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(views == ["box", "inner"])
        #expect(markedBy == ["inner", "box"])
    }

    @Test("[LAY-7] marking a view outside the subtree is reported")
    func marksOutside() throws {
        try window.runCycle()
        box.onLayoutSubviews = { [other, inner] in
            other.setNeedsLayout()
            inner.setNeedsLayout()
        }
        box.setNeedsLayout()
        try window.runCycle()
        #expect(trace.diagnostics == [.markedOutsideSubtree(view: "other", by: "box")])
    }

    @Test(
        "[LAY-8] in layoutSubviews another view's updateConstraints may be asked for, not one's own"
    )
    func updateConstraintsInLayout() throws {
        try window.runCycle()
        _ = trace.take()
        var asked = false
        box.onLayoutSubviews = { [inner] in
            if !asked { inner.setNeedsUpdateConstraints() }
            asked = true
        }
        inner.onUpdateConstraints = { [innerWidth] in innerWidth.constant = 44 }
        box.setNeedsLayout()
        try window.runCycle()
        #expect(
            trace.take() == [
                "layoutSubviews box", "updateConstraints inner", "setNeedsLayout box",
                "layoutSubviews box", "layoutSubviews inner",
            ])
        #expect(inner.frame.width == 44)
        box.onLayoutSubviews = { [box] in box.setNeedsUpdateConstraints() }
        box.setNeedsLayout()
        #expect(throws: LayoutError.updateConstraintsLoop(view: "box")) { try window.runCycle() }
    }

    @Test("[LAY-9] what calls layoutSubviews, and what does not")
    func triggers() throws {
        try window.runCycle()
        _ = trace.take()
        let plain = View(identifier: "plain")
        try box.addSubview(plain)
        try window.runCycle()
        let layouts = trace.take().filter { $0.hasPrefix("layoutSubviews") }
        #expect(layouts == ["layoutSubviews box"])
        #expect(plain.needsLayout)
        let framed = View(
            frame: Rect(x: 1, y: 2, width: 3, height: 4), identifier: "framed")
        try box.addSubview(framed)
        try window.runCycle()
        #expect(
            trace.take() == [
                "updateConstraints framed", "layoutSubviews box", "layoutSubviews framed",
            ])
        framed.frame = Rect(x: 1, y: 2, width: 3, height: 4)
        #expect(!window.hasPendingWork)
        framed.frame = Rect(x: 9, y: 9, width: 3, height: 4)
        #expect(framed.frame == Rect(x: 9, y: 9, width: 3, height: 4))
        try window.runCycle()
        #expect(trace.take() == [])
        framed.frame = Rect(x: 9, y: 9, width: 5, height: 4)
        try window.runCycle()
        #expect(trace.take() == ["layoutSubviews box", "layoutSubviews framed"])
    }

    @Test(
        "[LAY-9] scrolling calls layoutSubviews of the scroll view, a viewport change of the root")
    func scrollAndViewport() throws {
        let scroll = ScrollView(identifier: "scroll")
        try window.addSubview(scroll)
        _ = try place(scroll, width: 50)
        try window.runCycle()
        _ = trace.take()
        scroll.contentOffset = Point(x: 0, y: 12)
        try window.runCycle()
        #expect(trace.take() == ["layoutSubviews scroll"])
        #expect(scroll.bounds == Rect(x: 0, y: 12, width: 50, height: 40))
        window.viewportSize = Size(width: 200, height: 100)
        #expect(window.frame.width == 300)
        try window.runCycle()
        #expect(trace.take() == ["layoutSubviews root"])
        #expect(window.frame.size == Size(width: 200, height: 100))
    }

    @Test(
        "[LAY-11] layoutIfNeeded handles the receiver's subtree, draws nothing, and then has nothing to do"
    )
    func layoutIfNeeded() throws {
        inner.draws = true
        var draws = 0
        inner.onDraw = { _ in draws += 1 }
        try window.runCycle()
        #expect(draws == 1)
        _ = trace.take()
        innerWidth.constant = 30
        inner.setNeedsDisplay()
        other.setNeedsLayout()
        box.layoutIfNeeded()
        #expect(inner.frame.width == 30)
        #expect(draws == 1)
        #expect(
            trace.take() == ["setNeedsLayout box", "layoutSubviews box", "layoutSubviews inner"])
        box.layoutIfNeeded()
        #expect(trace.take() == [])
        #expect(other.needsLayout)
        try window.runCycle()
        #expect(trace.take() == ["layoutSubviews other", "draw inner"])
    }
}
