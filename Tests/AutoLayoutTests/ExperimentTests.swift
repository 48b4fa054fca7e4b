import AutoLayout
import Testing

/// The experiment whose logs BEHAVIOURS calls LOG: a container 428 wide with three subviews, in
/// this order left (leading), right (trailing), middle (centred), each 50 wide and as tall as the
/// container.
@Suite("The experiment of three views")
struct ExperimentTests {
    let window = Window(size: Size(width: 428, height: 300))
    let container = View(identifier: "container")
    let left = RecordingView(identifier: "left")
    let right = RecordingView(identifier: "right")
    let middle = RecordingView(identifier: "middle")
    let leftWidth: LayoutConstraint
    let rightWidth: LayoutConstraint
    let middleWidth: LayoutConstraint
    let containerHeight: LayoutConstraint
    let trace = TraceRecorder()

    init() throws {
        leftWidth = left.widthAnchor.constraint(equalToConstant: 50)
        rightWidth = right.widthAnchor.constraint(equalToConstant: 50)
        middleWidth = middle.widthAnchor.constraint(equalToConstant: 50)
        containerHeight = container.heightAnchor.constraint(equalToConstant: 200)
        try window.addSubview(container)
        for view in [left, right, middle] { try container.addSubview(view) }
        try LayoutConstraint.activate([
            container.leadingAnchor.constraint(equalTo: window.leadingAnchor),
            container.trailingAnchor.constraint(equalTo: window.trailingAnchor),
            container.topAnchor.constraint(equalTo: window.topAnchor), containerHeight,
            left.leadingAnchor.constraint(equalTo: container.leadingAnchor), leftWidth,
            right.trailingAnchor.constraint(equalTo: container.trailingAnchor), rightWidth,
            middle.centerXAnchor.constraint(equalTo: container.centerXAnchor), middleWidth,
        ])
        for view in [left, right, middle] {
            try LayoutConstraint.activate([
                view.topAnchor.constraint(equalTo: container.topAnchor),
                view.bottomAnchor.constraint(equalTo: container.bottomAnchor),
            ])
        }
        trace.attach(to: window)
    }

    @Test("[LOG-1] the first cycle")
    func firstCycle() throws {
        try window.runCycle()
        let lines = trace.take().filter { !$0.hasSuffix(" root") }
        #expect(
            lines == [
                "updateConstraints left", "updateConstraints right", "updateConstraints middle",
                "updateConstraints container",
            ] + Array(repeating: "setNeedsLayout container", count: 12) + [
                "layoutSubviews container", "layoutSubviews middle", "layoutSubviews right",
                "layoutSubviews left",
            ])
        #expect(container.frame == Rect(x: 0, y: 0, width: 428, height: 200))
        #expect(middle.frame == Rect(x: 189, y: 0, width: 50, height: 200))
        #expect(right.frame == Rect(x: 378, y: 0, width: 50, height: 200))
        #expect(left.frame == Rect(x: 0, y: 0, width: 50, height: 200))
    }

    @Test("[LOG-2] [CYC-1] [CYC-2] [LAY-1] two constants in one turn")
    func twoConstants() throws {
        try window.runCycle()
        _ = trace.take()
        middleWidth.constant = 70
        leftWidth.constant = 70
        #expect(middle.frame.width == 50)
        #expect(middle.engineFrame == Rect(x: 179, y: 0, width: 70, height: 200))
        #expect(trace.take() == [])
        try window.runCycle()
        #expect(
            trace.take()
                == Array(repeating: "setNeedsLayout container", count: 3) + [
                    "layoutSubviews container", "layoutSubviews middle", "layoutSubviews left",
                ])
        #expect(middle.frame == Rect(x: 179, y: 0, width: 70, height: 200))
        #expect(left.frame == Rect(x: 0, y: 0, width: 70, height: 200))
    }

    @Test("[LOG-3] [CON-3] constraints changed in updateConstraints, asked for in the other order")
    func updateConstraints() throws {
        try window.runCycle()
        _ = trace.take()
        right.onUpdateConstraints = { [rightWidth] in rightWidth.constant = 49 }
        left.onUpdateConstraints = { [leftWidth] in leftWidth.constant = 49 }
        right.setNeedsUpdateConstraints()
        left.setNeedsUpdateConstraints()
        try window.runCycle()
        #expect(
            trace.take() == ["updateConstraints left", "updateConstraints right"]
                + Array(repeating: "setNeedsLayout container", count: 3) + [
                    "layoutSubviews container", "layoutSubviews right", "layoutSubviews left",
                ])
        #expect(right.frame == Rect(x: 379, y: 0, width: 49, height: 200))
        #expect(left.frame == Rect(x: 0, y: 0, width: 49, height: 200))
    }

    @Test("[LOG-4] one constant of a centred view")
    func oneConstant() throws {
        try window.runCycle()
        _ = trace.take()
        middleWidth.constant = 70
        try window.runCycle()
        #expect(
            trace.take() == [
                "setNeedsLayout container", "setNeedsLayout container", "layoutSubviews container",
                "layoutSubviews middle",
            ])
    }

    @Test("[LOG-5] the container's own height")
    func containerResized() throws {
        try window.runCycle()
        _ = trace.take()
        containerHeight.constant = 100
        try window.runCycle()
        #expect(
            trace.take() == ["setNeedsLayout root"]
                + Array(repeating: "setNeedsLayout container", count: 3) + [
                    "layoutSubviews root", "layoutSubviews container", "layoutSubviews middle",
                    "layoutSubviews right", "layoutSubviews left",
                ])
    }

    @Test("[CYC-5] nothing marked: nothing is called")
    func idle() throws {
        try window.runCycle()
        _ = trace.take()
        #expect(!window.hasPendingWork)
        try window.runCycle()
        #expect(trace.take() == [])
    }
}
