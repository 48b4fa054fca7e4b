import AutoLayout
import Testing

/// One view, 60 points wide; animations of 0.1 s take 6 ticks.
@Suite("Animation")
struct AnimationTests {
    let window = Window(size: Size(width: 300, height: 200))
    let view = View(identifier: "view")
    let width: LayoutConstraint
    let trace = TraceRecorder()

    init() throws {
        try window.addSubview(view)
        width = try place(view, width: 60)
        trace.attach(to: window)
        try window.runCycle()
    }

    private func shownWidths(_ ticks: Int) throws -> [Double] {
        var widths: [Double] = []
        for _ in 0..<ticks {
            try window.runCycle()
            widths.append(view.presentationFrame.width)
        }
        return widths
    }

    private func animate(_ duration: Double = 0.1, _ changes: () -> Void) {
        window.animate(duration: duration, curve: .linear, changes: changes)
    }

    @Test("[ANI-1] without a block the new frame is there at the next cycle")
    func noBlock() throws {
        width.constant = 120
        #expect(view.frame.width == 60)
        #expect(try shownWidths(2) == [120, 120])
        #expect(!window.isAnimating)
    }

    @Test(
        "[ANI-2] [ANI-6] [ANI-7] layoutIfNeeded in a block: the model jumps, what is shown moves by ticks"
    )
    func block() throws {
        animate {
            width.constant = 120
            window.layoutIfNeeded()
        }
        #expect(view.frame.width == 120)
        #expect(view.presentationFrame.width == 60)
        #expect(window.animatingViews.map(\.identifier) == ["view"])
        let widths = try shownWidths(8)
        for (shown, expected) in zip(widths, [60, 70, 80, 90, 100, 110, 120, 120]) {
            #expect(abs(shown - Double(expected)) < 1e-9)
        }
        #expect(!window.hasPendingWork)
    }

    @Test(
        "what moves in one window goes on in another with equal views, from the middle and before it begins"
    )
    func resumed() throws {
        window.animate(duration: 0.1, curve: .easeIn) {
            width.constant = 120
            window.layoutIfNeeded()
        }
        try window.runCycle()
        try window.runCycle()
        window.animate(duration: 0.1, delay: 0.05, curve: .linear) {
            width.constant = 90
            window.layoutIfNeeded()
        }
        let other = try AnimationTests()
        other.width.constant = 90
        try other.window.runCycle()
        other.window.resumeAnimations(window.runningAnimations.map { (other.view, $0.animation) })
        #expect(
            other.window.runningAnimations.map(\.animation)
                == window.runningAnimations.map(\.animation))
        #expect(window.runningAnimations.map(\.animation.startTicks) == [-1, 4])
        #expect(other.view.presentationFrame == view.presentationFrame)
        #expect(try other.shownWidths(14) == shownWidths(14))
        #expect(!other.window.hasPendingWork && other.view.presentationFrame.width == 90)
    }

    @Test("[ANI-3] setNeedsLayout in a block animates nothing")
    func needsLayoutInBlock() throws {
        animate {
            width.constant = 120
            window.setNeedsLayout()
        }
        #expect(view.frame.width == 60)
        #expect(try shownWidths(1) == [120])
        #expect(trace.diagnostics == [.nothingAnimated])
    }

    @Test("[ANI-4] what is still pending is animated with the block; what was flushed is not")
    func pendingBefore() throws {
        width.constant = 120
        animate { window.layoutIfNeeded() }
        #expect(try shownWidths(4).last == 90)
        _ = try shownWidths(4)
        width.constant = 60
        window.layoutIfNeeded()
        #expect(view.presentationFrame.width == 60)
        animate { window.layoutIfNeeded() }
        #expect(try shownWidths(1) == [60])
        #expect(trace.diagnostics == [.nothingAnimated])
    }

    @Test("[ANI-5] flush, change, flush, then change in the block: only the second moves")
    func flushAndChange() throws {
        window.layoutIfNeeded()
        width.constant = 120
        window.layoutIfNeeded()
        animate {
            width.constant = 240
            window.layoutIfNeeded()
        }
        #expect(view.presentationFrame.width == 120)
        #expect(try shownWidths(4) == [120, 140, 160, 180])
    }

    @Test("[ANI-10] asking only the moved view itself animates nothing, and people are told")
    func movedViewItself() throws {
        animate {
            width.constant = 120
            view.layoutIfNeeded()
        }
        #expect(view.frame.width == 60)
        #expect(trace.diagnostics == [.nothingAnimated])
        #expect(try shownWidths(1) == [120])
    }

    @Test("[ANI-8] completions tell once whether the animation finished")
    func completions() throws {
        var told: [Bool] = []
        window.animate(
            duration: 0.05, completion: { told.append($0) },
            changes: {
                width.constant = 120
                window.layoutIfNeeded()
            })
        _ = try shownWidths(3)
        #expect(told == [])
        _ = try shownWidths(2)
        #expect(told == [true])
        window.animate(
            duration: 0.05, completion: { told.append($0) },
            changes: {
                width.constant = 60
                window.layoutIfNeeded()
            })
        view.removeFromSuperview()
        #expect(told == [true, false])
        #expect(!window.isAnimating)
    }

    @Test(
        "curves begin at 0, end at 1, never go back, and the symmetric one is half way at half time"
    )
    func curves() {
        for curve in AnimationCurve.allCases {
            let values = (0...100).map { curve.progress(at: Double($0) / 100) }
            #expect(values.first == 0)
            #expect(values.last == 1)
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(abs(AnimationCurve.easeInOut.progress(at: 0.5) - 0.5) < 1e-12)
        #expect(AnimationCurve.easeIn.progress(at: 0.25) < 0.25)
        #expect(AnimationCurve.easeOut.progress(at: 0.25) > 0.25)
    }
}
