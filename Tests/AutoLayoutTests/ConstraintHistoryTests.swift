import Testing

@testable import AutoLayout
@testable import Cassowary

@Suite("Constraints that come and go")
struct ConstraintHistoryTests {
    @Test("[CON-12] adding and removing 1,000 constraints leaves nothing behind")
    func addAndRemove() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "view")
        try window.addSubview(view)
        _ = try place(view, width: 60)
        try window.runCycle()
        let engine = try #require(window.engine)
        let before = (
            engine.solver.constraintCount, engine.solver.variableCount, engine.solver.rowCount
        )
        let frame = view.frame
        var added: [LayoutConstraint] = []
        for index in 0..<1000 {
            let constraint =
                index % 2 == 0
                ? view.widthAnchor.constraint(lessThanOrEqualToConstant: 60 + Double(index))
                : view.widthAnchor.constraint(equalToConstant: Double(index))
            constraint.priority = LayoutPriority(Double(1 + index % 999))
            try constraint.activate()
            added.append(constraint)
        }
        try window.runCycle()
        #expect(engine.solver.constraintCount == before.0 + 1000)
        // Neither first in, first out nor the reverse.
        for step in 0..<1000 { added[step * 7 % 1000].deactivate() }
        try window.runCycle()
        #expect(engine.solver.constraintCount == before.0)
        #expect(engine.solver.variableCount == before.1)
        #expect(engine.solver.rowCount == before.2)
        #expect(view.frame == frame)
        #expect(view.attachedConstraints.count == 4)
        #expect(!window.hasPendingWork)
    }

    @Test("[CON-12] views that come and go leave no variables behind")
    func viewsComeAndGo() throws {
        let window = Window(size: Size(width: 300, height: 200))
        try window.runCycle()
        let engine = try #require(window.engine)
        let before = (engine.solver.constraintCount, engine.solver.variableCount)
        for _ in 0..<200 {
            let stack = StackView(identifier: "stack")
            stack.distribution = .equalSpacing
            for text in ["a", "bb", "ccc"] { try stack.addSubview(Label(text)) }
            try window.addSubview(stack)
            _ = try place(stack, width: 200)
            try window.runCycle()
            #expect(stack.subviews[1].frame.width == 16)
            stack.removeFromSuperview()
        }
        try window.runCycle()
        #expect(engine.solver.constraintCount == before.0)
        #expect(engine.solver.variableCount == before.1)
    }

    /// A subtree whose members' flexible sizes speak of one another once left variables behind.
    @Test("[CON-12] a subtree placed by autoresizing leaves no variables behind")
    func autoresizingSubtree() throws {
        let window = Window(size: Size(width: 300, height: 200))
        try window.runCycle()
        let engine = try #require(window.engine)
        let before = (engine.solver.constraintCount, engine.solver.variableCount)
        let outer = View(frame: Rect(x: 0, y: 0, width: 100, height: 100), identifier: "outer")
        let inner = View(frame: Rect(x: 10, y: 10, width: 80, height: 80), identifier: "inner")
        inner.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        try outer.addSubview(inner)
        try window.addSubview(outer)
        try window.runCycle()
        outer.frame = Rect(x: 0, y: 0, width: 150, height: 100)
        try window.runCycle()
        #expect(inner.frame == Rect(x: 10, y: 10, width: 130, height: 80))
        outer.removeFromSuperview()
        #expect(engine.solver.constraintCount == before.0)
        #expect(engine.solver.variableCount == before.1)
    }

    @Test("[CON-9] an array of constraints is one batch: net changes are marked once")
    func batch() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "view")
        try window.addSubview(view)
        let first = try place(view, width: 60)
        first.priority = 500
        let trace = TraceRecorder()
        trace.attach(to: window)
        try window.runCycle()
        _ = trace.take()
        let widths = [70.0, 80, 90].enumerated().map { index, width in
            let constraint = view.widthAnchor.constraint(equalToConstant: width)
            constraint.priority = LayoutPriority(Double(600 + index))
            return constraint
        }
        try LayoutConstraint.activate(widths)
        #expect(trace.take() == [])
        #expect(view.frame.width == 60)
        try window.runCycle()
        #expect(
            trace.take() == ["setNeedsLayout root", "layoutSubviews root", "layoutSubviews view"])
        #expect(view.frame.width == 90)
        LayoutConstraint.deactivate(widths)
        try window.runCycle()
        #expect(view.frame.width == 60)
    }

    @Test("[CON-13] a batch that conflicts leaves every constraint as it was")
    func refusedBatch() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "view")
        try window.addSubview(view)
        let width = try place(view, width: 60)
        width.identifier = "width"
        try window.runCycle()
        let engine = try #require(window.engine)
        let count = engine.solver.constraintCount
        let weak = view.widthAnchor.constraint(equalToConstant: 9)
        weak.priority = 10
        let wrong = view.widthAnchor.constraint(equalToConstant: 61)
        wrong.identifier = "wrong"
        #expect(throws: LayoutError.unsatisfiable(conflict: ["width", "wrong"])) {
            try LayoutConstraint.activate([weak, wrong])
        }
        #expect(!weak.isActive)
        #expect(!wrong.isActive)
        #expect(engine.solver.constraintCount == count)
        #expect(view.attachedConstraints.count == 4)
        #expect(!window.hasPendingWork)
    }

    @Test("[CON-10] a multiplier changed in place gives the frames of a constraint made anew")
    func multiplier() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "view")
        try window.addSubview(view)
        try LayoutConstraint.activate([
            view.leftAnchor.constraint(equalTo: window.leftAnchor),
            view.topAnchor.constraint(equalTo: window.topAnchor),
            view.heightAnchor.constraint(equalToConstant: 10),
        ])
        let width = view.widthAnchor.constraint(equalTo: window.widthAnchor, multiplier: 0.5)
        try width.activate()
        try window.runCycle()
        #expect(view.frame.width == 150)
        width.multiplier = 0.25
        #expect(view.engineFrame.width == 75)
        try window.runCycle()
        #expect(view.frame.width == 75)
    }
}
