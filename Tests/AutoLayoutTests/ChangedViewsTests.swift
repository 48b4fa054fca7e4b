import AutoLayout
import Testing

/// Which views take what a solve has found, in which order, and how often.
@Suite("Views that a solve has moved")
struct ChangedViewsTests {
    let window = Window(size: Size(width: 300, height: 200))
    /// In preorder; the engine got to know them in the opposite order.
    var boxes: [View] = []
    var leaves: [View] = []
    var widths: [LayoutConstraint] = []
    let trace = TraceRecorder()

    init() throws {
        for index in (0..<6).reversed() {
            let box = View(identifier: "box\(index)")
            let leaf = View(identifier: "leaf\(index)")
            let guide = LayoutGuide(identifier: "guide\(index)")
            try window.insertSubview(box, at: 0)
            box.addLayoutGuide(guide)
            try box.addSubview(leaf)
            _ = try place(box, width: 100)
            // Leaf and guide change together.
            widths.insert(guide.widthAnchor.constraint(equalToConstant: 10), at: 0)
            try LayoutConstraint.activate([
                widths[0], guide.leftAnchor.constraint(equalTo: box.leftAnchor),
                leaf.leftAnchor.constraint(equalTo: guide.leftAnchor),
                leaf.widthAnchor.constraint(equalTo: guide.widthAnchor, multiplier: 2),
                leaf.topAnchor.constraint(equalTo: box.topAnchor),
                leaf.heightAnchor.constraint(equalToConstant: 5),
            ])
            boxes.insert(box, at: 0)
            leaves.insert(leaf, at: 0)
        }
        try window.runCycle()
        trace.attach(to: window)
    }

    @Test("marks come once for each number that changed, and in preorder")
    func order() throws {
        for width in widths { try width.setConstant(12) }
        try window.runCycle()
        let marks = trace.take().filter { $0.hasPrefix("setNeedsLayout") }
        #expect(marks == (0..<6).map { "setNeedsLayout box\($0)" })
        #expect(leaves.allSatisfy { $0.frame == Rect(x: 0, y: 0, width: 24, height: 5) })
    }

    @Test("a view without subviews has its layoutSubviews traced, and a hook on it is called")
    func endOfBranch() throws {
        var calls = 0
        leaves[2].layoutSubviewsHook = { calls += 1 }
        try widths[2].setConstant(12)
        try widths[4].setConstant(13)
        try window.runCycle()
        #expect(calls == 1)
        #expect(
            trace.take() == [
                "setNeedsLayout box2", "setNeedsLayout box4", "layoutSubviews box4",
                "layoutSubviews leaf4", "layoutSubviews box2", "layoutSubviews leaf2",
            ])
        #expect(leaves.allSatisfy { !$0.needsLayout })
    }

    @Test(
        "who is told of a mark may have a layout done, which takes no view from the one that goes on"
    )
    func layoutWithin() throws {
        for width in widths { try width.setConstant(12) }
        var isFirst = true
        var marked: [String] = []
        window.traceHandler = { [window, widths] event in
            guard event.kind == .setNeedsLayout else { return }
            marked.append(event.view)
            guard isFirst else { return }
            isFirst = false
            // Its own changes are in the layout that it asks for.
            for index in [1, 5] {
                do {
                    try widths[index].setConstant(20)
                } catch {
                    Issue.record("\(error)")
                }
            }
            window.layoutIfNeeded()
        }
        try window.runCycle()
        window.traceHandler = nil
        #expect(leaves.map(\.frame.width) == [24, 40, 24, 24, 24, 40])
        #expect(Set(marked) == Set(boxes.map(\.identifier)))
        try window.runCycle()
        #expect(leaves.map(\.frame.width) == [24, 40, 24, 24, 24, 40])
    }
}
