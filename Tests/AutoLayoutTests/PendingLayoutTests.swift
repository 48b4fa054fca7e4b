import AutoLayout
import Testing

/// Where the layout pass finds what is pending: mostly in one subview of each view on the way.
@Suite("Layout pending in one subview, or in several")
struct PendingLayoutTests {
    let window = Window(size: Size(width: 300, height: 200))
    let boxes: [RecordingView]
    let trace = TraceRecorder()

    init() throws {
        boxes = (0..<5).map { RecordingView(identifier: "box\($0)") }
        for box in boxes {
            try window.addSubview(box)
            _ = try place(box, width: 100)
        }
        try window.runCycle()
        trace.attach(to: window)
    }

    /// Which boxes are laid out by a cycle, in order.
    private func layouts() throws -> [String] {
        try window.runCycle()
        return trace.take().map { String($0.split(separator: " ")[1]) }
    }

    @Test("one is laid out, and several from the last to the first, whichever was marked first")
    func oneOrSeveral() throws {
        boxes[2].setNeedsLayout()
        #expect(try layouts() == ["box2"])
        for index in [3, 0, 4] { boxes[index].setNeedsLayout() }
        #expect(try layouts() == ["box4", "box3", "box0"])
        boxes[1].setNeedsLayout()
        boxes[1].setNeedsLayout()
        #expect(try layouts() == ["box1"])
        #expect(try layouts() == [])
    }

    @Test(
        "what a layout marks before its view is laid out on the same way, what it marks behind it on the next"
    )
    func markedMeanwhile() throws {
        boxes[2].onLayoutSubviews = { [boxes] in
            for index in [4, 0, 1] { boxes[index].setNeedsLayout() }
        }
        boxes[2].setNeedsLayout()
        #expect(try layouts() == ["box2", "box1", "box0", "box4"])
    }

    @Test(
        "who is marked and leaves is not looked for, and who has marked others and leaves has them laid out"
    )
    func leaving() throws {
        do {
            let passing = View(identifier: "passing")
            try window.addSubview(passing)
            _ = try place(passing, width: 10)
            try window.runCycle()
            passing.setNeedsLayout()
            passing.removeFromSuperview()
        }
        _ = trace.take()
        // The window, whose list of subviews has changed.
        #expect(try layouts() == ["root"])
        boxes[2].onLayoutSubviews = { [boxes] in
            boxes[1].setNeedsLayout()
            boxes[3].setNeedsLayout()
            boxes[2].removeFromSuperview()
        }
        boxes[2].setNeedsLayout()
        #expect(Set(try layouts()) == ["root", "box1", "box2", "box3"])
        #expect(!boxes[1].needsLayout && !boxes[3].needsLayout)
    }

    @Test(
        "what an error keeps from being laid out is laid out in the next cycle, with what is marked until then"
    )
    func afterError() throws {
        let inner = View(identifier: "inner")
        try boxes[1].addSubview(inner)
        _ = try place(inner, width: 50)
        try window.runCycle()
        _ = trace.take()
        boxes[3].onLayoutSubviews = { [boxes] in boxes[3].setNeedsUpdateConstraints() }
        for view in [boxes[3], boxes[1], inner] { view.setNeedsLayout() }
        #expect(throws: LayoutError.updateConstraintsLoop(view: "box3")) { try window.runCycle() }
        #expect(trace.take() == ["layoutSubviews box3"])
        #expect(boxes[1].needsLayout && inner.needsLayout && window.hasPendingWork)
        boxes[3].onLayoutSubviews = nil
        boxes[0].setNeedsLayout()
        boxes[1].setNeedsLayout()
        let layouts = try layouts().filter { $0 != "box3" }
        #expect(layouts == ["box1", "inner", "box0"])
    }

    @Test("a branch deep down is found after its neighbours were laid out and left alone")
    func deep() throws {
        var views = [boxes[3] as View]
        for index in 0..<6 {
            let view = View(identifier: "deep\(index)")
            try views[index].addSubview(view)
            _ = try place(view, width: 50)
            views.append(view)
        }
        try window.runCycle()
        _ = trace.take()
        views[6].setNeedsLayout()
        #expect(try layouts() == ["deep5"])
        views[6].setNeedsLayout()
        views[2].setNeedsLayout()
        boxes[0].setNeedsLayout()
        #expect(try layouts() == ["deep1", "deep5", "box0"])
    }
}
